/**
 * Reads the state of a build: whether it is red and whose it is. For the thread that reports it, also what went wrong.
 */
import { RED, type BuildPlace, type BuildRun } from '../../domain/build/build.ts';
import { readingKey, type BuildView, type FailedName } from '../../domain/build/build-view.ts';
import type { EffectData } from '../../domain/event/effect.ts';
import type { Actor, ThreadRef } from '../../domain/run/thread-ref.ts';
import type { BuildSession } from '../../ports/github/builds.ts';
import type { RepositoryFacts } from '../../ports/github/github-reader.ts';
import { toCommentView } from './comment/comment-view.ts';
import { toLookResult } from './look-result.ts';
import { readPermissions, speakersIn } from '../settings/read-permissions.ts';
import { buildsAt, type ActPorts, type Performed } from '../ports.ts';
import { readFailure } from './read-failure.ts';
import { readSettingsAt, type ReadSettings, type Settings } from '../settings/read-settings.ts';

type LookBuild = Extract<EffectData, { kind: 'look-build' }>;

const MAX_COMMENTS = 100;
/** Of a pull request's head as many builds are looked into. */
const MAX_RUNS = 4;
/** Most red runs of a branch in a report, the newest first. */
const MAX_TOLD = 10;

interface Context {
  ports: ActPorts;
  session: BuildSession;
  facts: RepositoryFacts;
}

export async function lookAtBuild(
  data: LookBuild,
  { ports, readSettings }: { ports: ActPorts; readSettings: ReadSettings },
): Promise<Performed<'look-build'>> {
  const { repository: ref } = data;
  const session = buildsAt(ports, ref);
  const facts = await session.read.repository(ref);
  const settings = await readSettingsAt(ref, facts, { session, readSettings });
  const context: Context = { ports, session, facts };
  const stands = await readStands(data, context);
  const view = { ...(await readView(data, context, stands)), ...settingsOf(settings) };
  const thread = { ...ref, number: data.thread?.number ?? 0 };
  const about = { ports, session, thread, settings, isForTeam: data.thread !== undefined };
  return { effectKind: 'look-build', ...(await toLookResult(view, about)) };
}

function settingsOf({ config, problems, personas }: Settings) {
  return { config, problems: [...problems], personas: [...personas] };
}

/** The state of a place's build. */
type Stands = Pick<BuildView, 'void' | 'verdict' | 'runs' | 'green' | 'headSha' | 'sought'> & {
  /** From where a failure's commits are counted. */
  baseSha?: string;
};

async function readStands(data: LookBuild, context: Context): Promise<Stands> {
  const { where, seek, repository: ref } = data;
  if (where.kind === 'pull') return readPull(data, where.number, context);
  const stands = await readBranch(data, where, context);
  if (seek === undefined || stands.verdict !== 'green') return stands;
  const sought = await context.session.builds.issueOf(ref, seek);
  return sought === undefined ? stands : { ...stands, sought };
}

/** The newest run that counts; what is going on, or was cancelled, says nothing yet. */
async function readBranch(
  { repository: ref }: LookBuild,
  where: Extract<BuildPlace, { kind: 'branch' }>,
  { session, facts }: Context,
): Promise<Stands> {
  const { source, branch } = where;
  if (branch !== facts.defaultBranch) return nothing(`\`${branch}\` is not the default branch`);
  const runs = await session.builds.runsOf(ref, { source, branch });
  const counting = runs.filter(({ conclusion }) => verdictOf(conclusion) !== 'open');
  const [newest] = counting;
  if (newest === undefined)
    return { verdict: 'open', runs: [], green: undefined, headSha: facts.headSha };
  const last = counting.findIndex(isGreen);
  if (last === 0) return toStands('green', [newest], newest);
  const green =
    counting[last] ??
    (await session.builds.runsOf(ref, { source, branch, conclusion: 'success' })).find(isGreen);
  return toStands('red', last === -1 ? counting : counting.slice(0, last), green);
}

function isGreen(run: BuildRun): boolean {
  return run.conclusion === 'success';
}

function toStands(
  verdict: BuildView['verdict'],
  runs: BuildRun[],
  green: BuildRun | undefined,
): Stands {
  return {
    verdict,
    runs: runs.slice(0, MAX_TOLD),
    green,
    headSha: runs[0]?.headSha ?? '',
    ...(green === undefined ? {} : { baseSha: green.headSha }),
  };
}

