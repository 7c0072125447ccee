/** Which mistakes are planted, and that each sleeps until its number is called. */
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { compareSurvivors, readAccepted, type Accepted } from './compare-survivors.ts';
import { findMutants } from './find-mutants.ts';
import { nearestFirst } from './nearest-first.ts';
import { plant } from './plant.ts';
import { createRandom, sample } from './sample.ts';
import { lowerBound, SCOPES } from './scopes.ts';
import { filesOf } from './tree.ts';
import { nodesOf } from './syntax.ts';
import { collectWords } from './words.ts';

const SOURCE = `
import { type Kind } from './kind.ts';
export function judge(kind: Kind, count: number, said: string[]): string {
  if (count > 2 && kind === 'open') return 'many';
  if (kind === 'closed') said.push('closed');
  return [kind, count + 1].join(' ');
}
`;

function mutantsOf(source: string) {
  const nodes = nodesOf(source);
  return findMutants('judge.ts', { source, nodes, words: collectWords([nodes]) });
}

test('swaps operators, numbers and words, negates conditions, leaves out calls and elements', () => {
  expect(mutantsOf(SOURCE).map(({ line, change }) => `${line}: ${change}`)).toEqual([
    "4: count > 2 && kind === 'open' → !(count > 2 && kind === 'open')",
    "4: count > 2 && kind === 'open' → count > 2 || kind === 'open'",
    '4: count > 2 → count >= 2',
    '4: 2 → 3',
    '4: 2 → 1',
    "4: kind === 'open' → kind !== 'open'",
    "4: 'open' → 'closed'",
    "5: kind === 'closed' → kind !== 'closed'",
    "5: 'closed' → 'open'",
    "5: left out: said.push('closed');",
    '6: [kind, count + 1] → [count + 1]',
    '6: [kind, count + 1] → [kind]',
    '6: 1 → 2',
    '6: 1 → 0',
  ]);
});

test('each mutant sleeps until its number is called, also inside another', () => {
  const source = 'if (a > 1 && b) f(a > 1); else f([a, true]);';
  const planted = plant(
    source,
    mutantsOf(source).map((mutant, n) => ({ ...mutant, id: n + 1 })),
  );
  const run = (awake: number): unknown[] => {
    const calls: unknown[] = [];
    const globals = { isMutantAwake: (id: number) => id === awake };
    // oxlint-disable-next-line typescript/no-implied-eval
    const code = new Function('globalThis', 'a', 'b', 'f', planted);
    Reflect.apply(code, undefined, [globals, 2, true, (each: unknown) => calls.push(each)]);
    return calls;
  };
  expect(run(0)).toEqual([true]);
  const outcomes = mutantsOf(source).map(
    ({ change }, n) => `${change}: ${JSON.stringify(run(n + 1))}`,
  );
  expect(outcomes).toEqual([
    'a > 1 && b → !(a > 1 && b): [[2,true]]',
    'a > 1 && b → a > 1 || b: [true]',
    'a > 1 → a >= 1: [true]',
    '1 → 2: [[2,true]]',
    '1 → 0: [true]',
    'left out: f(a > 1);: []',
    'a > 1 → a >= 1: [true]',
    '1 → 2: [false]',
    '1 → 0: [true]',
    'left out: f([a, true]);: [true]',
    '[a, true] → [true]: [true]',
    '[a, true] → [a]: [true]',
    'true → false: [true]',
  ]);
});

test('a seed chooses the same mutants again, and none twice', () => {
  const choose = (seed: number) =>
    sample(mutantsOf(SOURCE), { count: 14, random: createRandom(seed) }).map(
      ({ change, start }) => `${start} ${change}`,
    );
  expect(choose(7)).toEqual(choose(7));
  expect(choose(7)).not.toEqual(choose(8));
  expect(new Set(choose(7)).size).toBe(14);
});

test('a sample proves less of the whole than its own share', () => {
  // Newcombe (1998), 81 of 263: 0.2553 to 0.3662.
  expect(lowerBound(81, 263)).toBeCloseTo(0.2553, 4);
  expect(lowerBound(252, 300)).toBeLessThan(0.8);
  expect(lowerBound(253, 300)).toBeGreaterThan(0.797);
  expect(lowerBound(300, 300)).toBeLessThan(1);
  expect(lowerBound(0, 0)).toBe(0);
});

