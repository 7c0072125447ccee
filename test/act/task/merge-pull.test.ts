/** What a merge depends on as it is read, and what has to hold when exactly one head is merged. */
import { describe, expect, test } from 'vitest';
import { lookAtMerge, mergePull } from '../../../src/act/task/merge-pull.ts';
import type { ActPorts } from '../../../src/act/ports.ts';
import type { ReadSettings } from '../../../src/act/settings/read-settings.ts';
import { defaultConfig } from '../../../src/domain/config/config.ts';
import type { EffectData } from '../../../src/domain/event/effect.ts';
import {
  GATES,
  signReceipt,
  type GateReceipt,
  type Judgement,
} from '../../../src/domain/gates/receipt.ts';
import { taskKey } from '../../../src/domain/task/task.ts';
import type { Proof } from '../../../src/domain/task/task-effects.ts';
import type {
  CheckReport,
  MergeOutcome,
  MergeSurvey,
  QueueOutcome,
} from '../../../src/ports/github/work.ts';
import { ANA, BASE, HEAD, PLAN, TOM } from '../../helpers/a-task.ts';

const { number: _, ...REPOSITORY } = PLAN;
const PULL = { ...REPOSITORY, number: 9 };
const NOW = Date.parse('2026-03-02T09:00:00Z');
const at = (ms: number): string => new Date(NOW + ms).toISOString();
const SECRET = 'a secret';
const TASK = { plan: PLAN, task: 2 };
const MOVED = 'd'.repeat(40);

function receipt(over: Partial<Omit<GateReceipt, 'signature'>> = {}): GateReceipt {
  const { headSha = HEAD, baseSha = BASE, ...rest } = over;
  const judged: Judgement = { gate: '2', result: 'passed', sentence: '', flags: [], ...rest };
  const signing = { secret: SECRET, scope: taskKey(TASK) };
  return signReceipt(judged, { headSha, baseSha, at: at(0) }, signing);
}

function proofOf(over: Partial<Proof> = {}): Proof {
  return { task: TASK, receipts: GATES.map((gate) => receipt({ gate })), ...over };
}

function factsOf(over: Partial<MergeSurvey> = {}): MergeSurvey {
  return {
    author: { id: 99, login: 'quorum[bot]', isBot: true },
    state: 'open',
    isDraft: false,
    isMerged: false,
    mergeSha: undefined,
    headSha: HEAD,
    baseRef: 'main',
    baseTip: BASE,
    isUpToDate: true,
    isMergeable: undefined,
    labels: ['plan'],
    requestedReviewers: [],
    requestedTeams: [],
    reviews: [],
    required: [],
    unresolved: undefined,
    isAutoMerge: false,
    hasQueue: false,
    isInQueue: false,
    methods: ['squash'],
    ...over,
  };
}

interface Setup {
  facts?: Partial<MergeSurvey>;
  /** What git says of the base. */
  tip?: string | undefined;
  merged?: MergeOutcome;
  queued?: QueueOutcome;
  /** What changed in the workflows. */
  diff?: string;
  events?: readonly string[];
}

function createStage(context: Setup = {}) {
  const calls: unknown[][] = [];
  const log =
    <T>(name: string, answer: T) =>
    async (...asked: unknown[]): Promise<T> => {
      calls.push([name, ...asked]);
      return answer;
    };
  const tasks = {
    mergeFacts: log('facts', factsOf(context.facts)),
    merge: log('merge', context.merged ?? { outcome: 'merged', sha: 'm' }),
    enqueue: log('enqueue', context.queued ?? { outcome: 'queued' }),
    deleteBranch: log('delete', undefined),
  };
  const read = {
    repository: log('repository', { headSha: 'tip' }),
    issue: log('issue', { author: ANA, authorPermission: 'admin' }),
    paths: log('paths', { paths: [], isCut: false }),
    permission: log('permission', 'read'),
  };
  const session = {
    leases: {},
    plans: {},
    counts: { read: 1 },
    tasks,
    read,
    survey: { issue: log('survey', undefined) },
  };
  const git = {
    remoteHead: log('tip', 'tip' in context ? context.tip : BASE),
    read: async (...asked: unknown[]) => {
      calls.push(['read', ...asked]);
      return { history: { diff: log('diff', context.diff ?? '') } };
    },
  };
  const ports = {
    clock: { now: () => NOW },
    markerSecret: SECRET,
    github: { at: () => session, app: { events: log('events', context.events) } },
    codingRuntime: { git },
  } as unknown as ActPorts;
  const readSettings = log('settings', { config: defaultConfig() }) as unknown as ReadSettings;
  return { calls, ports, readSettings, names: () => calls.map(([name]) => name) };
}

