/** When the clock begins the code watch: by the configuration, the head and what the store knows, without a call. */
import { expect, test } from 'vitest';
import { dueCodeWatch } from '../../../src/act/recover/due-code-watch.ts';
import type { Config } from '../../../src/domain/config/config.ts';
import { defaultConfig } from '../../../src/domain/config/config.ts';
import type { RepositoryState } from '../../../src/domain/repository/repository-state.ts';
import type { RepositoryFacts } from '../../../src/ports/github/github-reader.ts';
import type { ActPorts } from '../../../src/act/ports.ts';
import { NO_USAGE } from '../../../src/domain/run/ledger.ts';
import { aCall } from '../../record/a-record.ts';
import { verifies } from '../../verifies.ts';

const HOUR_MS = 3_600_000;
const NOON = Date.parse('2026-03-02T12:30:00Z');
const SHA = 'a'.repeat(40);
const REF = { installationId: 1, repositoryId: 7, owner: 'acme', repo: 'tidy' };
const FACTS: RepositoryFacts = {
  fullName: 'acme/tidy',
  isPrivate: false,
  isArchived: false,
  defaultBranch: 'main',
  headSha: SHA,
};

interface Case {
  now?: number;
  repositoryId?: number;
  facts?: Partial<RepositoryFacts>;
  state?: Partial<RepositoryState>;
  /** Input tokens of each call of the last day, in the repository's own stream. */
  tokens?: readonly number[];
  config?: (config: Config) => void;
}

async function due(given: Case = {}) {
  const { now = NOON, repositoryId = 7, facts, state, tokens = [], config } = given;
  const settings = structuredClone(defaultConfig());
  config?.(settings);
  const store = {
    load: async (key: string) =>
      state === undefined || key !== `repository:${repositoryId}`
        ? undefined
        : { version: 1, state: { v: 1, ...state } },
    records: {
      calls: async ({ key }: { key: string }) =>
        key === `thread:${repositoryId}/0`
          ? tokens.map((inputTokens) => aCall({ usage: { ...NO_USAGE, inputTokens } }))
          : [],
    },
  } as unknown as ActPorts['store'];
  const clock = { now: () => now } as ActPorts['clock'];
  const read = { config: settings, facts: { ...FACTS, ...facts } };
  return dueCodeWatch({ ...REF, repositoryId }, read, { store, clock });
}

const searched = (sha: string, hoursAgo: number) => ({
  searched: { sha, at: new Date(NOON - hoursAgo * HOUR_MS).toISOString() },
});

verifies(
  'NW-18',
  'is due where the code was never searched, in no thread and for nobody',
  async () => {
    const [event, ...others] = await due();
    expect(others).toEqual([]);
    expect(event).toMatchObject({
      id: `watch:7:${SHA}:${Math.floor(NOON / (3 * HOUR_MS))}`,
      key: 'thread:7/0',
      data: {
        trigger: {
          kind: 'requested',
          by: 'reconcile',
          meaning: 'code-watch',
          thread: { ...REF, number: 0 },
          actor: { id: 0, isBot: true },
        },
      },
    });
  },
);

test.each<[string, number, Case]>([
  ['for another head after the interval', 1, { state: searched('b'.repeat(40), 3) }],
  [
    'with a token left of the day',
    1,
    { state: searched('b'.repeat(40), 3), tokens: [40_000, 9_999] },
  ],
  [
    'with no token left of the day',
    0,
    { state: searched('b'.repeat(40), 3), tokens: [40_000, 10_000] },
  ],
  ['for another head before it', 0, { state: searched('b'.repeat(40), 2.9) }],
  ['for the head that was searched, however long ago', 0, { state: searched(SHA, 900) }],
  ['where all work is stopped', 0, { state: { paused: { by: 'ana', why: '', at: '' } } }],
  ['in an empty repository', 0, { facts: { headSha: '' } }],
  ['in an archived one', 0, { facts: { isArchived: true } }],
  ['without issues', 0, { facts: { hasNoIssues: true } }],
  ['at night', 0, { now: NOON + 12 * HOUR_MS }],
  ['where Quorum is off', 0, { config: (config) => (config.enabled = false) }],
  ['where the loop is off', 0, { config: ({ sweeps }) => (sweeps.codeWatch.enabled = false) }],
  ['with no room', 0, { config: ({ sweeps }) => (sweeps.maxOpenCodeWatchIssues = 0) }],
  ['twice a day', 1, { config: ({ sweeps }) => (sweeps.codeWatch.everySeconds = 43_200) }],
])('%s: %i', async (_, count, wanted) => {
  expect(await due(wanted)).toHaveLength(count);
});

test('passes of one period begin it once, and a failed one is begun again in the next', async () => {
  const idOf = async (now: number) => (await due({ now })).map(({ id }) => id);
  expect(await idOf(NOON + HOUR_MS)).toEqual(await idOf(NOON));
  expect(await idOf(NOON + 3 * HOUR_MS)).not.toEqual(await idOf(NOON));
});

test('first searches of many repositories are spread over the period, and none is left out', async () => {
  const begins = async (repositoryId: number, minutes: number): Promise<boolean> => {
    const now = NOON - 30 * 60_000 + minutes * 60_000;
    return (await due({ now, repositoryId })).length > 0;
  };
  const ids = [10, 50, 90, 130, 170].map((minutes) => 7 * 3 * HOUR_MS + minutes * 60_000);
  const begun = (minutes: number) => Promise.all(ids.map((id) => begins(id, minutes)));
  expect(await begun(0)).toEqual([false, false, false, false, false]);
  expect(await begun(60)).toEqual([true, true, false, false, false]);
  expect(await begun(179)).toEqual([true, true, true, true, true]);
});
