/** A status that somebody set by hand is taken, put back, or written again. */
import { describe, expect, test } from 'vitest';
import type { PlanState } from '../../../src/domain/plan/plan-view.ts';
import type { TaskState } from '../../../src/domain/plan/task-state.ts';
import type { TaskStatus } from '../../../src/domain/plan/plan.ts';
import { LEASE, ORDER, PLAN, TOM } from '../../helpers/a-task.ts';
import { digestOf, newsOf, ofKind, saying, show, viewOf, wordsIn, YES } from './show-plan.ts';

describe('a status that somebody set by hand', () => {
  const holds = { lease: { ...LEASE, task: 1 }, leaseAt: ORDER.lease, digest: digestOf(1) };
  /** The plan was read before with these words, and its first task is so. */
  const before = (word: TaskStatus, state?: TaskState): Partial<PlanState> => ({
    approval: YES,
    words: { 1: { status: word, reason: 'old', digest: digestOf(1) } },
    ...(state && { tasks: { 1: newsOf(1, { state, holds }) } }),
  });
  const hand = (from?: TaskStatus) => [
    { task: 1, by: TOM, permission: 'write' as const, ...(from && { from }) },
  ];

  test.each([
    ['pending', before('claimed', 'claimed'), 'dev', 'release'],
    ['claimed', before('claimed', 'claimed'), 'tom', 'release'],
    ['blocked', before('claimed', 'in_review'), 'dev', 'block'],
    [
      'completed',
      { ...before('in_progress', 'in_review'), from: 'in_progress' },
      'dev',
      'complete',
    ],
    ['pending', before('blocked'), '', 'again'],
  ] as const)('to %s is reported to its task: case %#', (...[status, plan, assignee, word]) => {
    const { from, ...kept } = { from: undefined, ...plan };
    const view = viewOf(saying({ 1: [status, assignee, 'so'] }), { hands: hand(from) });
    const came = show(kept, view);
    const isEnd = word !== 'again';
    expect(wordsIn(came)).toEqual([
      {
        key: 'task:7/4-1',
        word,
        by: TOM,
        why: isEnd ? 'so' : '',
        ...(isEnd && { isWritten: true }),
      },
    ]);
    expect(came.told.map(({ id }) => id)).toContain('p/hand-1');
    expect(ofKind(came, 'plan-edit')).toEqual([]);
    expect(came.plan).not.toHaveProperty('putBack');
  });

  test.each([
    [
      'no step leads there',
      before('completed'),
      'pending',
      '`pending` does not follow `completed`',
    ],
    ['they may not write', before('pending'), 'blocked', '`tom` may not write here'],
  ] as const)('is put back where %s', (...[, plan, status, why]) => {
    const permission = why.includes('may not') ? 'triage' : 'write';
    const hands = [{ task: 1, by: TOM, permission } as const];
    const came = show(plan, viewOf(saying({ 1: [status] }), { hands }));
    const to = plan.words?.['1']?.status;
    expect(came.plan.putBack).toEqual({ 1: { by: 'tom', word: status, to, why } });
    expect(ofKind(came, 'plan-edit')).toEqual([
      {
        kind: 'plan-edit',
        thread: PLAN,
        edits: [{ kind: 'status', task: 1, status: to, reason: 'old' }],
        only: { task: 1, digest: digestOf(1) },
        insteadOf: status,
      },
    ]);
    expect(came.plan.words?.['1']).toMatchObject({ status: to, reason: 'old' });
    expect(wordsIn(came)).toEqual([]);
  });

  test.each([
    ['what was completed says so again', before('completed'), 'pending', true],
    ['what was pending may be anything', before('pending'), 'completed', false],
    ['there is no yes', { ...before('completed'), approval: undefined as never }, 'pending', false],
    [
      'it is another text',
      { ...before('completed'), words: { 1: { status: 'completed', reason: '', digest: 'x' } } },
      'pending',
      false,
    ],
    ['it is as expected', before('completed'), 'completed', false],
  ] as [string, Partial<PlanState>, TaskStatus, boolean][])(
    'by nobody in particular: %s',
    (...[, plan, status, isWritten]) => {
      const { approval, ...rest } = plan;
      const kept = approval === undefined ? rest : plan;
      const edits = ofKind(show(kept, viewOf(saying({ 1: [status] }))), 'plan-edit');
      expect(edits).toHaveLength(isWritten ? 1 : 0);
      if (isWritten)
        expect(edits[0]?.edits).toMatchObject([{ status: 'completed', reason: 'old' }]);
    },
  );

  const pull = { number: 9, url: '' };
  test.each([
    ['the claim', {}, 'pending', [{ status: 'claimed' }, { assignee: 'dev' }]],
    ['its pull request', { pull }, 'claimed', [{ status: 'in_progress', reason: '#9' }, {}]],
    ['nothing over what was blocked', { pull }, 'completed', []],
  ] as const)('is written as %s again by the task that holds it', (...[, over, status, edits]) => {
    const plan = before('claimed', 'in_progress');
    const tasks = { 1: newsOf(1, { holds, ...over }) };
    const came = show({ ...plan, tasks }, viewOf(saying({ 1: [status] })));
    const wanted = ofKind(came, 'plan-edit');
    expect(wanted.flatMap((each) => each.edits)).toMatchObject([...edits]);
    const { lease, leaseAt } = holds;
    for (const each of wanted) expect(each.holds).toEqual({ lease, leaseAt });
  });
});
