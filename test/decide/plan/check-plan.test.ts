/**
 * What a look at a plan causes: what ends, what is released, what people read, and when Quorum
 * looks again.
 */
import { describe, expect, test } from 'vitest';
import { defaultConfig } from '../../../src/domain/config/config.ts';
import { LABEL_LOOKS } from '../../../src/domain/repository/labels.ts';
import type { PlanState, PlanView } from '../../../src/domain/plan/plan-view.ts';
import { aPlanBody } from '../../helpers/a-plan.ts';
import { PLAN } from '../../helpers/a-task.ts';
import {
  BODY,
  digestOf,
  LANE,
  newsOf,
  ofKind,
  saying,
  show,
  viewOf,
  wordsIn,
  YES,
} from './show-plan.ts';

const NOBODY = { id: 0, login: 'the plan' };
const BROKEN = BODY.replace('**Dependencies:** Task 1', '**Dependencies:** Task 9');
const BUSY = { 1: newsOf(1, {}), 2: newsOf(2, { state: 'blocked' }) };
const COMMENT = `comment in ${LANE}, waits`;

const BASE = viewOf();
const REFUSED: [string, PlanView, string][] = [
  [
    'switched off',
    { ...BASE, config: { ...BASE.config, enabled: false } },
    'Quorum is switched off here (`enabled: false`)',
  ],
  [
    'archived',
    { ...BASE, repository: { ...BASE.repository, isArchived: true } },
    'the repository is archived',
  ],
  ['a pull request', viewOf(BODY, {}, { isPull: true }), 'a pull request is no plan'],
  ['closed', viewOf(BODY, {}, { state: 'closed' }), 'the plan is closed'],
  ['locked', viewOf(BODY, {}, { isLocked: true }), 'the conversation is locked'],
  ['without its label', viewOf(BODY, {}, { labels: ['other'] }), 'it is no plan any more'],
  [
    'to be skipped',
    viewOf(BODY, {}, { labels: ['plan', 'quorum:skip'] }),
    'a label keeps the team out',
  ],
  ['complete', viewOf(BODY, {}, { labels: ['plan', 'plan:complete'] }), 'the plan is complete'],
  [
    'superseded',
    viewOf(BODY, {}, { labels: ['plan', 'plan:superseded'] }),
    'another plan took over',
  ],
];

describe('something that is no longer a plan', () => {
  test.each(REFUSED)('is left alone: %s', (_, view, ignored) => {
    const came = show({ approval: YES }, view);
    expect(came).toMatchObject({ effects: [], told: [], ignored });
    expect(came.plan).not.toHaveProperty('looking');
  });

  test.each(REFUSED)('gives back what is worked on: %s', (_, view, why) => {
    const came = show({ approval: YES, tasks: BUSY }, view);
    expect(wordsIn(came)).toEqual([{ key: 'task:7/4-1', word: 'release', by: NOBODY, why }]);
    expect(came.told.map(({ id }) => id)).toEqual(['p/stop-1']);
    expect(came.effects).toEqual([]);
    expect(came.ignored).toBeUndefined();
  });

  test('is known by the name that its label has here', () => {
    const base = defaultConfig();
    const config = { ...base, labels: { ...base.labels, plan: 'vorhaben' } };
    const named = viewOf(BODY, { config }, { labels: ['vorhaben'] });
    expect(show({}, named).comment).not.toBe('');
    expect(show({}, viewOf(BODY, { config })).ignored).toBe('it is no plan any more');
  });

  test('a look that is not the last one says nothing', () => {
    const came = show({ looking: 'p/later' }, viewOf());
    expect(came).toMatchObject({
      effects: [],
      told: [],
      ignored: 'the plan is read again already',
    });
    expect(came.plan.looking).toBe('p/later');
  });
});

