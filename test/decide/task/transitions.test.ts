/** The state machine of a task: random walks leave its table nowhere, and take every way that it names. */
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { decideTask } from '../../../src/decide/task/decide-task.ts';
import {
  enter,
  transitionOf,
  TRANSITIONS,
  type PhaseKind,
} from '../../../src/decide/task/transitions.ts';
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

const AT = Date.parse('2026-11-22T08:00:00Z');
const NEW_BASE = 'd'.repeat(40);
const SESSIONS = { perHour: 6, perPersonPerHour: 3 };
/** As `from+input→to`: every transition that the table names. */
const NAMED = Object.entries(TRANSITIONS).flatMap(([from, inputs]) =>
  Object.entries<readonly PhaseKind[]>(inputs).flatMap(([input, next]) =>
    next.map((to) => `${from}+${input}→${to}`),
  ),
);

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
    ...receipts(HEAD)
      .slice(0, 1)
      .map((receipt): Result => ({
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

/** How far a walk came. */
interface Place {
  stream: TaskStream | undefined;
  effects: readonly Effect[];
  events: number;
}

const START: Place = { stream: undefined, effects: [], events: 0 };

/**
 * One event for each number: what may happen next is drawn from what the walk has wanted so far. Returns where each
 * transition that it took led to, as `from+input→to` what is waited for then, and whether sessions are limited.
 */
function walk(choices: readonly number[], start: Place = START): Map<string, Place> {
  const taken = new Map<string, Place>();
  let at = start;
  for (const choice of choices) {
    const now = AT + at.events * 1000;
    const data = nextEvent(at, choice);
    const event = {
      id: `e${at.events}`,
      key: taskKey(ORDER.ref),
      version: EVENT_VERSION,
      at: new Date(now).toISOString(),
      data,
    };
    const before = at.stream?.run?.phase;
    const decision = decideTask(at.stream, event, { now });
    const stream = decision.state as TaskStream;
    at = { stream, effects: [...at.effects, ...decision.effects], events: at.events + 1 };
    const after = stream.run?.phase;
    if (after === undefined || JSON.stringify(before) === JSON.stringify(after)) continue;
    taken.set(`${nameTransition(before, data, after)} ${describePlace(at)}`, at);
  }
  return taken;
}

function nameTransition(before: TaskPhase | undefined, data: EventData, after: TaskPhase): string {
  const { from, input } = transitionOf({ phase: before ?? { kind: 'ended' } }, data);
  return `${from}+${input}→${after.kind}`;
}

function describePlace({ stream, effects }: Place): string {
  const run = stream?.run;
  const awaited = run === undefined ? undefined : awaitedOf(run, effects)?.data.kind;
  return `${awaited ?? ''} ${run?.order.sessions !== undefined}`;
}

/** Mostly what the phase waits for; otherwise what others say, or a result that comes late. */
function nextEvent({ stream, effects }: Place, choice: number): EventData {
  const run = stream?.run;
  if (run === undefined) return pick([FOUND_MERGED, ...BEGIN], choice / 7) ?? GO;
  if (run.phase.kind === 'ended' && choice % 4 === 0) return pick(BEGIN, choice / 7) ?? GO;
  const isLate = choice % 11 === 0;
  const awaited = isLate ? pick(effects, choice / 7) : awaitedOf(run, effects);
  if (awaited !== undefined && choice % 5 < 3) return report(awaited, choice);
  return run.isShut === true && choice % 3 > 0 ? MOVED : fromOthers(run, choice);
}

function fromOthers({ id, phase }: TaskRun, choice: number): EventData {
  const session: EventData = { kind: 'session-told', run: id };
  const wait = { until: '2026-11-22T09:00:00Z', why: 'the hour is full' };
  const timer = 'timer' in phase ? (phase.timer ?? 'none') : 'none';
  const about = phase.kind === 'asking' ? [session, session, { ...session, wait }] : NEWS;
  const isWord = choice % 13 === 0;
  const others: EventData[] = [
    ...about,
    { kind: 'timer', timer, run: id },
    ...(isWord ? WORDS : []),
  ];
  return pick(others, choice / 17) ?? session;
}

function pick<T>(all: readonly T[], choice: number): T | undefined {
  return all[Math.floor(choice) % all.length];
}

function awaitedOf({ phase }: TaskRun, effects: readonly Effect[]): Effect | undefined {
  const looking = 'looking' in phase ? phase.looking : undefined;
  const awaited = 'effectId' in phase ? phase.effectId : looking;
  return effects.find(({ id }) => id === awaited);
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
const FOUND: Extract<EventData, { kind: 'task-found' }> = {
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

const { commit: _commit, ...work } = FOUND.found;
const FOUND_MERGED: EventData = { ...FOUND, found: { ...work, mergeSha: 'f'.repeat(40) } };

const GO: EventData = { kind: 'task-go', run: 'plan', order: ORDER };
const BEGIN: EventData[] = [
  GO,
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

  test('take every transition of the table, and no other', () => {
    // Rare ones are met since walks go on from each transition that was met, not only from the start.
    const taken = new Map<string, Place>([['', START]]);
    for (const [index, drawn] of fc.sample(choices, { seed: 12, numRuns: 1_500 }).entries()) {
      const start = [...taken.values()][index % taken.size];
      for (const [transition, place] of walk(drawn, start))
        if (!taken.has(transition)) taken.set(transition, place);
    }
    taken.delete('');
    const transitions = new Set([...taken.keys()].map((key) => key.replace(/ .*/, '')));
    expect([...transitions].toSorted()).toEqual(NAMED.toSorted());
  });
});

describe('enter', () => {
  test.each([
    ['a phase that may not follow', { from: 'merging', input: 'merge' }, 'coding'],
    ['an input that changes nothing there', { from: 'coding', input: 'verify' }, 'publishing'],
    ['a phase that another input leads to', { from: 'reviewing', input: 'timer' }, 'merging'],
  ] as const)('throws for %s, and changes nothing', (_, on, to) => {
    const before: TaskPhase = { kind: 'verifying', effectId: 'run-1/3-verify' };
    const run: { id: string; phase: TaskPhase } = { id: 'run-1', phase: before };
    expect(() => enter({ run, on }, { kind: to, effectId: 'run-1/4-next' })).toThrow(
      `task run run-1 cannot go from ${on.from} to ${to} by ${on.input}`,
    );
    expect(run.phase).toBe(before);
  });

  test('every phase can be left', () => {
    const stuck = Object.entries(TRANSITIONS).filter(([from, inputs]) =>
      Object.values<readonly PhaseKind[]>(inputs).every((next) =>
        next.every((each) => each === from),
      ),
    );
    expect(stuck).toEqual([]);
  });
});
