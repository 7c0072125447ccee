/** What a look at an approved plan takes up: answers of people, work that was found, documents that lack, and the end. */
import { describe, expect, test } from 'vitest';
import { parsePlan } from '../../../src/domain/plan/body/parse-plan.ts';
import { planDigest } from '../../../src/domain/plan/plan-digest.ts';
import type { PlanState, PlanView } from '../../../src/domain/plan/plan-view.ts';
import { ANA, PLAN, TOM } from '../../helpers/a-task.ts';
import {
  AT,
  BODY,
  DIGEST,
  digestOf,
  LANE,
  newsOf,
  ofKind,
  saying,
  show,
  tell,
  viewOf,
  wordsIn,
  YES,
} from './show-plan.ts';

describe('answers of people', () => {
  const said: PlanView['said'] = [
    { kind: 'question', task: 1 },
    { kind: 'said', by: TOM, text: 'Yes, delete it.' },
    { kind: 'question', task: 3 },
  ];
  const waits = { state: 'blocked', asks: true } as const;

  test('restart the task that asked, and no other', () => {
    const tasks = { 1: newsOf(1, waits), 3: newsOf(3, waits) };
    const body = saying({ 1: ['blocked'], 3: ['blocked'] });
    const came = show({ tasks }, viewOf(body, { said }));
    expect(wordsIn(came)).toEqual([
      { key: 'task:7/4-1', word: 'again', by: TOM, why: '', answer: 'Yes, delete it.' },
    ]);
    expect(came.told[0]?.id).toBe('p/answer-1');
    expect(ofKind(came, 'plan-edit')).toEqual([
      {
        kind: 'plan-edit',
        thread: PLAN,
        edits: [{ kind: 'status', task: 1, status: 'pending' }],
      },
    ]);
    expect(came.wants.slice(0, 2)).toEqual([`plan-edit in ${LANE}`, `look-plan in ${LANE}, waits`]);
    expect(Object.keys(came.plan.tasks ?? {})).toEqual(['3']);
    expect(came.plan.looking).toBe('p/3-look-plan');
  });

  test.each([
    ['nobody asked', { 1: newsOf(1, { state: 'blocked' }) }, said],
    ['another one asked', { 3: newsOf(3, waits) }, said],
    ['nothing was said', { 1: newsOf(1, waits) }, undefined],
  ])('are not found when %s', (_, tasks, heard) => {
    const came = show({ tasks }, viewOf(BODY, heard && { said: heard }));
    expect(wordsIn(came)).toEqual([]);
    expect(ofKind(came, 'plan-edit')).toEqual([]);
    expect(came.plan).not.toHaveProperty('looking');
  });

  test('a look receives what it must find out', () => {
    const read = (plan: Partial<PlanState>) =>
      tell(plan, {
        kind: 'trigger',
        trigger: { kind: 'edited', thread: PLAN, actor: { ...ANA, isBot: false } },
      }).effects;
    const look = { kind: 'look-plan', thread: PLAN };
    const shown = { digest: DIGEST, at: AT };
    expect(read({})).toEqual([{ ...look, isUnknown: true }]);
    expect(read({ tasks: { 1: newsOf(1, waits), 3: newsOf(3, {}) } })).toEqual([
      { ...look, held: [3], hasQuestions: true },
    ]);
    expect(read({ tasks: {}, isWaiting: true, commentId: 5, shown, labelledBy: TOM })).toEqual([
      { ...look, actor: TOM, thumbs: { commentId: 5, since: AT } },
    ]);
    expect(read({ tasks: {}, commentId: 5, shown })).toEqual([look]);
    expect(read({ tasks: {}, isWaiting: true, shown })).toEqual([look]);
  });
});

describe('work that GitHub shows', () => {
  const found = {
    task: 3,
    attempt: 2,
    run: 'r',
    persona: 'maya',
    pull: { number: 9, url: 'u' },
    headSha: 'h',
    isReviewed: false,
  };
  const view = viewOf(BODY, { found: [{ ...found, task: 8 }, found] });

  test('is taken up by its task', () => {
    const came = show({ approval: YES }, view);
    const news = came.told.filter(({ data }) => data.kind === 'task-found');
    expect(news).toMatchObject([
      {
        key: 'task:7/4-3',
        id: 'p/found-1',
        data: {
          run: 'p',
          found,
          order: { ref: { plan: PLAN, task: 3 }, persona: 'maya', approvedBy: ANA },
        },
      },
    ]);
    expect(came.plan.tasks).toEqual({
      3: { task: 3, state: 'in_review', persona: 'maya', attempt: 1, pull: found.pull, at: AT },
    });
    expect(came.plan.begun).toEqual({ 3: digestOf(3) });
  });

  test.each([
    ['without a yes', {}],
    ['with a yes to another text', { approval: { ...YES, digest: 'f'.repeat(40) } }],
    [
      'of which something was heard',
      { approval: YES, tasks: { 3: newsOf(3, { state: 'blocked' }) } },
    ],
  ] as const)('is left alone %s', (_, plan) => {
    const came = show(plan, view);
    expect(came.told.filter(({ data }) => data.kind === 'task-found')).toEqual([]);
    expect(came.plan).not.toHaveProperty('begun');
  });
});

