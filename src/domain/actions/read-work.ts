/** Reads what an agent job handed over, and believes it only where it is of that claim and that run. Pure. */
import { createHash } from 'node:crypto';
import type { CodeResult } from '../task/task-effects.ts';
import {
  MAX_TASK_PATCH_BYTES,
  MAX_TASK_WORK_BYTES,
  TaskWork,
  toCodeResult,
  type TaskFailure,
} from './task-work.ts';

export const WORK_FILE = 'intents.json';
export const PATCH_FILE = 'change.patch';
/** The files of the artifact, with the bytes that each may have. */
export const WORK_FILES: ReadonlyMap<string, number> = new Map([
  [WORK_FILE, MAX_TASK_WORK_BYTES],
  [PATCH_FILE, MAX_TASK_PATCH_BYTES],
]);

export interface WorkExpected {
  claim: string;
  /** Id of the workflow's run. */
  workflowRun: string;
}

export type WorkRead = { result: CodeResult } | { failed: TaskFailure } | { refused: string };

/** `refused` says why as the end of a sentence. */
export function readWork(
  { work: bytes, patch }: { work: Uint8Array; patch: Uint8Array },
  { claim, workflowRun }: WorkExpected,
): WorkRead {
  const work = parseWork(bytes);
  if (work === undefined) return { refused: 'it does not have the form of a change' };
  if (work.claim !== claim) return { refused: 'it is of another claim' };
  if (work.workflowRun !== workflowRun) return { refused: 'it is of another run of the workflow' };
  if (createHash('sha256').update(patch).digest('hex') !== work.patch)
    return { refused: 'its patch is not the one that it names' };
  if ('failed' in work.done) return { failed: work.done.failed };
  return { result: toCodeResult(work.done.coded, Buffer.from(patch).toString('utf8')) };
}

function parseWork(bytes: Uint8Array): TaskWork | undefined {
  try {
    return TaskWork.safeParse(JSON.parse(Buffer.from(bytes).toString('utf8'))).data;
  } catch {
    return undefined;
  }
}
