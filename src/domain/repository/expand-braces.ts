/** Braces in path patterns, expanded as a shell does: `{infra,deploy}/**` is two patterns. */
import { expand } from 'brace-expansion';

/** Patterns that one may stand for. */
export const MAX_EXPANSIONS = 100;

export type Expansion = { ok: true; patterns: string[] } | { ok: false; expected: string };

/** Stand for `\x` while braces are expanded, so that an escaped brace or comma stays as it is written. */
const ESCAPED = /\\([\s\S])/g;
const [FIRST, LAST] = ['\uE100', '\uE101'];
const MARKED = /\uE100(\d+)\uE101/g;

/**
 * All patterns that one with braces stands for. A brace that expands to nothing is an error and not a literal: who
 * writes `{infra,deploy/**` means two folders, and the literal would match neither.
 */
export function expandBraces(pattern: string): Expansion {
  if (!/[{}]/.test(pattern)) return { ok: true, patterns: [pattern] };
  const marked = pattern.replaceAll(
    ESCAPED,
    (_, sign: string) => `${FIRST}${sign.codePointAt(0)}${LAST}`,
  );
  const found = expand(marked, { max: MAX_EXPANSIONS + 1, maxLength: 100_000 });
  if (found.length > MAX_EXPANSIONS)
    return { ok: false, expected: `braces that stand for at most ${MAX_EXPANSIONS} patterns` };
  if (found.length === 0 || found.some((each) => /[{}]/.test(each)))
    return { ok: false, expected: 'braces as in {a,b} or {1..3}; write \\{ for the character' };
  const patterns = found.map((each) =>
    each.replaceAll(MARKED, (_, code: string) => `\\${String.fromCodePoint(Number(code))}`),
  );
  return { ok: true, patterns };
}