describe('tasks for documents that lack', () => {
  const label = { id: 11, login: 'ana' };

  test('are put in before anybody says yes, and the plan is read again', () => {
    const came = show({ labelledBy: label }, viewOf(BODY, { docs: [] }));
    expect(came.effects).toMatchObject([
      {
        kind: 'plan-edit',
        thread: PLAN,
        edits: [{ kind: 'insert', from: DIGEST, tasks: [{ number: 4 }, { number: 5 }] }],
      },
      { kind: 'look-plan' },
    ]);
    expect(came.wants).toEqual([`plan-edit in ${LANE}`, `look-plan in ${LANE}, waits`]);
    expect(came.plan).toMatchObject({ docsTries: 1, looking: 'p/2-look-plan' });
    expect(came.plan).not.toHaveProperty('labelledBy');
    expect(show({ docsTries: 2 }, viewOf(BODY, { docs: [] })).plan.docsTries).toBe(3);
  });

  test.each([
    ['nobody wants them', {}, undefined, undefined],
    ['there is a yes', { approval: YES }, [], undefined],
    ['something was begun', { tasks: {} }, [], undefined],
    ['it was tried often enough', { docsTries: 3 }, [], 3],
    ['they are there', {}, ['CLAUDE.md', 'SCENARIOS.md'], 3],
  ] as [string, Partial<PlanState>, string[] | undefined, number | undefined][])(
    'are not where %s',
    (...[, plan, docs, tries]) => {
      const came = show({ ...plan, labelledBy: label }, viewOf(BODY, docs && { docs }));
      expect(ofKind(came, 'plan-edit')).toEqual([]);
      expect(came.comment).not.toBe('');
      expect(came.plan.docsTries).toBe(tries);
    },
  );
});

test('the last task that is done closes the plan, once, with what shows it', () => {
  const body = saying({ 1: ['completed'], 2: ['completed'], 3: ['completed'] });
  const digest = planDigest(parsePlan(body));
  const merged = (task: number, over = {}) =>
    newsOf(task, {
      state: 'completed',
      mergeSha: 'b'.repeat(40),
      pull: { number: 20 + task, url: '' },
      ...over,
    });
  const tasks = { 1: merged(1), 2: merged(2, { attempt: 2 }), 3: merged(3) };
  const came = show({ approval: { ...YES, digest }, tasks }, viewOf(body));
  const [edit] = ofKind(came, 'plan-edit');
  expect(edit?.edits).toEqual([
    { kind: 'tick', check: 0, isTicked: true },
    { kind: 'tick', check: 1, isTicked: true },
  ]);
  expect(ofKind(came, 'close')).toEqual([{ kind: 'close', thread: PLAN, reason: 'completed' }]);
  const [report] = ofKind(came, 'comment');
  const sha = 'b'.repeat(12);
  expect(report).toMatchObject({
    isNew: true,
    marker: { kind: 'report', run: 'p', key: 'complete' },
    body: [
      '### Plan complete',
      'All 3 tasks are merged.',
      `- Task 1: #21, merged as ${sha}\n- Task 2: #22, merged as ${sha}, at attempt 2\n- Task 3: #23, merged as ${sha}`,
      '**Verification**\n\n- [x] All tasks completed: shown by the gates of #21, #22, #23\n- [x] Tests pass: shown by the gates of #21, #22, #23\n- [ ] Integration works: no gate proves it; tick it if it holds',
    ].join('\n\n'),
  });
  expect(came.plan.isComplete).toBe(true);
  const again = show({ approval: { ...YES, digest }, tasks, isComplete: true }, viewOf(body));
  expect(ofKind(again, 'close')).toEqual([]);
  const byHand = show({}, viewOf(body));
  expect(ofKind(byHand, 'plan-edit')).toEqual([]);
  expect(ofKind(byHand, 'comment')[0]?.body).toContain(
    'All 3 tasks are completed.\n\n- Task 1: completed by hand',
  );
});

test('the thread that a plan grew from gets one comment; a plan that grew from nothing writes none', () => {
  const body = saying({ 1: ['completed'], 2: ['completed'], 3: ['completed'] });
  const toldTo = (plan: Partial<PlanState>) =>
    ofKind(show(plan, viewOf(body)), 'comment').filter(({ marker }) => marker.key === 'source');
  expect(toldTo({ grewFrom: 3 })).toMatchObject([
    {
      thread: { ...PLAN, number: 3 },
      marker: { kind: 'report', run: 'p' },
      unlessLabelled: 'quorum:skip',
      body: `Plan #${PLAN.number} is complete: all 3 tasks are completed. It was made from this thread. Nothing more is needed here, unless something is missing.`,
    },
  ]);
  expect(toldTo({ grewFrom: 3, isComplete: true })).toEqual([]);
  expect(toldTo({})).toEqual([]);
});
