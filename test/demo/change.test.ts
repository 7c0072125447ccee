/** The history of the demonstration's project. */
import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { BEGINNINGS } from '../../src/demo/project/beginnings.ts';
import { toCommits, applyProjectEdits } from '../../src/demo/project/project-commits.ts';
import { GROWTH } from '../../src/demo/project/growth.ts';
import { NEW_PULLS } from '../../src/demo/project/new-pulls.ts';
import { temporaryFolder } from '../hosts/cli/temporary-folder.ts';

const NOW = Date.parse('2026-06-01T12:00:00Z');
const commits = toCommits([...BEGINNINGS, ...GROWTH], NOW);

test('is by several people over months, in order', () => {
  expect(commits.length).toBeGreaterThanOrEqual(10);
  expect(new Set(commits.map(({ author }) => author)).size).toBeGreaterThanOrEqual(3);
  const dates = commits.map(({ date }) => Date.parse(date));
  expect(dates).toEqual(dates.toSorted((a, b) => a - b));
  expect(NOW - (dates[0] ?? NOW)).toBeGreaterThan(90 * 24 * 3_600_000);
});

test('is a project whose own tests pass, and whose bug is really there', () => {
  const files = Object.assign({}, ...commits.map((commit) => commit.files)) as Record<
    string,
    string
  >;
  const dir = temporaryFolder({ ...files, 'empty.csv': '', 'two.csv': 'id,name\n1,Ada\n' });
  const env = { PATH: process.env['PATH'] ?? '' };
  const run = (args: string[]) =>
    execFileSync(process.execPath, args, { cwd: dir, env, encoding: 'utf8', stdio: 'pipe' });
  expect(run(['--test', '--test-reporter=tap'])).toMatch(/^# fail 0$/m);
  expect(run(['src/cli.ts', 'two.csv'])).toBe('id  name\n1   Ada\n');
  expect(() => run(['src/cli.ts', 'empty.csv'])).toThrow(
    "Cannot read properties of undefined (reading 'map')",
  );
});

test.each(NEW_PULLS)('its pull request “$title” passes its tests in the end', (pull) => {
  const files = new Map(commits.flatMap((commit) => Object.entries(commit.files)));
  const { commits: first, answer } = pull;
  // The suggestion that is applied in between takes a line out that nothing else rests on.
  for (const edits of [...first, ...(answer?.commits ?? [])])
    for (const [path, text] of Object.entries(applyProjectEdits(edits, (each) => files.get(each))))
      files.set(path, text);
  const dir = temporaryFolder(Object.fromEntries(files));
  const told = execFileSync(process.execPath, ['--test', '--test-reporter=tap'], {
    cwd: dir,
    env: { PATH: process.env['PATH'] ?? '' },
    encoding: 'utf8',
  });
  expect(told).toMatch(/^# fail 0$/m);
});

test('an edit that does not fit is an error and no silent gap', () => {
  const change = { message: 'm', author: 'a', daysAgo: 1 };
  const first = { ...change, write: { f: 'x x' } };
  expect(() => toCommits([first, { ...change, edit: [['f', 'x', 'y']] }], NOW)).toThrow(
    'not exactly one',
  );
  expect(() => toCommits([first, { ...change, edit: [['f', 'z', 'y']] }], NOW)).toThrow(
    'not exactly one',
  );
});
