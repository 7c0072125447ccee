/** Finds pull requests, pushes and comments whose webhooks were lost, and that GitHub's log of deliveries does not show. */
import type { Delivery } from '../../domain/github/delivery.ts';
import type { NewEvent } from '../../domain/event/event.ts';
import { threadKey, type Actor, type RepositoryRef } from '../../domain/run/thread-ref.ts';
import type { Trigger } from '../../domain/event/trigger.ts';
import type { RecentActivity, RecentComment, RecentPull } from '../../ports/github/github-app.ts';
import type { ActPorts } from '../ports.ts';

/**
 * Each event is the same as its webhook would have produced, so a webhook that arrives late is ignored. Known events
 * are found again as well, and ignored by their id, their text or their head.
 */
export async function findRecent(
  ref: RepositoryRef,
  since: string,
  ports: ActPorts,
): Promise<Pick<RecentActivity, 'unread'> & { events: NewEvent[] }> {
  const { github, clock } = ports;
  if (ports.parseDelivery === undefined) return { events: [] };
  const { pulls, comments, unread } = await github.app.recent(ref, since);
  const at = new Date(clock.now()).toISOString();
  const told: Delivery[] = [];
  for (const pull of pulls) told.push(toPullDelivery(ref, pull, await isKnown(ref, pull, ports)));
  // An edited comment may contain another person's words, and starts nothing (CMD-04).
  const unchanged = comments.filter(({ createdAt, updatedAt }) => createdAt === updatedAt);
  told.push(...unchanged.map((comment) => toCommentDelivery(ref, comment)));
  const events: NewEvent[] = [];
  for (const delivery of told) {
    const verdict = await ports.parseDelivery({ ...delivery, at });
    if (verdict.kind === 'events') events.push(...verdict.events.flatMap(asFound));
  }
  return { events, ...(unread && { unread }) };
}

/** Whether its stream has heard of it: then what came since is a push. */
async function isKnown(
  { repositoryId }: RepositoryRef,
  { number }: RecentPull,
  { store }: ActPorts,
): Promise<boolean> {
  return (await store.load(threadKey({ repositoryId, number }))) !== undefined;
}

/** Marked, because what is found says nothing of when and for which state of things it was meant. */
function asFound(event: NewEvent): NewEvent[] {
  if (event.data.kind !== 'trigger') return [];
  const { trigger } = event.data;
  if (!('thread' in trigger) || !isWanted(trigger)) return [];
  return [{ ...event, data: { kind: 'trigger', trigger: { ...trigger, foundBy: 'reconcile' } } }];
}

/** A pull request, or a comment that speaks to the team. Words for a plan that waits are only taken from their webhook. */
function isWanted(trigger: Trigger): boolean {
  if (trigger.kind === 'pull') return true;
  if (trigger.kind !== 'commented' || trigger.isByBot) return false;
  const { address } = trigger;
  return (
    address !== undefined &&
    address.isYes !== true &&
    address.isForPlan !== true &&
    address.word === undefined
  );
}

type Told = Omit<Delivery, 'at'> & { at: string };

function toPullDelivery(ref: RepositoryRef, pull: RecentPull, isPush: boolean): Told {
  const { id, number, headSha, isDraft, createdAt, updatedAt } = pull;
  // The time of a new one is that of its opening, as its webhook says it.
  const item = { id, number, head: { sha: headSha }, updated_at: isPush ? updatedAt : createdAt };
  return {
    event: 'pull_request',
    // Each head once, and again when it is no draft any more.
    deliveryId: `reconcile:${threadKey({ ...ref, number })}:${headSha}${isDraft ? ':draft' : ''}`,
    payload: {
      action: isPush ? 'synchronize' : 'opened',
      ...envelope(ref, pull.author),
      pull_request: item,
    },
    at: updatedAt,
  };
}

function toCommentDelivery(ref: RepositoryRef, comment: RecentComment): Told {
  const { id, place, number, author, appId, body, createdAt, updatedAt } = comment;
  const item = { number };
  const via = appId === undefined ? {} : { performed_via_github_app: { id: appId } };
  return {
    event: place === 'thread' ? 'issue_comment' : 'pull_request_review_comment',
    deliveryId: `reconcile:${threadKey({ ...ref, number })}:${place}-comment:${id}`,
    payload: {
      action: 'created',
      ...envelope(ref, author),
      ...(place === 'thread' ? { issue: { id: 0, ...item } } : { pull_request: item }),
      comment: { id, body, updated_at: updatedAt, user: toAccount(author), ...via },
    },
    at: createdAt,
  };
}

function envelope(ref: RepositoryRef, author: Actor | undefined) {
  return {
    installation: { id: ref.installationId },
    repository: { id: ref.repositoryId, full_name: `${ref.owner}/${ref.repo}` },
    sender: toAccount(author),
  };
}

function toAccount(author: Actor | undefined) {
  if (author === undefined) return null;
  return { id: author.id, login: author.login, type: author.isBot ? 'Bot' : 'User' };
}
