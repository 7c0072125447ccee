/** Changes that real projects merged, cut to their core, in which a rule once found what was not wrong. */
import { expect, test } from 'vitest';
import { decideReviewSignals } from '../../../src/rules/change/decide-review-signals.ts';
import type { RuleExample } from '../../../src/rules/change/change-rule.ts';
import { KNOWN_REGISTRIES } from '../../../src/rules/change/rules/lockfile-rules.ts';
import { exampleContext, exampleDiff } from './example.ts';

function found(example: RuleExample): string[] {
  const diff = exampleDiff(example);
  return decideReviewSignals(diff, exampleContext(example)).map(({ ruleId }) => ruleId);
}

const QUERY =
  "+  text: `SELECT * FROM ${schema}.${table} WHERE name = $1 AND state < '${STATES.done}'`,";

test('names of tables and members of constants are no values', () => {
  expect(found({ change: { 'src/plans.ts': QUERY } })).not.toContain('sql-from-values');
  const parts = '+const text = `UPDATE ${name}s SET status = $2, ${extra} WHERE id = $1`;';
  const named =
    "+const text = `UPDATE jobs SET place = nextval('${schema}.places') WHERE id = $1`;";
  expect(found({ change: { 'src/plans.ts': `${parts}\n${named}` } })).not.toContain(
    'sql-from-values',
  );
  const list = '+const text = `INSERT INTO jobs VALUES ($1, ${name})`;';
  expect(found({ change: { 'src/plans.ts': list } })).toContain('sql-from-values');
  const fromValue = QUERY.replace('STATES.done', 'wanted.state');
  expect(found({ change: { 'src/plans.ts': fromValue } })).toContain('sql-from-values');
});

test('a test that is renamed to run on one database only is not removed', () => {
  const body = '\n   await check();\n });';
  const change = {
    'test/a.test.ts': `-it('adds', async () => {\n+itOnPostgres('adds', async () => {${body}`,
  };
  expect(found({ change })).not.toContain('tests-removed');
  const gone = {
    'test/a.test.ts': `-it('adds', async () => {\n${body.replaceAll('\n ', '\n-').slice(1)}`,
  };
  expect(found({ change: { ...gone, 'README.md': '+x' } })).toContain('tests-removed');
});

const MANIFEST =
  ' {\n   "dependencies": {\n+    "plot": "^1.0.0",\n     "left": "^1.0.0"\n   }\n }';
const LOCK = ' {\n+  "plot": "1.0.0"\n }';

test('a package with a lockfile of its own is not held against the one above it', () => {
  const change = {
    'package-lock.json': ' {\n-  "left": "1.0.0"\n+  "left": "1.0.1"\n }',
    'packages/web/package-lock.json': LOCK,
    'packages/web/package.json': MANIFEST,
  };
  expect(found({ change, repository: { 'README.md': '' } })).not.toContain('lockfile-out-of-date');
});

test('variables of a development script, or of the PostgreSQL client, need no document', () => {
  const env = ['process', 'env'].join('.');
  const repository = { 'README.md': 'Set `API_URL`.' };
  const inScript = { 'scripts/seed.js': `+const size = ${env}.SEED_SIZE;` };
  expect(found({ change: inScript, repository })).not.toContain('variable-undocumented');
  const client = { 'src/db.ts': `+const host = ${env}.PGHOST;` };
  expect(found({ change: client, repository })).not.toContain('variable-undocumented');
  const own = { 'src/db.ts': `+const size = ${env}.SEED_SIZE;` };
  expect(found({ change: own, repository })).toContain('variable-undocumented');
});

test('errors of letting go, and of a promise that is awaited elsewhere, may be dropped', () => {
  const dropped = (line: string) =>
    found({ change: { 'src/db.ts': `+export async function run() {\n+  ${line}\n+}` } }).includes(
      'empty-catch',
    );
  expect(dropped('target.end().catch(() => {});')).toBe(false);
  expect(dropped('query.catch(() => {});')).toBe(false);
  expect(dropped('await this.stopping.catch(() => {});')).toBe(false);
  expect(dropped("await target.query('ROLLBACK').catch(() => {});")).toBe(false);
  expect(dropped('try { await pool.end(); } catch {}')).toBe(false);
  expect(dropped('target.save().catch(() => {});')).toBe(true);
  expect(dropped('try { await pool.end(); await save(); } catch {}')).toBe(true);
});

