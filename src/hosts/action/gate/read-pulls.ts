/** Reads what the approval gate judges: a pull request, its reviews and commits, its siblings and its twins. */
import { z } from 'zod';
import type { Actor, Permission, ThreadRef } from '../../../domain/run/thread-ref.ts';
import {
  isAgentsWork,
  planOfCommit,
  type GatedPull,
  type GateQuestion,
  type GateReview,
} from '../../../policy/approval-gate.ts';
import { endsWithMarker } from '../../../domain/github/marker.ts';
import { readOnce, readPages } from '../job/workflow-github.ts';
import type { WorkflowContext } from '../job/workflow-context.ts';

const User = z.object({ id: z.number(), login: z.string(), type: z.string().optional() }).nullish();
const Pull = z.object({
  number: z.number(),
  state: z.string(),
  merged_at: z.string().nullish(),
  user: User,
  body: z.string().nullish(),
  head: z.object({ sha: z.string(), repo: z.object({ id: z.number() }).nullish() }),
});
type WirePull = z.infer<typeof Pull>;
const Review = z.object({
  user: User,
  state: z.string(),
  commit_id: z.string().nullish(),
  submitted_at: z.string().nullish(),
});
const Commit = z.object({
  author: User,
  committer: User,
  commit: z.object({ message: z.string() }),
});
const Event = z.object({ event: z.string(), created_at: z.string() });

/** GitHub lists at most 250 commits of a pull request. */
const MOST_COMMITS = 250;
const MOST_SIBLINGS = 20;
/** GitHub shows this account for one that was deleted. */
const GHOST: Actor = { id: 10_137, login: 'ghost', isBot: false };
const STATES: Readonly<Record<string, GateReview['state']>> = {
  APPROVED: 'approved',
  CHANGES_REQUESTED: 'changes-requested',
  COMMENTED: 'commented',
  DISMISSED: 'dismissed',
};

export interface Reading {
  context: WorkflowContext;
  agents: readonly string[];
  permission: (user: Actor) => Promise<Permission>;
}

export type GateFacts = Omit<GateQuestion, 'needed' | 'checkedSha'>;

/** Undefined where the number is not of a pull request. */
export async function readGateFacts(
  thread: ThreadRef,
  { isTogether }: { isTogether: boolean },
  reading: Reading,
): Promise<GateFacts | undefined> {
  const base = baseOf(thread);
  const wire = await readOnce(reading.context, `${base}/pulls/${thread.number}`, Pull);
  if (wire === undefined) return undefined;
  const unread: string[] = [];
  const commits = await readList(reading, unread, {
    path: `${base}/pulls/${thread.number}/commits`,
    item: Commit,
    what: 'its commits',
  });
  const { agents } = reading;
  const isAgents = isAgentsWork({
    author: toAuthor(wire.user),
    agents,
    hasMarker: endsWithMarker(wire.body ?? ''),
    committers: commits.flatMap(({ author, committer }) => [author, committer].map(toActor)),
    areCommitsCut: commits.length >= MOST_COMMITS,
  });
  const at = { base, unread };
  if (!isAgents)
    return { pull: toPull(wire, []), isOfAgent: false, siblings: [], twins: [], unread: [] };
  const open = await readList(reading, unread, {
    path: `${base}/pulls?state=open`,
    item: Pull,
    what: 'the open pull requests',
  });
  const twins = open
    .filter(({ number, head }) => number !== wire.number && head.sha === wire.head.sha)
    .map(({ number }) => number);
  const plan = planOfCommit(commits.at(-1)?.commit.message ?? '');
  const siblings =
    isTogether && plan !== undefined ? await readSiblings(wire, plan, { ...at, reading }) : [];
  const pull = await readGated(wire, { ...at, reading });
  return { pull, isOfAgent: true, siblings, twins, unread };
}

interface At {
  base: string;
  unread: string[];
  reading: Reading;
}

