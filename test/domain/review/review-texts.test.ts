/** Which texts a review asks for besides its diff. */
import { expect, test } from 'vitest';
import { parseDiff } from '../../../src/domain/diff/parse-diff.ts';
import { addedTexts, textsWanted } from '../../../src/domain/review/review-texts.ts';

const DIFF = `diff --git a/src/a.ts b/src/a.ts
--- a/src/a.ts
+++ b/src/a.ts
@@ -1,2 +1,2 @@
 first
-export const moved = compute();
+const fresh = 1;
diff --git a/src/b.ts b/src/c.ts
rename from src/b.ts
rename to src/c.ts
--- a/src/b.ts
+++ b/src/c.ts
@@ -1 +1,2 @@
 first
+export const moved = compute();
diff --git a/package-lock.json b/package-lock.json
--- a/package-lock.json
+++ b/package-lock.json
@@ -1 +1,2 @@
 {
+"integrity": "x"
`;

test('a detector reads new lines only: none that moved, none of a lockfile', () => {
  expect(addedTexts(parseDiff(DIFF))).toEqual([{ path: 'src/a.ts', text: 'const fresh = 1;' }]);
});

test('rules get the changed files, then manifests, documents and who may use what went', () => {
  const paths = ['README.md', 'package.json', 'src/a.ts', 'src/c.ts', 'src/user.ts', 'logo.png'];
  expect(textsWanted(parseDiff(DIFF), paths)).toEqual({
    changed: ['src/a.ts', 'src/c.ts', 'package-lock.json'],
    manifests: ['package.json'],
    documents: ['README.md'],
    users: ['src/user.ts'],
  });
});

test('other scripts are not asked for where nothing was taken away', () => {
  const diff = '--- a/src/a.ts\n+++ b/src/a.ts\n@@ -1 +1,2 @@\n first\n+second\n';
  const wanted = textsWanted(parseDiff(diff), ['src/a.ts', 'src/user.ts']);
  expect(wanted).toMatchObject({ changed: ['src/a.ts'], users: [] });
});

test('what nobody wrote is not asked for, but for lockfiles', () => {
  const names = ['dist/a.js', 'vendor/b.ts', 'src/c.min.js', 'yarn.lock', 'src/d.ts'];
  const texts = names.map((name) => `--- a/${name}\n+++ b/${name}\n@@ -1 +1 @@\n-a\n+b\n`);
  const binary = 'diff --git a/e.png b/e.png\nBinary files a/e.png and b/e.png differ\n';
  const { changed } = textsWanted(parseDiff([...texts, binary].join('')), []);
  expect(changed).toEqual(['yarn.lock', 'src/d.ts']);
});
