/** How fast the rules read a change, and whether twice the change takes twice the time. */
import { decideReview } from '../../src/rules/change/decide-review-signals.ts';
import { parseDiff } from '../../src/domain/diff/parse-diff.ts';
import { describeLoad, watchForeignLoad } from './machine.ts';
import { mixedFiles, type MixedFile } from './mixed-code.ts';
import type { Row, Section } from './report.ts';

const SIZES = [1_000, 5_000, 10_000, 50_000];
const ROUNDS = 5;
const REACH_MS = 3_000;
/** Linear is 2; beyond this it is not. */
const REACH_DOUBLING = 2.3;
/** Lines of a file that a change leaves as they are, before and after each one that it adds. */
const CONTEXT = 3;

export const signals: Section = {
  name: 'signals',
  title: 'The rules of a review',
  method:
    'Parsing a diff and running every rule over it, without a repository around and with the texts of both sides at hand. TypeScript, tests, Python, Go, SQL, workflows and markup; two files of three are changed in places, one is new. Times are the best of the rounds, which others disturbed least; the time of a doubling is what the whole range gives for one.',
  run: async ({ isLong }) => {
    const loadOf = watchForeignLoad([]);
    const measured = SIZES.map((lines) => measure(lines, isLong ? 3 * ROUNDS : ROUNDS));
    return toRows(measured, describeLoad(loadOf()));
  },
};

interface Measured {
  lines: number;
  ms: number;
  withTextsMs: number;
  findings: number;
}

function measure(lines: number, rounds: number): Measured {
  const { diff, head, base } = makeChange(mixedFiles(lines));
  const paths = [...head.keys()];
  let findings = 0;
  const timed = (run: () => ReturnType<typeof decideReview>): number => {
    const startedAt = performance.now();
    findings = run().findings.length;
    return performance.now() - startedAt;
  };
  const bare: number[] = [];
  const withTexts: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    bare.push(timed(() => decideReview(parseDiff(diff))));
    withTexts.push(timed(() => decideReview(parseDiff(diff), { head, base, paths })));
  }
  return { lines, ms: Math.min(...bare), withTextsMs: Math.min(...withTexts), findings };
}

function toRows(measured: readonly Measured[], load: string): Row[] {
  const rows = measured.map(({ lines, ms, withTextsMs, findings }): Row => {
    const isLast = lines === SIZES.at(-1);
    return {
      what: `${lines.toLocaleString('en')} changed lines`,
      reach: isLast ? `< ${REACH_MS / 1_000} s` : '',
      measured: `${ms.toFixed(0)} ms, with texts ${withTextsMs.toFixed(0)} ms, ${Math.round((1_000 * lines) / withTextsMs).toLocaleString('en')} lines/s, ${findings} findings`,
      ...(isLast ? { isReached: Math.max(ms, withTextsMs) < REACH_MS } : {}),
      load,
    };
  });
  return [
    ...rows,
    doubling('twice the lines, without texts', measured, { of: ({ ms }) => ms, load }),
    doubling('twice the lines, with texts', measured, { of: (each) => each.withTextsMs, load }),
  ];
}

function doubling(
  what: string,
  measured: readonly Measured[],
  { of, load }: { of: (each: Measured) => number; load: string },
): Row {
  // What is small is mostly start-up: from the second size on.
  const [, from] = measured;
  const to = measured.at(-1);
  const doublings = Math.log2((to?.lines ?? 1) / (from?.lines ?? 1));
  const ratio =
    ((to === undefined ? 0 : of(to)) / (from === undefined ? 1 : of(from))) ** (1 / doublings);
  return {
    what,
    reach: `≤ ${REACH_DOUBLING}×`,
    measured: `over ${doublings.toFixed(1)} doublings`,
    ratio: `${ratio.toFixed(2)}×`,
    isReached: ratio <= REACH_DOUBLING,
    load,
  };
}

interface MadeChange {
  diff: string;
  head: Map<string, string>;
  base: Map<string, string>;
}

function makeChange(files: readonly MixedFile[]): MadeChange {
  const head = new Map<string, string>();
  const base = new Map<string, string>();
  const parts = files.map((file, at) => {
    if (at % 3 === 0) {
      head.set(file.path, `${file.lines.join('\n')}\n`);
      return newFile(file);
    }
    const { diff, before, after } = changedFile(file);
    base.set(file.path, `${before.join('\n')}\n`);
    head.set(file.path, `${after.join('\n')}\n`);
    return diff;
  });
  return { diff: parts.join(''), head, base };
}

function newFile({ path, lines }: MixedFile): string {
  const added = lines.map((line) => `+${line}\n`).join('');
  return `diff --git a/${path} b/${path}\nnew file mode 100644\n--- /dev/null\n+++ b/${path}\n@@ -0,0 +1,${lines.length} @@\n${added}`;
}

/** Pieces of new code between lines that stay. */
const PIECE = 12;

function changedFile({ path, lines }: MixedFile): {
  diff: string;
  before: string[];
  after: string[];
} {
  const before: string[] = [];
  const after: string[] = [];
  const hunks: string[] = [];
  for (let at = 0; at < lines.length; at += PIECE) {
    const added = lines.slice(at, at + PIECE);
    const [above, below] = ['a', 'b'].map((side) =>
      Array.from({ length: CONTEXT }, (_, n) => `// part ${at}, ${side}${n}`),
    );
    const stays = [...(above ?? []), ...(below ?? [])];
    hunks.push(
      `@@ -${before.length + 1},${stays.length} +${after.length + 1},${stays.length + added.length} @@\n`,
      ...(above ?? []).map((line) => ` ${line}\n`),
      ...added.map((line) => `+${line}\n`),
      ...(below ?? []).map((line) => ` ${line}\n`),
    );
    before.push(...stays);
    after.push(...(above ?? []), ...added, ...(below ?? []));
  }
  const head = `diff --git a/${path} b/${path}\n--- a/${path}\n+++ b/${path}\n`;
  return { diff: head + hunks.join(''), before, after };
}
