/** Which artifact of a run holds its result, and whether it may be read. */
import { MAX_TASK_PATCH_BYTES, MAX_TASK_WORK_BYTES } from '../actions/task-work.ts';
import { CODE_ARTIFACT } from './code-order.ts';

export interface RunArtifact {
  id: number;
  name: string;
  bytes: number;
  isExpired: boolean;
  /** Run that left it; undefined where GitHub does not tell. */
  runId: number | undefined;
  repositoryId: number | undefined;
  headRepositoryId: number | undefined;
}

/** Returns why none may be read as a sentence's end. */
export function judgeArtifacts(
  artifacts: readonly RunArtifact[],
  { runId, repositoryId }: { runId: number; repositoryId: number },
): { id: number } | { refused: string } {
  const found = artifacts.filter(({ name }) => name === CODE_ARTIFACT);
  const [one] = found;
  if (one === undefined) return { refused: `it left no artifact \`${CODE_ARTIFACT}\`` };
  if (found.length > 1) return { refused: `it left ${found.length} artifacts of one name` };
  if (one.isExpired) return { refused: 'its artifact is gone' };
  if (one.runId !== runId) return { refused: 'its artifact is of another run' };
  if (one.repositoryId !== repositoryId || one.headRepositoryId !== repositoryId)
    return { refused: 'its artifact is of another repository' };
  if (one.bytes > MAX_TASK_PATCH_BYTES + MAX_TASK_WORK_BYTES)
    return { refused: `its artifact has ${one.bytes} bytes` };
  return { id: one.id };
}