describe('a plan with errors', () => {
  test('stops what is worked on, and says it in the comment and in a check', () => {
    const came = show({ approval: YES, tasks: BUSY }, viewOf(BROKEN));
    const why = 'the plan has errors';
    expect(wordsIn(came)).toEqual([{ key: 'task:7/4-1', word: 'release', by: NOBODY, why }]);
    expect(came.wants).toEqual([COMMENT, `labels in ${LANE}`, `check in ${LANE}`]);
    expect(came.comment).toContain('### Plan: fix one error before any task can start');
    expect(ofKind(came, 'labels')).toEqual([
      {
        kind: 'labels',
        thread: PLAN,
        add: [{ name: 'plan:blocked', ...LABEL_LOOKS['plan:blocked'] }],
        remove: [],
        has: ['plan'],
      },
    ]);
    expect(ofKind(came, 'check')).toMatchObject([
      {
        headSha: 'a'.repeat(40),
        checks: [{ name: 'quorum / plan', conclusion: 'failure', title: '#4: 1 error' }],
      },
    ]);
    expect(came.plan.hasFailed).toBe(true);
    expect(came.plan).not.toHaveProperty('timer');
  });

  test('counts the things, each with its line', () => {
    const came = show({}, viewOf('# [PLAN] x\n\n## Tasks\n\n### Task 1: \n\n### Task 1: b\n'));
    const [check] = ofKind(came, 'check')[0]?.checks ?? [];
    expect(check?.title).toMatch(/^#4: \d errors$/);
    expect(check?.summary).toMatch(/^- line \d+: .+\n- line \d+: /);
  });

  test('passes the check once the errors are fixed, and reports it once', () => {
    const came = show({ hasFailed: true }, viewOf());
    expect(ofKind(came, 'check')).toMatchObject([
      { checks: [{ conclusion: 'success', title: '#4: no errors', summary: '' }] },
    ]);
    expect(came.plan).not.toHaveProperty('hasFailed');
    expect(ofKind(show({}, viewOf()), 'check')).toEqual([]);
  });

  test('has no check in a repository without a commit', () => {
    const view = viewOf(BROKEN);
    const empty = { ...view, repository: { ...view.repository, headSha: '' } };
    const came = show({}, empty);
    expect(came.wants).toEqual([COMMENT, `labels in ${LANE}`]);
    expect(came.plan.hasFailed).toBe(true);
  });
});

describe('a task whose text was changed', () => {
  const edited = BODY.replace('Thing 1 does', 'Thing 1 never does');
  const begun = { 1: digestOf(1), 2: digestOf(2), 3: digestOf(3) };

  test.each([
    [edited, begun, true],
    [edited, { 1: digestOf(1).slice(0, 12) }, true],
    [edited, {}, false],
    [BODY, begun, false],
    [BODY, { 1: digestOf(1).slice(0, 12) }, false],
    [
      aPlanBody({ tasks: [] }).replace(
        '## Tasks',
        '## Tasks\n\n### Task 3: Else\n\n**Status:** pending\n',
      ),
      begun,
      true,
    ],
  ])('is stopped: case %#', (body, before, isStopped) => {
    const came = show({ tasks: BUSY, begun: before }, viewOf(body));
    const word = { key: 'task:7/4-1', word: 'release', by: NOBODY, why: 'its text was changed' };
    expect(wordsIn(came)).toEqual(isStopped ? [word] : []);
  });
});

describe('a task that nobody holds', () => {
  const body = saying({ 1: ['claimed', 'tom'], 3: ['in_progress', 'dev'] });

  test('is given back with what its last holder said of it', () => {
    const unheld: PlanView['unheld'] = [
      { task: 1 },
      { task: 3, end: { status: 'completed', reason: '#9' } },
      { task: 8 },
    ];
    const came = show({}, viewOf(body, { unheld }));
    expect(ofKind(came, 'plan-edit')).toEqual([
      {
        kind: 'plan-edit',
        thread: PLAN,
        edits: [
          { kind: 'status', task: 1, status: 'pending', reason: 'tom does not hold it any more' },
          { kind: 'assignee', task: 1, assignee: '' },
        ],
        only: { task: 1, digest: digestOf(1) },
        insteadOf: 'claimed',
      },
      {
        kind: 'plan-edit',
        thread: PLAN,
        edits: [{ kind: 'status', task: 3, status: 'completed', reason: '#9' }],
        only: { task: 3, digest: digestOf(3) },
        insteadOf: 'in_progress',
      },
    ]);
    expect(came.wants.slice(0, 2)).toEqual([`plan-edit in ${LANE}`, `plan-edit in ${LANE}`]);
  });
});

describe('the labels', () => {
  const add = (label: 'plan:blocked' | 'plan:active') => ({ name: label, ...LABEL_LOOKS[label] });
  const stuck = saying({ 1: ['blocked'], 3: ['completed'] });
  const all = ['plan', 'plan:blocked', 'plan:active'];

  test.each([
    ['nobody has said yes', BODY, {}, ['plan'], undefined],
    [
      'a yes makes it active',
      BODY,
      { approval: YES },
      ['plan'],
      { add: [add('plan:active')], remove: [] },
    ],
    ['it says so already', BODY, { approval: YES }, ['plan', 'plan:active'], undefined],
    ['others come off', BODY, {}, all, { add: [], remove: all.slice(1) }],
    [
      'it is stuck',
      stuck,
      { approval: YES },
      ['plan', 'plan:active'],
      { add: [add('plan:blocked')], remove: ['plan:active'] },
    ],
    ['something can begin', saying({ 1: ['blocked'] }), {}, ['plan'], undefined],
    [
      'something goes on',
      saying({ 1: ['blocked'], 3: ['claimed', 'tom'] }),
      {},
      ['plan'],
      undefined,
    ],
    [
      'somebody is at it',
      saying({ 1: ['blocked'], 3: ['in_progress', 'tom'] }),
      {},
      ['plan'],
      undefined,
    ],
  ] as [string, string, Partial<PlanState>, string[], object | undefined][])(
    'show the state of the plan: %s',
    (...[, body, plan, labels, change]) => {
      const wanted = ofKind(show(plan, viewOf(body, {}, { labels })), 'labels');
      expect(wanted).toMatchObject(change === undefined ? [] : [change]);
      expect(wanted.map(({ has }) => has)).toEqual(change === undefined ? [] : [labels]);
    },
  );
});
