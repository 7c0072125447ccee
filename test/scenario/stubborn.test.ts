/**
 * Long-lasting obstacles: reported once, cleared up, and found again after the repository is
 * renamed.
 */
import { expect, test } from 'vitest';
import { aLeapWorld } from '../helpers/a-leap-world.ts';
import { READY_ISSUE, REPO } from '../helpers/a-world.ts';
import { verifies } from '../verifies.ts';

const MINUTE = 60_000;

verifies(
  'P2',
  'a broken configuration is reported once on an issue, not once in every pass',
  async () => {
    const world = await aLeapWorld({ files: { '.github/quorum.yml': 'concil: {}\n' } });
    await world.pass(MINUTE);
    const number = await world.ask(READY_ISSUE);
    for (let i = 0; i < 6; i += 1) await world.pass(10 * MINUTE);
    expect((await world.tell(number)).comments).toHaveLength(1);
  },
);

test('a look that is refused midway does not leave a discussion standing', async () => {
  const world = await aLeapWorld({ app: { reconcileEveryMs: 0 } });
  await world.pass(MINUTE);
  const fault = {
    kind: 'status',
    status: 403,
    body: { message: 'Resource not accessible by integration' },
  } as const;
  // The first look reads it in one query; the next ones neither so nor by itself.
  world.emulator.faults.add({ path: '/graphql', times: Infinity, nth: 2, fault });
  world.emulator.faults.add({
    method: 'GET',
    path: `/repos/${REPO}/issues/1`,
    times: Infinity,
    fault,
  });
  const number = await world.ask(READY_ISSUE);
  await world.pass(60 * MINUTE);
  const [live] = world.emulator.repository(REPO).threads.get(number)?.comments ?? [];
  expect(live?.body).toMatch(/^### Stopped: GitHub could not be read/);
});

verifies(['P7', 'ING-10'], 'a lost delivery of a renamed label is found', async () => {
  const world = await aLeapWorld({
    files: { '.github/quorum.yml': 'labels:\n  deliberate: discuss\n' },
  });
  await world.pass(MINUTE);
  world.emulator.faults.addHook({ times: Infinity, fault: { kind: 'lost', recorded: false } });
  const { number } = await world.emulator.as('tom').openIssue(REPO, READY_ISSUE);
  await world.emulator.as('ana').label(REPO, number, ['discuss']);
  await world.pass(60 * MINUTE);
  expect((await world.tell(number)).comments).toHaveLength(1);
});
