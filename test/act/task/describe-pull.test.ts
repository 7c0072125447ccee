/** The text of a pull request at its end: written once on the embedded GitHub, and never over what a person wrote. */
import { expect, test } from 'vitest';
import { describePull } from '../../../src/act/task/describe-pull.ts';
import type { ActPorts } from '../../../src/act/ports.ts';
import { parseMarker, pullScope } from '../../../src/domain/github/marker.ts';
import { SECRET } from '../../adapters/github/stage.ts';
import { count, NAME, openPull, openWorld, WANTED } from '../../adapters/github/work-world.ts';

const FROM = 'What was done.\u200B';
const TO = 'What was done.\n\n### How it ended\n\n- Merged as `abc`';

const isOfWork = ({ path }: { path: string }): boolean => !path.endsWith('/access_tokens');

async function aPull() {
  const world = await openWorld();
  const { ref, number } = await openPull(world, { body: FROM });
  const alice = world.emulator.as('alice');
  return {
    world,
    /** By a process of its own. */
    describe: async (from = [FROM], to = TO) => {
      const ports = { github: world.github() } as unknown as ActPorts;
      const data = { kind: 'describe', thread: ref, from, to } as const;
      const before = world.emulator.requests.length;
      const { result } = await describePull(data, ports);
      // Each process here asks for the key of the installation first, which App processes share.
      const asked = world.emulator.requests.slice(before).filter(isOfWork);
      return { outcome: result.outcome, calls: asked.length };
    },
    body: () => world.emulator.repository(NAME).threads.get(number)?.body ?? '',
    writes: () => count(world, 'PATCH', /./),
    edit: (body: string) => alice.request('PATCH', `/repos/${NAME}/pulls/${number}`, { body }),
    close: () => alice.request('PATCH', `/repos/${NAME}/pulls/${number}`, { state: 'closed' }),
  };
}

test('the text that Quorum wrote makes way for the new one, and the signed marker stays', async () => {
  const pull = await aPull();
  await pull.close();
  const writes = pull.writes();
  expect(await pull.describe()).toMatchObject({ outcome: 'edited' });
  expect(pull.body()).toMatch(/^What was done\.\n\n### How it ended\n\n- Merged as `abc`\n\n<!-- /);
  const marker = parseMarker(pull.body(), SECRET, pullScope(pull.world.repository));
  expect(marker).toMatchObject(WANTED.marker);
  expect(pull.writes() - writes).toBe(1);
});

test('it is written with exactly three calls, and a second time one read writes nothing', async () => {
  const pull = await aPull();
  const first = await pull.describe();
  const writes = pull.writes();
  const second = await pull.describe();
  expect([first.outcome, second.outcome]).toEqual(['edited', 'unchanged']);
  expect(pull.writes()).toBe(writes);
  expect([first.calls, second.calls]).toEqual([3, 1]);
});

test.each([
  ['edited', (body: string) => body.replace('What was done.', 'Mine.')],
  ['wrote below the marker', (body: string) => `${body}\n\nMine.`],
  ['took the marker away', () => 'What was done.'],
  ['emptied', () => ''],
])('a text that a person %s stays as it is', async (_, change) => {
  const pull = await aPull();
  await pull.edit(change(pull.body()));
  const before = pull.body();
  expect(await pull.describe()).toMatchObject({ outcome: 'refused' });
  expect(pull.body()).toBe(before);
});

test('what a person writes between the read and the write is put back', async () => {
  const pull = await aPull();
  const mine = pull.body().replace('What was done.', 'Mine.');
  let isFirst = true;
  const session = pull.world.open();
  const editBody: typeof session.plans.editBody = (ref, edit) =>
    session.plans.editBody(ref, (body, versions) => {
      const next = edit(body, versions);
      if (isFirst) void pull.edit(mine);
      isFirst = false;
      return next;
    });
  const at = () => ({ ...session, plans: { ...session.plans, editBody } });
  const ports = { github: { ...pull.world.github(), at } } as unknown as ActPorts;
  const data = { kind: 'describe' as const, thread: pull.world.thread(1), from: [FROM], to: TO };
  expect((await describePull(data, ports)).result).toEqual({ outcome: 'refused' });
  expect(pull.body()).toBe(mine);
});

test('any of several texts that Quorum may have written is replaced', async () => {
  const pull = await aPull();
  await pull.describe();
  expect(await pull.describe([FROM, TO], 'Open again.')).toMatchObject({ outcome: 'edited' });
  expect(pull.body()).toMatch(/^Open again\.\n\n<!-- /);
});
