/** What the agent job of a task handed over, believed only where it is what that job named, for this claim and this run. */
import { createHash } from 'node:crypto';
import {
  MAX_TASK_PATCH_BYTES,
  MAX_TASK_WORK_BYTES,
  TaskWork,
  toCodeResult,
  type TaskFailure,
} from '../../../domain/actions/task-work.ts';
import { digestIntents } from '../../../domain/actions/intents.ts';
import { RefusedError } from '../../../domain/event/errors.ts';
import { downloadFiles, uploadFiles, type HandOver } from '../steps/hand-over.ts';
import type { WorkflowContext } from '../job/workflow-context.ts';
import type { Known } from './play-task.ts';
import type { TaskTicket } from './task-ticket.ts';

const WORK = 'intents.json';
const PATCH = 'change.patch';

/** Returns the digest of what was handed over. */
export async function uploadTaskWork(
  { work, patch }: { work: TaskWork; patch: string },
  to: HandOver,
): Promise<string> {
  const bytes = Buffer.from(JSON.stringify(work));
  await uploadFiles(
    new Map([
      [WORK, bytes],
      [PATCH, Buffer.from(patch)],
    ]),
    to,
  );
  return digestIntents(bytes);
}

interface Expected {
  context: WorkflowContext;
  ticket: TaskTicket;
  /** Empty where the agent job ended without naming one. */
  digest: string;
}

/** @throws RefusedError `intents-invalid` */
export async function readTaskWork(
  { context, ticket, digest }: Expected,
  from: HandOver,
): Promise<Known> {
  if (digest === '') return noResult(NO_WORK);
  const files = await downloadFiles(
    new Map([
      [WORK, MAX_TASK_WORK_BYTES],
      [PATCH, MAX_TASK_PATCH_BYTES],
    ]),
    from,
  );
  const bytes = files.get(WORK) ?? new Uint8Array();
  const patch = files.get(PATCH) ?? new Uint8Array();
  if (digestIntents(bytes) !== digest)
    throw invalid('its digest is not the one that the agent job named');
  const work = parse(bytes);
  if (work.claim !== ticket.claim) throw invalid('it is of another claim');
  if (work.workflowRun !== context.workflowRun)
    throw invalid('it is of another run of the workflow');
  if (createHash('sha256').update(patch).digest('hex') !== work.patch)
    throw invalid('its patch is not the one that it names');
  if ('failed' in work.done) return noResult(work.done.failed);
  const result = toCodeResult(work.done.coded, Buffer.from(patch).toString('utf8'));
  return { result: { effectKind: 'code', result } };
}

function parse(bytes: Uint8Array): TaskWork {
  try {
    return TaskWork.parse(JSON.parse(Buffer.from(bytes).toString('utf8')));
  } catch (cause) {
    throw invalid('it does not have the form of a change', cause);
  }
}

function noResult(failed: TaskFailure): Known {
  return { kind: 'code', failed };
}

const NO_WORK: TaskFailure = {
  code: 'action-run-failed',
  message: 'the agent job ended without a change',
};

function invalid(why: string, cause?: unknown): RefusedError {
  return new RefusedError({
    code: 'intents-invalid',
    message: `Nothing was written. What the agent job handed over is refused: ${why}.`,
    ...(cause === undefined ? {} : { cause }),
  });
}
