/** Heads come while a review is going on, while it is written, and while a person is asked: each is reviewed once, in the end. */
import type { ErrorCode } from '../../../../src/domain/event/error-codes.ts';
import { describe, expect, test } from 'vitest';
import { aDiff, aPullView } from '../../../helpers/a-finding.ts';
import { aPosition, aVerdict } from '../../../helpers/an-issue.ts';
import { createStep } from '../../../../src/decide/run/decision.ts';
import { notifyVerdict } from '../../../../src/decide/plan/task-pull.ts';
import type { PullView } from '../../../../src/domain/review/review.ts';
import type { ReviewVoice } from '../../../../src/domain/task/task.ts';
import type { Trigger } from '../../../../src/domain/event/trigger.ts';
import { ANA, play, THREAD, type Play, type Script } from '../../../helpers/play.ts';
import { runOf } from '../../../../src/decide/run/thread-context.ts';

const [A, B] = ['a'.repeat(40), 'b'.repeat(40)] as const;

interface World {
  head: string;
  isDraft: boolean;
  state: 'open' | 'closed';
  verdict: 'APPROVE' | 'CHANGES' | 'HUMAN';
  refusal: ErrorCode | undefined;
}

function aReview(over: Partial<World> & { script?: Partial<Script> } = {}): {
  world: World;
  played: Play;
} {
  const { script, ...given } = over;
  const world: World = {
    head: A,
    isDraft: false,
    state: 'open',
    verdict: 'CHANGES',
    refusal: undefined,
    ...given,
  };
  const played = play({
    look: () => ({ code: 'bug', message: '', retryable: false }),
    ask: (ask) =>
      ask.purpose === 'verdict'
        ? aVerdict({ verdict: world.verdict, question: 'Which?' })
        : aPosition({ vote: 'CHANGES', reasons: `${ask.persona} has a view` }),
    pull: () =>
      aPullView({
        pull: { headSha: world.head, isDraft: world.isDraft, state: world.state },
        ...(world.head === B ? { diff: aDiff('src/run.ts', ['', 'eval(text);']) } : {}),
      }),
    refuse: ({ kind }) =>
      kind === 'review' && world.refusal !== undefined
        ? { code: world.refusal, message: '', retryable: false }
        : undefined,
    ...script,
  });
  return { world, played };
}

function push(
  { world, played }: ReturnType<typeof aReview>,
  headSha: string,
  how: 'send' | 'hold' = 'send',
): void {
  world.head = headSha;
  played[how]({
    kind: 'pull',
    action: headSha === A ? 'opened' : 'pushed',
    thread: THREAD,
    actor: ANA,
    headSha,
  });
}

/** Heads for which a review was to be written, in order. */
function reviewed(played: Play): string[] {
  return played.of('review').map(({ review }) => review.headSha);
}

/** What the newest check of a head says. */
function checkOf(played: Play, headSha: string): string | undefined {
  const mine = played.of('review-check').filter(({ check }) => check.headSha === headSha);
  return mine.at(-1)?.check.conclusion ?? (mine.length > 0 ? 'in progress' : undefined);
}

const isAsk = ({ data }: { data: { kind: string; purpose?: string } }): boolean =>
  data.kind === 'ask' && data.purpose === 'verdict';
const isReview = ({ data }: { data: { kind: string } }): boolean => data.kind === 'review';

/** What a task would learn of its pull request. */
function voicesTold({ state }: Play): ReviewVoice[] {
  const run = runOf(state, 'pr_review');
  if (run === undefined) throw new Error('no review');
  const ref = { plan: THREAD, task: 1 };
  const task = { ref, run: 'task-run', headSha: A, count: 0 };
  const step = createStep('thread:7/12', run, 0);
  notifyVerdict({ state: { ...state, task }, run, step });
  const [told] = step.events;
  if (told?.data.kind !== 'pull-told' || told.data.news.kind !== 'reviewed')
    throw new Error('not told');
  return told.data.news.voices ?? [];
}

