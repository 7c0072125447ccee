/** Scripts in steps of workflows: what they get from their job, what they leave to later steps, and what they cannot reach. */
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { createSandbox } from '../../../src/adapters/bubblewrap/create-sandbox.ts';
import { systemClock } from '../../../src/adapters/system/system-clock.ts';
import { readWorkflowFile } from '../../../src/demo/runner/read-workflow.ts';
import type { JobRun } from '../../../src/demo/runner/run-workflow.ts';
import { noBwrap } from '../../helpers/no-bwrap.ts';
import { aCalled, playJobs } from './a-job.ts';

async function play(steps: string, job = ''): Promise<JobRun & { log: string }> {
  const [run] = await playJobs(aCalled(steps, job));
  if (run === undefined) throw new Error('no job ran');
  return { ...run, log: run.steps.map(({ log }) => log).join('') };
}

describe.skipIf(noBwrap !== undefined)('a script', () => {
  test('leaves outputs, variables and programs to the steps that follow, and a summary', async () => {
    const { conclusion, outputs, steps, log } = await play(
      `
      - id: first
        run: |
          echo "word=one" >> "$GITHUB_OUTPUT"
          { echo 'lines<<END'; echo a; echo b; echo END; } >> "$GITHUB_OUTPUT"
          echo "LATER=from the first" >> "$GITHUB_ENV"
          mkdir -p "$RUNNER_TEMP/bin"
          printf '#!/bin/sh\\necho a program of the job\\n' > "$RUNNER_TEMP/bin/greet"
          chmod +x "$RUNNER_TEMP/bin/greet"
          echo "$RUNNER_TEMP/bin" >> "$GITHUB_PATH"
          echo '# Told' >> "$GITHUB_STEP_SUMMARY"
          echo kept > kept.txt
      - run: greet; cat kept.txt; echo "$LATER, \${{ env.LATER }}, \${{ steps.first.outputs.word }}"`,
      '    outputs: { lines: "${{ steps.first.outputs.lines }}" }',
    );
    expect({ conclusion, outputs }).toEqual({ conclusion: 'success', outputs: { lines: 'a\nb' } });
    expect(steps[0]?.summary).toBe('# Told\n');
    expect(log).toBe('a program of the job\nkept\nfrom the first, from the first, one\n');
  });

  test('gets the environment of its job and step, and the token only where the step asks for it', async () => {
    const { log } = await play(
      `
      - run: env | cut -d= -f1 | sort | tr '\\n' ' '; echo
      - env: { OWN: "\${{ env.JOB }}-\${{ github.event_name }}", TOKEN: "\${{ github.token }}" }
        if: env.OWN == 'of the job-workflow_dispatch'
        run: echo "$OWN $JOB $TOKEN"
      - run: echo "[$OWN$TOKEN]"`,
      '    env: { JOB: of the job }\n    permissions: { contents: read }',
    );
    const [names = '', second, third] = log.split('\n').filter((line) => line !== '');
    expect(names.split(' ')).toEqual(
      expect.arrayContaining(['GITHUB_OUTPUT', 'HOME', 'JOB', 'PATH']),
    );
    expect(names).not.toMatch(/TOKEN|ACTIONS_R|SECRET|KEY|NODE_/);
    expect(second?.startsWith('of the job-workflow_dispatch of the job token-{')).toBe(true);
    expect(third).toBe('[]');
  });

  test('sees neither the machine, nor another job, nor the network', async () => {
    const dir = mkdtempSync(path.join(os.tmpdir(), 'quorum-secret-'));
    onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
    const secret = path.join(dir, 'secret');
    writeFileSync(secret, 'of the machine');
    const called = `on: { workflow_call: {} }
jobs:
  before:
    runs-on: ubuntu-24.04
    steps:
      - run: echo mine > "$RUNNER_TEMP/mine"; cat "$RUNNER_TEMP/mine"
  after:
    needs: before
    runs-on: ubuntu-24.04
    steps:
      - run: |
          cat ${secret} || echo no secret
          ls "$(dirname "$GITHUB_WORKSPACE")/../before" || echo no other job
          at="$(dirname "$GITHUB_WORKSPACE")/left"
          echo > "$at"
          echo "at $at"
          node -e 'fetch("http://127.0.0.1:" + process.argv[1]).catch(() => console.log("no network"))' 80
`;
    const [before, after] = await playJobs(called);
    expect(before?.steps[0]?.log).toBe('mine\n');
    const log = after?.steps[0]?.log ?? '';
    for (const says of ['no secret', 'no other job', 'no network'])
      expect(log).toContain(`${says}\n`);
    expect(log).not.toContain('of the machine');
    const left = /^at (\/.*\/after)\/left$/m.exec(log)?.[1] ?? '';
    expect(readdirSync(left)).toEqual(['event.json', 'home', 'temp', 'workspace']);
    expect(readFileSync(secret, 'utf8')).toBe('of the machine');
  });

  test('that fails ends its job, except for steps that want that and for one that may fail', async () => {
    const { conclusion, log } = await play(`
      - id: tried
        continue-on-error: true
        run: exit 3
      - run: echo "\${{ steps.tried.outcome }} \${{ steps.tried.conclusion }}"
      - run: |
          echo before
          false
          echo after
      - run: echo not reached
      - if: failure()
        run: echo cleaned up
      - if: always()
        run: echo always`);
    expect({ conclusion, log }).toEqual({
      conclusion: 'failure',
      log: 'failure success\nbefore\ncleaned up\nalways\n',
    });
  });

  test.each([
    ['no shell', '', 'success'],
    ['bash', 'shell: bash', 'failure'],
    ['sh', 'shell: sh', 'success'],
  ])('with %s a failed command in a pipe is as it is on GitHub', async (_, shell, expected) => {
    const { conclusion } = await play(`
      - run: "false | true"
        ${shell}`);
    expect(conclusion).toBe(expected);
  });

  test('runs below the folder that it names', async () => {
    const { log } = await play(`
      - run: mkdir -p "a folder"
      - run: basename "$PWD"
        working-directory: a \${{ 'folder' }}`);
    expect(log).toBe('a folder\n');
  });

  test.each([
    ['NODE_OPTIONS=--require=x', 'GITHUB_ENV', 'NODE_OPTIONS cannot be set'],
    ['no assignment', 'GITHUB_OUTPUT', 'Invalid format: no assignment'],
    ['name<<END', 'GITHUB_OUTPUT', 'The value of name has no end'],
  ])('that writes `%s` into %s fails', async (line, file, why) => {
    const { conclusion, log } = await play(`
      - run: echo "${line}" >> "$${file}"`);
    expect(conclusion).toBe('failure');
    expect(log).toContain(`::error::${why}`);
  });

  test.each([
    ['a link', 'ln -sf "$GITHUB_EVENT_PATH"'],
    ['a pipe', 'mkfifo'],
    ['nothing', 'true'],
  ])('that leaves %s in place of its outputs fails, and nothing is read there', async (_, how) => {
    const { conclusion, outputs, log } = await play(`
      - id: only
        run: rm "$GITHUB_OUTPUT"; ${how} "$GITHUB_OUTPUT"`);
    expect({ conclusion, outputs }).toEqual({ conclusion: 'failure', outputs: {} });
    expect(log).toMatch(/::error::OUTPUT is not a file/);
  });

  test('cannot change what the runner itself says', async () => {
    const { log } = await play(`
      - run: echo "GITHUB_REPOSITORY=evil/evil" >> "$GITHUB_ENV"
      - run: echo "$GITHUB_REPOSITORY"`);
    expect(log).toBe('acme/widgets\n');
  });

  test('is stopped at the time limit of its job', async () => {
    const { conclusion, steps } = await play(
      `
      - run: sleep 60`,
      '    timeout-minutes: 0.02',
    );
    expect([conclusion, steps[0]?.exitCode]).toEqual(['failure', 124]);
  });
});

test.each([
  ['no sandbox', undefined],
  ['one that is switched off', createSandbox({ sandbox: 'off', clock: systemClock })],
])('a script is refused with %s', async (_, sandbox) => {
  const { sandbox: __, ...without } = { sandbox };
  const over = sandbox === undefined ? { ...without, sandbox: undefined } : { sandbox };
  await expect(playJobs(aCalled('      - run: echo hi'), over as object)).rejects.toThrow(
    'this machine has no sandbox for it',
  );
});

test.each([
  ['a step', '      - run: echo\n        timeout-minutes: 1', ''],
  ['a job', '      - run: echo', '    container: debian'],
  ['a workflow', '      - run: echo\nenv: { A: b }', ''],
])('what %s asks for and the runner does not know is refused', (_, steps, job) => {
  expect(() => readWorkflowFile(aCalled(steps, job))).toThrow('Unrecognized key');
});

test('a shell that does not run here is refused', async () => {
  const played = playJobs(aCalled('      - run: echo\n        shell: pwsh'));
  await expect(played).rejects.toThrow('The shell pwsh is not one that runs here');
});
