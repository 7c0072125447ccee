/** Runs one step of an action as the runner starts it: inputs from the environment, outputs and summary into files. */
import * as core from '@actions/core';
import { systemClock, systemRandom } from '../../adapters/system/system-clock.ts';
import { toFailure } from '../../domain/event/errors.ts';
import { cleanLogLine } from '../../domain/text/clean-output.ts';
import type { Env } from '../environment/env-file.ts';
import { adviseOnRefusal } from './tell/advise-on-refusal.ts';
import type { Basics } from '../host-parts.ts';
import { ACTIONS, type ActionName } from './job/action-specs.ts';
import { readInputs, type Inputs } from './job/read-inputs.ts';
import { readWorkflowContext, type WorkflowContext } from './job/workflow-context.ts';

/** A job of a workflow, as its steps are given it. */
export interface Job {
  name: ActionName;
  inputs: Inputs;
  basics: Basics;
  context: WorkflowContext;
}

/** One for each value of the input `step`, which each have a power of their own; `run` for an action without that input. */
export type Steps = Readonly<Record<string, (job: Job) => Promise<void>>>;

/** Never rejects: what goes wrong is an annotation and the exit code. */
export async function runAction(name: ActionName, steps: Steps): Promise<void> {
  const { env } = process;
  try {
    maskSecrets(env);
    const inputs = readInputs(ACTIONS[name].inputs, env);
    const context = readWorkflowContext(env, inputs['github-token'] ?? '');
    core.setSecret(context.token);
    const { events } = ACTIONS[name];
    if (!events.includes(context.event)) {
      say(
        `${ACTIONS[name].name} does not act on the event ${context.event}. It acts on ${events.join(', ')}.`,
      );
      core.setOutput('proceed', 'false');
      return;
    }
    const basics: Basics = { env, clock: systemClock, random: systemRandom, log: WORKFLOW_LOG };
    await steps[inputs['step'] ?? 'run']?.({ name, inputs, basics, context });
  } catch (error) {
    const { code, message } = toFailure(error);
    const advice = adviseOnRefusal(error);
    core.setFailed([`${message} [${code}]`, advice].filter((part) => part !== '').join(' '));
    const parts = ['### Quorum failed', `${message} (\`${code}\`)`, advice];
    await core.summary.addRaw(`${parts.filter((part) => part !== '').join('\n\n')}\n`).write();
  }
}

/** Appends to the job summary, or to the log where the runner has no summary. */
export async function summarise(markdown: string): Promise<void> {
  if ((process.env['GITHUB_STEP_SUMMARY'] ?? '') === '') return say(markdown);
  await core.summary.addRaw(markdown).write();
}

/** The runner carries out commands that a line begins with, and a line may have been written by anybody. */
function say(text: string): void {
  core.info(text.split('\n').map(cleanLogLine).join('\n'));
}

const SECRET_NAMES = /(?:KEY|SECRET|TOKEN|PASSWORD)(?:_|$)/;
const SHORTEST_SECRET = 8;

/** The runner masks what it knows as secrets; what a workflow passes by another way is masked here. */
function maskSecrets(env: Env): void {
  for (const [name, value] of Object.entries(env))
    if (SECRET_NAMES.test(name) && (value ?? '').length >= SHORTEST_SECRET)
      core.setSecret(value ?? '');
}

const WORKFLOW_LOG: Basics['log'] = {
  debug: (fields, message) => core.debug(line(fields, message)),
  info: (fields, message) => say(line(fields, message)),
  warn: (fields, message) => core.warning(line(fields, message)),
  error: (fields, message) => core.error(line(fields, message)),
};

function line(fields: object, message: string): string {
  const { err, ...rest } = { err: undefined, ...fields };
  const why = err === undefined ? '' : `: ${toFailure(err).message}`;
  return `${message}${why} ${Object.keys(rest).length === 0 ? '' : JSON.stringify(rest)}`.trim();
}
