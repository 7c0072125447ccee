/** The splitter gives the same whatever pieces a diff comes in, and never keeps more than it may. */
import { array, assert, constantFrom, nat, property, record, uint8Array } from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createDiffSplitter, type SplitDiff } from '../../../src/adapters/local/diff-splitter.ts';

const PART = record({
  name: constantFrom('a.ts', 'src/b c.ts', 'ö.md', '"q".ts'),
  lines: array(constantFrom('+x', '-y', ' z', '+++ w', '--- v', '\\ No newline', ''), {
    maxLength: 20,
  }),
}).map(
  ({ name, lines }) =>
    `diff --git a/${name} b/${name}\n--- a/${name}\n+++ b/${name}\n@@ -1,9 +1,9 @@\n${lines.join('\n')}\n`,
);
const DIFF = array(PART, { maxLength: 6 }).map((parts) => parts.join(''));

function split(pieces: Uint8Array[], limits = { fileBytes: 120, totalBytes: 300 }): SplitDiff {
  const splitter = createDiffSplitter(limits);
  for (const piece of pieces) splitter.push(piece);
  return splitter.end();
}

function cut(bytes: Buffer, at: number[]): Uint8Array[] {
  const ends = [...at.map((one) => one % (bytes.length + 1)), bytes.length].toSorted(
    (a, b) => a - b,
  );
  return ends.map((end, index) => bytes.subarray(ends[index - 1] ?? 0, end));
}

describe('the diff splitter', () => {
  test('gives the same for any pieces', () => {
    assert(
      property(DIFF, array(nat(5000), { maxLength: 8 }), (diff, at) => {
        const bytes = Buffer.from(diff);
        expect(split(cut(bytes, at))).toEqual(split([bytes]));
      }),
    );
  });

  test('keeps whole parts only, within its limits, and changes none', () => {
    assert(
      property(DIFF, (diff) => {
        const { diff: kept, files, leftOut } = split([Buffer.from(diff)]);
        expect(Buffer.byteLength(kept)).toBeLessThanOrEqual(300);
        const parts = diff.split(/^(?=diff --git )/m).filter((part) => part !== '');
        expect(files.length).toBe(parts.length);
        expect(parts.length - leftOut.length).toBe(kept.match(/^diff --git /gm)?.length ?? 0);
        const all = split([Buffer.from(diff)], { fileBytes: 1e6, totalBytes: 1e6 });
        expect([all.diff, all.leftOut]).toEqual([diff, []]);
      }),
    );
  });

  test('takes no bytes that are not text for an end', () => {
    assert(
      property(uint8Array({ maxLength: 2000 }), (bytes) => {
        expect(() => split([bytes])).not.toThrow();
      }),
    );
  });
});
