/** Rules about the size and the scope of a change, and about what it says twice. */
import type { Change, ChangedFile } from '../read-change.ts';
import { inFile, type ReviewRule, type Sighting } from '../change-rule.ts';
import type { Span } from '../syntax/script-tree.ts';
import { askTree } from '../script-rule.ts';
import { isCode, findRepeatedBlocks } from '../syntax/repeated-blocks.ts';

/** Beyond this, reviewers find less for each line: 200 to 400 lines is what studies of review name. */
const LARGE_CHANGE = 800;

const LARGE_FILE = 800;

const LONG_FUNCTION = 120;

function codeLines(file: ChangedFile): number {
  return file.added.filter(({ code }) => code.trim() !== '').length;
}

/** Changed lines of which nothing but the whitespace differs. */
function formattingOnly({ file }: ChangedFile): number {
  const removed = new Map<string, number>();
  const changed = file.hunks.flatMap(({ lines }) => lines);
  for (const line of changed) {
    const key = line.text.replaceAll(/\s+/g, '');
    if (line.kind === 'removed' && key !== '') removed.set(key, (removed.get(key) ?? 0) + 1);
  }
  return changed.filter((line) => {
    const key = line.text.replaceAll(/\s+/g, '');
    const left = line.kind === 'added' ? (removed.get(key) ?? 0) : 0;
    if (left > 0) removed.set(key, left - 1);
    return left > 0;
  }).length;
}

function isMostlyNew(file: ChangedFile, line: number, endLine: number): boolean {
  let count = 0;
  for (let at = line; at <= endLine; at += 1) if (file.addedNumbers.has(at)) count += 1;
  return count / (endLine - line + 1) >= 0.8;
}

function changeTooLarge({ files }: Change): Sighting[] {
  const sizes = files.filter(isCode).map((file) => ({ file, size: codeLines(file) }));
  const total = sizes.reduce((sum, { size }) => sum + size, 0);
  const [largest] = sizes.toSorted((a, b) => b.size - a.size);
  if (total <= LARGE_CHANGE || largest === undefined) return [];
  return [
    {
      file: largest.file,
      line: largest.file.added[0]?.line ?? 1,
      scope: 'change',
      title: `${total} new lines of code in ${sizes.length} ${sizes.length === 1 ? 'file' : 'files'} are more than one review can hold.`,
      evidence: `the largest: ${largest.file.path}, ${largest.size} lines`,
      code: 'the whole change',
    },
  ];
}

const LONG = (count: number): string =>
  Array.from({ length: count }, (_, at) => `+call${at}(value${at});`).join('\n');

const REPEATED = Array.from(
  { length: 9 },
  (_, at) => `+  const result${at} = await loadSomething(${at}, options);`,
).join('\n');

function isLong({ line, endLine }: Span): boolean {
  return endLine - line > LONG_FUNCTION;
}

/** A function that only wraps a long one is not long by itself. */
function innermost<Part extends Span>(spans: readonly Part[]): Part[] {
  return spans.filter(
    (outer) =>
      !spans.some(
        (inner) => inner !== outer && inner.line >= outer.line && inner.endLine <= outer.endLine,
      ),
  );
}

