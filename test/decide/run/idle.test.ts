/** When a repository asks whether it is done, and what it makes of the answer. */
import { describe, expect, test } from 'vitest';
import { decideRepository } from '../../../src/decide/repository.ts';
import type { Decision } from '../../../src/decide/run/decision.ts';
import { EVENT_VERSION, type EventData } from '../../../src/domain/event/event.ts';
import type { RepositoryState } from '../../../src/domain/repository/repository-state.ts';
import type { RestHint, RestView } from '../../../src/domain/repository/rest.ts';
import { PLAN } from '../../helpers/a-task.ts';

const HOUR = 3_600_000;
const NOW = Date.parse('2026-11-22T08:00:00Z');
const { number: _, ...REPOSITORY } = PLAN;
const EMPTY: RepositoryState = {
  v: 1,
  isGone: false,
  runs: 0,
  unchangedRuns: 0,
  changedRuns: 0,
  costUsd: 0,
  last: [],
};
const WELL: RestView = {
  kind: 'well',
  repository: REPOSITORY,
  fullName: 'acme/tidy',
  headSha: 'a'.repeat(40),
  builds: [],
  plans: Array.from({ length: 22 }, (__, n) => ({ number: n + 1, title: '@eve `x`' })),
  since: '2026-11-22T07:00:00Z',
  label: 'done',
};

function play(over: Partial<RepositoryState> = {}) {
  let state: unknown = { ...EMPTY, ...over };
  let count = 0;
  let now = NOW;
  const send = (data: EventData): Decision => {
    count += 1;
    const at = new Date(now).toISOString();
    const event = { id: `e${count}`, key: 'repository:7', version: EVENT_VERSION, at, data };
    const decision = decideRepository(state, event, { now });
    state = JSON.parse(JSON.stringify(decision.state));
    return decision;
  };
  const hint = (after: RestHint) =>
    send({ kind: 'rest-hint', run: 'r', after, repository: REPOSITORY, thread: PLAN });
  return {
    pass: (ms: number) => {
      now += ms;
    },
    looks: (after: RestHint) => hint(after).effects.map(({ data }) => data.kind),
    hint,
    bring: (result: RestView) =>
      send({ kind: 'done', effectKind: 'look-rest', effectId: 'r/1', run: 'r', result }),
    send,
  };
}

describe('a repository', () => {
  test('looks after what is still to be written on the plan', () => {
    const [look] = play().hint('plan').effects;
    expect(look).toMatchObject({ lane: 'plan:thread:7/4', data: { kind: 'look-rest' } });
  });

  test('does not take its status issue for work', () => {
    const world = play({ week: { id: 'w', step: 0, repository: REPOSITORY, issue: 9 } });
    expect(world.hint('plan').effects[0]?.data).toMatchObject({ kind: 'look-rest', status: 9 });
  });

  test('whose health was checked is not checked again within a day, well or not', () => {
    for (const view of [WELL, { kind: 'sick', why: 'ci failed' } as const]) {
      const world = play();
      world.bring(view);
      world.pass(23 * HOUR);
      expect(world.looks('plan')).toEqual([]);
      expect(world.bring(WELL).effects).toEqual([]);
      world.pass(HOUR);
      expect(world.looks('hour')).toEqual(['look-rest']);
    }
  });

  test('that is busy was not checked: it is looked at again', () => {
    const world = play();
    expect(world.bring({ kind: 'awake', why: '#3 is open' }).effects).toEqual([]);
    expect(world.looks('hour')).toEqual(['look-rest']);
  });

  test('waits for the quality loop, at most an hour', () => {
    const world = play();
    expect(world.looks('loop-begun')).toEqual([]);
    expect(world.looks('hour')).toEqual([]);
    expect(world.looks('loop-ended')).toEqual(['look-rest']);
    expect(world.looks('hour')).toEqual(['look-rest']);
    world.hint('loop-begun');
    world.pass(HOUR);
    expect(world.looks('hour')).toEqual(['look-rest']);
  });

  test('that could not be read is not said to be finished', () => {
    const failure = { code: 'github-forbidden', message: 'no', retryable: false } as const;
    const about = { effectKind: 'look-rest' as const, effectId: 'r/1', run: 'r' };
    const { effects, ignored } = play().send({ kind: 'failed', ...about, failure });
    expect([effects, ignored]).toEqual([[], 'look-rest failed: github-forbidden']);
  });

  test('that is well says so in one issue, in which the titles of people change nothing', () => {
    const [issue, ...others] = play().bring(WELL).effects;
    expect(others).toEqual([]);
    expect(issue).toMatchObject({
      lane: 'issues:7',
      data: {
        kind: 'issue',
        title: 'FINISHED: acme/tidy',
        marker: { kind: 'report', key: 'finished' },
        labels: [{ name: 'done' }],
        since: '2026-11-22T07:00:00Z',
      },
    });
    const body = issue?.data.kind === 'issue' ? issue.data.body : '';
    expect(body).toContain("- #1 `@eve 'x'`\n");
    expect(body).toContain('\n- and 2 more\n');
    expect(body).toContain('no workflow or check of another App reports on it');
  });
});