describe('one head', () => {
  type Merge = Extract<EffectData, { kind: 'merge' }>;
  const wanted = (over: Partial<Merge> = {}): Merge => ({
    kind: 'merge',
    thread: PULL,
    sha: HEAD,
    base: { branch: 'main', sha: BASE },
    method: 'squash',
    title: 'Say hello (#9)',
    message: 'It greets.',
    proof: proofOf(),
    ...over,
  });
  const merge = async (context: Setup, data: Merge, { ageMs = 0, isNew = true } = {}) => {
    const stage = createStage(context);
    const done = await mergePull(data, { ports: stage.ports, isNew, at: at(-ageMs) });
    expect(done).toMatchObject({ effectKind: 'merge', githubCalls: { read: 1 } });
    return { result: done.result, names: stage.names(), calls: stage.calls };
  };

  test('is merged as it was proved, and its branch is deleted', async () => {
    const { result, calls } = await merge({}, wanted({ deleteBranch: 'quorum/2' }));
    expect(result).toEqual({ outcome: 'merged', sha: 'm' });
    const words = { method: 'squash', title: 'Say hello (#9)', message: 'It greets.' };
    expect(calls).toEqual([
      ['tip', REPOSITORY, 'main'],
      ['merge', PULL, { sha: HEAD, ...words, isNew: true }],
      ['delete', REPOSITORY, 'quorum/2', HEAD],
    ]);
  });

  test('is merged and its branch stays where nobody wants it gone', async () => {
    const was = await merge({ merged: { outcome: 'was-merged', sha: 'w' } }, wanted());
    expect(was).toMatchObject({ result: { outcome: 'merged', sha: 'w' }, names: ['tip', 'merge'] });
  });

  test.each<MergeOutcome>([
    { outcome: 'refused', reason: 'a rule', isHeadMoved: false },
    { outcome: 'base-moved', reason: 'moved' },
  ])('that GitHub does not merge keeps its branch: $outcome', async (merged) => {
    const { result, names } = await merge({ merged }, wanted({ deleteBranch: 'quorum/2' }));
    expect(result).toEqual(merged);
    expect(names).toEqual(['tip', 'merge']);
  });

  const STALE = { outcome: 'stale' };
  const retest = receipt({ baseSha: MOVED });
  const onMoved = { base: { branch: 'main', sha: MOVED } };
  const { proof: __, ...unproved } = wanted();
  const [first] = proofOf().receipts;
  const forged = [{ ...first, sentence: 'another' } as GateReceipt, ...proofOf().receipts.slice(1)];

  test.each<[string, boolean, Merge]>([
    ['without a proof', false, unproved],
    [
      'without one of its gates',
      false,
      wanted({ proof: proofOf({ receipts: proofOf().receipts.slice(1) }) }),
    ],
    ['with a receipt that was changed', false, wanted({ proof: proofOf({ receipts: forged }) })],
    [
      'with the receipts of another task',
      false,
      wanted({ proof: proofOf({ task: { plan: PLAN, task: 3 } }) }),
    ],
    ['other than the one that was proved', false, wanted({ sha: MOVED })],
    ['tested on another base', false, wanted(onMoved)],
    ['tested again on that base', true, wanted({ ...onMoved, proof: proofOf({ retest }) })],
  ])('%s is merged: %s', async (___, ...[isMerged, data]) => {
    const { result, names } = await merge({ tip: data.base.sha }, data);
    expect(result).toEqual(isMerged ? { outcome: 'merged', sha: 'm' } : STALE);
    expect(names).toEqual(isMerged ? ['tip', 'merge'] : []);
  });

  test.each<[string, number, Partial<MergeSurvey>, string[], string]>([
    ['a minute after it was decided', 60_000, {}, ['tip', 'merge'], 'merged'],
    ['later', 60_001, {}, ['facts'], 'stale'],
    [
      'later, and was merged by us',
      60_001,
      { isMerged: true },
      ['facts', 'tip', 'merge'],
      'merged',
    ],
  ])('%s', async (___, ...[ageMs, facts, names, outcome]) => {
    const done = await merge({ facts }, wanted(), { ageMs });
    expect([done.result.outcome, done.names]).toEqual([outcome, names]);
  });

  test.each<[string, boolean, boolean, string[], string]>([
    ['that nobody can have merged', true, true, ['tip'], 'base-moved'],
    ['that was not merged', false, false, ['tip', 'facts'], 'base-moved'],
    ['that we may have merged, and did', false, true, ['tip', 'facts', 'merge'], 'merged'],
  ])('%s, and whose base moved', async (___, ...[isNew, isMerged, names, outcome]) => {
    for (const tip of [MOVED, undefined]) {
      const done = await merge({ tip, facts: { isMerged } }, wanted(), { isNew });
      expect([done.result.outcome, done.names]).toEqual([outcome, names]);
    }
  });

  test.each<[QueueOutcome, object]>([
    [{ outcome: 'queued' }, { outcome: 'queued' }],
    [
      { outcome: 'was-merged', sha: 'w' },
      { outcome: 'merged', sha: 'w' },
    ],
    [
      { outcome: 'refused', reason: 'a rule', isHeadMoved: true },
      { outcome: 'refused', reason: 'a rule', isHeadMoved: true },
    ],
  ])('goes into the queue of its base: $outcome', async (queued, result) => {
    const done = await merge({ queued }, wanted({ isQueued: true, deleteBranch: 'quorum/2' }));
    expect(done.result).toEqual(result);
    expect(done.calls.slice(1)).toEqual([['enqueue', PULL, HEAD]]);
  });
});

