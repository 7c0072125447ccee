/** Who moved which ref: what GitHub lists as the activity of a repository. */
import { isAncestor, ZERO_SHA } from '../git/objects.ts';
import { toUserById, type Wire } from '../render/accounts.ts';
import type { Deed } from '../threads.ts';
import { nodeId, nowIso, type World } from '../world/world.ts';
import type { RefActivity } from '../world/world-model.ts';
import type { RefMove } from './push-payload.ts';

export async function recordActivity(deed: Deed, move: RefMove): Promise<void> {
  const { world, repository, by } = deed;
  const kind = await kindOf(deed, move);
  repository.activity ??= [];
  repository.activity.push({
    id: repository.activity.length + 1,
    ref: move.ref,
    before: move.from,
    after: move.to,
    actorId: by.id,
    kind,
    at: nowIso(world),
  });
}

async function kindOf({ repository }: Deed, move: RefMove): Promise<RefActivity['kind']> {
  if (move.from === ZERO_SHA) return 'branch_creation';
  if (move.to === ZERO_SHA) return 'branch_deletion';
  if (move.isMerge === true) return 'pr_merge';
  return (await isAncestor(repository.gitDir, move.from, move.to)) ? 'push' : 'force_push';
}

export function toActivity(world: World, activity: RefActivity): Wire {
  const { id, ref, before, after, kind, at } = activity;
  return {
    id,
    node_id: nodeId('PSH', id),
    before,
    after,
    ref,
    timestamp: at,
    activity_type: kind,
    actor: toUserById(world, activity.actorId),
  };
}
