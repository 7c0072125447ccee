/** Reads a comment that may be for us, once: what it says now, who wrote it and may do what, and what an answer needs. */
import { bodyDigest, nameDigest } from '../../domain/persona/digest.ts';
import type { EffectData } from '../../domain/event/effect.ts';
import { QuorumError, TransientError } from '../../domain/event/errors.ts';
import {
  toRepositoryState,
  type RepositoryState,
} from '../../domain/repository/repository-state.ts';
import type { CommentLook } from '../../domain/event/result.ts';
import { addCalls } from '../../domain/run/ledger.ts';
import type { MergeStanding } from '../../domain/task/merge-view.ts';
import { taskKeysOf } from '../../domain/task/task.ts';
import type { Spending, TalkView } from '../../domain/run/talk.ts';
import { threadKey, type Permission, type ThreadRef } from '../../domain/run/thread-ref.ts';
import type { CommentFacts, GitHubSession } from '../../ports/github.ts';
import type { ReviewThreadFacts } from '../../ports/pulls.ts';
import type { Waits } from '../../ports/store.ts';
import { readReport } from './read-report.ts';
import { readMergeStanding } from '../task/merge-pull.ts';
import { listNotes } from '../memory/list-notes.ts';
import type { ReadMemory } from '../memory/read-memory.ts';
import { workAt } from '../task/coder/coding-runtime.ts';
import { toCommentView } from './comment-view.ts';
import { DAY_MS, describeHostMoney } from '../model/host-money.ts';
import {
  readPermissions,
  readTeams,
  speakersIn,
  type Person,
} from '../settings/read-permissions.ts';
import { pullsAt, type ActPorts, type Performed } from '../ports.ts';
import { readSettingsAt, type ReadSettings, type Settings } from '../settings/read-settings.ts';
import { checkSouls } from '../settings/souls.ts';
import { readTally } from '../settings/read-tally.ts';
import type { TeamNames } from '../settings/team-names.ts';

type LookComment = Extract<EffectData, { kind: 'look-comment' }>;

const MAX_COMMENTS = 100;
/** GitHub's copies lag behind its webhooks, mostly by less than this: then it is looked for often. */
const LAG_MS = 3_000;
const AGAIN_MS = 700;
/** A list of the time before a restart is no older than this: until then nothing is taken for deleted. */
const LONGEST_LAG_MS = 25_000;
const SELDOM_MS = 4_000;
const NOT_THERE = 'comment-not-there';

interface Context {
  ports: ActPorts;
  readSettings: ReadSettings;
  teamNames: TeamNames;
  readMemory: ReadMemory;
}

/** Result: the comment and what goes with it, or that it is gone. Throws TransientError while it may yet appear. */
export async function lookAtComment(
  data: LookComment,
  { at, waits, ...context }: Context & { at: string; waits: Waits | undefined },
): Promise<Performed<'look-comment'>> {
  const { ports, teamNames } = context;
  const session = ports.github.at(data.thread);
  const { called } = data.address;
  if (called !== undefined && !(await isCalled(called, teamNames(data.thread, session))))
    return done({ kind: 'gone', reason: 'nobody of the team is called so' }, session);
  const talk = await readConversation(data, session, ports);
  if (talk === undefined) {
    assertGone(ports.clock.now(), { at: Date.parse(at), waits });
    return done({ kind: 'gone', reason: 'the comment was deleted' }, session);
  }
  const reason = voidReason(talk.comment, data);
  if (reason !== undefined) return done({ kind: 'gone', reason }, session);
  return done(await readAll(data, { ...context, session, talk }), session);
}

function done(result: CommentLook, session: GitHubSession): Performed<'look-comment'> {
  return { effectKind: 'look-comment', result, githubCalls: session.counts };
}

async function isCalled(called: readonly string[], names: Promise<string[]>): Promise<boolean> {
  return (await names).some((name) => called.includes(nameDigest(name)));
}

/**
 * After a restart the first look may be late, and at a copy that lags behind: one look tells of no deletion. The queue waits
 * for the next one.
 */
