/** Gives a task's lease back, and throws away what was made for it on this machine. */
import type { EffectData } from '../../domain/event/effect.ts';
import { toRepositoryRef } from '../../domain/run/thread-ref.ts';
import { releaseLease } from './lease/take-lease.ts';
import type { ActPorts, Performed } from '../ports.ts';
import { leasePlace, workAt, requireCodingRuntime } from './coder/coding-runtime.ts';

export async function releaseClaim(
  data: Extract<EffectData, { kind: 'release' }>,
  ports: ActPorts,
): Promise<Performed<'release'>> {
  const session = workAt(ports, data.thread);
  const own = data.end === undefined ? data.lease : { ...data.lease, end: data.end };
  await releaseLease(session, leasePlace(data, ''), own);
  const { git } = requireCodingRuntime(ports);
  for (const name of data.names.flatMap(foldersOf)) await git.remove(name);
  const { branch, thread } = data;
  if (branch !== undefined)
    await session.tasks.deleteBranch(toRepositoryRef(thread), branch.name, branch.sha);
  return { effectKind: 'release', result: null, githubCalls: session.counts };
}

/** Those of its gates and of its merge's tests too: a process that was killed closes none. */
function foldersOf(name: string): string[] {
  return ['', '-gates', '-merge', '-base', '-needs'].map((end) => `${name}${end}`);
}
