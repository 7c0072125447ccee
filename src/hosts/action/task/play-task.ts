/**
 * Plays a task's stream in one job. Results of earlier jobs are answered from what they handed on, with the same
 * timestamp, so each job comes to the same decisions. Effects of this job's kinds are carried out, and all others are
 * refused.
 */
import type { Perform } from '../../../act/perform.ts';
import type { Performed } from '../../../act/ports.ts';
import type { Reducer } from '../../../decide/route.ts';
import { readState } from '../../../decide/run/decision.ts';
import { decideTask } from '../../../decide/task/decide-task.ts';
import type { TaskFailure } from '../../../domain/actions/task-work.ts';
import { rethrow } from '../../../domain/actions/task-work.ts';
import { QuorumError, RefusedError } from '../../../domain/event/errors.ts';
import { type EventData, type NewEvent, type PullNews } from '../../../domain/event/event.ts';
import type { EffectData, EffectKind } from '../../../domain/event/effect.ts';
import type { Result } from '../../../domain/event/result.ts';
import {
  taskKey,
  type TaskOrder,
  type TaskRun,
  type TaskStream,
} from '../../../domain/task/task.ts';
import type { Store } from '../../../ports/store.ts';
import type { Basics } from '../../host-parts.ts';
import { playEvent } from '../job/play-event.ts';

/** What an earlier job brought of a kind: its result, or why it has no result. */
export type Known = { result: Result } | { kind: EffectKind; failed: TaskFailure };

export interface TaskPlay {
  basics: Basics;
  store: Store;
  order: TaskOrder;
  /** An attempt whose pull request is open, and what is new about it; without them the order begins one. */
  going?: { stream: TaskStream; news: PullNews };
  /** What is known of earlier attempts, where the order begins one. */
  earlier?: TaskStream | undefined;
  claim: string;
  /** ISO 8601. */
  at: string;
  /** Each answers once. */
  known: readonly Known[];
  /** What this job may do. */
  carriesOut: readonly EffectKind[];
  perform: Perform;
  /** An earlier attempt of this job may have begun anything. */
  isFirst: boolean;
  timeoutMs: number;
}

export interface TaskPlayed {
  /** What this job carried out, in order. */
  done: Performed[];
  /** What failed here for good, by its kind. */
  failed: { kind: EffectKind; failure: TaskFailure }[];
  run: TaskRun | undefined;
  stream: TaskStream;
  /** What the task told others. */
  told: NewEvent[];
  /** What only another job may do. */
  wanted: EffectData[];
}

export async function playTask(play: TaskPlay): Promise<TaskPlayed> {
  const { basics, store, order, going, earlier, at } = play;
  const { clock } = basics;
  const key = taskKey(order.ref);
  const begun = Date.parse(at);
  const told: NewEvent[] = [];
  const played: Played = { done: [], failed: [], wanted: [] };
  const decide: Reducer = (state, event) => {
    if (event.key !== key) return { state, effects: [], events: [], ignored: 'not of the task' };
    // Jobs of one attempt decide at one moment. What goes on later is judged by its age.
    const now = going === undefined ? begun : clock.now();
    const decision = decideTask(state ?? going?.stream ?? earlier, event, { now });
    told.push(...decision.events);
    return decision;
  };
  const data = beginning(play);
  const perform = performIn(play, played);
  return playEvent({ ...play, keys: [key], data, decide, perform, what: 'the task' }, async () => {
    const stream = await streamOf(store, key);
    return { ...played, run: stream.run, stream, told };
  });
}

type Played = Pick<TaskPlayed, 'done' | 'failed' | 'wanted'>;

function beginning({ going, claim, order }: TaskPlay): EventData {
  if (going === undefined) return { kind: 'task-go', run: claim, order };
  return { kind: 'pull-told', run: going.stream.run?.id ?? claim, news: going.news };
}

function performIn(
  { known, carriesOut, perform, isFirst, going }: TaskPlay,
  { done, failed, wanted }: Played,
): Perform {
  const left = [...known];
  return async (effect, attempt) => {
    const { kind } = effect.data;
    const before = left.find((one) => kindOf(one) === kind);
    if (before !== undefined) {
      left.splice(left.indexOf(before), 1);
      return answer(before);
    }
    if (!carriesOut.includes(kind)) {
      wanted.push(effect.data);
      throw refused(kind, going === undefined ? undefined : ELSEWHERE[kind]);
    }
    try {
      const isUntouched = isFirst && (attempt.isUntouched ?? attempt.isFirst);
      const isAlone = { isFirst: attempt.isFirst && isFirst, isUntouched };
      const performed = await perform(effect, { ...attempt, ...isAlone });
      done.push(performed);
      return performed;
    } catch (error) {
      // A job does not wait for a text: it is tried once.
      if (kind === 'describe') throw refused(kind, 'The text of the pull request stays as it is.');
      if (error instanceof QuorumError && !error.retryable)
        failed.push({
          kind,
          failure: { code: error.code, message: error.message.slice(0, 4_000) },
        });
      throw error;
    }
  };
}

function kindOf(known: Known): EffectKind {
  return 'result' in known ? known.result.effectKind : known.kind;
}

function answer(known: Known): Performed {
  if ('failed' in known) return rethrow(known.failed);
  return { ...known.result, githubCalls: {} };
}

function refused(kind: EffectKind, says?: string): RefusedError {
  return new RefusedError({
    code: 'action-write-refused',
    message: says ?? `This job does not carry out ${kind}: another job does.`,
  });
}

/** What people read where a task can only go on by another workflow. */
const ELSEWHERE: Partial<Record<EffectKind, string>> = {
  code: 'The change has to be made again. Start the task again.',
  retest:
    'The base has changed, so the tests run again. Start `quorum-merge` for this pull request.',
};

async function streamOf(store: Store, key: string): Promise<TaskStream> {
  const snapshot = await store.load(key);
  return readState<TaskStream>(snapshot?.state, { v: 1, failures: 0 });
}