function verdictOf(conclusion: string | undefined): BuildView['verdict'] {
  if (conclusion === 'success') return 'green';
  return RED.has(conclusion ?? '') ? 'red' : 'open';
}

/** Of our own pull requests, all that is said of the head. */
async function readPull(
  { repository: ref }: LookBuild,
  number: number,
  { ports, session }: Context,
): Promise<Stands> {
  const [pull, self] = await Promise.all([
    session.pulls.pull({ ...ref, number }),
    ports.github.app.self(),
  ]);
  if (!isSame(pull.author, self)) return nothing('the team did not open this pull request');
  if (pull.isFork) return nothing('the pull request comes from a fork');
  if (pull.state === 'closed') return nothing('the pull request was closed');
  const all = await session.builds.runsAt(ref, pull.headSha);
  const red = all.filter((run) => verdictOf(run.conclusion) === 'red').slice(0, MAX_RUNS);
  const isGoingOn = all.some((run) => run.conclusion === undefined);
  const isWell = all.some(isGreen) && !isGoingOn;
  return {
    verdict: red.length > 0 ? 'red' : isWell ? 'green' : 'open',
    runs: red.length > 0 ? red : all.slice(0, MAX_RUNS),
    green: undefined,
    headSha: pull.headSha,
    baseSha: pull.baseSha,
  };
}

function nothing(why: string): Stands {
  return { void: why, verdict: 'open', runs: [], green: undefined, headSha: '' };
}

/** A server without bot accounts gives us no id of our own. No person has brackets in their login. */
function isSame(author: Actor, self: Actor): boolean {
  return self.id === 0 ? author.isBot && author.login === self.login : author.id === self.id;
}

/** The red runs: of a branch the newest one, of a pull request each. */
function failing({ where }: LookBuild, { verdict, runs }: Stands): BuildRun[] {
  if (verdict !== 'red') return [];
  return where.kind === 'branch' ? runs.slice(0, 1) : runs;
}

type WithoutSettings = Omit<BuildView, 'config' | 'problems' | 'personas'>;

async function readView(
  data: LookBuild,
  context: Context,
  stands: Stands,
): Promise<WithoutSettings> {
  const { repository: ref, where, thread } = data;
  const { ports, session, facts } = context;
  const red = failing(data, stands);
  const isKnown = red.length === 0 || readingKey(red) === data.known;
  const [told, self] = await Promise.all([
    thread === undefined ? { comments: [], notRead: [] } : readThread(thread, context),
    ports.github.app.self(),
  ]);
  const { baseSha, ...rest } = stands;
  const isWanted = thread !== undefined && !isKnown;
  const reading = isWanted
    ? await readFailure(ref, { runs: red, headSha: stands.headSha, baseSha }, { ports, session })
    : undefined;
  const failed = reading?.jobs ?? (isKnown ? [] : await readNames(data, red, session));
  return {
    ...rest,
    ...told,
    repository: facts,
    where,
    failed,
    self,
    ...(reading === undefined ? {} : { reading }),
  };
}

async function readNames(
  { repository: ref }: LookBuild,
  red: readonly BuildRun[],
  { builds }: BuildSession,
): Promise<FailedName[]> {
  const names: FailedName[] = [];
  for (const run of red)
    for (const { name, conclusion, url, steps } of await builds.failedJobs(ref, run))
      names.push({ run: run.name, name, conclusion, url, steps: steps.map((step) => step.name) });
  return names;
}

async function readThread(
  thread: ThreadRef,
  { ports, session }: Context,
): Promise<Pick<BuildView, 'thread' | 'comments' | 'notRead'>> {
  const [issue, comments] = await Promise.all([
    session.read.issue(thread),
    session.read.comments(thread, MAX_COMMENTS),
  ]);
  const { of: permissionOf, notRead } = await readPermissions(thread, session, {
    people: speakersIn(comments),
    known: new Map([[issue.author.id, issue.authorPermission]]),
  });
  return {
    thread: issue,
    comments: comments.map((comment) => toCommentView(comment, { thread, permissionOf, ports })),
    notRead,
  };
}
