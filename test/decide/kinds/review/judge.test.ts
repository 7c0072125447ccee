/** What became of a finding: whose reply counts, and how often the outcome is reported. */
import { describe, expect, test } from 'vitest';
import { createStep } from '../../../../src/decide/run/decision.ts';
import {
  judgementOf,
  recordDeclined,
  recordJudgements,
} from '../../../../src/decide/kinds/review/ledger/record-judgements.ts';
import type { ThreadState } from '../../../../src/decide/run/thread-context.ts';
import type { Judgement } from '../../../../src/domain/review/precision.ts';
import type { FindingReply, LedgerFinding } from '../../../../src/domain/review/review.ts';
import type { Permission } from '../../../../src/domain/run/thread-ref.ts';
import { aFinding, aReply } from '../../../helpers/a-finding.ts';
import { THREAD } from '../../../helpers/play.ts';

const AUTHOR = 50;

function entry(over: Partial<LedgerFinding> = {}): LedgerFinding {
  return { finding: aFinding(), status: 'open', firstSha: 'h1', lastSha: 'h1', ...over };
}

function by(id: number, permission: Permission, isBot = false) {
  return { by: { id, login: `user-${id}`, isBot }, permission };
}

const up = (id: number, permission: Permission, isBot = false) => ({
  content: '+1',
  ...by(id, permission, isBot),
});
const down = (id: number, permission: Permission, isBot = false) => ({
  content: '-1',
  ...by(id, permission, isBot),
});
const says = (body: string, id: number, permission: Permission) => ({
  body,
  isOurs: false,
  ...by(id, permission),
});

function judge(
  reply: Partial<FindingReply> | undefined,
  over: Partial<LedgerFinding> = {},
  isMerged = false,
): Judgement | undefined {
  const heard = reply === undefined ? undefined : aReply(reply);
  return judgementOf(entry(over), heard, { authorId: AUTHOR, isMerged });
}

describe('people’s word', () => {
  test.each<[string, Partial<FindingReply>, Judgement | undefined]>([
    ['a thumb up of somebody with a role', { reactions: [up(1, 'triage')] }, 'accepted'],
    ['of the author without one', { reactions: [up(AUTHOR, 'read')] }, 'accepted'],
    ['of a stranger', { reactions: [up(2, 'read')] }, undefined],
    ['of a bot with a role', { reactions: [up(1, 'admin', true)] }, undefined],
    ['a thumb down of somebody with a role', { reactions: [down(1, 'triage')] }, 'declined'],
    ['of the author without one', { reactions: [down(AUTHOR, 'read')] }, undefined],
    ['of a stranger', { reactions: [down(2, 'none')] }, undefined],
    ['of a bot with a role', { reactions: [down(1, 'admin', true)] }, undefined],
    ['a reply that declines', { replies: [says('By design.', 1, 'write')] }, 'declined'],
    ['the same of a stranger', { replies: [says('By design.', 2, 'read')] }, undefined],
    ['one that does not', { replies: [says('Good catch.', 1, 'write')] }, undefined],
    ['hearts and eyes', { reactions: [{ ...up(1, 'write'), content: 'heart' }] }, undefined],
  ])('%s: %#', (_, reply, expected) => {
    expect(judge(reply)).toBe(expected);
  });

  test('counts each person once, and the more decide', () => {
    const twice = [says('Won’t fix.', 1, 'write'), says("won't fix, really", 1, 'write')];
    const reactions = [down(1, 'write'), up(2, 'write'), up(3, 'write')];
    expect(judge({ reactions, replies: twice })).toBe('accepted');
    expect(judge({ reactions: reactions.slice(0, 2), replies: twice })).toBeUndefined();
    // Who says both says neither.
    expect(judge({ reactions: [up(1, 'write'), down(1, 'write'), down(2, 'write')] })).toBe(
      'declined',
    );
  });

  test('comes before what the change says', () => {
    expect(judge({ reactions: [down(1, 'write')] }, { status: 'fixed' })).toBe('declined');
    expect(judge({ reactions: [up(1, 'write')] }, { status: 'open' }, true)).toBe('accepted');
  });
});

