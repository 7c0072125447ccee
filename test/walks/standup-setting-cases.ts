/** Settings of standups: whether one is held, what participants are asked, and what that may cost. */
import { lookAtWeek } from '../../src/act/digest/look-week.ts';
import { askEverybody } from '../../src/decide/kinds/standup/ask-participants.ts';
import { holdStandup } from '../../src/decide/talk/commands/tension-commands.ts';
import type { Config } from '../../src/domain/config/config.ts';
import { DEFAULT_WEEK } from '../../src/domain/digest/week.ts';
import type { Effect } from '../../src/domain/event/effect.ts';
import { aRecord } from '../domain/standup/some-record.ts';
import { aPersona } from '../helpers/a-persona.ts';
import { THREAD } from '../helpers/play.ts';
import type { OwnCase } from './setting-cases.ts';

/** The questions, as they are wanted. */
function askWith(config: Config): unknown {
  type Args = Parameters<typeof askEverybody>;
  const effects: Effect[] = [];
  const run = { id: 'r', step: 0, thread: THREAD, settings: { caps: {} } };
  const step = { key: 'thread:7/12', run, now: 0, effects, events: [] };
  const look = {
    record: aRecord(),
    personas: [aPersona({ handle: 'maya' })],
    config,
    strictness: 'even',
    nonce: 'A1B2C3D4E5F6A7B8C9D0',
    relationships: {},
    memories: {},
    offline: {},
  };
  askEverybody({ run, step } as unknown as Args[0], look as unknown as Args[1]);
  return effects.map(({ data }) => data);
}

/** What the command says while a standup is held already. */
function holdWith(config: Config): unknown {
  const talk = { id: 't' };
  const state = { runs: { 'standup:asked/t': {} } };
  return holdStandup({ state, talk, view: { config } } as unknown as Parameters<
    typeof holdStandup
  >[0]);
}

/** What a look at the end of a week brings, in a repository with one deliberation that nobody looked back on. */
function weekWith(config: Config): unknown {
  type Args = Parameters<typeof lookAtWeek>;
  const run = { trigger: 'issue_review', status: 'consensus', endedAt: '2026-11-25T00:00:00.000Z' };
  const issue = { number: 12, title: 'Carts', state: 'open' };
  const session = {
    read: { repository: async () => ({ headSha: '', isArchived: false }) },
    code: { threads: async () => [issue] },
    counts: {},
  };
  const store = {
    load: async () => ({ state: { v: 1, runs: { issue_review: run } } }),
    records: {
      spent: async () => ({ usd: 0, unknownCalls: 0, calls: 0 }),
      effects: async () => [],
    },
    standups: {
      load: async () => undefined,
      insights: async () => ({ insights: [] }),
      standups: async () => [],
    },
  };
  const context = {
    ports: { github: { at: () => session }, store },
    readSettings: async () => ({ config }),
    at: '2026-11-30T09:00:01.000Z',
  };
  const data = { kind: 'look-week', repository: THREAD, setting: DEFAULT_WEEK };
  return lookAtWeek(data as Args[0], context as unknown as Args[1]);
}

export const STANDUP_CASES: Readonly<Record<string, OwnCase>> = {
  'budget.standup.perDayUsd': { values: [1, 2], outcome: askWith },
  'budget.standup.perThreadUsd': { values: [0.1, 0.2], outcome: askWith },
  'standup.digest': { values: [true, false], outcome: weekWith },
  'standup.week.hour': { values: [9, 10], outcome: weekWith },
  'standup.week.timeZone': { values: ['UTC', 'Asia/Tokyo'], outcome: weekWith },
  'standup.week.weekday': { values: ['monday', 'friday'], outcome: weekWith },
  'standup.weekly': { values: [true, false], outcome: weekWith },
  'standup.enabled': { values: [true, false], outcome: holdWith },
  'standup.maxInsightsPerAgent': { values: [1, 2], outcome: askWith },
  'standup.maxWordsPerInsight': { values: [40, 80], outcome: askWith },
  'standup.model': { values: ['cheap', 'strong'], outcome: askWith },
  'standup.personality': { values: [true, false], outcome: askWith },
};
