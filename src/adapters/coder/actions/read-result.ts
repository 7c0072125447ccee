/** What a run left, read only where it is the result of that very run. */
import {
  PATCH_FILE,
  readWork,
  WORK_FILE,
  WORK_FILES,
  type WorkRead,
} from '../../../domain/actions/read-work.ts';
import type { DispatchedRun } from '../../../domain/dispatch/choose-run.ts';
import { judgeArtifacts } from '../../../domain/dispatch/judge-artifact.ts';
import { RefusedError } from '../../../domain/event/errors.ts';
import { toRepositoryRef } from '../../../domain/run/thread-ref.ts';
import type { Sending } from './look-at-run.ts';

const NOTHING = new Uint8Array();

/** `refused` says why as the end of a sentence. */
export async function readResult(
  run: DispatchedRun,
  { order, errand: { dispatches, data } }: Sending,
): Promise<WorkRead> {
  const repository = toRepositoryRef(data.thread);
  const { repositoryId } = repository;
  const listed = await dispatches.artifactsOf(repository, run.id);
  const judged = judgeArtifacts(listed, { runId: run.id, repositoryId });
  if ('refused' in judged) return judged;
  try {
    const files = await dispatches.filesOf(repository, judged.id, WORK_FILES);
    const work = files.get(WORK_FILE) ?? NOTHING;
    const patch = files.get(PATCH_FILE) ?? NOTHING;
    return readWork({ work, patch }, { claim: order.key, workflowRun: String(run.id) });
  } catch (error) {
    if (error instanceof RefusedError && error.code === 'intents-invalid')
      return { refused: error.message.replace(/\.$/, '') };
    throw error;
  }
}
