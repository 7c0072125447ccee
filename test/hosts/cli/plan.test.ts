/** `quorum plan check` and `quorum plan set`. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { aPlanBody } from '../../helpers/a-plan.ts';
import { quorum } from './fake-io.ts';
import { temporaryFolder } from './temporary-folder.ts';

const BAD = '## Tasks\n### Task 1: a\n**Dependencies:** 3\n### Task 1: b\n**Status:** soon\n';

test('a plan without fault is shown with what each task waits for', async () => {
  const cwd = temporaryFolder({ 'plan.md': aPlanBody() });
  const said = await quorum(['plan', 'check', 'plan.md'], { cwd });
  expect(said).toMatchObject({ code: 0, err: '' });
  expect(said.out).toBe(
    'Quotes that never close\n  1 · Do thing 1 (pending)\n  2 · Do thing 2 (pending, waits for 1)\n2 tasks, nothing wrong\n',
  );
  const { json } = await quorum(['plan', 'check', 'plan.md', '--json'], { cwd });
  expect(json()).toMatchObject({
    valid: true,
    errors: [],
    title: 'Quotes that never close',
    tasks: [
      {
        number: 1,
        title: 'Do thing 1',
        status: 'pending',
        dependencies: [],
        files: [{ path: 'src/thing-1.ts', note: 'what changes' }],
        estimate: '2-5 min',
        line: 13,
      },
      { number: 2, dependencies: [1] },
    ],
    claimable: [1],
  });
  const graph = await quorum(['plan', 'check', 'plan.md', '--graph'], { cwd });
  expect(graph.out).toContain('t1 --> t2');
});

test('reports problems with file and line, from standard input too, and is exit code 1', async () => {
  const cwd = temporaryFolder({ 'plan.md': BAD });
  const said = await quorum(['plan', 'check', 'plan.md'], { cwd });
  expect(said.code).toBe(1);
  expect(said.err.split('\n').map((line) => line.slice(0, 30).trimEnd())).toEqual([
    'plan.md:3  unknown-dependency',
    'plan.md:4  duplicate-task  The',
    'plan.md:5  bad-status  `soon`',
    '',
  ]);
  const readStdin = () => Promise.resolve(BAD);
  const piped = await quorum(['plan', 'check', '-', '--json'], { cwd, readStdin });
  expect(piped.json()).toMatchObject({
    valid: false,
    errors: [
      { line: 3, code: 'unknown-dependency', message: expect.any(String) },
      { line: 4 },
      { line: 5 },
    ],
    claimable: [],
  });
});

test('one task is changed and every other byte stays', async () => {
  const body = `${aPlanBody()}\n<!-- a person's own -->\n`.replaceAll('\n', '\r\n');
  const cwd = temporaryFolder({ 'plan.md': body });
  const args = [
    'plan',
    'set',
    'plan.md',
    '--task',
    '#2',
    '--status',
    'claimed',
    '--assignee',
    'dev',
  ];
  const second = body.indexOf('### Task 2');
  const changed =
    body.slice(0, second) +
    body
      .slice(second)
      .replace('** pending', '** claimed')
      .replace('**Assignee:**', '**Assignee:** dev');
  const read = () => readFileSync(path.join(cwd, 'plan.md'), 'utf8');
  expect(await quorum(args, { cwd })).toMatchObject({ code: 0, out: changed });
  expect(read()).toBe(body);
  const readStdin = () => Promise.resolve(body);
  const piped = args.map((arg) => (arg === 'plan.md' ? '-' : arg));
  expect(await quorum(piped, { cwd, readStdin })).toMatchObject({ code: 0, out: changed });
  expect(await quorum([...args, '--write'], { cwd })).toMatchObject({ code: 0, out: '' });
  expect(read()).toBe(changed);
  const { json } = await quorum([...args, '--json'], { cwd });
  expect(json()).toMatchObject({ ok: true, changed: false, task: 2, body: changed });
});

test('a status that may not follow, a task that is not there and a plan that is wrong change nothing', async () => {
  const cwd = temporaryFolder({ 'plan.md': aPlanBody(), 'bad.md': BAD });
  const set = (...args: string[]) => quorum(['plan', 'set', 'plan.md', ...args], { cwd });
  const jump = await set('--task', '1', '--status', 'completed');
  expect(jump).toMatchObject({ code: 1, err: expect.stringContaining('[status-refused]') });
  expect(await set('--task', '7', '--status', 'claimed')).toMatchObject({ code: 2 });
  expect(await set('--task', '1', '--status', 'soon')).toMatchObject({ code: 2 });
  expect(await set('--task', '1')).toMatchObject({ code: 2 });
  expect(readFileSync(path.join(cwd, 'plan.md'), 'utf8')).toBe(aPlanBody());
  expect(
    (await quorum(['plan', 'set', 'bad.md', '--task', '1', '--status', 'claimed'], { cwd })).err,
  ).toMatch(/bad\.md:3 .*\[plan-invalid\]/);
  expect(await set('--task', '1', '--status', 'completed', '--force')).toMatchObject({ code: 0 });
});
