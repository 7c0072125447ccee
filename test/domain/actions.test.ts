/** What workflows hand over and keep: closed forms, quotas, targets, and changes that may be made twice. */
import { readFileSync } from 'node:fs';
import { assert, dictionary, float, property, string } from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  type ActionsState,
  claimEvent,
  findClaim,
  holdsClaim,
  parseActionsState,
  recordApplied,
  renderActionsState,
  triesOf,
} from '../../src/domain/actions/actions-state.ts';
import {
  recordDone,
  recordLost,
  releaseUnbegun,
} from '../../src/domain/actions/spending/settle-claim.ts';
import {
  forgetUnsigned,
  keepUnsigned,
  unsignedBaseOf,
} from '../../src/domain/actions/unsigned-base.ts';
import { spentLastDay } from '../../src/domain/actions/spending/book-spending.ts';
import { INTENT_QUOTAS, IntentsFile, type Intent } from '../../src/domain/actions/intents.ts';
import { checkIntents } from '../../src/policy/check-intents.ts';

const THREAD = { installationId: 0, repositoryId: 7, owner: 'acme', repo: 'tidy', number: 3 };
const HEAD = 'a'.repeat(40);
const FACTS = { claim: 'an event', workflowRun: '77', thread: THREAD, headSha: HEAD };
const AT = '2026-11-26T12:00:00.000Z';
const NOW = Date.parse(AT);

function aComment(over: object = {}, id = 'run/1-comment'): Intent {
  const marker = { kind: 'run', run: 'run', key: 'live' } as const;
  const data = { kind: 'comment', thread: THREAD, marker, body: 'Hello', ...over } as const;
  return { id, key: 'thread:7/3', run: 'run', at: AT, data };
}

function aFile(intents: Intent[], over: Partial<IntentsFile> = {}): IntentsFile {
  return {
    version: 1,
    claim: FACTS.claim,
    workflowRun: FACTS.workflowRun,
    intents,
    spent: { usd: 0, calls: 0, unknownCalls: 0 },
    trajectory: {
      turns: 0,
      retries: 0,
      repeatedCalls: 0,
      firstPromptTokens: 0,
      lastPromptTokens: 0,
      wastedUsd: 0,
    },
    outcome: { verdict: 'NONE', headline: '', findings: 0 },
    ...over,
  };
}

const reasons = (file: IntentsFile): string[] => checkIntents(file, FACTS).map(({ why }) => why);

describe('intents', () => {
  test('for the thread of the claim are allowed', () => {
    expect(reasons(IntentsFile.parse(aFile([aComment()])))).toEqual([]);
  });

  test.each([
    ['another thread', { thread: { ...THREAD, number: 4 } }, 'another issue or pull request'],
    ['another repository', { thread: { ...THREAD, repositoryId: 8 } }, 'another repository'],
    ['another owner', { thread: { ...THREAD, owner: 'eve' } }, 'another repository'],
  ])('for %s are refused', (_, over, why) => {
    expect(reasons(aFile([aComment(over)]))).toEqual([`it is for ${why}`]);
  });

  test('of another stream are refused', () => {
    expect(reasons(aFile([{ ...aComment(), key: 'thread:7/4' }]))).toEqual([
      'it belongs to another thread',
    ]);
  });

  test('for another commit, and check runs under other names, are refused', () => {
    const check = { name: 'build', conclusion: 'success', title: 'Fine', summary: '' } as const;
    const repository = { installationId: 0, repositoryId: 7, owner: 'acme', repo: 'tidy' };
    const data = { repository, headSha: 'b'.repeat(40), checks: [check] };
    expect(reasons(aFile([{ ...aComment(), data: { ...data, kind: 'check' } }]))).toEqual([
      'it is for another commit',
      'it writes a check run that is not one of this job',
    ]);
  });

  test('with a credential in a text are refused', () => {
    const token = ['ghp', 'A'.repeat(36)].join('_');
    expect(reasons(aFile([aComment({ body: `See ${token}` })]))).toHaveLength(1);
  });

  test('over the quota of a kind, or with one id twice, are refused', () => {
    const many = Array.from({ length: INTENT_QUOTAS.comment + 1 }, (_, n) => aComment({}, `c${n}`));
    expect(reasons(aFile(many))).toEqual(['7 intents of the kind comment; at most 6 are allowed']);
    expect(reasons(aFile([aComment(), aComment()]))).toEqual(['two intents have the same id']);
  });

  test('of another claim or another run of the workflow are refused', () => {
    expect(reasons(aFile([], { claim: 'other', workflowRun: '78' }))).toHaveLength(2);
  });

  test.each([
    ['10,000 of them', aFile(Array.from({ length: 10_000 }, (_, n) => aComment({}, `c${n}`)))],
    ['a body over 65,536 characters', aFile([aComment({ body: 'x'.repeat(65_537) })])],
    ['a field that is not known', aFile([aComment({ url: 'https://example.com' })])],
    ['another version', { ...aFile([]), version: 2 }],
    ['a merge', { ...aFile([]), intents: [{ ...aComment(), data: { kind: 'merge' } }] }],
  ])('do not parse with %s', (_, file) => {
    expect(IntentsFile.safeParse(file).success).toBe(false);
  });
});

