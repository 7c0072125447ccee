/** A task's stream, driven by hand: each result is answered to the effect that waits for it. */
import type { ErrorCode } from '../../src/domain/event/error-codes.ts';
import { decideTask } from '../../src/decide/task/decide-task.ts';
import type { Effect, EffectData } from '../../src/domain/event/effect.ts';
import {
  EVENT_VERSION,
  type Event,
  type EventData,
  type NewEvent,
  type PullNews,
} from '../../src/domain/event/event.ts';
import { defaultConfig } from '../../src/domain/config/config.ts';
import type { GateReceipt } from '../../src/domain/gates/receipt.ts';
import type { Result } from '../../src/domain/event/result.ts';
import type { MergeView } from '../../src/domain/task/merge-view.ts';
import { taskKey, type TaskOrder, type TaskStream } from '../../src/domain/task/task.ts';

export const PLAN = { installationId: 1, repositoryId: 7, owner: 'acme', repo: 'tidy', number: 4 };
export const ANA = { id: 11, login: 'ana' };
export const TOM = { id: 12, login: 'tom' };

export const ORDER: TaskOrder = {
  ref: { plan: PLAN, task: 2 },
  title: 'Say hello',
  digest: 'abcdef123456',
  approvedBy: ANA,
  persona: 'dev',
  lease: { namespace: 'refs/quorum/leases', lastsMs: 1_800_000 },
};

const AT = Date.parse('2026-11-22T08:00:00Z');

export interface TaskPlay {
  stream(): TaskStream;
  /** Everything that was wanted and told, oldest first. */
  effects: Effect[];
  told: NewEvent[];
  /** The data of the newest effect of a kind. */
  last<K extends EffectData['kind']>(kind: K): Extract<EffectData, { kind: K }>;
  send(data: EventData): string | undefined;
  /** Answers the newest effect of that kind. */
  answer(result: Result): string | undefined;
  fail(kind: EffectData['kind'], code: ErrorCode): string | undefined;
}

export function playTask(): TaskPlay {
  let state: unknown;
  let count = 0;
  const effects: Effect[] = [];
  const told: NewEvent[] = [];
  const send = (data: EventData): string | undefined => {
    count += 1;
    const event: Event = {
      id: `e${count}`,
      key: taskKey(ORDER.ref),
      version: EVENT_VERSION,
      at: new Date(AT + count * 1000).toISOString(),
      data: JSON.parse(JSON.stringify(data)) as EventData,
    };
    const decision = decideTask(state, event, { now: AT + count * 1000 });
    state = JSON.parse(JSON.stringify(decision.state));
    effects.push(...decision.effects);
    told.push(...decision.events);
    return decision.ignored;
  };
  const newest = (kind: string): Effect => {
    const found = effects.findLast((effect) => effect.data.kind === kind);
    if (found === undefined) throw new Error(`no effect ${kind} was wanted`);
    return found;
  };
  return {
    stream: () => state as TaskStream,
    effects,
    told,
    last: <K extends EffectData['kind']>(kind: K) =>
      newest(kind).data as Extract<EffectData, { kind: K }>,
    send,
    answer: (result) => {
      const { id, run } = newest(result.effectKind);
      return send({ kind: 'done', effectId: id, run, ...result });
    },
    fail: (kind, code) => {
      const { id, run } = newest(kind);
      const failure = { code, message: `it was ${code}`, retryable: false };
      return send({ kind: 'failed', effectId: id, effectKind: kind, run, failure });
    },
  };
}

export const BASE = 'b'.repeat(40);
export const HEAD = 'c'.repeat(40);

export function receipts(
  headSha: string,
  over: Partial<Record<GateReceipt['gate'], Partial<GateReceipt>>> = {},
  gates: readonly GateReceipt['gate'][] = ['P', 'S', '1', '2'],
): GateReceipt[] {
  return gates.map((gate) => ({
    gate,
    result: 'passed',
    headSha,
    sentence: `gate ${gate} says so`,
    flags: [],
    at: '2026-11-22T08:00:00Z',
    signature: 's',
    ...over[gate],
  }));
}

export const LEASE = {
  issue: 4,
  task: 2,
  holder: 'here/run',
  digest: ORDER.digest,
  fence: 1,
  issuedAt: AT,
  expiresAt: AT + 1_800_000,
  isReleased: false,
};

/** Results in the order in which a task that goes well brings them. */
export const GOOD = {
  claim: {
    effectKind: 'claim',
    result: {
      outcome: 'claimed',
      lease: LEASE,
      base: { branch: 'main', sha: BASE },
      text: {
        title: ORDER.title,
        description: 'Print hello.',
        files: [{ path: 'src/hello.ts', note: 'new' }],
        plan: 'Greetings',
        goal: 'Greet.',
        context: '',
      },
      nonce: 'n0n5e7k2x9q4w8z1',
    },
  },
  code: {
    effectKind: 'code',
    result: {
      coder: 'patch',
      report: {
        outcome: 'done',
        summary: 'Prints hello.',
        decisions: [],
        sessionId: 's1',
        turns: 1,
        durationMs: 5,
        calls: [],
        transcript: '',
        notes: [],
      },
      patch: 'diff --git a/src/hello.ts b/src/hello.ts\n',
      isTooLarge: false,
      files: [
        {
          path: 'src/hello.ts',
          change: 'added',
          mode: '100644',
          added: 1,
          removed: 0,
          isBinary: false,
          bytes: 9,
        },
      ],
    },
  },
  verify: { effectKind: 'verify', result: { headSha: HEAD, receipts: receipts(HEAD) } },
  publish: {
    effectKind: 'publish',
    result: {
      receipts: receipts(HEAD, {}, ['3', '4']),
      pull: { number: 9, url: 'https://github.test/acme/tidy/pull/9' },
      reviewers: [],
    },
  },
} as const satisfies Record<string, Result>;

/** A task whose pull request is open. */
export function playToPull(reviewers: string[] = []): TaskPlay {
  const play = playTask();
  play.send({ kind: 'task-go', run: 'plan', order: ORDER });
  for (const result of [GOOD.claim, GOOD.code, GOOD.verify]) play.answer(result);
  play.answer({ ...GOOD.publish, result: { ...GOOD.publish.result, reviewers } });
  return play;
}

export type MergeViewOver = Omit<Partial<MergeView>, 'pull'> & {
  pull?: Partial<MergeView['pull']>;
};

/** What GitHub says of an open pull request that everybody agrees to. */
export function mergeView(over: MergeViewOver = {}): Result {
  const { pull, ...rest } = over;
  return {
    effectKind: 'look-merge',
    result: {
      pull: {
        state: 'open',
        isDraft: false,
        isMerged: false,
        headSha: HEAD,
        baseRef: 'main',
        labels: [],
        authorId: 99,
        isMergeable: true,
        requestedReviewers: [],
        unresolved: 0,
        isAutoMerge: false,
        isInQueue: false,
        ...pull,
      },
      baseSha: BASE,
      isUpToDate: true,
      proved: { unproved: [], isOfBase: true, isRetested: false },
      reviews: [],
      required: [],
      permissions: { [TOM.id]: 'write', [ANA.id]: 'admin' },
      hasMergeQueue: false,
      methods: ['squash'],
      config: defaultConfig(),
      ...rest,
    },
  };
}

/** The team agrees to the head. */
export const REVIEWED: {
  kind: 'pull-told';
  run: string;
  news: Extract<PullNews, { kind: 'reviewed' }>;
} = {
  kind: 'pull-told',
  run: 'r',
  news: { kind: 'reviewed', headSha: HEAD, verdict: 'APPROVE', asks: [] },
};
