/** Every outside call of a deliberation goes wrong once, in every way; the run still ends as it should, with one comment. */
import { describe, expect } from 'vitest';
import { READY_ISSUE } from '../helpers/a-world.ts';
import { CALL_FAULTS, hitEachCall, type FaultyRun } from '../helpers/call-faults.ts';
import { shareOfToday } from '../helpers/share-of-today.ts';
import { verifies } from '../verifies.ts';

/**
 * Progress that arrives in time is reported in one edit, so a busy run makes fewer calls than a
 * slow one.
 */
const AT_LEAST = 12;

describe.each(shareOfToday(CALL_FAULTS))('GitHub %s', (name, fault) => {
  verifies(
    ['P2', 'TG-22'],
    `once at each of a deliberation's ${AT_LEAST} calls or more: one comment, the same end`,
    async () => {
      // What GitHub cannot find to react to is let be: not every server has reactions.
      const isBare = name.endsWith('404');
      const hits = await hitEachCall(fault, (one) => deliberate(one, isBare));
      expect(hits).toBeGreaterThanOrEqual(AT_LEAST);
    },
  );
});

async function deliberate({ world, nth, arm }: FaultyRun, isBare: boolean): Promise<void> {
  const { number } = await world.emulator.as('tom').openIssue('acme/tidy', READY_ISSUE);
  arm();
  await world.emulator.as('ana').label('acme/tidy', number, ['deliberate']);
  await world.idle();
  const told = await world.tell(number);
  // The same was asked in the first of them.
  const isCopy = nth > 1;
  expect([nth, told.comments.length]).toEqual([nth, 1]);
  expect(told.comments[0]).toMatch(isCopy ? /^### Close: a duplicate/ : /^### Ready/);
  expect([nth, told.state, told.labels]).toEqual([
    nth,
    isCopy ? 'closed' : 'open',
    isCopy ? [] : ['ready'],
  ]);
  const ends = [isCopy ? '+1' : 'rocket', ...(isBare ? ['eyes'] : [])];
  expect(ends).toEqual(expect.arrayContaining(told.reactions));
  if (!isBare) expect([nth, told.reactions.length]).toEqual([nth, 1]);
}