function assertGone(now: number, { at, waits }: { at: number; waits: Waits | undefined }): void {
  const age = now - at;
  if (age < LONGEST_LAG_MS) throw notThereYet(age < LAG_MS ? AGAIN_MS : SELDOM_MS);
  const missingMs = waits?.code === NOT_THERE ? now - waits.since : 0;
  if (missingMs < LAG_MS) throw notThereYet(LAG_MS - missingMs);
}

function notThereYet(retryAfterMs: number): TransientError {
  return new TransientError({
    code: 'comment-not-there',
    message: 'GitHub does not show the comment yet.',
    retryAfterMs,
  });
}

/** CMD-04: what was changed after it was sent is not run, whoever changed it. */
function voidReason(comment: CommentFacts, { address, actor }: LookComment): string | undefined {
  if (comment.author.id !== actor.id) return 'the comment is by another account now';
  const isSame =
    bodyDigest(comment.body) === address.digest &&
    Date.parse(comment.updatedAt) === Date.parse(address.updatedAt);
  return isSame ? undefined : 'the comment was changed since it was sent';
}

/** A comment and the conversation that it is in. */
interface Heard {
  comment: CommentFacts;
  comments: CommentFacts[];
  review?: NonNullable<TalkView['review']>;
}

async function readConversation(
  { thread, comment: { id, place } }: LookComment,
  session: GitHubSession,
  ports: ActPorts,
): Promise<Heard | undefined> {
  if (place === 'thread') {
    const comments = await session.read.comments(thread, MAX_COMMENTS);
    const comment = comments.find((each) => each.id === id);
    return comment === undefined ? undefined : { comment, comments };
  }
  const pulls = pullsAt(ports, thread);
  const { threads } = await pulls.pulls.feedback(thread);
  addCalls(session.counts, pulls.counts);
  const found = threads.find((each) => each.comments.some((one) => one.id === id));
  return found === undefined ? undefined : toHeard(found, id);
}

function toHeard(found: ReviewThreadFacts, id: number): Heard | undefined {
  const { comments, path, line } = found;
  const comment = comments.find((each) => each.id === id);
  if (comment === undefined) return undefined;
  const finding = comments[0]?.marker?.key;
  const review = {
    path,
    ...(line === undefined ? {} : { line }),
    ...(finding === undefined ? {} : { finding }),
  };
  return { comment, comments, review };
}

interface Reading extends Context {
  session: GitHubSession;
  talk: Heard;
}

async function readAll(data: LookComment, reading: Reading): Promise<CommentLook> {
  const { ports, session, readSettings } = reading;
  const { thread } = data;
  const [repository, issue, self, kept] = await Promise.all([
    session.read.repository(thread),
    session.read.issue(thread),
    ports.github.app.self(),
    ports.store.load(`repository:${thread.repositoryId}`),
  ]);
  const settings = await readSettingsAt(thread, repository, { session, readSettings });
  const state = toRepositoryState(kept?.state);
  const { stopped } = await checkSouls({
    thread,
    session,
    view: { repository },
    settings,
    recorded: state?.souls,
  });
  const facts = { repository, issue, self, settings, state };
  const view = await toView(data, facts, reading);
  return { kind: 'read', view, ...(stopped === undefined ? {} : { stopped }) };
}

interface Facts extends Pick<TalkView, 'repository' | 'issue' | 'self'> {
  settings: Settings;
  state: RepositoryState | undefined;
}

async function toView(
  { thread, actor }: LookComment,
  { repository, issue, self, settings, state }: Facts,
  reading: Reading,
): Promise<TalkView> {
  const { ports, session, talk } = reading;
  const { comment, comments, review } = talk;
  const [permission, teams, permissions, spent, hostMoney, tally, asked] = await Promise.all([
    permissionNow(thread, session, actor),
    readTeams(thread, session, { user: actor, listed: settings.config.access.allowedTeams }),
    readPermissions(thread, session, {
      people: speakersIn(comments).filter(({ id }) => id !== issue.author.id && id !== actor.id),
      known: new Map(),
    }),
    readSpending(thread, ports),
    describeHostMoney(thread, ports),
    readTally(thread.repositoryId, ports),
    readAsked(thread, { body: comment.body, repository, issue, config: settings.config }, reading),
  ]);
  // These two were read already.
  const permissionOf = (id: number): Permission => {
    if (id === actor.id) return permission ?? 'none';
    return id === issue.author.id ? issue.authorPermission : permissions.of(id);
  };
  return {
    repository,
    issue,
    comment: {
      id: comment.id,
      author: comment.author,
      body: comment.body,
      createdAt: comment.createdAt,
    },
    comments: comments.map((each) => toCommentView(each, { thread, ports, permissionOf })),
    ...(review === undefined ? {} : { review }),
    ...asked,
    permission,
    ...(teams === undefined ? {} : { teams }),
    config: settings.config,
    explained: settings.explain(),
    problems: [...settings.problems],
    personas: [...settings.personas],
    spent,
    ...(hostMoney === undefined ? {} : { hostMoney }),
    tally,
    ...ownWords(state),
    models: ports.models?.(thread.installationId) ?? [],
    self,
  };
}

