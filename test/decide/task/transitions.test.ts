/** The state machine of a task: random walks leave its table nowhere, and take every way that it names. */
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { decideTask } from '../../../src/decide/task/decide-task.ts';
import { enter, NEXT_PHASES } from '../../../src/decide/task/transitions.ts';
import type { Effect } from '../../../src/domain/event/effect.ts';
import { EVENT_VERSION, type EventData } from '../../../src/domain/event/event.ts';
import type { Result } from '../../../src/domain/event/result.ts';
import {
  taskKey,
  type TaskPhase,
  type TaskRun,
  type TaskStream,
} from '../../../src/domain/task/task.ts';
import {
  ANA,
  BASE,
  GOOD,
  HEAD,
  mergeView,
  ORDER,
  receipts,
  REVIEWED,
  TOM,
} from '../../helpers/a-task.ts';

type Kind = TaskPhase['kind'];

const AT = Date.parse('2026-11-22T08:00:00Z');
const NEW_BASE = 'd'.repeat(40);
const SESSIONS = { perHour: 6, perPersonPerHour: 3 };
const KINDS = [
  'claiming',
  'asking',
  'coding',
  'verifying',
  'publishing',
  'reviewing',
  'merging',
  'closing',
  'ended',
] as const satisfies Kind[];

/** What each kind of effect may bring; the same one listed twice comes twice as often. */
const RESULTS: { readonly [kind: string]: readonly Result[] } = {
  claim: [
    GOOD.claim,
    GOOD.claim,
    { effectKind: 'claim', result: { outcome: 'held', reason: 'by somebody else' } },
  ],
  code: [
    GOOD.code,
    GOOD.code,
    { effectKind: 'code', result: { ...GOOD.code.result, files: [], patch: '' } },
    {
      effectKind: 'code',
      result: {
        ...GOOD.code.result,
        files: [],
        report: {
          sessionId: 's1',
          turns: 1,
          durationMs: 5,
          calls: [],
          transcript: 't',
          notes: [],
          outcome: 'asked',
          question: 'Which?',
          options: [],
          tried: '',
        },
      },
    },
  ],
  verify: [
    GOOD.verify,
    GOOD.verify,
    { effectKind: 'verify', result: { headSha: HEAD, receipts: [], conflict: ['a.ts'] } },
    {
      effectKind: 'verify',
      result: { headSha: HEAD, receipts: receipts(HEAD, { '2': { result: 'failed' } }) },
    },
  ],
  publish: [
    GOOD.publish,
    GOOD.publish,
    {
      effectKind: 'publish',
      result: { receipts: [], reviewers: [], outdated: { baseSha: NEW_BASE } },
    },
    { effectKind: 'publish', result: { receipts: [], reviewers: [] } },
  ],
  'look-merge': [
    mergeView(),
    mergeView({ isUpToDate: false, baseSha: NEW_BASE }),
    mergeView({ pull: { isMergeable: false }, baseSha: NEW_BASE }),
    mergeView({ areWorkflowsOld: true, baseSha: NEW_BASE }),
    mergeView({ pull: { headSha: 'e'.repeat(40) } }),
    mergeView({ pull: { state: 'closed' } }),
    mergeView({ pull: { state: 'closed', isMerged: true, mergeSha: 'f'.repeat(40) } }),
  ],
  retest: [
    { effectKind: 'retest', result: { outcome: 'conflict', baseSha: NEW_BASE, paths: ['a.ts'] } },
    ...receipts(HEAD).map((receipt): Result => ({
      effectKind: 'retest',
      result: { outcome: 'tested', baseSha: NEW_BASE, receipt },
    })),
  ],
  merge: [
    { effectKind: 'merge', result: { outcome: 'merged', sha: 'f'.repeat(40) } },
    { effectKind: 'merge', result: { outcome: 'base-moved' } },
    { effectKind: 'merge', result: { outcome: 'refused', reason: 'no', isHeadMoved: false } },
  ],
  'plan-edit': [{ effectKind: 'plan-edit', result: { outcome: 'edited' } }],
  release: [{ effectKind: 'release', result: null }],
};
const CODES = ['github-forbidden', 'lease-lost', 'budget-day', 'bug'] as const;

interface Walk {
  stream: TaskStream | undefined;
  effects: Effect[];
  /** Pairs of phases before and after an event, as `from→to`. */
  pairs: Set<string>;
}

/** One event for each number: what may happen next is drawn from what the walk has wanted so far. */
function walk(choices: readonly number[]): Walk {
  let state: unknown;
  const done: Walk = { stream: undefined, effects: [], pairs: new Set() };
  for (const [count, choice] of choices.entries()) {
    const before = done.stream?.run?.phase.kind ?? 'ended';
    const event = {
      id: `e${count}`,
      key: taskKey(ORDER.ref),
      version: EVENT_VERSION,
      at: new Date(AT + count * 1000).toISOString(),
      data: nextEvent(done, choice),
    };
    const decision = decideTask(state, event, { now: AT + count * 1000 });
    state = decision.state;
    done.stream = decision.state as TaskStream;
    done.effects.push(...decision.effects);
    const after = done.stream.run?.phase.kind ?? 'ended';
    if (decision.ignored === undefined) done.pairs.add(`${before}→${after}`);
  }
  return done;
}