export const SIZE_RULES: readonly ReviewRule[] = [
  {
    id: 'change-too-large',
    area: 'size and scope',
    severity: 'low',
    personas: ['carlos'],
    title: 'The change is larger than one review can hold.',
    explanation:
      'The longer a change, the less of it is read with care, and the harder it is to take back.',
    advice: 'cut it into steps that can each be understood, tried and taken back alone',
    examples: {
      yes: [inFile('src/a.ts', LONG(LARGE_CHANGE + 1))],
      no: [
        inFile('src/a.ts', LONG(LARGE_CHANGE)),
        inFile('test/a.test.ts', LONG(LARGE_CHANGE + 1)),
      ],
    },
    find: changeTooLarge,
  },
  {
    id: 'file-too-large',
    area: 'size and scope',
    severity: 'low',
    personas: ['carlos'],
    title: 'A new file is very long.',
    explanation: 'A file of this size holds several things that change for different reasons.',
    advice: 'cut it where its parts could have names of their own',
    examples: {
      yes: [inFile('src/a.ts', LONG(LARGE_FILE + 1))],
      no: [inFile('src/a.ts', LONG(100))],
    },
    find: ({ files }) =>
      files
        .filter((file) => isCode(file) && file.isNew && file.added.length > LARGE_FILE)
        .map((file) => ({
          file,
          line: 1,
          scope: 'file' as const,
          evidence: `${file.added.length} lines`,
          code: file.path,
        })),
  },
  {
    id: 'function-too-long',
    area: 'size and scope',
    severity: 'low',
    personas: ['carlos', 'dev'],
    title: 'A new function is longer than a screen.',
    explanation: 'Nobody keeps all of it in mind, and no test reaches its middle.',
    advice: 'give its parts names of their own',
    examples: {
      yes: [inFile('src/a.ts', `+function run() {\n${LONG(LONG_FUNCTION)}\n+}`)],
      no: [
        inFile('src/a.ts', `+function run() {\n${LONG(40)}\n+}`),
        inFile('src/a.ts', LONG(LONG_FUNCTION)),
      ],
    },
    find: askTree(({ functions }, file) =>
      isCode(file)
        ? innermost(functions.filter(isLong))
            .filter(({ line, endLine }) => isMostlyNew(file, line, endLine))
            .map(({ line, endLine, name }) => ({
              line,
              title: `${name === undefined ? 'A new function' : `\`${name}\``} has ${endLine - line + 1} lines.`,
              code: name ?? file.lines.get(line)?.text ?? '',
            }))
        : [],
    ),
  },
  {
    id: 'formatting-mixed-in',
    area: 'size and scope',
    severity: 'low',
    personas: ['carlos'],
    title: 'A file is reformatted in the same change that alters its behaviour.',
    explanation:
      'The lines that matter are lost among those that only moved, and blame points at this change for all of them.',
    advice: 'format in a change of its own',
    examples: {
      yes: [
        inFile(
          'src/a.ts',
          `${Array.from({ length: 40 }, (_, at) => `-if(x){call${at}(value${at})}\n+if (x) { call${at}(value${at}) }`).join('\n')}\n+and(more);`,
        ),
      ],
      no: [
        inFile(
          'src/a.ts',
          Array.from(
            { length: 40 },
            (_, at) => `-call${at}(value${at});\n+call${at}(other${at});`,
          ).join('\n'),
        ),
      ],
    },
    find: ({ files }) =>
      files
        .filter((file) => isCode(file) && file.language !== 'go' && file.file.additions >= 40)
        .flatMap((file) => {
          const formatted = formattingOnly(file);
          const rest = file.file.additions - formatted;
          const first =
            file.added[0] ??
            [...file.lines.values()].find(({ line }) => file.addedNumbers.has(line));
          const isMixed = formatted >= 30 && rest > 0 && formatted / file.file.additions >= 0.7;
          return isMixed && isInPlace(file) && first !== undefined
            ? [
                {
                  file,
                  line: first.line,
                  scope: 'file' as const,
                  evidence: `${formatted} of ${file.file.additions} new lines differ in whitespace only`,
                  code: file.path,
                },
              ]
            : [];
        }),
  },
  {
    id: 'duplicated-lines',
    area: 'duplication',
    severity: 'low',
    personas: ['carlos', 'dev'],
    title: 'The same lines are added twice.',
    explanation: 'A fault in one of them will be repaired in one of them.',
    advice: 'give the lines a name and call it from both places',
    examples: {
      yes: [{ change: { 'src/a.ts': REPEATED, 'src/b.ts': REPEATED } }],
      no: [
        {
          change: {
            'src/a.ts': REPEATED,
            'src/b.ts': REPEATED.replaceAll('loadSomething', 'loadOther'),
          },
        },
        { change: { 'src/a.ts': REPEATED, 'test/b.test.ts': REPEATED } },
        { change: { 'bench/a.ts': REPEATED, 'bench/b.ts': REPEATED } },
      ],
    },
    find: ({ files }) => findRepeatedBlocks(files),
  },
];

/** Reformatted lines stay in place; moved ones do not. */
function isInPlace({ file }: ChangedFile): boolean {
  return (
    file.status !== 'added' &&
    file.hunks.every(
      ({ lines }) => lines.some(({ kind }) => kind === 'removed') || lines.length < 12,
    )
  );
}