/** Cheap looks for commands that need more than others; whether a line counts as one, the parser tells. */
const NEEDS_MERGE = /^ {0,3}\/pm[ \t]{1,9}(?:explain|ok-to-run)\b/im;
const NEEDS_REPORT = /^ {0,3}\/pm[ \t]{1,9}(?:report|done)\b/im;

const NEEDS_MEMORY = /^ {0,3}\/pm[ \t]{1,9}(?:memory|forget)\b/im;

/** What only some commands need. */
async function readAsked(
  thread: ThreadRef,
  asked: Pick<TalkView, 'repository' | 'issue' | 'config'> & { body: string },
  { ports, session, readMemory }: Reading,
): Promise<Pick<TalkView, 'merge' | 'memory' | 'report'>> {
  const { body, repository, issue, config } = asked;
  const asksForMemory = config.memory.enabled && NEEDS_MEMORY.test(body);
  const [merge, memory, report] = await Promise.all([
    issue.isPull && NEEDS_MERGE.test(body) ? readMerge(thread, session, ports) : undefined,
    asksForMemory ? listNotes(thread, { session, config, readMemory }) : undefined,
    NEEDS_REPORT.test(body) ? readReport(thread, repository, ports.store) : undefined,
  ]);
  return { ...(merge && { merge }), ...(memory && { memory }), ...(report && { report }) };
}

async function readMerge(
  thread: ThreadRef,
  { counts }: GitHubSession,
  ports: ActPorts,
): Promise<MergeStanding> {
  const session = workAt(ports, thread);
  const standing = await readMergeStanding(thread, session);
  addCalls(counts, session.counts);
  return standing;
}

const MAX_RUNS = 10;

/** What our own store knows of the repository. */
function ownWords(
  state: RepositoryState | undefined,
): Pick<TalkView, 'meter' | 'paused' | 'lastRuns'> {
  const { runs = 0, changedRuns = 0, costUsd = 0, paused, last = [] } = state ?? {};
  return { meter: { runs, changedRuns, costUsd }, paused, lastRuns: last.slice(0, MAX_RUNS) };
}

/** Undefined when GitHub could not be asked, which is no permission at all. */
async function permissionNow(
  thread: ThreadRef,
  { read }: GitHubSession,
  actor: Person,
): Promise<Permission | undefined> {
  try {
    return await read.permission(thread, actor);
  } catch (error) {
    if (error instanceof QuorumError && !error.retryable) return undefined;
    throw error;
  }
}

async function readSpending(thread: ThreadRef, { store, clock }: ActPorts) {
  const { repositoryId } = thread;
  const since = (days: number): string => new Date(clock.now() - days * DAY_MS).toISOString();
  const [own, tasks, day, month] = await Promise.all([
    store.records.spent({ key: threadKey(thread) }),
    store.records.spent({ keyStart: taskKeysOf(thread) }),
    store.records.spent({ repositoryId, since: since(1) }),
    store.records.spent({ repositoryId, since: since(30) }),
  ]);
  return { thread: addSpending(own, tasks), day, month } satisfies Record<string, Spending>;
}

/** A plan costs what its tasks cost. */
function addSpending(a: Spending, b: Spending): Spending {
  return {
    usd: a.usd + b.usd,
    unknownCalls: a.unknownCalls + b.unknownCalls,
    calls: a.calls + b.calls,
  };
}