/** Mostly what the phase waits for; otherwise what others say, or a result that comes late. */
function nextEvent({ stream, effects }: Walk, choice: number): EventData {
  const run = stream?.run;
  const isOver = run?.phase.kind === 'ended';
  if (run === undefined || (isOver && choice % 4 === 0)) return pick(BEGIN, choice / 7) ?? FOUND;
  const awaited =
    choice % 11 === 0
      ? pick(effects, choice / 7)
      : effects.find(({ id }) => id === awaitedId(run.phase));
  if (awaited !== undefined && choice % 5 < 3) return report(awaited, choice);
  return run.isShut === true && choice % 3 > 0 ? MOVED : fromOthers(run, choice);
}

function fromOthers({ id, phase }: TaskRun, choice: number): EventData {
  const session: EventData = { kind: 'session-told', run: id };
  const wait = { until: '2026-11-22T09:00:00Z', why: 'the hour is full' };
  const timer = 'timer' in phase ? (phase.timer ?? 'none') : 'none';
  const others: EventData[] = [
    session,
    session,
    { ...session, wait },
    { kind: 'timer', timer, run: id },
    ...NEWS,
    ...WORDS.filter(() => choice % 13 === 0),
  ];
  return pick(others, choice / 17) ?? session;
}

function pick<T>(all: readonly T[], choice: number): T | undefined {
  return all[Math.floor(choice) % all.length];
}

function awaitedId(phase: TaskPhase): string | undefined {
  if ('effectId' in phase) return phase.effectId;
  return 'looking' in phase ? phase.looking : undefined;
}

function report({ id, run, data }: Effect, choice: number): EventData {
  const about = { effectId: id, run };
  const result = pick(RESULTS[data.kind] ?? [], choice / 19);
  if (result !== undefined && choice % 17 !== 0) return { kind: 'done', ...result, ...about };
  const code = CODES[choice % CODES.length] ?? 'bug';
  const failure = { code, message: `it was ${code}`, retryable: false };
  return { kind: 'failed', effectKind: data.kind, failure, ...about };
}

const WORD = { by: TOM, headSha: HEAD, at: '2026-11-22T08:00:00Z' };
const MOVED: EventData = { kind: 'pull-told', run: 'r', news: { kind: 'moved' } };
const NEWS: EventData[] = [
  REVIEWED,
  { ...REVIEWED, news: { ...REVIEWED.news, verdict: 'CHANGES', asks: ['Shorter.'] } },
  { kind: 'pull-told', run: 'r', news: { kind: 'approved', word: WORD } },
  { kind: 'pull-told', run: 'r', news: { kind: 'merge', word: WORD } },
  MOVED,
];
const WORDS: EventData[] = (['release', 'block', 'again', 'complete', 'tidy'] as const).map(
  (word) => ({ kind: 'task-word', run: 'plan', word, by: ANA, why: '' }),
);
const CHANGE = { from: BASE, patch: 'diff', summary: '', decisions: [], paths: ['src/hello.ts'] };
const FOUND: EventData = {
  kind: 'task-found',
  run: 'plan',
  order: ORDER,
  found: {
    task: 2,
    attempt: 1,
    run: 'run-found',
    persona: 'dev',
    pull: { number: 9, url: 'https://github.test/acme/tidy/pull/9' },
    headSha: HEAD,
    commit: { change: CHANGE, at: AT },
    isReviewed: false,
  },
};

const BEGIN: EventData[] = [
  { kind: 'task-go', run: 'plan', order: ORDER },
  { kind: 'task-go', run: 'plan', order: { ...ORDER, sessions: SESSIONS } },
  FOUND,
];

const choices = fc.array(fc.nat(), { minLength: 10, maxLength: 80 });

describe('random walks', () => {
  test('never enter a phase that may not follow', () => {
    fc.assert(
      fc.property(choices, (drawn) => {
        walk(drawn);
      }),
      { numRuns: 500 },
    );
  });

  test('take every transition of the table', () => {
    const pairs = new Set<string>();
    for (const drawn of fc.sample(choices, { seed: 12, numRuns: 2_000 }))
      for (const pair of walk(drawn).pairs) pairs.add(pair);
    const named = KINDS.flatMap((from) => NEXT_PHASES[from].map((to) => `${from}→${to}`));
    expect(named.filter((pair) => !pairs.has(pair))).toEqual([]);
  });
});

describe('enter', () => {
  test('throws where a phase may not follow, and changes nothing', () => {
    const run: { id: string; phase: TaskPhase } = { id: 'run-1', phase: { kind: 'ended' } };
    expect(() => enter(run, { kind: 'reviewing' })).toThrow(
      'task run run-1 cannot go from ended to reviewing',
    );
    expect(run.phase).toEqual({ kind: 'ended' });
  });

  test('every phase but the end can be left, and the end only begins again', () => {
    expect(KINDS.filter((kind) => NEXT_PHASES[kind].every((next) => next === kind))).toEqual([]);
    expect(KINDS.filter((kind) => NEXT_PHASES[kind].includes('ended'))).toEqual([
      'claiming',
      'closing',
      'ended',
    ]);
  });
});
