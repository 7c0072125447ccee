/**
 * One line in each file that `quorum init` makes: a digest of the rest. It tells a file that nobody changed, which later
 * commands may replace or remove, from one that a person edited, without a list kept elsewhere.
 */
import { createHash } from 'node:crypto';

const SEAL =
  /^# Made by quorum init \(([0-9a-f]{16})\)\. Edit it freely; quorum uninstall then leaves it\.$/;

export type Seal = 'intact' | 'broken' | 'absent';

/** Puts the line behind the `after` first lines of a text. */
export function sealText(text: string, after = 0): string {
  const lines = text.split('\n');
  const line = `# Made by quorum init (${digestOf(lines)}). Edit it freely; quorum uninstall then leaves it.`;
  return lines.toSpliced(after, 0, line).join('\n');
}

/** Git may have changed the line ends at checkout: they do not count. */
export function sealOf(text: string): Seal {
  const lines = linesOf(text);
  const at = lines.findIndex((line) => SEAL.test(line));
  if (at === -1) return 'absent';
  const kept = SEAL.exec(lines[at] ?? '')?.[1];
  return kept === digestOf(lines.toSpliced(at, 1)) ? 'intact' : 'broken';
}

/** The text after Quorum changed it: sealed again if it was intact, unchanged otherwise. */
export function reseal(before: string, after: string): string {
  if (sealOf(before) !== 'intact') return after;
  const lines = linesOf(after);
  const at = lines.findIndex((line) => SEAL.test(line));
  return sealText(lines.toSpliced(at, 1).join('\n'), at);
}

/** Whether two texts are the same but for line ends. */
export function isSameText(one: string, other: string): boolean {
  return linesOf(one).join('\n') === linesOf(other).join('\n');
}

function linesOf(text: string): string[] {
  return text.replaceAll('\r\n', '\n').split('\n');
}

function digestOf(lines: readonly string[]): string {
  return createHash('sha256').update(lines.join('\n')).digest('hex').slice(0, 16);
}
