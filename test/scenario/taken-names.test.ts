/** A repository loses its name to another one while the team works on it: nothing of it is written to the other. */
import { describe, expect } from 'vitest';
import { aModel } from '../helpers/a-model.ts';
import { aPosition, aVerdict } from '../helpers/an-issue.ts';
import { aWorld, READY_ISSUE, REPO, type TestWorld } from '../helpers/a-world.ts';
import { expectAllWell } from '../helpers/a-pull.ts';
import { verifies } from '../verifies.ts';

const [OWNER = '', NAME = ''] = REPO.split('/');
const SECRET = 'the merger with Initech';

interface Held {
  world: TestWorld;
  /** Number of the private issue, whose verdict waits. */
  number: number;
  goOn: () => void;
}

/** A private repository whose team has begun its comment and waits for a verdict that speaks of private matters. */
async function aHeldVerdict(): Promise<Held> {
  const [asked, gate] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const { env } = await aModel({
    position: () => ({ json: aPosition({ reasons: `It is about ${SECRET}.` }) }),
    verdict: async () => {
      asked.resolve();
      await gate.promise;
      return { json: aVerdict({ headline: `ready for ${SECRET}` }) };
    },
  });
  const world = await aWorld({ env });
  world.emulator.repository(REPO).private = true;
  world.emulator.addCollaborator(REPO, 'tom', 'read');
  const number = await world.ask(READY_ISSUE);
  await asked.promise;
  await world.emulator.settled();
  return { world, number, goOn: () => gate.resolve() };
}

/** A public repository takes the name, and has a thread with the same number. */
async function takeName({ emulator }: TestWorld): Promise<void> {
  const files = { 'README.md': '# Another one\n' };
  await emulator.createRepository({ owner: OWNER, name: NAME, files });
  await emulator.as('tom').openIssue(REPO, { title: 'Something else', body: 'In public.' });
}

function loseWebhooks({ emulator }: TestWorld): void {
  emulator.faults.addHook({
    event: 'repository',
    times: Infinity,
    fault: { kind: 'lost', recorded: false },
  });
}

function written({ emulator }: TestWorld, name: string): string {
  const { threads, checkRuns, labels } = emulator.repository(name);
  return JSON.stringify([[...threads.values()], checkRuns, labels]);
}

const WEBHOOKS: [string, (world: TestWorld) => void][] = [
  ['is told', () => undefined],
  ['is not told', loseWebhooks],
];

describe.each(WEBHOOKS)('a verdict on a private repository that %s that', (_, prepare) => {
  verifies('ING-12', 'its name went to another stays in the private one', async () => {
    const { world, number, goOn } = await aHeldVerdict();
    prepare(world);
    world.emulator.renameRepository(REPO, 'neat');
    await takeName(world);
    goOn();
    await world.idle();
    expect(written(world, REPO)).not.toContain(SECRET);
    expect(world.emulator.repository(REPO).threads.get(number)?.comments).toEqual([]);
    expect(written(world, 'acme/neat')).toContain(`ready for ${SECRET}`);
    await expectAllWell(world);
  });

  verifies('ING-12', 'it was deleted and created again is posted nowhere', async () => {
    const { world, number, goOn } = await aHeldVerdict();
    prepare(world);
    await world.emulator.deleteRepository(REPO);
    await takeName(world);
    goOn();
    await world.idle();
    expect(written(world, REPO)).not.toContain(SECRET);
    expect(world.emulator.repository(REPO).threads.get(number)?.comments).toEqual([]);
  });
});