test("ava's assertions are assertions", () => {
  const text = "+import test from 'ava';\n+test('is there', (t) => {\n+  t.true(has(1));\n+});";
  expect(found({ change: { 'test/a.test.js': text } })).not.toContain('test-without-assertion');
});

test('a long function inside others is reported once', () => {
  const long = Array.from({ length: 170 }, (_, at) => `+      step(${at}, value);`).join('\n');
  const text = `+export function outer() {\n+  return function middle() {\n+    return function inner(value) {\n${long}\n+    };\n+  };\n+}`;
  const ids = found({ change: { 'src/a.ts': text } });
  expect(ids.filter((id) => id === 'function-too-long')).toHaveLength(1);
});

test('code that takes the place of as much code needs no new test', () => {
  const lines = (sign: string, word: string) =>
    Array.from({ length: 40 }, (_, at) => `${sign}export const ${word}${at} = make(${at});`).join(
      '\n',
    );
  const repository = { 'test/other.test.ts': '' };
  const added = { 'src/new.ts': lines('+', 'fresh') };
  const replaced = { ...added, 'src/old.ts': lines('-', 'stale') };
  expect(found({ change: added, repository })).toContain('code-without-tests');
  expect(found({ change: replaced, repository })).not.toContain('code-without-tests');
});

test('an import of what a build makes is missed only where nothing says that it is made', () => {
  const change = { 'src/b.ts': "+import { all } from './version.ts';\n+all();" };
  const severity = (repository: Record<string, string>, isRead: boolean) => {
    const example: RuleExample = { change, repository: { 'src/a.ts': '', ...repository } };
    const context = exampleContext(example);
    if (!isRead) context.head = new Map();
    return decideReviewSignals(exampleDiff(example), context).find(
      ({ ruleId }) => ruleId === 'import-of-missing-file',
    )?.severity;
  };
  expect(severity({}, true)).toBe('high');
  expect(severity({ '.gitignore': 'src/version.ts\n' }, true)).toBeUndefined();
  expect(severity({ '.gitignore': 'other\n' }, true)).toBe('high');
  // The App reads the diff alone: what an ignore file says is not at hand there.
  expect(severity({ '.gitignore': 'other\n' }, false)).toBeUndefined();
});

test('a rewrite of a lockfile that installs nothing else is no stowaway', () => {
  const code = { 'src/a.ts': '+run();' };
  const lock = (line: string) =>
    found({ change: { ...code, 'yarn.lock': ` a@1:\n-  x y\n+  ${line}\n` } });
  expect(lock('peer true')).not.toContain('lockfile-without-manifest');
  expect(lock('version "1.0.1"')).toContain('lockfile-without-manifest');
});

test('many waits of one file are reported once', () => {
  const tests = [1, 2, 3].map(
    (at) =>
      `+test('is told ${at}', async () => {\n+  start();\n+  await delay(900);\n+  expect(told).toBe(${at});\n+});`,
  );
  const ids = found({ change: { 'test/a.test.ts': tests.join('\n') } });
  expect(ids.filter((id) => id === 'test-waits')).toHaveLength(1);
});

test('a first package from a registry that everybody uses is no other host', () => {
  const from = (address: string): RuleExample => ({
    change: { 'package-lock.json': ` {\n+  "resolved": "${address}/left/-/left-1.0.0.tgz"\n }` },
  });
  expect(KNOWN_REGISTRIES.length).toBeGreaterThan(0);
  for (const host of KNOWN_REGISTRIES) {
    expect(found(from(`https://${host}`))).not.toContain('lockfile-other-host');
    expect(found(from(`http://${host}`))).toContain('lockfile-other-host');
    expect(found(from(`https://${host}.example.net`))).toContain('lockfile-other-host');
  }
});
