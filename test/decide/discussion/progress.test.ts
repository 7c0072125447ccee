/** What people see of a run under way: the one live comment, and in thread style each voice's own. */
import { describe, expect, test } from 'vitest';
import { showProgress } from '../../../src/decide/discussion/progress.ts';
import type { Contribution } from '../../../src/domain/run/council.ts';
import type { Run } from '../../../src/domain/run/state/run-record.ts';
import { aRun, contextOf, wantedBy } from '../../helpers/a-run.ts';
import { aPosition } from '../../helpers/an-issue.ts';
import { THREAD } from '../../helpers/play.ts';

const LANE = { lane: 'write:thread:7/12' };

function said(handle: string, over: Partial<Contribution> = {}): Contribution {
  const position = aPosition({ reasons: `${handle} has reasons.`, line: 'small' });
  return { handle, name: handle, role: 'Reviewer', round: 1, outcome: 'said', position, ...over };
}

function show(style: 'live' | 'thread', over: Partial<Run<'issue_review'>> = {}) {
  const run = aRun('issue_review', over);
  run.settings.style = style;
  const context = contextOf(run);
  showProgress(context);
  return { run, effects: wantedBy(context).effects };
}

describe('the live comment', () => {
  test.each([
    ['active', {}],
    ['blocked', { stage: 'waiting' }],
    ['consensus', { stage: 'ended' }],
    ['closed', { stage: 'ended' }],
  ] as const)('of a run that is %s says how far it is', (status, stage) => {
    const { run, effects } = show('live', { status });
    expect(effects).toEqual([
      {
        kind: 'comment',
        thread: THREAD,
        marker: { kind: 'run', run: run.id, key: 'live', ...stage },
        body: expect.stringContaining('###'),
        isNew: true,
        ...LANE,
        slot: `${run.id}/live`,
      },
    ]);
    expect(run.written).toEqual(['live']);
  });

  test('is new once', () => {
    const { effects } = show('live', { written: ['live'] });
    expect(effects[0]).not.toHaveProperty('isNew');
  });
});

describe('in thread style', () => {
  const CONTRIBUTIONS = [
    said('maya'),
    said('priya', { outcome: 'skipped' }),
    said('dev'),
    said('maya', { round: 2 }),
  ];
  const keys = (effects: readonly object[]): unknown[] =>
    effects.map((effect) => ('marker' in effect ? effect.marker : undefined));

  test('each voice that said something has a comment of its own, before the live one', () => {
    const { run, effects } = show('thread', { contributions: CONTRIBUTIONS });
    const own = (key: string) => ({ kind: 'run', run: run.id, key });
    expect(keys(effects)).toEqual(['maya-1', 'dev-1', 'maya-2', 'live'].map(own));
    expect(effects[0]).toEqual({
      kind: 'comment',
      thread: THREAD,
      marker: own('maya-1'),
      body: '**maya** · Reviewer\n\nmaya has reasons.\n\n**ready**, sure 0.7: small',
      isNew: true,
      ...LANE,
    });
    expect([run.posted, run.written]).toEqual([3, ['maya-1', 'dev-1', 'maya-2', 'live']]);
  });

  test('what was posted is not posted again', () => {
    const { run, effects } = show('thread', { contributions: CONTRIBUTIONS, posted: 2 });
    expect(keys(effects)).toMatchObject([{ key: 'maya-2' }, { key: 'live' }]);
    expect(run.posted).toBe(3);
  });

  test('a comment that was written before is not new', () => {
    const { effects } = show('thread', { contributions: [said('maya')], written: ['maya-1'] });
    expect(effects[0]).not.toHaveProperty('isNew');
  });

  test('in live style nobody has one', () => {
    const { run, effects } = show('live', { contributions: CONTRIBUTIONS });
    expect(keys(effects)).toMatchObject([{ key: 'live' }]);
    expect(run.posted).toBe(0);
  });
});
