/** What no rule looks at, and what of that a change chose by itself. */
import { describe, expect, test } from 'vitest';
import { parseDiff } from '../../../src/domain/diff/parse-diff.ts';
import { isHiddenByText, leftOutReason } from '../../../src/domain/repository/left-out.ts';

function reasonOf(path: string, lines: readonly string[]): string | undefined {
  const added = lines.map((line) => `+${line}\n`).join('');
  const patch = `diff --git a/${path} b/${path}\nnew file mode 100644\n--- /dev/null\n+++ b/${path}\n@@ -0,0 +1,${lines.length} @@\n${added}`;
  const [file] = parseDiff(patch).files;
  if (file === undefined) throw new Error('no file was read');
  return leftOutReason(file, lines.join('\n'));
}

describe('a file that is left out', () => {
  test.each([
    ['src/a.js', ['const a = 1;', `x("${'a'.repeat(1000)}")`], 'lines too long to be read'],
    ['src/a.ts', ['// @generated', 'evil();'], 'marked as generated in its own text'],
    ['lib/a.min.js', ['evil();'], 'minified'],
    ['dist/a.js', ['evil();'], 'generated'],
    ['vendor/a.js', ['evil();'], 'vendored'],
    ['package-lock.json', ['{}'], 'lockfile'],
  ])('%s says why', (path, lines, reason) => {
    expect(reasonOf(path, lines)).toBe(reason);
  });

  test('is marked when only its own text says so', () => {
    expect(isHiddenByText('src/a.js: lines too long to be read')).toBe(true);
    expect(isHiddenByText('src/a.ts: marked as generated in its own text')).toBe(true);
    for (const reason of ['minified', 'generated', 'vendored', 'lockfile', 'ignored'])
      expect(isHiddenByText(`src/a.js: ${reason}`)).toBe(false);
  });
});
