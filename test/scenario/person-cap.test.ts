/**
 * The daily limit of one person (`access.dailyBudgetUsd`), through the App on GitHub: people at
 * their limit can read so, others continue.
 */
import { expect } from 'vitest';
import { call } from '../contract/store-words.ts';
import { aModel } from '../helpers/a-model.ts';
import { createJumpClock } from '../helpers/a-jump-clock.ts';
import { aWorld, READY_ISSUE, REPO } from '../helpers/a-world.ts';
import { anIssue, say } from '../helpers/talking.ts';
import { verifies } from '../verifies.ts';

const DAY_MS = 24 * 3_600_000;
const CAP_USD = 2;
const SETTINGS = [
  'council: { debounceSeconds: 1 }',
  `access: { dailyBudgetUsd: ${CAP_USD} }`,
  'budget:',
  '  perDayUsd: 5000',
  '  council: { perThreadUsd: 100, perDayUsd: 1000 }',
  '  pm: { perThreadUsd: 100, perDayUsd: 1000 }',
  '',
].join('\n');
const REACHED =
  'The person who asked has reached the daily limit for one person (`access.dailyBudgetUsd`). Ask again tomorrow, or let somebody else ask.';

/** A repository in which `ana` has spent what she may, and `tom` nothing. */
async function aSpentDay() {
  const { server, env } = await aModel({ answer: () => ({ text: 'It parses the arguments.' }) });
  const clock = createJumpClock();
  const world = await aWorld({ env, clock, files: { '.github/quorum.yml': SETTINGS } });
  const { emulator } = world;
  emulator.addCollaborator(REPO, 'tom', 'write');
  const { id: person } = (await emulator.as('ana').request('GET', '/user')) as { id: number };
  const about = { repositoryId: emulator.repository(REPO).id, person, costUsd: CAP_USD };
  await world.store.records.settleCall('none', [
    call('spent', { ...about, at: new Date(clock.now()).toISOString() }),
  ]);
  return { world, server, clock };
}

verifies(
  'CB-14b',
  'a question of a person at the limit is answered with that and costs nothing, and another one’s is answered',
  async () => {
    const { world, server, clock } = await aSpentDay();
    const issue = await anIssue(world);
    const asked = '/pm ask What does src/cli.ts do?';
    const refused = await say(world, issue, asked);
    expect(refused.answers.join('\n')).toContain(REACHED);
    expect(server.calls).toEqual([]);
    const answer = await say(world, issue, { by: 'tom', body: asked });
    expect(answer.answers.join('\n')).not.toContain('dailyBudgetUsd');
    expect(server.calls.length).toBeGreaterThan(0);
    server.calls.length = 0;
    clock.jump(DAY_MS);
    const next = await say(world, issue, asked);
    expect(next.answers.join('\n')).not.toContain('dailyBudgetUsd');
    expect(server.calls.length).toBeGreaterThan(0);
  },
);

verifies('CB-14b', 'a discussion that such a person starts ends with the reason', async () => {
  const { world, server } = await aSpentDay();
  const { emulator } = world;
  const start = async (by: string): Promise<string> => {
    const { number } = await emulator.as('tom').openIssue(REPO, READY_ISSUE);
    await emulator.as(by).label(REPO, number, ['deliberate']);
    await world.idle();
    return (await world.tell(number)).comments.join('\n');
  };
  expect(await start('ana')).toContain(REACHED);
  expect(server.calls).toEqual([]);
  expect(await start('tom')).toContain('### Ready: ');
  expect(server.calls.length).toBeGreaterThan(0);
});
