/** What becomes of a build while it is being looked into, and of an issue that nothing is kept of any more. */
import { rm } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import {
  build,
  commit,
  DOES_NOT_COMPILE,
  green,
  issues,
  reasons,
  red,
  TEST_FAILS,
} from '../helpers/a-build.ts';
import { aModel } from '../helpers/a-model.ts';
import { aWorld, REPO, type TestWorld } from '../helpers/a-world.ts';
import { aPosition, aVerdict } from '../helpers/an-issue.ts';
import { waitUntil } from '../helpers/wait-until.ts';
import { pendingButWeek } from '../helpers/pending-but-week.ts';

interface Held {
  world: TestWorld;
  /** Of the run that failed. */
  id: number;
  goOn: () => void;
}

/** A failed build, and its lead who thinks until told to go on, once: about the verdict when nobody else is asked. */
async function aHeldLead(mode: 'single' | 'blind' = 'single'): Promise<Held> {
  const [asked, gate] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const { env } = await aModel({
    position: (_, handle) => ({ json: aPosition({ vote: 'CHANGES', reasons: handle }) }),
    verdict: async (call) => {
      asked.resolve();
      await gate.promise;
      const isType = call.lastText.includes('TS2322') || call.system.includes('TS2322');
      const headline = isType ? 'a type is wrong' : 'a test fails';
      return { json: aVerdict({ verdict: 'CHANGES', headline }) };
    },
  });
  const world = await aWorld({
    env,
    files: { '.github/quorum.yml': `council:\n  mode: ${mode}\n` },
  });
  const { id } = await world.emulator.endRun(REPO, red(TEST_FAILS));
  await asked.promise;
  return { world, id, goOn: () => gate.resolve() };
}

/** The news is seen, and nothing else is under way than the lead's answer. */
async function seen(world: TestWorld, run: Parameters<typeof build>[1]): Promise<void> {
  const before = await looks(world);
  await world.emulator.endRun(REPO, run);
  // Two of the place, the issue between them or not, and one for the thread.
  await waitUntil(
    async () => (await looks(world)) !== before && (await pendingButAsks(world)) === 0,
  );
}

async function looks(world: TestWorld): Promise<number> {
  const events = await world.store.records.events({ limit: 1000 });
  return events.filter(
    ({ key, data }) =>
      key.startsWith('thread:') && data.kind === 'trigger' && data.trigger.kind === 'built',
  ).length;
}

async function pendingButAsks(world: TestWorld): Promise<number> {
  await world.emulator.settled();
  const events = await pendingButWeek(world.store.records);
  const effects = await world.store.records.effects({ status: 'pending', limit: 1000 });
  return events + effects.filter((one) => !one.id.endsWith('-ask')).length;
}

async function ended(world: TestWorld): Promise<(string | undefined)[]> {
  const events = await world.store.records.events({ limit: 1000 });
  return events.flatMap(({ data }) => (data.kind === 'run-ended' ? [data.summary.status] : []));
}

