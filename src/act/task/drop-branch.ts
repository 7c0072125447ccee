/** Takes away what a task left on GitHub: its branch, while that is ours alone and no open pull request needs it. */
import type { EffectData } from '../../domain/event/effect.ts';
import type { TaskEffectResults } from '../../domain/task/task-effects.ts';
import { toRepositoryRef } from '../../domain/run/thread-ref.ts';
import type { ActPorts, Performed } from '../ports.ts';
import { workAt } from './coder/coding-runtime.ts';

type DropBranch = Extract<EffectData, { kind: 'drop-branch' }>;

export async function dropBranch(
  data: DropBranch,
  ports: ActPorts,
): Promise<Performed<'drop-branch'>> {
  const session = workAt(ports, data.thread);
  const result = { outcome: await drop(data, session) };
  return { effectKind: 'drop-branch', result, githubCalls: session.counts };
}

async function drop(
  { thread, branch, heads }: DropBranch,
  { work, tasks }: ReturnType<typeof workAt>,
): Promise<TaskEffectResults['drop-branch']['outcome']> {
  const ref = toRepositoryRef(thread);
  const tip = await work.branchTip(ref, branch);
  if (tip === undefined) return 'was-gone';
  // Somebody else pushed, so the branch contains their work.
  if (!heads.includes(tip)) return 'moved';
  return (await work.isInUse(ref, branch)) ? 'in-use' : tasks.deleteBranch(ref, branch, tip);
}
