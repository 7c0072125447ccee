/** What the verify job of a merge hands on: how the tests of the merged tree ended. Closed and capped, and not signed. */
import { z } from 'zod';
import { signReceipt } from '../gates/receipt.ts';
import type { RetestResult } from '../task/task-effects.ts';
import { taskKey, type TaskRef } from '../task/task.ts';
import { BareReceipt, MAX_PROOF_CHARS } from './task-work.ts';

const Sha = z.string().regex(/^[0-9a-f]{40,64}$/);

export const MergeProof = z.strictObject({
  version: z.literal(1),
  claim: z.string().min(1).max(200),
  workflowRun: z.string().regex(/^\d{1,20}$/),
  baseSha: Sha,
  done: z.union([
    z.strictObject({ receipt: BareReceipt }),
    z.strictObject({ conflict: z.array(z.string().max(4_096)).max(500) }),
  ]),
});
export type MergeProof = z.infer<typeof MergeProof>;

/** Undefined for text that is no such proof. */
export function parseMergeProof(text: string): MergeProof | undefined {
  if (text.length > MAX_PROOF_CHARS) return undefined;
  try {
    return MergeProof.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined;
  }
}

/** The result without its signature, which only an apply job can make. */
export function toMergeDone(result: RetestResult): MergeProof['done'] {
  if (result.outcome === 'conflict') return { conflict: result.paths.slice(0, 500) };
  const { signature: _, ...receipt } = result.receipt;
  return MergeProof.shape.done.parse(JSON.parse(JSON.stringify({ receipt })));
}

/** The result as the reducer takes it. It proves the commits that it names, and the policy compares them. */
export function toRetestResult(
  { baseSha, done }: MergeProof,
  { task, secret }: { task: TaskRef; secret: string },
): RetestResult {
  if ('conflict' in done) return { outcome: 'conflict', baseSha, paths: done.conflict };
  const { headSha, baseSha: _, at, ...judgement } = done.receipt;
  const signing = { secret, scope: taskKey(task) };
  const receipt = signReceipt(judgement, { headSha, baseSha, at }, signing);
  return { outcome: 'tested', baseSha, receipt };
}
