/** What is logged of a store that does not take the end of work: soon, seldom, and with a count. */
import { expect, test } from 'vitest';
import { TransientError } from '../../src/domain/event/errors.ts';
import { createTroubleLog } from '../../src/hosts/store-trouble.ts';
import type { Work } from '../../src/ports/store.ts';
import { timer } from '../contract/store-words.ts';

const WORK: Work = {
  kind: 'event',
  id: 'e',
  lane: 'k',
  attempt: 1,
  event: timer('e', 'k'),
  token: 't',
};

test('logs the first failure at once, and those of the next 30 s in one line with their count', () => {
  const told: object[] = [];
  let now = 0;
  const quiet = (): void => undefined;
  const log = {
    debug: quiet,
    info: quiet,
    warn: (fields: object, message: string) => void told.push({ ...fields, message }),
    error: quiet,
  };
  const clock = { now: () => now, sleep: () => Promise.resolve() };
  const { unsettled, onTrouble } = createTroubleLog({ clock, log });
  const down = new TransientError({ code: 'store-down', message: 'away' });
  for (now = 0; now <= 30_000; now += 1_000) {
    unsettled(down, WORK);
    onTrouble(down, 'give out work');
  }
  expect(told).toMatchObject([
    { code: 'store-down', work: 'e', failures: 1, err: down },
    {
      code: 'store-down',
      failures: 1,
      message: 'the store could not give out work: it tries again',
    },
    { code: 'store-down', work: 'e', failures: 30 },
    { code: 'store-down', failures: 30 },
  ]);
});
