/** Reads a repository's week: what the store knows of its threads, and which of them GitHub lists. */
import type { Config } from '../../domain/config/config.ts';
import { tellDeadEffect } from '../../domain/digest/dead-effect.ts';
import { isSameWeek, weekAt } from '../../domain/digest/week.ts';
import type { WeekView } from '../../domain/digest/week-view.ts';
import {
  isQuietWeek,
  type DigestInput,
  type DigestTension,
} from '../../domain/digest/weekly-digest.ts';
import { RefusedError } from '../../domain/event/errors.ts';
import { repositoryKey, threadKey, type RepositoryRef } from '../../domain/run/thread-ref.ts';
import { isUnsettled, type Tension } from '../../domain/tension/tension.ts';
import type { GitHubSession } from '../../ports/github/github.ts';
import type { RepositoryFacts } from '../../ports/github/github-reader.ts';
import { collectWeek, type Week, type WeekThread } from '../../record/digest/collect-week.ts';
import type { DataOf, EffectContext } from '../effect-context.ts';
import type { ActPorts, Performed } from '../ports.ts';
import { readSettingsAt } from '../settings/read-settings.ts';
import { readValue } from '../standup/change-value.ts';
import { readTrends } from '../standup/read-standups.ts';
import { isOfReflection } from '../memory/failed-reflections.ts';
import { endedIn, readMemoryHealth, type HealthContext } from './memory-health.ts';
import { findWaitingProposals } from './waiting-proposals.ts';

type LookWeek = DataOf<'look-week'>;
type Store = ActPorts['store'];

export async function lookAtWeek(
  data: LookWeek,
  { ports, readSettings, readMemory, waits, at }: EffectContext,
): Promise<Performed<'look-week'>> {
  const { repository } = data;
  const session = ports.github.at(repository);
  const facts = await session.read.repository(repository);
  const { config } = await readSettingsAt(repository, facts, { session, readSettings });
  const off = whyDigestOff(facts, config);
  const result =
    off === undefined
      ? await viewWeek(data, {
          ports,
          readMemory,
          waits,
          session,
          config,
          defaultBranch: facts.defaultBranch,
          headSha: facts.headSha,
          at,
        })
      : ({ kind: 'off', why: off } as const);
  return { effectKind: 'look-week', result, githubCalls: session.counts };
}

function whyDigestOff(
  { isArchived, hasNoIssues }: RepositoryFacts,
  { enabled, standup }: Config,
): string | undefined {
  const reasons: [boolean, string][] = [
    [!enabled, 'Quorum is switched off here'],
    [!standup.digest, 'the weekly digest is switched off here'],
    [isArchived, 'the repository is archived'],
    [hasNoIssues === true, 'issues are switched off in the repository'],
  ];
  return reasons.find(([holds]) => holds)?.[1];
}

interface Looking extends Pick<EffectContext, 'ports' | 'readMemory' | 'waits'> {
  session: GitHubSession;
  config: Config;
  defaultBranch: string;
  /** Its tip. */
  headSha: string;
  /** When the look was wanted, ISO 8601: the week is the one that had ended then. */
  at: string;
}

async function viewWeek(
  { repository, setting, since, issue, isOff }: LookWeek,
  looking: Looking,
): Promise<WeekView> {
  const { ports, session, config, defaultBranch, at } = looking;
  const { standup } = config;
  if (!isSameWeek(setting, standup.week)) return { kind: 'moved', setting: standup.week };
  if (issue !== undefined && (await isClosed(repository, issue, session))) {
    const { repositoryId } = repository;
    const why = `#${issue} is closed, so the weekly digest is off`;
    if (isOff !== true) ports.log?.info({ repositoryId, issue }, 'status issue closed; digest off');
    return { kind: 'off', why, isClosed: true };
  }
  const week = weekBefore(at, { setting, since });
  const threads = await readThreads(repository, { session, store: ports.store, issue });
  const { unseen, ...work } = collectWeek(threads, week);
  const proposals = await findWaitingProposals(repository, { session, config, defaultBranch });
  const digest: DigestInput = {
    from: week.from.slice(0, 10),
    to: week.to.slice(0, 10),
    ...work,
    waiting: [...work.waiting, ...proposals],
    ...(await readKept(repository, week, ports.store)),
    failures: await readFailures(repository, { threads, week, store: ports.store }),
  };
  return {
    kind: 'read',
    ...week,
    digest: await withMemory(repository, digest, {
      ...looking,
      week,
      isQuiet: isQuietWeek(digest),
    }),
    threads: standup.weekly && standup.enabled ? unseen : [],
  };
}