const BY_RULES = {
  provider: 'offline',
  insteadOf: { name: 'standard', code: 'model-content-refused' },
} as const;

describe('a push', () => {
  test('over a head that a model refused is a success again, and before that nobody approves', () => {
    const script: Partial<Script> = {
      ask: (ask) =>
        ask.purpose === 'verdict'
          ? aVerdict({ verdict: 'APPROVE' })
          : aPosition({ vote: 'APPROVE' }),
    };
    const clean = aDiff('src/run.ts', ['export const run = 1;']);
    const pull = (headSha: string): PullView => aPullView({ diff: clean, pull: { headSha } });
    const one = aReview({
      script: {
        ...script,
        pull: () => pull(one.world.head),
        answeredBy: () => (one.world.head === A ? BY_RULES : {}),
      },
    });
    push(one, A, 'hold');
    one.played.settle((effect) => !isAsk(effect));
    push(one, B, 'hold');
    one.played.settle();
    expect([checkOf(one.played, A), checkOf(one.played, B)]).toEqual(['neutral', 'success']);
    expect(one.played.run().calls).toContainEqual(expect.objectContaining(BY_RULES));

    const other = aReview({
      script: { ...script, pull: () => pull(A), answeredBy: () => BY_RULES },
    });
    push(other, A);
    expect(checkOf(other.played, A)).toBe('neutral');
    expect(voicesTold(other.played).map(({ vote }) => vote)).not.toContain('APPROVE');
  });

  test('while the lead thinks is reviewed instead, and the first head says so', () => {
    const one = aReview();
    push(one, A, 'hold');
    one.played.settle((effect) => !isAsk(effect));
    push(one, B, 'hold');
    one.played.settle();
    expect(reviewed(one.played)).toEqual([B]);
    expect(checkOf(one.played, A)).toBe('neutral');
    expect(one.played.state.ledger?.reviewedSha).toBe(B);
  });

  test('before anything was read is read with it, or right after it', () => {
    const one = aReview();
    push(one, A, 'hold');
    push(one, B, 'hold');
    one.world.head = A;
    one.played.settle(({ data }) => data.kind === 'look-pull');
    one.world.head = B;
    one.played.settle();
    expect(reviewed(one.played)).toEqual([B]);
    const other = aReview();
    push(other, A, 'hold');
    push(other, B, 'hold');
    other.played.settle();
    expect(reviewed(other.played)).toEqual([B]);
    expect(other.played.of('look-pull').length).toBeLessThan(one.played.of('look-pull').length);
  });

  test('while a clean review is at its verdict is reviewed after it', () => {
    const one = aReview({
      verdict: 'APPROVE',
      script: {
        ask: (ask) =>
          ask.purpose === 'verdict'
            ? aVerdict({ verdict: 'APPROVE' })
            : aPosition({ vote: 'APPROVE' }),
      },
    });
    push(one, A, 'hold');
    one.played.settle((effect) => !isAsk(effect));
    push(one, B, 'hold');
    one.played.settle();
    expect(checkOf(one.played, B)).toBeDefined();
    expect(one.played.state.ledger?.reviewedSha).toBe(B);
  });

  test.each(['before', 'after'] as const)(
    'noticed when the review is written, its delivery %s: nothing that was found is lost',
    (order) => {
      const one = aReview();
      push(one, A, 'hold');
      one.played.settle((effect) => !isReview(effect));
      expect(reviewed(one.played)).toEqual([A]);
      if (order === 'before') push(one, B, 'hold');
      one.world.head = B;
      one.world.refusal = 'head-moved';
      one.played.settle(isReview);
      one.world.refusal = undefined;
      if (order === 'after') push(one, B, 'hold');
      one.played.settle();
      expect(reviewed(one.played)).toEqual([A, B]);
      const [first, second] = one.played.of('review').map(({ review }) => review.comments.length);
      expect([first, second]).toEqual([1, 1]);
      expect(one.played.state.ledger?.findings.map(({ status }) => status)).toEqual(['open']);
    },
  );

  test('while a person is asked about the old head makes the question void', () => {
    const one = aReview({ verdict: 'HUMAN' });
    push(one, A);
    expect(one.played.run().status).toBe('blocked');
    one.world.verdict = 'CHANGES';
    push(one, B);
    expect(one.played.run()).toMatchObject({ status: 'consensus', review: { headSha: B } });
    expect(one.played.state.ledger?.reviewedSha).toBe(B);
  });

  test('by an automated account soon after a review is reviewed too', () => {
    const one = aReview();
    push(one, A);
    one.world.head = B;
    const actor = { ...ANA, isBot: true };
    const trigger = { kind: 'pull', action: 'pushed', thread: THREAD, headSha: B } as const;
    one.played.send({ ...trigger, actor });
    expect(reviewed(one.played).at(-1)).toBe(B);
  });

  test('announced late or twice starts nothing', () => {
    const one = aReview();
    push(one, A);
    push(one, B);
    const effects = one.played.effects.length;
    push(one, B);
    one.world.head = B;
    one.played.send({
      kind: 'pull',
      action: 'opened',
      thread: THREAD,
      actor: ANA,
      headSha: A,
    });
    // One look finds out that the head is the one that was reviewed.
    expect(one.played.effects.slice(effects).map(({ data }) => data.kind)).toEqual(['look-pull']);
  });
});