test.each(Object.entries(SCOPES))(
  '%s has sources and tests that are there',
  (_, { isIn, tests }) => {
    const files = filesOf(path.resolve(import.meta.dirname, '../..'));
    expect(files.filter((file) => isIn(file)).length).toBeGreaterThan(10);
    for (const place of tests) expect(files.some((file) => file.startsWith(place))).toBe(true);
  },
);

test('a mutant is tried on the test of its source first, then on those near it, the fast ones before the slow', () => {
  const files = ['test/act/a.test.ts', 'test/policy/b.test.ts', 'test/policy/gates/c.test.ts'];
  const timed = [...files, 'test/run.test.ts', 'test/other/judge.test.ts'].map((file, n) => ({
    file,
    ms: 10 - n,
  }));
  expect(nearestFirst('src/policy/gates/judge.ts', timed).map(({ file }) => file)).toEqual([
    'test/other/judge.test.ts',
    'test/policy/gates/c.test.ts',
    'test/policy/b.test.ts',
    'test/run.test.ts',
    'test/act/a.test.ts',
  ]);
});

describe('survivors of a whole run', () => {
  const mutants = mutantsOf(SOURCE);
  const [first, , third] = mutants;
  const accept = (changes: string[], code = "if (count > 2 && kind === 'open') return 'many';") =>
    [{ file: 'judge.ts', code, changes, reason: 'equivalent' }] satisfies Accepted[];
  const changesOf = (found: readonly { change: string }[]) => found.map(({ change }) => change);

  test('what is listed with its line may survive, and what is not listed may not', () => {
    const survivors = mutants.filter((each) => each === first || each === third);
    const { unlisted, noticed, gone } = compareSurvivors(accept(['count > 2 → count >= 2']), {
      mutants,
      survivors,
    });
    expect(changesOf(unlisted)).toEqual([first?.change]);
    expect([noticed, gone]).toEqual([[], []]);
  });

  test('a moved line is the same line, a changed one is not', () => {
    const moved = mutantsOf(`// A comment.\n${SOURCE}`);
    const list = accept(['count > 2 → count >= 2']);
    const isThird = ({ change }: { change: string }) => change === third?.change;
    const compare = (all: typeof mutants) =>
      compareSurvivors(list, { mutants: all, survivors: all.filter(isThird) });
    expect(compare(moved)).toEqual({ unlisted: [], noticed: [], gone: [] });
    const changed = compare(mutantsOf(SOURCE.replace("'many'", "'more'")));
    expect(changesOf(changed.unlisted)).toEqual(['count > 2 → count >= 2']);
    expect(changesOf(changed.gone)).toEqual(['count > 2 → count >= 2']);
  });

  test('an entry that a test notices is reported', () => {
    const { noticed } = compareSurvivors(accept(['count > 2 → count >= 2', '2 → 3']), {
      mutants,
      survivors: mutants.filter((each) => each === third),
    });
    expect(changesOf(noticed)).toEqual(['2 → 3']);
  });

  test('of two that read alike, one entry accepts one', () => {
    const twins = mutantsOf('call(true, true);').filter(({ change }) => change === 'true → false');
    const compare = (changes: string[]) =>
      compareSurvivors(accept(changes, 'call(true, true);'), { mutants: twins, survivors: twins });
    expect(compare(['true → false']).unlisted).toHaveLength(1);
    expect(compare(['true → false', 'true → false']).unlisted).toHaveLength(0);
    expect(compare(Array.from({ length: 3 }, () => 'true → false')).gone).toHaveLength(1);
  });
});

test.each(Object.values(SCOPES).flatMap(({ accepted }) => accepted ?? []))(
  '%s says of each survivor where it is and why it may stay',
  (name) => {
    for (const { file, code, changes, reason } of readAccepted(name)) {
      expect(file).toMatch(/^src\/.+\.ts$/);
      expect(code.trim()).not.toBe('');
      expect(changes.length).toBeGreaterThan(0);
      expect(reason.length, `${file}: ${code}`).toBeGreaterThan(15);
    }
  },
);
