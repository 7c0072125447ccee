/** A rule about functions that nobody keeps in mind; scripts have one of their own, which reads their tree. */
import type { ReadLine } from '../../change/syntax/lex.ts';
import type { ChangedFile } from '../../change/read-change.ts';
import type { Sighting } from '../../change/change-rule.ts';
import { isOwnCode, quoteLine } from '../repository-links.ts';
import type { WatchRule } from '../watch-rule.ts';

/** The same as for scripts. */
const LONG = 120;
const HEAD = {
  python: /^(\s*)(?:async\s+)?def\s+(\w+)/,
  go: /^()func\s+(?:\([^)]*\)\s*)?(\w+)/,
} as const;

interface Open {
  name: string;
  line: number;
  indent: number;
  /** Last line with code in it. */
  end: number;
}

/** Python's functions end at code that is indented no more than their head; Go's at a bracket at the margin. */
function functionsIn(file: ChangedFile, head: RegExp): Open[] {
  const open: Open[] = [];
  const found: Open[] = [];
  for (const read of file.lines.values()) {
    if (read.code.trim() === '') continue;
    const indent = read.code.search(/\S/);
    for (
      let last = open.at(-1);
      last !== undefined && closes(read, indent, last);
      last = open.at(-1)
    )
      found.push(...open.splice(-1));
    for (const each of open) each.end = read.line;
    const [, , name] = head.exec(read.code) ?? [];
    if (name !== undefined) open.push({ name, line: read.line, indent, end: read.line });
  }
  return [...found, ...open];
}

/** A closing bracket after several lines of parameters is indented like the head, and closes nothing. */
function closes({ code }: ReadLine, indent: number, { indent: own }: Open): boolean {
  return indent <= own && !/^\s*[)\]}]/.test(code);
}

function longFunctions(file: ChangedFile): Sighting[] {
  const { language } = file;
  if (!isOwnCode(file) || (language !== 'python' && language !== 'go')) return [];
  return functionsIn(file, HEAD[language])
    .map((each) => ({ ...each, height: each.end - each.line + 1 }))
    .filter(({ height }) => height > LONG)
    .map(({ name, line, height }) => ({
      file,
      line,
      title: `\`${name}\` has ${height} lines.`,
      evidence: quoteLine(file, line),
      code: name,
    }));
}

const body = (lines: number): string =>
  Array.from({ length: lines }, (_, at) => `    step(${at})`).join('\n');

export const LENGTH_RULES: readonly WatchRule[] = [
  {
    id: 'function-very-long',
    area: 'size and scope',
    severity: 'low',
    certainty: 0.7,
    personas: ['carlos', 'dev'],
    title: 'A function is longer than a screen.',
    explanation: 'Nobody keeps all of it in mind, and no test reaches its middle.',
    advice: 'give its parts names of their own',
    examples: {
      yes: [
        { 'app/a.py': `def run(\n    steps,\n):\n${body(LONG)}\n` },
        { 'a.go': `package a\n\nfunc (r Runner) Run() {\n${body(LONG)}\n}\n` },
      ],
      no: [
        { 'app/a.py': `def run():\n${body(60)}\n\ndef stop():\n${body(60)}\n` },
        { 'a.go': `package a\n\nfunc Run() {\n${body(20)}\n}\n` },
        { 'tests/test_a.py': `def test_run():\n${body(LONG)}\n` },
      ],
    },
    find: ({ files }) => files.flatMap(longFunctions),
  },
];
