/** Whether the App looks after the memory of this repository: then the workflow proposes nothing there. */
import { z } from 'zod';
import { endsWithMarker } from '../../../../domain/github/marker.ts';
import { isConsolidation } from '../../../../domain/memory/consolidation/render-consolidation.ts';
import { ACTIONS_LOGIN, readOnce, readPages } from '../../job/workflow-github.ts';
import type { WorkflowContext } from '../../job/workflow-context.ts';

const Account = z.object({ login: z.string(), type: z.string().optional() }).nullish();
const Pull = z.object({
  number: z.int(),
  user: Account,
  body: z.string().nullish(),
  head: z.object({ ref: z.string() }),
});
const Pushes = z.array(z.object({ actor: Account, timestamp: z.iso.datetime({ offset: true }) }));

const LATELY_DAYS = 14;
const DAY_MS = 24 * 3_600_000;

export interface MemoryLooking {
  context: WorkflowContext;
  /** Of the memory. */
  branch: string;
  now: number;
}

/**
 * Why the App does it, for people; undefined where no App shows. Any other bot that pushes counts as the App. The App proposes right after it wrote to the memory, and a
 * branch shows for good who pushed it, so only the last days count.
 */
export async function findMemoryApp(looking: MemoryLooking): Promise<string | undefined> {
  const number = await findOpenProposal(looking);
  if (number !== undefined)
    return `The App has the proposal #${number} open. If you removed the App, close that pull request.`;
  return (await hasPushedLately(looking))
    ? `A bot other than GitHub Actions wrote to the memory in the last ${LATELY_DAYS} days. If that was the App, it proposes such changes itself. Else they are proposed here ${LATELY_DAYS} days after that bot wrote last.`
    : undefined;
}

async function findOpenProposal({ context, branch }: MemoryLooking): Promise<number | undefined> {
  const { owner, repo } = context.repository;
  const path = `/repos/${owner}/${repo}/pulls?state=open&base=${encodeURIComponent(branch)}`;
  const { found } = await readPages(context, path, Pull);
  const isApps = ({ user, body, head }: z.infer<typeof Pull>): boolean =>
    isOtherBot(user) && isConsolidation(head.ref) && endsWithMarker(body ?? '');
  return found.find(isApps)?.number;
}

/** The newest hundred pushes: workflows push far more seldom where the App is, as they leave its events to it. */
async function hasPushedLately({ context, branch, now }: MemoryLooking): Promise<boolean> {
  const { owner, repo } = context.repository;
  const ref = encodeURIComponent(`refs/heads/${branch}`);
  const path = `/repos/${owner}/${repo}/activity?ref=${ref}&per_page=100`;
  const pushes = (await readOnce(context, path, Pushes)) ?? [];
  return pushes.some(
    ({ actor, timestamp }) =>
      isOtherBot(actor) && now - Date.parse(timestamp) < LATELY_DAYS * DAY_MS,
  );
}

function isOtherBot(account: z.infer<typeof Account>): boolean {
  return account?.type === 'Bot' && account.login !== ACTIONS_LOGIN;
}
