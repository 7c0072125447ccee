/** What the agent job of a task handed over, believed only where it is what that job named, for this claim and this run. */
import type { TaskFailure, TaskWork } from '../../../domain/actions/task-work.ts';
import { PATCH_FILE, readWork, WORK_FILE, WORK_FILES } from '../../../domain/actions/read-work.ts';
import { digestIntents } from '../../../domain/actions/intents.ts';
import { downloadFiles, uploadFiles, type HandOver } from '../steps/hand-over.ts';
import { invalidHandOver } from '../steps/read-handed-over.ts';
import type { WorkflowContext } from '../job/workflow-context.ts';
import type { Known } from './play-task.ts';
import type { TaskTicket } from './task-ticket.ts';

/** Returns the digest of what was handed over. */
export async function uploadTaskWork(
  { work, patch }: { work: TaskWork; patch: string },
  to: HandOver,
): Promise<string> {
  const bytes = Buffer.from(JSON.stringify(work));
  await uploadFiles(
    new Map([
      [WORK_FILE, bytes],
      [PATCH_FILE, Buffer.from(patch)],
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
  const files = await downloadFiles(WORK_FILES, from);
  const bytes = files.get(WORK_FILE) ?? new Uint8Array();
  const patch = files.get(PATCH_FILE) ?? new Uint8Array();
  if (digestIntents(bytes) !== digest)
    throw invalidHandOver('its digest is not the one that the agent job named');
  const { claim } = ticket;
  const read = readWork({ work: bytes, patch }, { claim, workflowRun: context.workflowRun });
  if ('refused' in read) throw invalidHandOver(read.refused);
  if ('failed' in read) return noResult(read.failed);
  return { result: { effectKind: 'code', result: read.result } };
}

function noResult(failed: TaskFailure): Known {
  return { kind: 'code', failed };
}

const NO_WORK: TaskFailure = {
  code: 'action-run-failed',
  message: 'the agent job ended without a change',
};
