/** Scans in threads, with the product's own entry and with one that hangs. */
import { expect, test } from 'vitest';
import { ThreadScanner } from '../../src/adapters/scanner/thread-scanner.ts';
import { decideEvidence } from '../../src/rules/issue/decide-evidence.ts';
import { scanChange } from '../../src/rules/change/scan-change.ts';
import { parseDiff } from '../../src/domain/diff/parse-diff.ts';
import { createCodeSearch, createScanner } from '../../src/hosts/scan/create-scanner.ts';
import { aRepository } from '../rules/repository/a-repository.ts';
import { aView } from '../helpers/an-issue.ts';

/** Hangs inside a pattern when a test asks for it, and otherwise returns its input. */
const ENTRY = new URL(
  `data:text/javascript,${encodeURIComponent(`
import { parentPort } from 'node:worker_threads';
parentPort.on('message', ({ input }) => {
  if (input === 'hang') /^(a+)+$/.test('a'.repeat(60) + '!');
  if (input === 'exit') process.exit(1);
  if (input === 'throw') return parentPort.postMessage({ error: new Error('a bug') });
  parentPort.postMessage({ found: input });
});
parentPort.postMessage('ready');`)}`,
);

function scannerOf(threads: number) {
  const scanner = new ThreadScanner({ entry: ENTRY, threads, deadlinesMs: { issue: 300 } });
  const scan = (input: unknown) => scanner.scan('issue', input as never);
  return { scanner, scan };
}

test('starts no thread before the first scan, and no more than it may', async () => {
  const { scanner, scan } = scannerOf(2);
  expect(scanner.size).toBe(0);
  const found = await Promise.all([1, 2, 3, 4, 5].map(scan));
  expect(found).toEqual([1, 2, 3, 4, 5].map((each) => ({ kind: 'read', found: each })));
  expect(scanner.size).toBe(2);
});

test('a scan inside a pattern that never ends is ended at its deadline, and the next ones go on', async () => {
  const { scan } = scannerOf(1);
  const [hung, next] = await Promise.all([scan('hang'), scan('next')]);
  expect(hung).toEqual({ kind: 'not-read', reason: 'it took longer than 0.3 s' });
  expect(next).toEqual({ kind: 'read', found: 'next' });
});

test('a thread that ends is not read, and a bug of a rule is an error', async () => {
  const { scan } = scannerOf(1);
  expect(await scan('exit')).toEqual({ kind: 'not-read', reason: 'its thread ended' });
  await expect(scan('throw')).rejects.toThrow('a bug');
  expect(await scan('on')).toEqual({ kind: 'read', found: 'on' });
});

test('the thread of the product finds what the rules find', async () => {
  const scanner = createScanner();
  const view = aView({ issue: { title: 'Crash', body: 'Should we drop it or keep it?' } });
  expect(await scanner.scan('issue', { view })).toEqual({
    kind: 'read',
    found: { evidence: decideEvidence(view) },
  });
  const change = {
    diff: 'diff --git a/a.js b/a.js\n--- a/a.js\n+++ b/a.js\n@@ -1 +1,2 @@\n x\n+eval(input);\n',
    basePaths: undefined,
    head: [],
    secrets: {},
    config: { paths: { ...view.config.paths } },
  };
  expect(await scanner.scan('change', change)).toEqual({
    kind: 'read',
    found: scanChange(change, parseDiff(change.diff)),
  });
});

test('searches of repositories wait for each other, and one that fails holds up nobody', async () => {
  const search = createCodeSearch(createScanner());
  const source = 'export function run(text: string): unknown {\n  return eval(text);\n}\n';
  const code = aRepository({ 'src/a.ts': source });
  const broken = { ...code, files: undefined as never };
  const ended: string[] = [];
  const note = (name: string) => () => void ended.push(name);
  const third = search(code, 5);
  await Promise.all([
    third.then(note('first')),
    search(broken, 5).catch(note('second')),
    search(code, 5).then(note('third')),
  ]);
  expect(ended).toEqual(['first', 'second', 'third']);
  expect((await third).candidates).toHaveLength(1);
});

test('a search whose scan was not read says so', async () => {
  const search = createCodeSearch({
    scan: () => Promise.resolve({ kind: 'not-read', reason: 'it took longer than 1 s' }),
  });
  expect(await search(aRepository({}), 5)).toMatchObject({
    candidates: [],
    notRead: ['the whole code: it took longer than 1 s'],
  });
});
