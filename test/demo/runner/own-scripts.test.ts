/** The scripts in Quorum's own workflows, run as they are. Only `sudo` and `npm`, which change the machine, are replaced by programs that say what they were asked. */
import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import {
  readWorkflowFile,
  type WorkflowFile,
  type WorkflowStep,
} from '../../../src/demo/runner/read-workflow.ts';
import type { JobRun } from '../../../src/demo/runner/run-workflow.ts';
import { noBwrap } from '../../helpers/no-bwrap.ts';
import { aCalled, playJobs } from './a-job.ts';

const FOLDER = '.github/workflows';

/** All need the network and root of the machine, which no sandbox has. So `sudo` and `npm` are replaced in each of them. */
const INSTALLS = [
  'quorum-code.yml agent: Install the sandbox and Claude Code',
  'quorum-merge.yml verify: Install the sandbox',
  'quorum-task.yml agent: Install the sandbox and Claude Code',
  'quorum-task.yml verify: Install the sandbox',
];

const SANDBOX = [
  'sudo apt-get update -q',
  'sudo apt-get install -qy --no-install-recommends bubblewrap',
  'sudo sysctl -w kernel.apparmor_restrict_unprivileged_userns=0',
];
const CLAUDE = /^npm install --global --ignore-scripts=false @anthropic-ai\/claude-code@[\d.]+$/;

interface Script {
  name: string;
  step: WorkflowStep;
}

const SCRIPTS: Script[] = readdirSync(FOLDER)
  .filter((file) => file.startsWith('quorum'))
  .toSorted()
  .flatMap((file) =>
    Object.entries(readWorkflowFile(readFileSync(`${FOLDER}/${file}`, 'utf8')).jobs).flatMap(
      ([job, { steps }]) =>
        steps
          .filter(({ run }) => run !== undefined)
          .map((step) => ({ name: `${file} ${job}: ${step.name ?? ''}`, step })),
    ),
  );

test('the scripts of the workflows are these, and no other step has one', () => {
  expect(SCRIPTS.map(({ name }) => name)).toEqual(INSTALLS);
});

const STAND_INS = `
      - run: |
          mkdir -p "$RUNNER_TEMP/bin"
          for name in sudo npm; do
            printf '#!/bin/sh\\necho "%s $*"\\n[ "%s $*" != "$FAILS" ]\\n' $name $name > "$RUNNER_TEMP/bin/$name"
            chmod +x "$RUNNER_TEMP/bin/$name"
          done
          echo "$RUNNER_TEMP/bin" >> "$GITHUB_PATH"`;

/** After the stand-ins, in the same job. */
async function playScript(
  { step }: Script,
  machineOf: 'github-hosted' | 'self-hosted',
  fails = 'nothing',
): Promise<JobRun | undefined> {
  const file = readWorkflowFile(aCalled(STAND_INS, `    env: { FAILS: '${fails}' }`));
  const { only } = file.jobs;
  if (only === undefined) throw new Error('there is no job');
  const called: WorkflowFile = {
    ...file,
    jobs: { only: { ...only, steps: [...only.steps, step] } },
  };
  const [run] = await playJobs('on: { workflow_call: {} }\njobs: {}', { called, machineOf });
  return run;
}

describe.skipIf(noBwrap !== undefined)('the script', () => {
  test.each(SCRIPTS)('$name does all that it says on a machine of GitHub', async (script) => {
    const run = await playScript(script, 'github-hosted');
    const [sudo, npm] = [/^sudo /, /^npm /].map((program) =>
      (run?.steps[1]?.log ?? '').split('\n').filter((line) => program.test(line)),
    );
    expect([run?.conclusion, sudo]).toEqual(['success', SANDBOX]);
    const isCoder = script.name.includes('Claude Code');
    expect(npm).toEqual(isCoder ? [expect.stringMatching(CLAUDE)] : []);
  });

  test.each(SCRIPTS)('$name ends its job where nothing could be installed', async (script) => {
    const [, install = ''] = SANDBOX;
    const run = await playScript(script, 'github-hosted', install);
    expect(run?.conclusion).toBe('failure');
    expect(run?.steps[1]?.log.trim().split('\n')).toEqual(SANDBOX.slice(0, 2));
  });

  test.each(SCRIPTS)('$name does not run on a machine of one’s own', async (script) => {
    const run = await playScript(script, 'self-hosted');
    expect([run?.conclusion, run?.steps.length]).toEqual(['success', 1]);
  });
});
