/** Plays the end of a week in one job, by the App's reducer, over what workflows have kept of plans, tasks and standups. */
import type { Perform } from '../../../../act/perform.ts';
import { openSqliteStore } from '../../../../adapters/store/sqlite/open-sqlite.ts';
import { decide, type Reducer } from '../../../../decide/route.ts';
import type { WeekState } from '../../../../domain/digest/week-view.ts';
import { RefusedError } from '../../../../domain/event/errors.ts';
import type { IssueOutcome } from '../../../../domain/github/issue-outcome.ts';
import { derivedId } from '../../../../domain/run/ids.ts';
import { repositoryKey } from '../../../../domain/run/thread-ref.ts';
import {
  NEW_REPOSITORY,
  toRepositoryState,
  type RepositoryState,
} from '../../../../domain/repository/repository-state.ts';
import type { Store } from '../../../../ports/store.ts';
import type { Basics } from '../../../host-parts.ts';
import { playEvent } from '../../job/play-event.ts';
import { NO_MODEL } from '../../job/no-model.ts';
import type { openWorkflowGitHub } from '../../job/workflow-github.ts';
import type { WorkflowContext } from '../../job/workflow-context.ts';
import { onlyKinds, openStandupPerform } from '../../standup/standup-ports.ts';
import type { WeekTicket } from '../sweep-ticket.ts';
import { seedWeek } from './seed-week.ts';

export interface WeekPlay {
  basics: Basics;
  context: WorkflowContext;
  github: ReturnType<typeof openWorkflowGitHub>;
  secret: string;
  ticket: WeekTicket;
  /** What the last week left. */
  before: WeekState | undefined;
}

export interface WeekPlayed {
  week: WeekState;
  /** Absent where no issue was to be written. */
  outcome: IssueOutcome | undefined;
  /** Why none was. */
  why: string | undefined;
}

const TIMEOUT_MS = 6 * 60_000;

export async function playWeek(play: WeekPlay): Promise<WeekPlayed> {
  const { basics, context, ticket } = play;
  const { claim, at } = ticket;
  const key = repositoryKey(context.repository);
  const store = await openSqliteStore({ memory: true, clock: basics.clock });
  try {
    const perform = await openPerform(play, store);
    const week = weekBefore(play);
    let outcome: IssueOutcome | undefined;
    let why: string | undefined;
    return await playEvent(
      {
        basics,
        store,
        keys: [key],
        claim,
        at,
        data: { kind: 'timer', run: week.id, timer: claim },
        decide: onlyOf(key, week, Date.parse(at)),
        perform: async (effect, attempt) => {
          const performed = await perform(effect, attempt);
          if (performed.effectKind === 'issue') outcome = performed.result;
          if (performed.effectKind === 'look-week' && performed.result.kind === 'off')
            why = performed.result.why;
          return performed;
        },
        what: 'the weekly status',
        timeoutMs: TIMEOUT_MS,
      },
      async () => {
        await refuseUnfinished(store, key);
        const state = toRepositoryState((await store.load(key))?.state);
        return { week: state?.week ?? week, outcome, why };
      },
    );
  } finally {
    await store.close();
  }
}

/** Carries out what a week wants, and nothing else. */
async function openPerform(play: WeekPlay, store: Store): Promise<Perform> {
  const { basics, github, secret } = play;
  const perform = await openStandupPerform({
    basics,
    github,
    store: await seedWeek(play, store),
    markerSecret: secret,
    signedWith: secret,
    model: NO_MODEL,
    estimateUsd: () => 0,
  });
  const performHere = onlyKinds(perform, ['look-week', 'issue']);
  return (effect, attempt) => {
    const isFirst = attempt.isFirst && isUntouched(play);
    return performHere(effect, { ...attempt, isFirst, isUntouched: isFirst });
  };
}

/** The reducer waits for the next week then; a job that is done would leave this one out. */
async function refuseUnfinished({ records }: Store, key: string): Promise<void> {
  const ended = await Promise.all(
    (['dead', 'refused'] as const).map((status) => records.effects({ key, status, limit: 1 })),
  );
  const [failed] = ended.flat();
  if (failed === undefined) return;
  const why = failed.reason ?? `${failed.data.kind} failed`;
  throw new RefusedError({
    code: 'action-run-failed',
    message: `The weekly status could not be written: ${why}. The next pass tries again.`,
  });
}

/** Nobody has opened the issue yet. */
function isUntouched({ context, ticket, before }: WeekPlay): boolean {
  return ticket.isNew && context.attempt === 1 && before?.issue === undefined;
}

/** The id stays from week to week: the issue is found by it. */
function weekBefore({ context, ticket, before }: WeekPlay): WeekState {
  const { repository } = context;
  const { claim, at, since, setting } = ticket;
  const id = derivedId(`week ${repositoryKey(repository)}`, Date.parse(at));
  const { looking: _, showing: _showing, ...kept } = before ?? { id, step: 0, repository };
  return { ...kept, repository, setting: { ...setting }, until: since, timer: claim };
}

/** A job has no streams of channels and standups that could hear of the week. */
function onlyOf(key: string, week: WeekState, now: number): Reducer {
  const seed: RepositoryState = { ...NEW_REPOSITORY, week };
  return (state, event) =>
    event.key === key
      ? decide(state ?? seed, event, { now })
      : { state, effects: [], events: [], ignored: 'this job follows the week alone' };
}
