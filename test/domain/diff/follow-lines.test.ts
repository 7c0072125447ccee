/** Lines are found again after a change, or known to be gone. */
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { followLines } from '../../../src/domain/diff/follow-lines.ts';
import { parseDiff } from '../../../src/domain/diff/parse-diff.ts';

type Step = ['keep' | 'remove' | 'add', string];

/** One hunk for each run of changes, with or without the lines around it, as git writes them. */
function toDiff(steps: readonly Step[], hasContext: boolean): string {
  const rows = steps.map(([kind, text]) => `${{ keep: ' ', remove: '-', add: '+' }[kind]}${text}`);
  const hunks: string[] = [];
  let [oldLine, newLine, from] = [1, 1, 0];
  const write = (to: number): void => {
    const part = rows.slice(from, to);
    const [olds, news] = ['+', '-'].map((sign) => part.filter((row) => !row.startsWith(sign)));
    const at = (start: number, count: number) => `${count === 0 ? start - 1 : start},${count}`;
    const [o, n] = [olds?.length ?? 0, news?.length ?? 0];
    if (part.some((row) => !row.startsWith(' ')))
      hunks.push(`@@ -${at(oldLine, o)} +${at(newLine, n)} @@`, ...part);
    [oldLine, newLine, from] = [oldLine + o, newLine + n, to];
  };
  if (!hasContext)
    for (const [index, row] of rows.entries()) {
      const isEdge = row.startsWith(' ') !== (rows[from]?.startsWith(' ') ?? false);
      if (index > from && isEdge) write(index);
    }
  write(rows.length);
  return ['diff --git a/f b/f', '--- a/f', '+++ b/f', ...hunks, ''].join('\n');
}

test('lines that stand are found where they stand, and no others', () => {
  const kinds = fc.array(fc.constantFrom('keep', 'remove', 'add'), { minLength: 1, maxLength: 15 });
  const range = fc.tuple(fc.nat(), fc.nat(2));
  fc.assert(
    fc.property(kinds, fc.boolean(), range, (chosen, hasContext, [at, more]) => {
      const steps = chosen.map((kind, index): Step => [kind, `${kind} ${index}`]);
      const old = steps.filter(([kind]) => kind !== 'add').map(([, text]) => text);
      const now = steps.filter(([kind]) => kind !== 'remove').map(([, text]) => text);
      fc.pre(old.length > 0 && steps.some(([kind]) => kind !== 'keep'));
      const line = (at % old.length) + 1;
      const endLine = Math.min(line + more, old.length);
      const [file] = parseDiff(toDiff(steps, hasContext)).files;
      const moved = followLines(file ?? expect.fail('no file'), { line, endLine });
      const wanted = old.slice(line - 1, endLine);
      const place = now.indexOf(wanted[0] ?? '');
      const stands = place >= 0 && now.slice(place, place + wanted.length).join() === wanted.join();
      expect(moved).toBe(stands ? place + 1 - line : undefined);
    }),
  );
});

test('a deleted file has no lines', () => {
  const [file] = parseDiff(
    'deleted file mode 100644\n--- a/f\n+++ /dev/null\n@@ -1 +0,0 @@\n-x\n',
  ).files;
  expect(followLines(file ?? expect.fail('no file'), { line: 3 })).toBeUndefined();
});
