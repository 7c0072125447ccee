/** Code as data for a prompt: its markup is part of it, so that only what nobody sees is taken out, and credentials. */
import { stripInvisible } from './invisible.ts';
import { quarantine, type QuarantineInput } from './quarantine.ts';
import { redactSecrets } from './secret-text.ts';
import { countHidden } from './visible-text.ts';

/** A delimited block of at most so many characters. */
export function quarantineCode(
  { text, ...about }: Pick<QuarantineInput, 'source' | 'trust' | 'text'>,
  { delimiter, most }: { delimiter: string; most: number },
): string {
  const { text: visible, counts } = stripInvisible(text);
  const shown = redactSecrets(visible);
  const input = {
    ...about,
    text: shown.slice(0, most),
    hidden: countHidden(counts),
    cut: Math.max(0, shown.length - most),
  };
  return quarantine(input, delimiter).block;
}

/** What was changed before, for whoever changes the same again. */
export function changePart(
  text: string,
  { source, delimiter }: { source: string; delimiter: string },
): string {
  const block = quarantineCode(
    { source, trust: 'stranger', text },
    { delimiter, most: MAX_CHANGE },
  );
  return `## What was changed before\n\n${block}`;
}

/** INJ-10. */
const MAX_CHANGE = 60_000;