describe('a look at a merge', () => {
  type LookMerge = Extract<EffectData, { kind: 'look-merge' }>;
  const data = (over: Partial<LookMerge> = {}): LookMerge => ({
    kind: 'look-merge',
    thread: PULL,
    branch: 'quorum/2',
    people: [TOM],
    ...over,
  });
  const look = async (context: Setup = {}, over: Partial<LookMerge> = {}) => {
    const stage = createStage(context);
    const { ports, readSettings } = stage;
    const done = await lookAtMerge(data(over), { ports, readSettings });
    expect(done).toMatchObject({ effectKind: 'look-merge', githubCalls: { read: 1 } });
    return { view: done.result, names: stage.names(), calls: stage.calls };
  };

  test('reads around it what was not told, and no more', async () => {
    const { view, names, calls } = await look();
    expect(view).toEqual({
      pull: {
        state: 'open',
        isDraft: false,
        isMerged: false,
        headSha: HEAD,
        baseRef: 'main',
        labels: ['plan'],
        authorId: 99,
        requestedReviewers: [],
        isAutoMerge: false,
        isInQueue: false,
      },
      baseSha: BASE,
      isUpToDate: true,
      reviews: [],
      required: [],
      hasMergeQueue: false,
      methods: ['squash'],
      permissions: { [TOM.id]: 'read' },
      config: defaultConfig(),
    });
    expect(names).toEqual([
      'facts',
      'survey',
      'repository',
      'issue',
      'paths',
      'settings',
      'permission',
    ]);
    expect(calls[0]?.[2]).toMatchObject({ people: [TOM], comments: 0, pastIssues: 0 });
  });

  test('takes what the same call returned', async () => {
    const permissions = new Map([[TOM.id, 'write' as const]]);
    const around = { repository: { headSha: 'tip' }, permissions, files: [], foreign: undefined };
    const { view, names, calls } = await look({ facts: { around } as unknown as MergeSurvey });
    expect(view.permissions).toEqual({ [TOM.id]: 'write' });
    expect(names).toEqual(['facts', 'settings']);
    expect(calls[1]?.[2]).toMatchObject({ facts: { headSha: 'tip' }, paths: around });
  });

  test('tells all that GitHub says of the pull request', async () => {
    const approved = {
      by: { ...TOM, isBot: false },
      permission: 'write',
      state: 'approved',
      submittedAt: at(0),
    } as const;
    const { view } = await look({
      facts: {
        mergeSha: 'm',
        isMergeable: false,
        unresolved: 2,
        requestedReviewers: [{ ...ANA, isBot: false }],
        requestedTeams: ['core'],
        reviews: [
          { ...approved, commitSha: HEAD },
          { ...approved, commitSha: undefined },
        ],
      },
    });
    expect(view.pull).toMatchObject({
      mergeSha: 'm',
      isMergeable: false,
      unresolved: 2,
      requestedReviewers: ['ana', 'core'],
    });
    const { submittedAt: ___, ...told } = approved;
    expect(view.reviews).toEqual([{ ...told, commitSha: HEAD }, told]);
  });

  const report = (state: string, appId?: number): CheckReport => ({
    name: 'ci',
    kind: 'check',
    appId,
    by: undefined,
    state,
    externalId: '',
    url: '',
  });

  test.each<[string, string, CheckReport[], { appId?: number; isHidden?: true }]>([
    ['nothing reported', 'missing', [], {}],
    ['nothing that may be read', 'unreadable', [], { isHidden: true }],
    ['success', 'success', [report('success')], {}],
    ['what was skipped', 'failure', [report('skipped')], {}],
    ['what is neutral beside success', 'failure', [report('success'), report('neutral')], {}],
    ['what goes on beside a failure', 'pending', [report('failure'), report('pending')], {}],
    ['success of another App', 'missing', [report('success', 5)], { appId: 6 }],
    [
      'success of its App, whatever others say',
      'success',
      [report('success', 6), report('failure', 5)],
      { appId: 6 },
    ],
  ])('takes %s for %s', async (___, ...[state, reports, over]) => {
    const check = { name: 'ci', appId: undefined, reports, ...over };
    const { view } = await look({ facts: { required: [check] } });
    expect(view.required).toEqual([{ name: 'ci', state }]);
  });

  test('asks for the events of a queue where there is one', async () => {
    const queue = { facts: { hasQueue: true } };
    const heard = await look({ ...queue, events: ['merge_group'] });
    expect(heard.view).not.toHaveProperty('isQueueUnheard');
    expect(heard.names).toContain('events');
    expect((await look({ ...queue, events: [] })).view.isQueueUnheard).toBe(true);
    expect((await look(queue)).view).not.toHaveProperty('isQueueUnheard');
    expect((await look()).names).not.toContain('events');
  });

  test('says what the receipts prove of this head on this base', async () => {
    expect((await look({}, { proof: proofOf() })).view.proved).toEqual({
      unproved: [],
      isOfBase: true,
      isRetested: false,
    });
    const moved = await look({ facts: { baseTip: MOVED } }, { proof: proofOf() });
    expect(moved.view.proved).toMatchObject({ isOfBase: false });
  });

  test.each<[string, boolean, Setup, string | undefined]>([
    ['have changed', true, { diff: '+on: push' }, BASE],
    ['are the same', false, {}, BASE],
    ['cannot differ, the base is the same', false, { diff: 'x', facts: { baseTip: 'b' } }, 'b'],
    ['were compared by nobody', false, { diff: 'x' }, undefined],
    ['of what is closed do not matter', false, { diff: 'x', facts: { state: 'closed' } }, BASE],
    [
      'of what is up to date do not matter',
      false,
      { diff: 'x', facts: { isUpToDate: true } },
      BASE,
    ],
    ['of a base that is gone are unknown', false, { diff: 'x', facts: { baseTip: '' } }, BASE],
  ])('tells that the workflows of the base %s: %s', async (___, ...[isOld, context, builtOn]) => {
    const facts = { isUpToDate: false, baseTip: MOVED, ...context.facts };
    const over = builtOn === undefined ? {} : { builtOn };
    const { view, calls } = await look({ ...context, facts }, over);
    expect(view.areWorkflowsOld).toBe(isOld ? true : undefined);
    const reads = calls.filter(([name]) => name === 'read' || name === 'diff');
    if (isOld)
      expect(reads).toEqual([
        ['read', REPOSITORY, BASE],
        ['read', REPOSITORY, MOVED],
        ['diff', BASE, expect.any(String)],
      ]);
  });
});
