/** Builds that came to an end, as GitHub tells of them: which are followed, and where. */
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { DeliveryVerdict, Receiver } from '../../src/domain/github/delivery.ts';
import { parseDelivery } from '../../src/events/parse-delivery.ts';
import { readExamples } from '../adapters/http/door.ts';

const SHA = 'a'.repeat(40);
const BASE = {
  action: 'completed',
  installation: { id: 9 },
  repository: { id: 5, full_name: 'acme/tidy', default_branch: 'main' },
  sender: { id: 3, login: 'ana', type: 'User' },
};

function parse(event: string, payload: unknown, receiver: Receiver = {}): DeliveryVerdict {
  const at = '2026-01-02T03:04:05.000Z';
  return parseDelivery({ event, deliveryId: 'd-1', payload, at, ...receiver });
}

function told(event: string, payload: unknown, receiver: Receiver = {}): unknown {
  const verdict = parse(event, payload, receiver);
  const [one] = verdict.events;
  if (verdict.kind === 'ignored') return verdict.reason;
  if (one?.data.kind !== 'trigger' || one.data.trigger.kind !== 'build') throw new Error('other');
  const { where, isRed } = one.data.trigger;
  return { key: one.key, where, isRed };
}

function run(more: Record<string, unknown> = {}): unknown {
  return {
    ...BASE,
    workflow_run: {
      id: 70,
      workflow_id: 7,
      run_attempt: 1,
      event: 'push',
      head_branch: 'main',
      head_sha: SHA,
      conclusion: 'failure',
      head_repository: { id: 5 },
      pull_requests: [],
      ...more,
    },
  };
}

function suite(more: Record<string, unknown> = {}): unknown {
  return {
    ...BASE,
    check_suite: {
      id: 80,
      head_branch: 'main',
      head_sha: SHA,
      conclusion: 'failure',
      app: { id: 33, slug: 'elsewhere' },
      pull_requests: [],
      ...more,
    },
  };
}

const PULL = [{ number: 4, base: { repo: { id: 5 } } }];
const ON_MAIN = {
  key: 'build:5/workflow-7',
  where: { kind: 'branch', source: { kind: 'workflow', id: 7 }, branch: 'main' },
};
const ON_PULL = { key: 'build:5/pull-4', where: { kind: 'pull', number: 4 } };

describe('a workflow’s run', () => {
  test.each(['failure', 'timed_out', 'startup_failure'])(
    'that ended as %s is red',
    (conclusion) => {
      expect(told('workflow_run', run({ conclusion }))).toEqual({ ...ON_MAIN, isRed: true });
    },
  );

  test('that succeeded is green', () => {
    expect(told('workflow_run', run({ conclusion: 'success' }))).toEqual({
      ...ON_MAIN,
      isRed: false,
    });
  });

  test.each(['cancelled', 'skipped', 'neutral', 'action_required', 'stale', null])(
    'that ended as %s says nothing',
    (conclusion) => {
      expect(told('workflow_run', run({ conclusion }))).toMatch(/tells nothing$/);
    },
  );

  test('for a pull request of the repository belongs to that', () => {
    const more = { event: 'pull_request', head_branch: 'change', pull_requests: PULL };
    expect(told('workflow_run', run(more))).toEqual({ ...ON_PULL, isRed: true });
  });

  test('of a pull request into another repository belongs nowhere here', () => {
    const pulls = [{ number: 4, base: { repo: { id: 6 } } }];
    const more = { event: 'pull_request', head_branch: 'main', pull_requests: pulls };
    expect(told('workflow_run', run(more))).toMatch(/neither the default branch/);
  });

  test('of a fork is left alone, whatever its branch is called', () => {
    for (const head of [{ id: 6 }, null])
      expect(told('workflow_run', run({ head_repository: head }))).toBe('a run of a fork');
  });

  test('of a session that the App asked for is left alone: no issue is opened about our own failures', () => {
    const path = '.github/workflows/quorum-code.yml';
    expect(told('workflow_run', run({ path, event: 'repository_dispatch' }))).toBe(
      'a session that the App asked for',
    );
  });

  test('of our own push is reported like any other', () => {
    const payload = { ...(run() as object), sender: { id: 77, login: 'quorum[bot]', type: 'Bot' } };
    expect(told('workflow_run', payload, { botId: 77 })).toEqual({ ...ON_MAIN, isRed: true });
  });

  test('that is sent again is a duplicate, and another attempt is not', () => {
    const keyOf = (more: Record<string, unknown>) =>
      parse('workflow_run', run(more)).events[0]?.dedupKey;
    expect(keyOf({})).toBe(keyOf({}));
    expect(keyOf({ run_attempt: 2 })).not.toBe(keyOf({}));
  });
});

describe('checks of another service', () => {
  test('are followed on the default branch and on a pull request', () => {
    expect(told('check_suite', suite())).toMatchObject({
      key: 'build:5/app-33',
      where: { source: { kind: 'checks', appId: 33 } },
    });
    const more = { head_branch: 'change', pull_requests: PULL };
    expect(told('check_suite', suite(more))).toEqual({ ...ON_PULL, isRed: true });
  });

  test('are not ours, nor those that a workflow tells', () => {
    expect(told('check_suite', suite(), { appId: 33 })).toBe('our own checks');
    expect(told('check_suite', suite({ app: { id: 1, slug: 'github-actions' } }))).toMatch(
      /the workflow tells it/,
    );
  });
});

test('GitHub’s own examples are read', () => {
  const payloads = readExamples()
    .filter(({ event }) => event === 'workflow_run' || event === 'check_suite')
    .map(({ event, payload }) => ({ event, payload: { ...payload, installation: { id: 9 } } }));
  expect(payloads.length).toBeGreaterThan(5);
  const lacking = payloads
    .map(({ event, payload }) => parse(event, payload))
    .filter((verdict) => verdict.kind === 'ignored' && /lacks/.test(verdict.reason));
  expect(lacking).toEqual([]);
});

test('no payload is thrown over', () => {
  fc.assert(
    fc.property(fc.constantFrom('workflow_run', 'check_suite'), fc.anything(), (event, part) => {
      const payload = { ...BASE, [event]: part };
      expect(parse(event, payload).events).toHaveLength(1);
    }),
  );
});
