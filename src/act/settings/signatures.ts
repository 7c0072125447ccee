/** Why a plan's commits would be refused for want of a signature: known before anybody approves it. */
import type { PlanView } from '../../domain/plan/plan-view.ts';
import { taskBranch } from '../../domain/task/task.ts';
import { toRepositoryRef, type ThreadRef } from '../../domain/run/thread-ref.ts';
import type { ActPorts } from '../ports.ts';
import { createTtlCache } from '../ttl-cache.ts';
import { workAt } from '../task/coder/coding-runtime.ts';

export type UnsignedReason = (
  thread: ThreadRef,
  view: PlanView,
) => Promise<Pick<PlanView, 'whyUnsigned'>>;

const KEPT_MS = 10 * 60_000;
const MOST = 1_000;

/** A plan is looked at often, and rules change rarely. */
export function createUnsignedReason(ports: ActPorts): UnsignedReason {
  const kept = createTtlCache<boolean>(ports.clock, { ttlMs: KEPT_MS, most: MOST });
  const mustSign = async (thread: ThreadRef, branch: string): Promise<boolean> => {
    const key = `${thread.repositoryId}/${branch}`;
    const known = kept.get(key);
    if (known !== undefined) return known;
    const found = await workAt(ports, thread).work.mustSign(toRepositoryRef(thread), branch);
    kept.set(key, found);
    return found;
  };
  return async (thread, { config, repository: { defaultBranch } }) => {
    const own = taskBranch({ plan: { ...thread, number: 1 }, task: 1 }, '');
    const unsignedBase = ports.codingRuntime?.known?.unsignedBase;
    if (unsignedBase === undefined && (await mustSign(thread, own)))
      return say('the branches of tasks (`quorum/*`) take');
    const isMergedByPeople = config.merge.mode === 'never';
    if (isMergedByPeople || unsignedBase === defaultBranch) return {};
    if (!(await mustSign(thread, defaultBranch))) return {};
    return say(`\`${defaultBranch.replaceAll('`', '')}\` takes`);
  };
}

function say(branches: string): Pick<PlanView, 'whyUnsigned'> {
  const whyUnsigned = `${branches} only commits with verified signatures, and the commits that Quorum makes have none. Lift the rule there, or set \`merge.mode: never\` and merge with signed commits yourself`;
  return { whyUnsigned };
}
