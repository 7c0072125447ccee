/** What each command leaves behind to be taken back, and what takes it back or keeps it from that. */
import { describe, expect, test } from 'vitest';
import { LABEL_LOOKS } from '../../../../../src/domain/repository/labels.ts';
import type { Done, TaskLines } from '../../../../../src/domain/commands/undo.ts';
import type { PlanState } from '../../../../../src/domain/plan/plan-view.ts';
import type { TaskStatus } from '../../../../../src/domain/plan/plan.ts';
import type { TaskState } from '../../../../../src/domain/plan/task-state.ts';
import { THREAD } from '../../../../helpers/play.ts';
import {
  BEFORE,
  BODY,
  newsOf,
  NOW_ISO,
  PLAN_STATE,
  refusal,
  say,
  saying,
  sumUp,
  type Setup,
} from '../say-on-thread.ts';

const BY = { id: 100, login: 'ana' };
const DIGEST = 'a'.repeat(40);
const LOOK = 'look-plan in plan:thread:7/12, waits';
const JOURNAL = 'write-journal in memory:7';
const GIVEN = { command: '/pm it', by: 'tom', comment: 899 };
const FIRST: Done = { kind: 'hold', command: '/pm hold', by: 'tom', comment: 898 };

function undoing(last: object, plan?: Partial<PlanState>, over: Setup = {}): Setup {
  const state = {
    undos: [{ ...GIVEN, ...last } as Done, FIRST],
    ...(plan && { plan: { ...PLAN_STATE, ...plan } }),
  };
  return { ...over, state };
}

const TAKEN = {
  said: 'Undone: `/pm it` by `tom`.',
  reaction: '+1',
  wants: [] as string[],
  edits: [],
  told: [],
};

function keptAs(why: string) {
  return refusal(`\`/pm it\` cannot be undone: ${why}.`);
}

describe('what is kept', () => {
  test.each([
    ['/pm hold', { kind: 'hold', command: '/pm hold', by: 'ana', comment: 900 }],
    ['/pm pause late', { kind: 'pause', command: '/pm pause late', by: 'ana', comment: 900 }],
    [
      '/pm feedback fine',
      {
        kind: 'never',
        why: 'comment it again with another reason',
        command: '/pm feedback fine',
        by: 'ana',
        comment: 900,
      },
    ],
    [
      '/pm done',
      {
        kind: 'never',
        why: 'reopen the thread; GitHub restores a branch from its pull request',
        command: '/pm done',
        by: 'ana',
        comment: 900,
      },
    ],
  ])('%s is', (words, kept) => {
    const { state } = say(words, { state: { undos: [FIRST] } });
    expect(state.undos).toEqual([kept, FIRST]);
  });

  test.each(['/pm status', '/pm stop', '/pm unhold', '/pm resume', '/pm undo'])(
    'nothing is of %s, which did nothing',
    (words) => {
      expect(say(words).state.undos).toBeUndefined();
    },
  );

  test('ten at most, the newest first; one on a diff without its number', () => {
    const undos = Array.from({ length: 10 }, (_, n): Done => ({ ...FIRST, comment: n }));
    const address = { place: 'review' as const };
    const { state } = say('/pm hold', { state: { undos }, address });
    expect(state.undos).toEqual([
      { kind: 'hold', command: '/pm hold', by: 'ana' },
      ...undos.slice(0, 9),
    ]);
  });
});

describe('/pm undo', () => {
  test('is refused where nothing was done', () => {
    const words = 'There is no command here that can be undone.';
    expect(sumUp(say('/pm undo'))).toEqual(refusal(words));
    expect(sumUp(say('/pm undo', { state: { undos: [] } }))).toEqual(refusal(words));
  });

  test('takes a hold off, and puts one on again', () => {
    const labels = { thread: THREAD, authority: { user: BY, needed: 'write' }, evenPaused: true };
    const held = undoing({ kind: 'hold' }, undefined, { issue: { labels: ['hold'] } });
    const off = say('/pm undo', held);
    expect(sumUp(off)).toEqual({ ...TAKEN, wants: ['labels in talk:thread:7/12'] });
    expect(off.effects).toEqual([{ kind: 'labels', add: [], remove: ['hold'], ...labels }]);
    expect(off.state.undos).toEqual([FIRST]);
    const on = say('/pm undo', undoing({ kind: 'unhold' }));
    const add = [{ name: 'hold', ...LABEL_LOOKS.hold }];
    expect(sumUp(on)).toEqual({ ...TAKEN, wants: ['labels in talk:thread:7/12'] });
    expect(on.effects).toEqual([{ kind: 'labels', add, remove: [], ...labels }]);
  });

  const pause = { by: 'tom', why: '', at: BEFORE };

  test.each([
    [{ kind: 'pause' }, {}],
    [{ kind: 'pause', pause }, { pause }],
  ])('puts the repository back to what it was: %j', (last, kept) => {
    const came = say('/pm undo', undoing(last));
    expect(sumUp(came)).toEqual(TAKEN);
    expect(came.told).toEqual([
      { key: 'repository:7', data: { kind: 'paused', run: expect.any(String) as string, ...kept } },
    ]);
  });

  test.each([
    [{ kind: 'model' }, {}],
    [{ kind: 'model', model: 'opus' }, { model: 'opus' }],
  ])('goes back to the model before: %j', (last, choice) => {
    const came = say('/pm undo', undoing(last));
    expect(sumUp(came)).toEqual(TAKEN);
    expect(came.state.switches).toEqual([{ ...choice, by: 'ana', at: NOW_ISO, commentId: 900 }]);
  });

  test('takes nothing back that cannot be, and keeps it', () => {
    const came = say('/pm undo', undoing({ kind: 'never', why: 'it is merged' }));
    expect(sumUp(came)).toEqual(keptAs('it is merged'));
    expect(came.state.undos).toHaveLength(2);
  });
});