describe('without a reply', () => {
  const RESOLVED = { settledBy: 'ana', why: 'the conversation was resolved' };

  test('what is fixed was accepted, what goes in as it was is ignored', () => {
    expect(judge(undefined, { status: 'fixed' })).toBe('accepted');
    expect(judge({}, {}, true)).toBe('ignored');
    expect(judge({}, {})).toBeUndefined();
    expect(judge({ isOutdated: true }, {}, true)).toBeUndefined();
    expect(judge({}, { status: 'outdated' }, true)).toBeUndefined();
    // Nobody could answer where there was no conversation.
    expect(judge(undefined, {}, true)).toBeUndefined();
  });

  test('a resolved conversation declines, unless its lines were changed', () => {
    expect(judge({ isResolved: true }, { status: 'dismissed', ...RESOLVED })).toBe('declined');
    const changed = { isResolved: true, isOutdated: true };
    expect(judge(changed, { status: 'dismissed', ...RESOLVED })).toBe('accepted');
    expect(judge(changed, { status: 'dismissed', settledBy: 'ana', why: 'ours' })).toBe('declined');
  });
});

describe('what is reported', () => {
  const NOW = Date.parse('2026-03-02T09:00:00Z');
  const hearing = (replies: FindingReply[]) => ({ replies, authorId: AUTHOR, isMerged: false });

  function aBench(state: ThreadState, now = NOW) {
    const step = createStep('thread:7/12', { id: 'run', step: 3 }, now);
    return { state, step, thread: THREAD };
  }

  test('is reported once, to the stream that counts, and again when it changes', () => {
    const state: ThreadState = { v: 1, runs: {} };
    const first = aBench(state);
    recordJudgements(first, [entry()], hearing([aReply({ reactions: [down(1, 'write')] })]));
    expect(first.step.events).toMatchObject([
      {
        key: 'precision:7',
        data: {
          kind: 'judged',
          judged: [
            { subjects: ['persona:maya', 'rule:js-eval'], month: '2026-03', to: 'declined' },
          ],
        },
      },
    ]);
    const again = aBench(state);
    recordJudgements(again, [entry()], hearing([aReply({ reactions: [down(1, 'write')] })]));
    // It could not be read this time: nothing is taken back.
    recordJudgements(again, [entry()], hearing([]));
    expect(again.step.events).toEqual([]);
    const later = aBench(state, Date.parse('2026-05-02T09:00:00Z'));
    const merged = entry({ finding: aFinding({ personas: ['maya', 'dev'] }) });
    recordJudgements(later, [merged], hearing([aReply({ reactions: [up(1, 'write')] })]));
    expect(later.step.events[0]?.data).toMatchObject({
      judged: [
        {
          subjects: ['persona:maya', 'rule:js-eval'],
          month: '2026-03',
          from: 'declined',
          to: 'accepted',
        },
      ],
    });
    const back = aBench(state);
    recordJudgements(back, [entry()], hearing([aReply()]));
    const [change] = back.step.events.flatMap(({ data }) =>
      data.kind === 'judged' ? data.judged : [],
    );
    expect(change).toMatchObject({ from: 'accepted' });
    expect(change).not.toHaveProperty('to');
  });

  test('speaks once for the notes that led to a finding, or against them', () => {
    const state: ThreadState = { v: 1, runs: {} };
    const rests = entry({ finding: aFinding({ memory: ['0000000001'] }) });
    const outcomesAfter = (thumb: ReturnType<typeof up>) => {
      const bench = aBench(state);
      recordJudgements(bench, [rests], hearing([aReply({ reactions: [thumb] })]));
      return bench.step.effects.flatMap(({ data }) =>
        data.kind === 'remember' && data.change.kind === 'judge' ? data.change.outcomes : [],
      );
    };
    expect(outcomesAfter(down(1, 'write'))).toEqual([{ id: '0000000001', isKept: false }]);
    expect(outcomesAfter(down(1, 'write'))).toEqual([]);
    expect(outcomesAfter(up(1, 'write'))).toEqual([]);
  });

  test('by a command as well, each with an id of its own', () => {
    const bench = aBench({ v: 1, runs: {} });
    recordDeclined(bench, entry());
    recordDeclined(bench, entry({ finding: aFinding({ fingerprint: 'other' }) }));
    recordDeclined(bench, entry());
    expect(new Set(bench.step.events.map(({ id }) => id)).size).toBe(2);
    expect(bench.step.events).toHaveLength(2);
  });
});
