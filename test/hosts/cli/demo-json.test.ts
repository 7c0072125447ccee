/** `quorum demo --json` as a process: the keys that scripts read. */
import { execFile } from 'node:child_process';
import path from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from './temporary-folder.ts';

const CLI = path.resolve(import.meta.dirname, '../../../src/hosts/cli.ts');

function runDemo(): Promise<{ code: number; stdout: string; stderr: string }> {
  const options = { cwd: temporaryFolder(), env: { PATH: process.env['PATH'] ?? '' } };
  return new Promise((resolve) => {
    execFile(process.execPath, [CLI, 'demo', '--json'], options, (error, stdout, stderr) =>
      resolve({ code: Number(error?.code ?? 0), stdout, stderr }),
    );
  });
}

test('demo --json ends with one line that has the pinned keys, and is exit code 0', async () => {
  const { code, stdout, stderr } = await runDemo();
  expect(code).toBe(0);
  expect(stderr).toContain('Opening three issues');
  expect(stderr).not.toMatch(/waits for *$/m);
  const [line = '', ...more] = stdout.trimEnd().split('\n');
  expect(more).toEqual([]);
  const said = JSON.parse(line) as Record<string, unknown>;
  expect(said).toMatchObject({
    ok: true,
    issue: 8,
    plan: 13,
    pullRequests: [
      { number: 11, merged: false, checks: ['action_required', 'success'], problems: [] },
      { number: 12, merged: false, checks: ['success'], problems: [] },
      { number: 19, merged: false, checks: ['action_required'], problems: [] },
      { number: 20, merged: false, checks: ['action_required'], problems: [] },
      ...[14, 15, 16].map(() => ({ merged: true })),
    ],
    coder: 'patch',
    verdict: 'READY',
    standup: { insights: 1, noTension: 3, followUp: 17 },
    costUsd: 0,
  });
  const { entries, cited } = said['memory'] as { entries: number; cited: number };
  expect(entries).toBeGreaterThan(cited);
  expect(cited).toBeGreaterThan(0);
  const { lessons } = said['memory'] as { lessons: object[] };
  expect(lessons).toContainEqual({
    id: expect.stringMatching(/^[0-9a-f]{10}$/) as string,
    persona: expect.any(String) as string,
    text: expect.stringMatching(/^Seen in src\/filter\.ts: /) as string,
    learnedIn: 19,
    approvedBy: 'ana-lund',
    citedIn: 20,
  });
  expect(said['journal']).toMatchObject({ path: 'journal/13.md' });
  expect(said['seconds']).toBeGreaterThan(0);
  expect(said['githubCalls']).toBeGreaterThan(0);
  expect(said['modelCalls']).toBeGreaterThan(0);
  expect(Object.keys(said['urls'] as object)).toEqual(
    expect.arrayContaining(['app', 'github', 'repository', 'issue', 'pullRequest', 'plan']),
  );
  expect(said['issues']).toHaveLength(3);
  for (const { headSha } of said['pullRequests'] as { headSha: string }[])
    expect(headSha).toMatch(/^[0-9a-f]{40}$/);
});
