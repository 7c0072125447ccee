/** What a standup leaves for the next ones, in a real store: relationships that move with facts, and one step of strictness. */
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { readValue } from '../../../src/act/standup/change-value.ts';
import { learnFromStandup, type Learned } from '../../../src/act/standup/learn-from-standup.ts';
import { openSqliteStore } from '../../../src/adapters/store/sqlite/open-sqlite.ts';
import { systemClock } from '../../../src/adapters/system/system-clock.ts';
import type { StandupRecord } from '../../../src/domain/standup/look-back/record.ts';
import type { Store } from '../../../src/ports/store.ts';
import { verifies } from '../../verifies.ts';

const AT = '2026-11-20T10:00:00.000Z';

let store: Store;
let lines: { fields: object; message: string }[];
beforeEach(async () => {
  lines = [];
  store = await openSqliteStore({ memory: true, clock: systemClock });
  onTestFinished(() => store.close());
});

function aRecord(over: Partial<StandupRecord> = {}): StandupRecord {
  return {
    steps: [
      { title: 'Plan', persona: 'sasha', kind: 'plan', result: '' },
      { title: 'Review', persona: 'maya', kind: 'review', task: 1, result: '' },
    ],
    tasks: [{ task: 1, persona: 'dev', attempts: 1, fixCycles: 0, state: 'completed' }],
    overruled: [],
    questions: [],
    ...over,
  } as unknown as StandupRecord;
}

function learn(over: Partial<Learned> = {}): Promise<void> {
  return learnFromStandup(
    {
      repository: 1,
      record: aRecord(),
      personas: [],
      findings: {},
      answered: { answers: 4, noTension: 2 },
      at: AT,
      ...over,
    },
    {
      standups: store.standups,
      log: { info: (fields, message) => void lines.push({ fields, message }) },
    },
  );
}

test('a clean hand-over moves both, and a question that the PM answered moves the two of it', async () => {
  await learn();
  const first = await readValue(store.standups, 1, 'relations');
  expect(first['maya']?.['dev']?.trust).toBeCloseTo(0.55);
  const question = {
    task: 1,
    persona: 'dev',
    question: 'Which?',
    answer: 'This.',
    source: 'src/a.ts',
    isEscalated: false,
  };
  await learn({ record: aRecord({ questions: [question] }) });
  const second = await readValue(store.standups, 1, 'relations');
  expect(second['dev']?.['sasha']?.trust).toBeLessThan(0.5);
  await learn({
    repository: 2,
    record: aRecord({ questions: [{ ...question, isEscalated: true }] }),
  });
  expect((await readValue(store.standups, 2, 'relations'))['dev']?.['sasha']).toBeUndefined();
});

verifies('LS-11: logged', 'where nobody has a tension for long, they look harder', async () => {
  for (let run = 0; run < 4; run += 1) await learn({ answered: { answers: 4, noTension: 4 } });
  expect(await readValue(store.standups, 1, 'strictness')).toEqual({
    level: 'even',
    answers: 16,
    noTension: 16,
  });
  expect(lines).toEqual([]);
  await learn({ answered: { answers: 4, noTension: 4 } });
  expect(await readValue(store.standups, 1, 'strictness')).toEqual({
    level: 'open',
    answers: 0,
    noTension: 0,
  });
  expect(lines).toEqual([
    {
      fields: expect.objectContaining({ from: 'even', to: 'open', rate: 1, why: 'not-looking' }),
      message: 'standup strictness changed',
    },
  ]);
});

test('where everybody always has one, they are asked to say less', async () => {
  for (let run = 0; run < 5; run += 1) await learn({ answered: { answers: 4, noTension: 0 } });
  expect((await readValue(store.standups, 1, 'strictness')).level).toBe('strict');
});