async function withMemory(
  ref: RepositoryRef,
  digest: DigestInput,
  context: HealthContext,
): Promise<DigestInput> {
  const memory = await readMemoryHealth(ref, context);
  return { ...digest, ...(memory !== undefined && { memory }) };
}

/** One that somebody deleted or moved away is opened again with the next digest. */
async function isClosed(
  ref: RepositoryRef,
  number: number,
  { read }: GitHubSession,
): Promise<boolean> {
  try {
    return (await read.issue({ ...ref, number })).state === 'closed';
  } catch (error) {
    if (!(error instanceof RefusedError)) throw error;
    if (error.code !== 'github-not-found' && error.code !== 'github-moved') throw error;
    return false;
  }
}

/** The week begins where the last one ended that was read, so that one digest makes up for all that was missed. */
export function weekBefore(
  at: string,
  { setting, since }: Pick<LookWeek, 'setting'> & { since: string | undefined },
): Week {
  const { from: end } = weekAt(Date.parse(at), setting);
  const { from: start } = weekAt(end - 1_001, setting);
  const begin = since === undefined ? start : Math.min(Date.parse(since), end);
  return { from: new Date(begin).toISOString(), to: new Date(end).toISOString() };
}

/** The newest of both lists: what nobody touched for so long has no news. */
async function readThreads(
  ref: RepositoryRef,
  { session, store, issue }: { session: GitHubSession; store: Store; issue: number | undefined },
): Promise<WeekThread[]> {
  const [open, closed] = await Promise.all([
    session.code.threads(ref, { state: 'open' }),
    session.code.threads(ref, { state: 'closed' }),
  ]);
  const listed = new Map([...open, ...closed].map((each) => [each.number, each]));
  if (issue !== undefined) listed.delete(issue);
  return Promise.all(
    [...listed.values()].map(async ({ number, title, state, closedAt }): Promise<WeekThread> => ({
      number,
      title,
      isOpen: state === 'open',
      ...(closedAt !== undefined && { closedAt }),
      state: (await store.load(threadKey({ ...ref, number })))?.state,
    })),
  );
}

async function readKept(
  { repositoryId }: RepositoryRef,
  { from: since }: Week,
  { records, standups }: Store,
): Promise<Pick<DigestInput, 'spent' | 'tensions' | 'themes'>> {
  const [{ usd, unknownCalls }, { tensions }, { themes }] = await Promise.all([
    records.spent({ repositoryId, since }),
    readValue(standups, repositoryId, 'tensions'),
    readTrends(standups, repositoryId),
  ]);
  return {
    spent: { usd, isPartlyUnknown: unknownCalls > 0 },
    tensions: tensions.filter(isUnsettled).map(toDigestTension),
    themes: themes
      .filter(({ isRaised }) => isRaised)
      .map(({ label, count, paths, isRaised }) => ({
        label,
        count,
        paths: paths.slice(0, 1),
        isRaised,
      })),
  };
}

function toDigestTension({
  number,
  type,
  message,
  seen,
  firstSeen,
  state,
  issue,
}: Tension): DigestTension {
  const linked = issue === undefined ? {} : { issue };
  return { number, type, message, seen, firstSeen, state, ...linked };
}

const MOST_FAILURES = 5;

/** Effects that were given up; those of reflections are counted elsewhere. */
async function readFailures(
  ref: RepositoryRef,
  { threads, week, store }: { threads: readonly WeekThread[]; week: Week; store: Store },
): Promise<string[]> {
  const known = threads.filter(({ state }) => state !== undefined);
  const keys = [repositoryKey(ref), ...known.map(({ number }) => threadKey({ ...ref, number }))];
  const dead = await Promise.all(
    keys.map((key) =>
      store.records.effects({ key, status: 'dead', newestFirst: true, limit: MOST_FAILURES }),
    ),
  );
  return dead
    .flat()
    .filter((each) => endedIn(each, week) && !isOfReflection(each.data))
    .map(({ data, reason }) => tellDeadEffect(data.kind, reason));
}
