/** A rule about blocks that stand in two files. */
import { DOES, isCodeLine } from '../../change/syntax/repeated-blocks.ts';
import type { ChangedFile } from '../../change/read-change.ts';
import type { Sighting } from '../../change/change-rule.ts';
import { PROGRAMS } from '../../change/syntax/language.ts';
import { isOwnCode } from '../repository-links.ts';
import type { WatchRule } from '../watch-rule.ts';

/** Telling lines in a row by which a copy is noticed, and so many that it is worth a word. */
const WINDOW = 8;
const MIN_LINES = 20;
/** Beside each other people see that they are alike: overloads, cases of one switch. */
const MIN_LINES_BESIDE = 30;
/** From now on it is a part of the program, not a habit of writing. */
const LARGE = 40;
/** Blank lines, brackets and comments between two telling lines of one block. */
const MAX_GAP = 6;

/** A line of a type, whatever follows its equals sign. */
const DECLARES = /\bextends\b|^\s*(?:export\s+)?(?:type|interface)\b/;

interface TellingLine {
  /** Number of its text: equal lines have equal numbers. */
  id: number;
  line: number;
  does: boolean;
}

interface Reading {
  file: ChangedFile;
  lines: readonly TellingLine[];
}

interface Start {
  reading: Reading;
  at: number;
}

function readAll(files: readonly ChangedFile[]): Reading[] {
  const ids = new Map<string, number>();
  return files
    .filter((file) => isOwnCode(file) && PROGRAMS.includes(file.language))
    .map((file) => ({
      file,
      lines: file.added.filter(isCodeLine).map(({ live, code, line }) => {
        const key = live.replaceAll(/\s+/g, ' ').trim();
        const id = ids.get(key) ?? ids.size;
        ids.set(key, id);
        return { id, line, does: DOES.test(code) && !DECLARES.test(code) };
      }),
    }));
}

function windowKey(lines: readonly TellingLine[], at: number): string | undefined {
  const run = lines.slice(at, at + WINDOW);
  return run.length < WINDOW ? undefined : run.map(({ id }) => id).join(',');
}

/** How many lines in a row are the same from two places on. */
function sameFrom(one: Start, two: Start): number {
  let length = 0;
  const last = one.reading === two.reading ? two.at - one.at : Infinity;
  for (; length < last; length += 1) {
    const [a, b] = [one.reading.lines[one.at + length], two.reading.lines[two.at + length]];
    if (a === undefined || a.id !== b?.id) break;
    if (length > 0 && b.line - (two.reading.lines[two.at + length - 1]?.line ?? 0) > MAX_GAP) break;
  }
  return length;
}

function toSighting(one: Start, two: Start, length: number): Sighting | undefined {
  const run = two.reading.lines.slice(two.at, two.at + length);
  const [first, last] = [run[0], run.at(-1)];
  const [twinFirst, twinLast] = [one.reading.lines[one.at], one.reading.lines[one.at + length - 1]];
  // Lists of values and of types look alike; what is worth one place does something.
  const doing = run.filter(({ does }) => does).length;
  const enough = one.reading === two.reading ? MIN_LINES_BESIDE : MIN_LINES;
  if (first === undefined || last === undefined || length < enough || doing < length / 2)
    return undefined;
  const { path } = one.reading.file;
  return {
    file: two.reading.file,
    line: first.line,
    endLine: last.line,
    ...(length >= LARGE ? { severity: 'medium' as const } : {}),
    title: `${last.line - first.line + 1} lines stand in \`${path}\` as well.`,
    evidence: `the same as ${path}, lines ${twinFirst?.line ?? 1} to ${twinLast?.line ?? 1}`,
    // Named by its twin: the block keeps its name while both are edited alike.
    code: `as in ${path}`,
  };
}

/** Each copy is reported once, at its later place. Linear: every line belongs to at most one run that is compared. */
function duplicates(files: readonly ChangedFile[]): Sighting[] {
  const seen = new Map<string, Start>();
  const found: Sighting[] = [];
  for (const reading of readAll(files)) {
    for (let at = 0; at + WINDOW <= reading.lines.length;) {
      const key = windowKey(reading.lines, at) ?? '';
      const twin = seen.get(key);
      if (twin === undefined) {
        seen.set(key, { reading, at });
        at += 1;
        continue;
      }
      const length = sameFrom(twin, { reading, at });
      const sighting = toSighting(twin, { reading, at }, length);
      if (sighting !== undefined) found.push(sighting);
      at += Math.max(1, length);
    }
  }
  return found;
}

const block = (count: number, name = 'load'): string =>
  Array.from(
    { length: count },
    (_, at) => `const value${at} = await ${name}(${at}, options);`,
  ).join('\n');

export const DUPLICATE_RULES: readonly WatchRule[] = [
  {
    id: 'block-stands-twice',
    area: 'duplication',
    severity: 'low',
    certainty: 0.7,
    personas: ['carlos', 'dev'],
    title: 'A block of code is repeated in two places.',
    explanation: 'A fault in one of them will be repaired in one of them.',
    advice: 'give the block a name and call it from both places',
    examples: {
      yes: [{ 'src/a.ts': block(MIN_LINES), 'src/b.ts': `start();\n${block(MIN_LINES)}\nend();` }],
      no: [
        { 'src/a.ts': block(MIN_LINES), 'src/b.ts': block(MIN_LINES, 'save') },
        { 'src/a.ts': block(MIN_LINES - 5), 'src/b.ts': block(MIN_LINES - 5) },
        { 'src/a.ts': block(MIN_LINES), 'test/a.test.ts': block(MIN_LINES) },
        { 'src/a.ts': block(MIN_LINES), 'vendor/a.ts': block(MIN_LINES) },
      ],
    },
    find: ({ files }) => duplicates(files),
  },
];