test('a review that GitHub refuses for good leaves its findings untold, and the next tells them', () => {
  const one = aReview({ refusal: 'github-forbidden' });
  push(one, A);
  expect(one.played.state.ledger).toEqual({ reviewedSha: undefined, findings: [] });
  expect(checkOf(one.played, A)).toBe('action_required');
  one.world.refusal = undefined;
  push(one, B);
  expect(one.played.of('review').at(-1)?.review.comments).toHaveLength(1);
});

test('what stops a review midway ends its check', () => {
  const one = aReview();
  push(one, A, 'hold');
  one.played.settle(({ data }) => data.kind === 'look-pull');
  expect(checkOf(one.played, A)).toBe('in progress');
  one.world.isDraft = true;
  one.played.settle();
  expect(checkOf(one.played, A)).toBe('neutral');
  expect(one.played.run()).toMatchObject({ status: 'closed', endReason: 'it is a draft' });
});

test('word of the end that comes after the verdict takes nothing back', () => {
  const one = aReview();
  push(one, A, 'hold');
  one.played.settle((effect) => !isAsk(effect));
  one.world.state = 'closed';
  one.played.hold({ kind: 'ended', thread: THREAD, actor: ANA, how: 'closed' });
  one.played.settle(isAsk);
  one.played.settle();
  expect(one.played.run().status).toBe('consensus');
  expect(checkOf(one.played, A)).toBe('action_required');
});

describe('another base', () => {
  const retargeted = { kind: 'pull', action: 'retargeted', thread: THREAD, actor: ANA, headSha: A };

  test('makes another change of the same head: it is read again, and nothing is reported twice', () => {
    const one = aReview();
    push(one, A);
    const asked = one.played.of('ask').length;
    one.played.send(retargeted as Trigger);
    expect(one.played.of('look-pull').map(({ since }) => since)).not.toContain(A);
    expect(one.played.run().status).toBe('consensus');
    expect(one.played.of('ask').length).toBeGreaterThan(asked);
    expect(reviewed(one.played)).toEqual([A]);
  });

  test.each(['asked', 'written'])('while the review is being %s is reviewed after it', (when) => {
    const one = aReview();
    push(one, A, 'hold');
    one.played.settle((effect) => (when === 'asked' ? !isAsk(effect) : !isReview(effect)));
    const looks = one.played.of('look-pull').length;
    one.played.hold(retargeted as Trigger);
    one.played.settle();
    expect(one.played.of('look-pull').length).toBeGreaterThan(looks);
    expect(one.played.run().status).toBe('consensus');
  });
});
