/** What goes wrong between the App and GitHub, chosen by chance: every kind of fault that the embedded GitHub knows. */
import type { Fault, HookFaultRule } from '../../src/emulator/github/behave/faults.ts';
import type { GitHubEmulator } from '../../src/emulator/github/emulator-interface.ts';
import type { Chance } from './chance.ts';

const SECONDARY_LIMIT = { message: 'You have exceeded a secondary rate limit.' };

/** Of any call but reactions: what cannot be reacted to is let be. */
const ANY = /^\/(?!.*\/reactions)/;
/** What sounds final is doubted about a repository only: of the App itself it would be true. */
const REPOSITORY = /^\/repos\/(?!.*\/reactions)/;
const LISTS = /\/(?:comments|reviews|check-runs|issues|pulls|reactions)$/;
const WRITES = ['POST', 'PATCH', 'PUT', 'DELETE'] as const;

const PATHS = { any: ANY, repository: REPOSITORY, write: ANY, list: LISTS } as const;

interface Mishap {
  fault: Fault;
  on: 'any' | 'repository' | 'write' | 'list';
}

const MISHAPS: readonly [Mishap, ...Mishap[]] = [
  { fault: { kind: 'status', status: 500 }, on: 'any' },
  { fault: { kind: 'status', status: 404, body: { message: 'Not Found' } }, on: 'repository' },
  {
    fault: { kind: 'status', status: 422, body: { message: 'Validation Failed' } },
    on: 'repository',
  },
  { fault: { kind: 'status', status: 429, headers: { 'retry-after': '1' } }, on: 'any' },
  {
    fault: {
      kind: 'status',
      status: 403,
      headers: { 'retry-after': '1' },
      body: SECONDARY_LIMIT,
    },
    on: 'any',
  },
  { fault: { kind: 'effect-then-fail', status: 502 }, on: 'write' },
  { fault: { kind: 'effect-then-fail', reset: true }, on: 'write' },
  { fault: { kind: 'fail-without-effect' }, on: 'write' },
  { fault: { kind: 'latency', ms: 1500 }, on: 'any' },
  { fault: { kind: 'reset' }, on: 'any' },
  { fault: { kind: 'truncated' }, on: 'any' },
  { fault: { kind: 'stale' }, on: 'list' },
  { fault: { kind: 'stale', behindMs: 20_000 }, on: 'list' },
];

/** Without a record only what the reconcile pass finds by itself. */
const HOOKS: readonly [HookFaultRule, ...HookFaultRule[]] = [
  { fault: { kind: 'lost' } },
  { fault: { kind: 'duplicate' } },
  { fault: { kind: 'delay', ms: 4000 } },
  { fault: { kind: 'reorder' } },
  { event: 'issues', action: 'labeled', fault: { kind: 'lost', recorded: false } },
  { event: 'pull_request', action: 'opened', fault: { kind: 'lost', recorded: false } },
  { event: 'pull_request', action: 'synchronize', fault: { kind: 'lost', recorded: false } },
  { event: 'issue_comment', action: 'created', fault: { kind: 'lost', recorded: false } },
  {
    event: 'pull_request_review_comment',
    action: 'created',
    fault: { kind: 'lost', recorded: false },
  },
];

export type Hits = Map<string, number>;

/** Counts what the last faults have hit, and arms others; returns their names in the order of the hits. */
export function armFaults({ faults }: GitHubEmulator, chance: Chance): string[] {
  faults.clear();
  const names: string[] = [];
  for (let n = 0; n < 6; n += 1) {
    const { fault, on } = chance.pick(MISHAPS);
    const nth = chance.between(1, on === 'any' || on === 'repository' ? 30 : 6);
    const method = on === 'write' ? chance.pick(WRITES) : 'GET';
    faults.add({
      ...((on === 'write' || on === 'list') && { method }),
      path: PATHS[on],
      nth,
      fault,
    });
    names.push('behindMs' in fault ? 'stale list' : fault.kind);
  }
  // After a restart, the first looks may be at a copy that lags behind.
  faults.add({
    method: 'GET',
    path: LISTS,
    times: chance.between(1, 3),
    fault: { kind: 'stale', behindMs: 20_000 },
  });
  names.push('stale list after a restart');
  for (let n = 0; n < 2; n += 1) {
    const rule = chance.pick(HOOKS);
    faults.addHook({ ...rule, nth: chance.between(1, 3) });
    const { fault } = rule;
    const isUnknown = fault.kind === 'lost' && fault.recorded === false;
    names.push(isUnknown ? 'webhook lost without a record' : `webhook ${fault.kind}`);
  }
  return names;
}

export function countHits({ faults }: GitHubEmulator, names: readonly string[], hits: Hits): void {
  for (const [at, times] of faults.hits().entries()) {
    const name = names[at] ?? 'other';
    hits.set(name, (hits.get(name) ?? 0) + times);
  }
}
