/** Pull requests that propose a change of memory: only people merge or close them, so the digest lists them. */
import type { Config } from '../../domain/config/config.ts';
import type { Waiting } from '../../domain/digest/weekly-digest.ts';
import { isRoleBranch } from '../../domain/memory/role/role-proposal.ts';
import type { RepositoryRef } from '../../domain/run/thread-ref.ts';
import type { GitHubSession } from '../../ports/github/github.ts';
import type { PullInto } from '../../ports/github/work.ts';
import { toMemoryPlace } from '../memory/read-memory.ts';
import { isWork } from '../task/coder/coding-runtime.ts';

export interface ProposalPlace {
  session: GitHubSession;
  config: Config;
  defaultBranch: string;
}

/** Two calls; none where memory is off. */
export async function findWaitingProposals(
  ref: RepositoryRef,
  { session, config, defaultBranch }: ProposalPlace,
): Promise<Waiting[]> {
  if (!config.memory.enabled || !isWork(session)) return [];
  const { work } = session;
  const [ofPersonas, ofRoles] = await Promise.all([
    work.pullsInto(ref, toMemoryPlace(ref, config).branch),
    work.pullsInto(ref, defaultBranch),
  ]);
  const all = [...ofPersonas, ...ofRoles.filter(({ head }) => isRoleBranch(head))];
  return all.filter(({ isOpen }) => isOpen).map(toWaiting);
}

function toWaiting({ number, openedAt }: PullInto): Waiting {
  return { number, what: 'a change of memory waits to be merged or closed', since: openedAt };
}