describe('while the lead closes', () => {
  test('another failure of another commit is looked into after that, in the same comment', async () => {
    const { world, goOn } = await aHeldLead();
    await commit(world, 'src/tidy.ts', { message: 'feat: a number' });
    await seen(world, red(DOES_NOT_COMPILE));
    goOn();
    await world.idle();
    const [issue, ...others] = await issues(world);
    expect([others.length, await ended(world)]).toEqual([0, ['consensus', 'consensus']]);
    expect(issue?.comments).toHaveLength(1);
    expect(issue?.comments[0]).toMatch(/^### Cause found: a type is wrong/);
    expect(issue?.labels).toEqual(['ready']);
  });

  test('the same failure again is counted, and not discussed again', async () => {
    const { world, goOn } = await aHeldLead();
    await commit(world, 'README.md', { message: 'docs: no help' });
    await seen(world, red(TEST_FAILS));
    goOn();
    await world.idle();
    const [issue] = await issues(world);
    expect(await ended(world)).toEqual(['consensus']);
    expect(issue?.comments[0]).toMatch(/^### Cause found: a test fails/);
    expect(issue?.comments[0]).toContain('The same failure was seen 2 times.');
  });

  test('another failure that is seen before the verdict is what the verdict is about', async () => {
    const { world, id, goOn } = await aHeldLead('blind');
    await seen(world, red(DOES_NOT_COMPILE, { again: id }));
    goOn();
    await world.idle();
    const [issue] = await issues(world);
    expect(await ended(world)).toEqual(['consensus']);
    expect(issue?.comments[0]).toMatch(/^### Cause found: a type is wrong/);
    expect(issue?.comments[0]).not.toMatch(/The same failure was seen|for another reason/);
  });

  test('the same commit that fails for another reason is said to, and not discussed at once', async () => {
    const { world, id, goOn } = await aHeldLead();
    await seen(world, red(DOES_NOT_COMPILE, { again: id }));
    goOn();
    await world.idle();
    const [issue] = await issues(world);
    expect(await ended(world)).toEqual(['consensus']);
    expect(issue?.comments).toHaveLength(1);
    expect(issue?.comments[0]).toMatch(/^### Cause found: a test fails/);
    expect(issue?.comments[0]).toMatch(
      /> \[run 1\].* failed for another reason\. Quorum investigates it when it fails/,
    );
  });

  test('a run that passes when it is run again ends it: the verdict comes too late', async () => {
    const { world, id, goOn } = await aHeldLead();
    await seen(world, green({ again: id }));
    goOn();
    await world.idle();
    const [issue] = await issues(world);
    expect(await ended(world)).toEqual(['closed']);
    expect([issue?.state, issue?.stateReason, issue?.labels]).toEqual(['closed', 'completed', []]);
    expect(issue?.comments[0]).toMatch(/^### Passing again/);
    expect(issue?.comments.slice(1)).toEqual([expect.stringMatching(/^\*\*Passing again:\*\*/)]);
  });
});

describe('our own issue of which nothing is kept', () => {
  async function loseStore(world: TestWorld): Promise<void> {
    await world.stopApp();
    await rm(path.join(world.dir, 'data'), { recursive: true });
    await world.startApp();
  }

  test('is found by its marker and closed when the build is green', async () => {
    const world = await aWorld();
    await build(world, red());
    await loseStore(world);
    // Somebody copied the issue's text: what it says is not signed for them.
    const kept = world.emulator.repository(REPO).threads.get(1);
    await world.emulator
      .as('eve')
      .openIssue(REPO, { title: 'ci fails on main', body: kept?.body ?? '' });
    await build(world, green());
    const [issue, copy] = await issues(world);
    expect([issue?.state, issue?.stateReason, issue?.labels]).toEqual(['closed', 'completed', []]);
    expect(issue?.comments.map((body) => body.slice(0, 15))).toEqual([
      '### Passing aga',
      '**Passing again',
    ]);
    expect([copy?.state, copy?.comments]).toEqual(['open', []]);
    expect(world.openApi.violations).toEqual([]);
  });

  test('stays open when somebody has spoken in it, and says so', async () => {
    const world = await aWorld();
    await build(world, red());
    await world.emulator.as('ana').comment(REPO, 1, 'I am looking at this one.');
    await world.idle();
    await loseStore(world);
    await build(world, green());
    const [issue] = await issues(world);
    expect(issue?.state).toBe('open');
    expect(issue?.comments.at(-1)).toMatch(/Passing again.*this stays open/s);
  });

  test('is looked for once: later green builds cost nothing', async () => {
    const world = await aWorld();
    await build(world, green());
    expect(await reasons(world)).toContain('it is green');
    world.emulator.clearRequests();
    await build(world, green());
    expect(world.emulator.requests).toEqual([]);
    expect(await reasons(world)).toContain('nothing was red here');
  });
});
