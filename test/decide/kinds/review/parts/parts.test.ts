/** Which parts a change too large for one prompt is read in. */
import { array, assert, constantFrom, integer, property, record, uniqueArray } from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  partSize,
  planReading,
  unseenOf,
} from '../../../../../src/decide/kinds/review/parts/plan-reading.ts';
import {
  cutFile,
  joinPieces,
} from '../../../../../src/decide/kinds/review/parts/pieces-of-file.ts';
import type { Diff } from '../../../../../src/domain/diff/diff.ts';
import { parseDiff } from '../../../../../src/domain/diff/parse-diff.ts';
import { renderDiff } from '../../../../../src/domain/diff/render-diff.ts';
import type { Signal } from '../../../../../src/domain/review/signal.ts';

/** A hunk of each length, in lines that come and go. */
function fileDiff(path: string, hunks: readonly number[]): string {
  let at = 1;
  const texts = hunks.map((length) => {
    const lines = Array.from(
      { length },
      (_, n) => `+new ${n} of ${path} at ${at}\n-old ${n}\n same\n`,
    );
    const title = `@@ -${at},${2 * length} +${at},${2 * length} @@ around\n`;
    at += 2 * length + 10;
    return title + lines.join('');
  });
  return `diff --git a/${path} b/${path}\n--- a/${path}\n+++ b/${path}\n${texts.join('')}`;
}

const PATHS = [
  'src/a.ts',
  'src/auth/b.ts',
  'test/a.test.ts',
  'docs/c.md',
  'yarn.lock',
  'dist/d.js',
];
const change = uniqueArray(
  record({
    path: constantFrom(...PATHS),
    hunks: array(integer({ min: 1, max: 60 }), { minLength: 1, maxLength: 6 }),
  }),
  { selector: ({ path }) => path, minLength: 1 },
).map((files): Diff => parseDiff(files.map(({ path, hunks }) => fileDiff(path, hunks)).join('')));
const limits = record({
  parts: integer({ min: 1, max: 4 }),
  size: integer({ min: 400, max: 6_000 }),
});

function signalAt(path: string, severity: Signal['severity'] = 'high'): Signal {
  const place = { path, line: 1 };
  return {
    ruleId: 'eval',
    severity,
    title: 'Eval',
    evidence: 'eval(x)',
    place,
    concerns: ['maya'],
  };
}

/** Every line of a change with its numbers. */
function linesOf({ files }: Pick<Diff, 'files'>): unknown[] {
  return files.flatMap(({ path, hunks }) =>
    hunks.flatMap(({ lines }) => lines.map((line) => ({ path, ...line }))),
  );
}

test('a part fits into the smallest window that is declared', () => {
  expect([undefined, 200_000, 32_000, 8_000].map(partSize)).toEqual([
    160_000, 160_000, 54_000, 16_000,
  ]);
});

describe('a change in parts', () => {
  test('is one prompt as long as it fits into one', () => {
    assert(
      property(change, limits, (diff, { parts, size }) => {
        const fits = renderDiff(diff).length <= size;
        expect(planReading(diff, [], { parts, size }) === undefined).toBe(fits);
      }),
    );
  });

  test('has each piece in one part or in none, no part beyond the cap, and no part too long', () => {
    assert(
      property(change, limits, (diff, { parts: most, size }) => {
        const reading = planReading(diff, [], { parts: most, size });
        if (reading === undefined) return;
        expect(reading.parts.length).toBeLessThanOrEqual(most);
        const shown = reading.parts
          .flat()
          .flatMap(({ path, pieces }) => pieces.map((at) => `${path} ${at}`));
        expect(new Set(shown).size).toBe(shown.length);
        const cut = new Map(diff.files.map((file) => [file.path, cutFile(file, size)]));
        for (const part of reading.parts) {
          const texts = part.map(({ path, pieces }) =>
            joinPieces(cut.get(path) ?? expect.fail(path), pieces),
          );
          expect(texts.join('').length).toBeLessThanOrEqual(size);
        }
        // What voices are not shown is named, unless nobody wrote it.
        const heard = reading.parts.map((_, at) => at);
        const named = unseenOf(diff, { ...reading, heard }, undefined).map(
          (line) => line.split(':')[0],
        );
        const missing = diff.files.filter(({ path }) => {
          const known = cut.get(path)?.pieces.map((_, at) => `${path} ${at}`) ?? [];
          return /src|test|docs/.test(path) && !known.every((piece) => shown.includes(piece));
        });
        expect(new Set(named)).toEqual(new Set(missing.map(({ path }) => path)));
      }),
    );
  });

  test('loses and renumbers no line by being cut', () => {
    assert(
      property(change, integer({ min: 400, max: 3_000 }), (diff, size) => {
        const cut = diff.files.map((file) => cutFile(file, size));
        const text = cut.map((file) => joinPieces(file, [...file.pieces.keys()])).join('');
        const again = parseDiff(text);
        expect(again.problems).toEqual([]);
        expect(linesOf(again)).toEqual(linesOf(diff));
      }),
    );
  });

  test('a new file of one long hunk is cut inside of it', () => {
    const lines = Array.from({ length: 50 }, (_, n) => `+line ${n}\n`).join('');
    const diff = parseDiff(
      `--- /dev/null\n+++ b/src/new.ts\n@@ -0,0 +1,50 @@\n${lines}\\ No newline at end of file\n`,
    );
    const reading = planReading(diff, [], { parts: 9, size: 300 });
    expect(reading?.parts.length).toBeGreaterThan(1);
    const [file = expect.fail('no file')] = diff.files;
    const cut = cutFile(file, 300);
    expect(linesOf(parseDiff(joinPieces(cut, [...cut.pieces.keys()])))).toEqual(linesOf(diff));
  });

  test('begins with what guards something or was found at, then sources, tests, documents; what nobody wrote comes last', () => {
    const paths = [
      'yarn.lock',
      'docs/c.md',
      'test/a.test.ts',
      'src/a.ts',
      'src/found.ts',
      'src/auth/b.ts',
    ];
    const diff = parseDiff(paths.map((path) => fileDiff(path, [20])).join(''));
    const signals = [
      signalAt('src/found.ts'),
      signalAt('src/found.ts'),
      signalAt('src/a.ts', 'info'),
    ];
    const size = fileDiff('src/a.ts', [20]).length + 200;
    const order = (most: number) =>
      planReading(diff, signals, { parts: most, size })?.parts.map((part) =>
        part.map(({ path }) => path),
      );
    expect(order(9)).toEqual([
      ['src/found.ts'],
      ['src/auth/b.ts'],
      ['src/a.ts'],
      ['test/a.test.ts'],
      ['docs/c.md'],
    ]);
    expect(order(2)).toEqual([['src/found.ts'], ['src/auth/b.ts']]);
  });

  test('a private key is gone before it could be cut in two', () => {
    const begin = ['-----BEGIN', 'PRIVATE KEY-----'].join(' ');
    const rows = Array.from(
      { length: 30 },
      (_, n) => `+${'A'.repeat(60)}${String(n).padStart(4, '0')}\n`,
    ).join('');
    const key = `+${begin}\n${rows}+${begin.replace('BEGIN', 'END')}\n`;
    const diff = parseDiff(`--- /dev/null\n+++ b/src/key.ts\n@@ -0,0 +1,32 @@\n${key}`);
    const [file = expect.fail('no file')] = diff.files;
    const { pieces } = cutFile(file, 400);
    expect(pieces.join('\n')).not.toMatch(/AAAA/);
  });
});
