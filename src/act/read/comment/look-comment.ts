/** Reads a comment that may be for us, once: what it says now, who wrote it and may do what, and what an answer needs. */
import { ALLOWED, forbid, type Permit } from '../../../domain/run/permit/permit.ts';
import { bodyDigest, nameDigest } from '../../../domain/persona/digest.ts';
import type { EffectData } from '../../../domain/event/effect.ts';
import { QuorumError } from '../../../domain/event/errors.ts';
import {
  toRepositoryState,
  type RepositoryState,
} from '../../../domain/repository/repository-state.ts';
import type { CommentLook } from '../../../domain/event/result.ts';
import { addCalls } from '../../../domain/run/ledger.ts';
import type { TalkView } from '../../../domain/run/talk.ts';
import type { Permission, ThreadRef } from '../../../domain/run/thread-ref.ts';
import type { CommentFacts } from '../../../ports/github/github-reader.ts';
import type { GitHubSession } from '../../../ports/github/github.ts';
import type { ReviewThreadFacts } from '../../../ports/github/pulls.ts';
import type { Waits } from '../../../ports/store.ts';
import { toCommentView } from './comment-view.ts';
import { NOT_RELAYED, toRelayed } from './relayed-comment.ts';
import { describeHostMoney } from '../../model/host-money.ts';
import {
  readPermissions,
  readTeams,
  speakersIn,
  type Person,
} from '../../settings/read-permissions.ts';
import { pullsAt, type ActPorts, type Performed } from '../../ports.ts';
import { readSettingsAt, type Settings } from '../../settings/read-settings.ts';
import { checkSouls } from '../../settings/souls.ts';
import { readTally } from '../../settings/read-tally.ts';
import { assertGone } from './missing-comment.ts';
import { readSpending } from './read-spending.ts';
import { type Context, type Heard, type Reading, readAsked } from './read-asked.ts';

type LookComment = Extract<EffectData, { kind: 'look-comment' }>;

const MAX_COMMENTS = 100;

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
  const heard = toRelayed(talk, data, ports);
  if (heard === undefined) return done({ kind: 'gone', reason: NOT_RELAYED }, session);
  const permit = mayRun(heard.comment, data);
  if (permit.kind === 'refused') return done({ kind: 'gone', reason: permit.reason }, session);
  return done(await readAll(data, { ...context, session, talk: heard }), session);
}

function done(result: CommentLook, session: GitHubSession): Performed<'look-comment'> {
  return { effectKind: 'look-comment', result, githubCalls: session.counts };
}

async function isCalled(called: readonly string[], names: Promise<string[]>): Promise<boolean> {
  return (await names).some((name) => called.includes(nameDigest(name)));
}

/** CMD-04: a comment that anyone edited after it was sent is not run. */
function mayRun(comment: CommentFacts, { address, actor }: LookComment): Permit {
  if (comment.author.id !== actor.id) return forbid('the comment is by another account now');
  const isSame =
    bodyDigest(comment.body) === address.digest &&
    Date.parse(comment.updatedAt) === Date.parse(address.updatedAt);
  return isSame ? ALLOWED : forbid('the comment was changed since it was sent');
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

const MAX_RUNS = 10;

/** What our own store knows of the repository. */
function ownWords(
  state: RepositoryState | undefined,
): Pick<TalkView, 'meter' | 'paused' | 'lastRuns' | 'statusIssue'> {
  const { runs = 0, changedRuns = 0, costUsd = 0, paused, last = [], week } = state ?? {};
  const meter = { runs, changedRuns, costUsd };
  const lastRuns = last.slice(0, MAX_RUNS);
  if (week?.issue === undefined) return { meter, paused, lastRuns };
  const statusIssue = { number: week.issue, ...(week.isOff && { isOff: week.isOff }) };
  return { meter, paused, lastRuns, statusIssue };
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