describe('/pm undo of an approval or a rejection', () => {
  const yes = { by: BY, digest: DIGEST, how: 'command', at: BEFORE } as const;
  const no = { by: 'ana', digest: DIGEST };
  const before = {
    approval: { ...yes, digest: 'b'.repeat(40) },
    rejected: { by: 'tom', digest: 'c'.repeat(40) },
  };
  const last = { kind: 'answer', digest: DIGEST };

  test.each([
    [{ approval: yes }, {}],
    [{ rejected: no }, {}],
    [{ approval: yes }, before],
    [{ rejected: no }, { approval: before.approval }],
    [{ rejected: no }, { rejected: before.rejected }],
  ])('%j becomes %j again', (plan, kept) => {
    const tasks = { 1: newsOf(1, { state: 'completed' }) };
    const came = say('/pm undo', undoing({ ...last, ...kept }, { ...plan, tasks }));
    expect(sumUp(came)).toEqual({
      ...TAKEN,
      wants: Object.keys(kept).length > 0 ? [LOOK, JOURNAL] : [LOOK],
    });
    const { approval, rejected } = came.state.plan ?? {};
    expect({ ...(approval && { approval }), ...(rejected && { rejected }) }).toEqual(kept);
    expect(came.state.undos).toEqual([FIRST]);
  });

  const another = 'the plan has changed since then';
  const begun = 'work on it has started; `/pm stop` ends it';
  const busy = (state: TaskState): Partial<PlanState> => ({
    approval: yes,
    tasks: { 1: newsOf(1, { state: 'released' }), 2: newsOf(2, { state }) },
  });

  test.each([
    ['no plan is there', undefined, another],
    ['nothing was said of it', {}, another],
    ['the yes is of another text', { approval: before.approval }, another],
    ['the no is of another text', { rejected: before.rejected }, another],
    ['a newer yes is of another text', { approval: before.approval, rejected: no }, another],
    ['a task is claimed', busy('claimed'), begun],
    ['a task is written', busy('in_progress'), begun],
    ['a task is at the gates', busy('verifying'), begun],
    ['a task is in review', busy('in_review'), begun],
  ])('is refused where %s', (_, plan, why) => {
    const came = say('/pm undo', undoing({ ...last, ...before }, plan));
    expect(sumUp(came)).toEqual(keptAs(why));
    expect(came.state.plan?.approval).toEqual(plan?.approval);
    expect(came.state.undos).toHaveLength(2);
  });
});

describe('/pm undo of a task’s lines', () => {
  const lines = (status: TaskStatus, assignee = '', reason = ''): TaskLines => ({
    status,
    assignee,
    reason,
  });
  const last = {
    kind: 'task',
    task: 1,
    before: lines('pending', 'tom'),
    after: lines('claimed', 'ana', 'mine'),
  };
  const onBody = (body: string, over: object = {}): Setup =>
    undoing({ ...last, ...over }, {}, { issue: { body } });

  test('restores the previous lines, and reads the plan', () => {
    const came = say('/pm undo', onBody(saying({ 1: ['claimed', 'ana', 'mine'] })));
    expect(sumUp(came)).toEqual({
      ...TAKEN,
      wants: ['plan-edit in plan:thread:7/12', LOOK],
      edits: [
        { kind: 'status', task: 1, status: 'pending' },
        { kind: 'assignee', task: 1, assignee: 'tom' },
      ],
    });
  });

  test('with its reason', () => {
    const over = { before: lines('blocked', 'tom', 'no key'), after: lines('blocked', '', 'no') };
    const came = say('/pm undo', onBody(saying({ 1: ['blocked', '', 'no'] }), over));
    expect(sumUp(came).edits).toMatchObject([{ status: 'blocked', reason: 'no key' }, {}]);
  });

  test.each([
    ['another status', saying({ 1: ['in_progress', 'ana', 'mine'] })],
    ['another assignee', saying({ 1: ['claimed', 'tom', 'mine'] })],
    ['another reason', saying({ 1: ['claimed', 'ana', 'yours'] })],
    ['no such task', '# [PLAN] Nothing\n'],
  ])('is refused for %s', (_, body) => {
    const came = say('/pm undo', onBody(body));
    expect(sumUp(came)).toEqual(keptAs('task 1 has changed since then'));
    expect(came.state.undos).toHaveLength(2);
  });

  test('is refused where no plan is kept', () => {
    const issue = { body: saying({ 1: ['claimed', 'ana', 'mine'] }) };
    const came = say('/pm undo', undoing(last, undefined, { issue }));
    expect(sumUp(came)).toEqual(keptAs('task 1 has changed since then'));
  });

  test('is refused where no step leads back', () => {
    const over = { after: lines('completed'), before: lines('pending') };
    const came = say('/pm undo', onBody(saying({ 1: ['completed'] }, BODY), over));
    expect(sumUp(came)).toEqual(keptAs('task 1 has gone on'));
  });
});
