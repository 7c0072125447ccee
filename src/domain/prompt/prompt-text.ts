/** Text that may go to a model: our own literals, names made plain, and blocks of other people's text. */
import { stripForModel } from '../text/invisible.ts';
import { redactSecrets } from '../secrets/secret-text.ts';

declare const checked: unique symbol;

/** A string that only this file makes: it holds no invisible character, and nothing foreign outside a block or a name. */
export type PromptText = string & { readonly [checked]: true };

/** A part that is left out. */
export const NOTHING: PromptText = brand('');

/** Strings that may have come from anywhere: not {@link PromptText}, and no literal. A template around a `string` is one. */
type Loose<T> = T extends PromptText
  ? never
  : T extends string
    ? Partial<Record<typeof checked, 1>> extends Record<T, 1>
      ? T
      : never
    : never;
type Guard<T> = [Loose<T>] extends [never] ? unknown : never;

/** Our words with blocks, names and numbers in between; a value typed `string` does not compile. */
export function prompt<const T extends readonly (string | number)[]>(
  strings: TemplateStringsArray,
  ...values: T & Guard<T[number]>
): PromptText {
  return brand(strings.map((text, index) => `${text}${values[index] ?? ''}`).join(''));
}

/** Parts one after the other; empty ones are left out. */
export function joinPrompt<const T extends string>(
  parts: readonly T[] & Guard<T>,
  between: '\n' | '\n\n' = '\n\n',
): PromptText {
  const filled: readonly string[] = parts;
  return brand(filled.filter((part) => part !== '').join(between));
}

/** `READY, DRAFT, CLOSE`: numbers, Quorum's own literals, or sanitised names. */
export function listed<const T extends string | number>(
  words: readonly T[] & Guard<T>,
): PromptText {
  const all: readonly (string | number)[] = words;
  return brand(all.join(', '));
}

/** What a maintainer decided or we wrote, and may instruct: personas, rules, the guide of the repository. */
export function trusted(text: string): PromptText {
  return brand(stripForModel(text).text);
}

/** A name in one of Quorum's sentences: one line, short, and without what looks like a credential. */
export function inline(text: string, most = 200): PromptText {
  const line = redactSecrets(stripForModel(text).text).replaceAll(/\s+/g, ' ').trim();
  return brand(line.slice(0, most).toWellFormed());
}

function brand(text: string): PromptText {
  if (!isPlain(text)) throw new Error('Text for a model holds an invisible character.');
  return text;
}

/** True of whatever is put together of plain parts: an error here is a bug in this file or in a literal. */
function isPlain(text: string): text is PromptText {
  return stripForModel(text).text === text;
}