const EMPTY = parseActionsState(undefined) as ActionsState;
const CLAIM = { event: 'e', workflowRun: '1', attempt: 1, now: NOW, lifeMs: 60_000 };

describe('the state of workflows', () => {
  test('counts what a failed event cost once for each workflow that holds it', () => {
    const asked = { event: 'an event', workflowRun: '77', attempt: 1, now: 0, lifeMs: 1_000 };
    const empty = parseActionsState(undefined);
    if (empty === undefined) throw new Error('there is always a state');
    const { state } = claimEvent(empty, asked);
    const lost = { event: 'an event', workflowRun: '77', usd: 0.5, now: 0 };
    const once = recordLost(state, lost);
    expect(spentLastDay(once, 0)).toBe(0.5);
    expect(recordLost(once, lost)).toBe(once);
    expect(recordLost(once, { ...lost, workflowRun: '78' })).toBe(once);
    const later = { ...asked, workflowRun: '78', now: 5_000 };
    const taken = claimEvent(once, later).state;
    expect(recordLost(taken, lost)).toBe(taken);
    expect(spentLastDay(recordLost(taken, { ...lost, workflowRun: '78' }), 0)).toBe(1);
  });

  test('gives a claim to one run of the workflow until it expires, and then to another', () => {
    const { state } = claimEvent(EMPTY, CLAIM);
    const other = { ...CLAIM, workflowRun: '2', now: NOW + 59_999 };
    expect(claimEvent(state, other).verdict).toEqual({ kind: 'refused', reason: 'taken' });
    const later = claimEvent(state, { ...other, now: NOW + 60_000 });
    expect(later.verdict).toMatchObject({ kind: 'held', isNew: false });
    expect(holdsClaim(later.state, { ...CLAIM, now: NOW + 60_001 })).toBe(false);
  });

  test('gives an event back that its workflow did not begin, and counts no try for it', () => {
    const { state } = claimEvent(EMPTY, CLAIM);
    const unbegun = { event: 'e', workflowRun: '1', attempt: 1, now: NOW };
    expect(releaseUnbegun(state, unbegun)).toEqual(EMPTY);
    expect(releaseUnbegun(state, { ...unbegun, workflowRun: '2' })).toBe(state);
    // It was begun once before, and may have written something: its first moment is kept.
    const again = claimEvent(state, { ...CLAIM, workflowRun: '2', now: NOW + 60_000 }).state;
    const freed = releaseUnbegun(again, { ...unbegun, workflowRun: '2', now: NOW + 60_001 });
    expect(triesOf(freed.claims['e'])).toBe(1);
    // The answer to the first write was lost, or the job is run again.
    expect(releaseUnbegun(freed, { ...unbegun, workflowRun: '2', now: NOW + 60_002 })).toBe(freed);
    const third = claimEvent(freed, { ...CLAIM, workflowRun: '3', now: NOW + 60_001 });
    expect(third.verdict).toMatchObject({ kind: 'held', claim: { at: AT, tries: 2 } });
    // An earlier attempt of the workflow may have begun it.
    const rerun = releaseUnbegun(state, { ...unbegun, attempt: 2 });
    expect(rerun.claims['e']).toMatchObject({ at: AT, tries: 1, until: AT });
    const done = recordDone(state, { event: 'e', usd: 0, now: NOW });
    expect(releaseUnbegun(done, unbegun)).toBe(done);
  });

  test('counts no try of a workflow that GitHub failed, and keeps its claim for a rerun', () => {
    const lost = { event: 'e', workflowRun: '1', attempt: 1, usd: 0.5, now: NOW, isUntried: true };
    const { state } = claimEvent(EMPTY, CLAIM);
    const failed = recordLost(state, lost);
    expect([triesOf(failed.claims['e']), spentLastDay(failed, NOW)]).toEqual([0, 0.5]);
    expect(holdsClaim(failed, CLAIM)).toBe(true);
    expect(recordLost(failed, lost)).toBe(failed);
    const next = claimEvent(failed, { ...CLAIM, workflowRun: '2', now: NOW + 60_000 }).state;
    expect(parseActionsState(renderActionsState(next))?.claims['e']?.tries).toBe(1);
    const rerun = claimEvent(failed, { ...CLAIM, attempt: 2 }).state;
    expect(triesOf(rerun.claims['e'])).toBe(1);
    // Run again, its job failed for another reason: that is a try, and its cost is known.
    const refused = recordLost(failed, { ...lost, isUntried: false });
    expect([triesOf(refused.claims['e']), spentLastDay(refused, NOW)]).toEqual([1, 0.5]);
    expect(recordLost(refused, lost)).toBe(refused);
  });

  test('forgets a claim after 14 days, whether it was done or given up', () => {
    const { state } = claimEvent(EMPTY, CLAIM);
    const done = recordDone(state, { event: 'e', usd: 0, now: NOW });
    const later = NOW + 14 * 24 * 3_600_000;
    for (const known of [state, done]) {
      expect(findClaim(known, 'e', later - 1)).toBe(known.claims['e']);
      expect(findClaim(known, 'e', later)).toBeUndefined();
    }
    const again = claimEvent(done, { ...CLAIM, workflowRun: '2', now: later });
    expect(again.verdict).toMatchObject({ kind: 'held', isNew: true });
    expect(triesOf(again.state.claims['e'])).toBe(1);
    // While its workflow works on it, no other run may take it, however long that lasts.
    const long = claimEvent(EMPTY, { ...CLAIM, lifeMs: later - NOW + 1 }).state;
    const other = claimEvent(long, { ...CLAIM, workflowRun: '2', now: later });
    expect(other.verdict).toEqual({ kind: 'refused', reason: 'taken' });
  });

  test('keeps the first moment of a claim, so that a rerun makes the same run', () => {
    const { state } = claimEvent(EMPTY, CLAIM);
    const { verdict } = claimEvent(state, { ...CLAIM, attempt: 2, now: NOW + 5_000 });
    expect(verdict).toMatchObject({ kind: 'held', claim: { at: AT, attempt: 2 }, isNew: false });
  });

  test('counts what a run spent once, although its record is made twice', () => {
    const { state } = claimEvent(EMPTY, CLAIM);
    const done = { event: 'e', thread: 3, ids: [5], usd: 0.5, now: NOW, isDone: true };
    const once = recordApplied(state, done);
    expect(recordApplied(once, done)).toEqual(once);
    expect(spentLastDay(once, NOW + 1_000)).toBe(0.5);
    expect(claimEvent(once, CLAIM).verdict).toEqual({ kind: 'refused', reason: 'done' });
  });

  test('keeps for a day on which base commits need no signature', () => {
    const state = parseActionsState(undefined);
    if (state === undefined) throw new Error('An empty state is a state');
    const hour = 3_600_000;
    const kept = keepUnsigned(state, 'main', NOW);
    const baseAfter = (hours: number) => unsignedBaseOf(kept, NOW + hours * hour);
    expect([unsignedBaseOf(state, NOW), baseAfter(23), baseAfter(24), baseAfter(-1)]).toEqual([
      undefined,
      'main',
      undefined,
      undefined,
    ]);
    // What is still known is not made younger.
    expect(keepUnsigned(kept, 'main', NOW + hour)).toBe(kept);
    const other = keepUnsigned(kept, 'trunk', NOW + hour);
    expect([23, 24].map((hours) => unsignedBaseOf(other, NOW + hours * hour))).toEqual([
      'trunk',
      undefined,
    ]);
    expect(unsignedBaseOf(forgetUnsigned(kept), NOW)).toBeUndefined();
    expect(parseActionsState(renderActionsState(kept))).toEqual(kept);
    const forged = renderActionsState(kept).replace(AT, 'soon');
    expect(parseActionsState(forged)?.unsigned).toBeUndefined();
  });

  test('is read back as it was written, and a newer version is not read', () => {
    // The parser leaves this one out, and nothing is called so.
    const name = string().filter((each) => each !== '__proto__');
    assert(
      property(dictionary(name, float({ noNaN: true })), (cursors) => {
        const texts = Object.entries(cursors).map(([key, value]) => [key, String(value)] as const);
        const state = { ...EMPTY, cursors: Object.fromEntries(texts) };
        expect(parseActionsState(renderActionsState(state))).toEqual(state);
      }),
    );
    expect(parseActionsState('{"version":2}')).toBeUndefined();
    expect(parseActionsState('no JSON')).toBeUndefined();
  });

  test('keeps what a newer version wrote into it and into its claims', () => {
    const { state } = claimEvent(EMPTY, CLAIM);
    const claim = { ...state.claims['e'], model: { name: 'any' } };
    const newer = { ...state, claims: { e: claim }, tokensOfTasks: { '2026-11-26': 5 } };
    const read = parseActionsState(JSON.stringify(newer));
    if (read === undefined) throw new Error('it is of this version');
    const done = recordDone(read, { event: 'e', usd: 0.5, now: NOW });
    const again = parseActionsState(renderActionsState(done));
    expect(again).toMatchObject({
      claims: { e: { model: { name: 'any' }, doneAt: AT } },
      tokensOfTasks: { '2026-11-26': 5 },
    });
  });

  test('has its keys explained in docs/actions.md, and no other', () => {
    const page = readFileSync('docs/actions.md', 'utf8').split('## Where things are kept')[1] ?? '';
    const told = Array.from(page.matchAll(/^\| `(\w+)` +\|/gm), ([, key = '']) => key);
    const { version: _, ...kept } = keepUnsigned(EMPTY, 'main', NOW);
    expect(told.toSorted()).toEqual(Object.keys(kept).toSorted());
  });
});
