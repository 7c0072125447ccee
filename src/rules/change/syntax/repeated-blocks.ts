/** Finds blocks of lines that a change adds twice. */
import type { ReadLine } from './lex.ts';
import type { ChangedFile } from '../read-change.ts';
import type { Sighting } from '../change-rule.ts';
import { PROGRAMS } from './language.ts';

/** Lines in a row that stand twice. */
const BLOCK = 8;

const MIN_BLOCK_CHARS = 200;

export function isCode({ language, isTest }: ChangedFile): boolean {
  return PROGRAMS.includes(language) && !isTest;
}

/** Whether a line says something: no brackets alone, no import, no list of plain values. */
export function isCodeLine({ code }: ReadLine): boolean {
  return (
    /[A-Za-z_]\w*/.test(code) &&
    !/^\s*(?:import\b|from\b|export\s*\{|use\b|package\b|#include|@)/.test(code)
  );
}

/** A line that does something; declarations of types and lists of values look alike everywhere. */
export const DOES = /[\w)\]]\(|\s[-+*/]?=\s|\b(?:return|if|for|while|await)\b/;

interface Block {
  file: ChangedFile;
  first: ReadLine;
  last: ReadLine;
}

/** Runs of new telling lines, as windows of {@link BLOCK}, by their text. */
function windowsOf(file: ChangedFile): { key: string; block: Block }[] {
  const telling = file.added
    .filter(isCodeLine)
    .map((line) => ({ line, key: line.live.replaceAll(/\s+/g, ' ').trim() }));
  const found: { key: string; block: Block }[] = [];
  for (let at = 0; at + BLOCK <= telling.length; at += 1) {
    const run = telling.slice(at, at + BLOCK);
    const [first, last] = [run[0], run.at(-1)];
    // A run that jumps over much old code is not one block.
    if (first === undefined || last === undefined || last.line.line - first.line.line > BLOCK * 2)
      continue;
    const key = run.map((each) => each.key).join('\n');
    if (
      key.length >= MIN_BLOCK_CHARS &&
      run.filter(({ line: { code } }) => DOES.test(code)).length >= BLOCK / 2
    )
      found.push({ key, block: { file, first: first.line, last: last.line } });
  }
  return found;
}

/** Files there are compared or shown on their own, and so repeat each other. */
const ASIDE = /(?:^|\/)(?:bench(?:marks?)?|examples?|playground)\//i;

/** Blocks that occur twice among the new lines; each is reported once, at its second place. */
export function findRepeatedBlocks(files: readonly ChangedFile[]): Sighting[] {
  const seen = new Map<string, Block>();
  const found: Sighting[] = [];
  for (const file of files.filter((each) => isCode(each) && !ASIDE.test(each.path))) {
    let told = 0;
    for (const { key, block } of windowsOf(file)) {
      const twin = seen.get(key);
      seen.set(key, twin ?? block);
      const overlaps = twin?.file === file && block.first.line <= twin.last.line;
      if (twin === undefined || overlaps || block.first.line <= told) continue;
      told = block.last.line + BLOCK;
      found.push({
        file,
        line: block.first.line,
        endLine: block.last.line,
        evidence: `the same ${BLOCK} lines stand in ${twin.file.path}, line ${twin.first.line}`,
      });
    }
  }
  return found.slice(0, 5);
}