/** Of agents alone: a person's pull request could name any plan. */
async function readSiblings(own: WirePull, plan: number, at: At): Promise<GatedPull[]> {
  const { base, reading } = at;
  const listed = await readOnce(
    reading.context,
    `${base}/pulls?state=all&sort=updated&direction=desc&per_page=100`,
    z.array(Pull),
  );
  const candidates = (listed ?? [])
    .filter((pull) => pull.number !== own.number && isCandidate(pull, reading))
    .slice(0, MOST_SIBLINGS);
  const found: GatedPull[] = [];
  for (const pull of candidates) {
    const tip = await readOnce(reading.context, `${base}/commits/${pull.head.sha}`, Commit);
    if (tip !== undefined && planOfCommit(tip.commit.message) === plan)
      found.push(await readGated(pull, at));
  }
  return found;
}

function isCandidate(pull: WirePull, { agents, context }: Reading): boolean {
  const isKept = pull.state === 'open' || typeof pull.merged_at === 'string';
  const isHere = pull.head.repo?.id === context.repository.repositoryId;
  const author = toAuthor(pull.user);
  // Approvals of a sibling make this one pass, so that a deleted account is no agent here.
  return (
    isKept &&
    isHere &&
    author !== undefined &&
    isAgentsWork({
      author,
      agents,
      hasMarker: endsWithMarker(pull.body ?? ''),
      committers: [],
      areCommitsCut: false,
    })
  );
}

async function readGated(wire: WirePull, { base, unread, reading }: At): Promise<GatedPull> {
  const reviews = await readList(reading, unread, {
    path: `${base}/pulls/${wire.number}/reviews`,
    item: Review,
    what: `the reviews of #${wire.number}`,
  });
  const events = await readList(reading, unread, {
    path: `${base}/issues/${wire.number}/events`,
    item: Event,
    what: `the events of #${wire.number}`,
  });
  const known = new Map<number, Permission>();
  const told: GateReview[] = [];
  for (const { user, state: word, commit_id: sha, submitted_at: at } of reviews) {
    const state = STATES[word.toUpperCase()];
    if (state === undefined) continue;
    const by = toActor(user);
    const permission = known.get(by.id) ?? (await permissionOf(by, state, reading));
    if (state === 'approved') known.set(by.id, permission);
    const commitSha = sha ?? undefined;
    told.push({
      by,
      permission,
      state,
      ...(commitSha === undefined ? {} : { commitSha }),
      submittedAt: at ?? '',
    });
  }
  const retargeted = events.findLast(({ event }) => event === 'base_ref_changed')?.created_at;
  return {
    ...toPull(wire, told),
    ...(retargeted === undefined ? {} : { retargetedAt: retargeted }),
  };
}

/** Only approvals depend on it. */
function permissionOf(
  by: Actor,
  state: GateReview['state'],
  { permission }: Reading,
): Promise<Permission> {
  return state !== 'approved' || by.isBot ? Promise.resolve('none') : permission(by);
}

function toPull(wire: WirePull, reviews: readonly GateReview[]): GatedPull {
  return {
    number: wire.number,
    author: toActor(wire.user),
    headSha: wire.head.sha,
    reviews,
  };
}

function toActor(user: z.infer<typeof User>): Actor {
  if (user === null || user === undefined) return GHOST;
  return { id: user.id, login: user.login, isBot: user.type === 'Bot' };
}

/** Undefined for an account that was deleted. */
function toAuthor(user: z.infer<typeof User>): Actor | undefined {
  const actor = toActor(user);
  return actor.id === GHOST.id ? undefined : actor;
}

interface List<T extends z.ZodType> {
  path: string;
  item: T;
  /** For people, where it is not read to its end. */
  what: string;
}

async function readList<T extends z.ZodType>(
  { context }: Reading,
  unread: string[],
  { path, item, what }: List<T>,
): Promise<z.infer<T>[]> {
  const { found, isCut } = await readPages(context, path, item);
  if (isCut) unread.push(`${what} are too many to be read`);
  return found;
}

function baseOf({ owner, repo }: ThreadRef): string {
  return `/repos/${owner}/${repo}`;
}
