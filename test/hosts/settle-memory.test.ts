/** What becomes of a claim on a persona's memory: a try counts where a model answered, and nowhere else. */
import { expect, onTestFinished, test } from 'vitest';
import { openSqliteStore } from '../../src/adapters/store/sqlite/open-sqlite.ts';
import {
  claimEvent,
  parseActionsState,
  triesOf,
  type ActionsState,
} from '../../src/domain/actions/actions-state.ts';
import { spentLastDay } from '../../src/domain/actions/spending/book-spending.ts';
import type { CallOutcome, LedgerEntry } from '../../src/domain/run/ledger.ts';
import { hasAnswered } from '../../src/hosts/action/sweep/memory/ask-memory.ts';
import { settleMemory } from '../../src/hosts/action/sweep/memory/sweep-memory.ts';
import { createFastClock } from '../contract/fast-clock.ts';

const NOW = Date.parse('2026-11-26T12:00:00.000Z');
const EMPTY = parseActionsState(undefined) as ActionsState;
const OWN = { event: 'memory', workflowRun: '1', attempt: 1, now: NOW };
const reserves = { usd: 0.5, tokens: 0 };
const { state: HELD } = claimEvent(EMPTY, { ...OWN, lifeMs: 60_000, reserves });

test.each([
  { how: 'left', usd: 0, tries: 0 },
  { how: 'left', usd: 0.02, tries: 0 },
  { how: 'untried', usd: 0.02, tries: 0 },
  { how: 'lost', usd: 0.02, tries: 1 },
  { how: 'lost', usd: 0, tries: 1 },
  { how: 'done', usd: 0.02, tries: 1 },
] as const)(
  'that ends as $how after $usd dollars counts as $tries tries',
  ({ how, usd, tries }) => {
    const after = settleMemory(HELD, { ...OWN, usd }, how);
    expect([triesOf(after.claims['memory']), spentLastDay(after, NOW)]).toEqual([tries, usd]);
    expect(after.claims['memory']?.doneAt !== undefined).toBe(how === 'done');
  },
);

const ENTRY: Omit<LedgerEntry, 'id' | 'outcome' | 'at'> = {
  installationId: 1,
  repositoryId: 1,
  key: 'thread:1/1',
  run: 'run',
  role: 'consolidation',
  persona: 'maya',
  provider: 'anthropic',
  pool: 'cheap',
  model: 'cheap',
  usage: { inputTokens: 0, outputTokens: 0, cacheReadTokens: 0, cacheWriteTokens: 0 },
  costUsd: 0,
  latencyMs: 0,
  retries: 0,
};

test.each<[readonly CallOutcome[], boolean]>([
  [[], false],
  [['error', 'timed-out'], false],
  [['error', 'ok'], true],
  [['invalid'], true],
  [['refused'], true],
])('calls that ended as %j are an answer: %s', async (outcomes, isAnswer) => {
  const clock = createFastClock();
  const store = await openSqliteStore({ memory: true, clock });
  onTestFinished(() => store.close());
  const at = new Date(clock.now()).toISOString();
  const entries = outcomes.map((outcome, n) => ({ ...ENTRY, id: `call ${n}`, at, outcome }));
  await store.records.settleCall('call', entries);
  expect(await hasAnswered(store, ENTRY.key)).toBe(isAnswer);
});
