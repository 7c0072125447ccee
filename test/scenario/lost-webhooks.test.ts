/** Webhooks that GitHub never sent and has no record of: the reconcile pass finds what they would have told. */
import { describe, expect } from 'vitest';
import type { RequestEntry } from '../../src/emulator/github/listener.ts';
import { aLeapWorld, type LeapWorld } from '../helpers/a-leap-world.ts';
import { aPlanBody } from '../helpers/a-plan.ts';
import { headOf, reviewsOf } from '../helpers/a-pull.ts';
import { READY_ISSUE, REPO } from '../helpers/a-world.ts';
import { openPullOf, pushTo } from '../helpers/commits.ts';
import { reactionsOn } from '../helpers/talking.ts';
import { verifies } from '../verifies.ts';

const MINUTE = 60_000;
/** Two passes, each five minutes after the other, and the time that the work takes. */
const TWO_PASSES = 12 * MINUTE;

/** A 404 has no ETag: whether the organisation has settings is asked once a pass, for all of its repositories. */
const DOT_GITHUB = '/repos/acme/.github';
const TOKENS = '/access_tokens';
const QUICK = { '.github/quorum.yml': 'review:\n  settleSeconds: 0\n' };
const EVAL = 'export function run(text: string): unknown {\n  return eval(text);\n}\n';

async function aDeafWorld(files: Record<string, string> = {}): Promise<LeapWorld> {
  const world = await aLeapWorld({ files });
  await world.pass(MINUTE);
  return world;
}

/** From now on GitHub sends nothing, and does not know that it should have. */
function loseAll({ emulator }: LeapWorld): void {
  emulator.faults.addHook({ times: Infinity, fault: { kind: 'lost', recorded: false } });
}

async function say(world: LeapWorld, number: number, body: string): Promise<number> {
  return (await world.emulator.as('ana').comment(REPO, number, body)).id;
}

/** The runs of the review on a pull request, by the events of its stream that started one. */
async function reviewsBegun(world: LeapWorld): Promise<number> {
  const effects = await world.store.records.effects({ limit: 1000 });
  const begun = effects.filter(({ data }) => data.kind === 'look-pull');
  return new Set(begun.map(({ run }) => run)).size;
}

describe('without its webhook, and without a trace in the log of deliveries', () => {
  verifies(['ING-10', 'P7'], 'a new pull request is reviewed within two passes, once', async () => {
    const world = await aDeafWorld(QUICK);
    loseAll(world);
    const number = await openPullOf(world, { 'src/run.ts': EVAL });
    await world.pass(TWO_PASSES);
    const { reviews, checks } = await reviewsOf(world, number);
    expect([reviews.length, checks.map(({ conclusion }) => conclusion)]).toEqual([
      1,
      ['action_required'],
    ]);
    await world.pass(60 * MINUTE);
    expect([(await reviewsOf(world, number)).reviews.length, await reviewsBegun(world)]).toEqual([
      1, 1,
    ]);
  });

  verifies(['ING-10', 'P7'], 'a push to a reviewed pull request is reviewed too', async () => {
    const world = await aDeafWorld(QUICK);
    const number = await openPullOf(world, { 'src/run.ts': EVAL });
    await world.pass(2 * MINUTE);
    const first = await headOf(world, number);
    loseAll(world);
    await pushTo(world, { 'src/run.ts': 'export {};\n' });
    await world.pass(TWO_PASSES);
    const { checks } = await reviewsOf(world, number);
    expect(await headOf(world, number)).not.toBe(first);
    expect(checks.map(({ conclusion }) => conclusion)).toEqual(['success']);
    expect(await reviewsBegun(world)).toBe(2);
  });

  verifies(['ING-10', 'P7'], 'a command is run within two passes, once', async () => {
    const world = await aDeafWorld();
    const { number } = await world.emulator.as('tom').openIssue(REPO, READY_ISSUE);
    await world.pass(MINUTE);
    loseAll(world);
    const id = await say(world, number, '/pm status');
    await world.pass(TWO_PASSES);
    expect((await world.tell(number)).comments).toHaveLength(1);
    expect(await reactionsOn(world, `issues/comments/${id}`)).toEqual(['+1']);
    await world.pass(60 * MINUTE);
    expect((await world.tell(number)).comments).toHaveLength(1);
  });

  verifies(['ING-10', 'P7'], 'a command on a line of a change is run', async () => {
    const world = await aDeafWorld(QUICK);
    const number = await openPullOf(world, { 'src/run.ts': 'export const run = 1;\n' });
    await world.pass(2 * MINUTE);
    loseAll(world);
    const place = { path: 'src/run.ts', line: 1, side: 'RIGHT' };
    const asked = { body: '/pm status', ...place, commit_id: await headOf(world, number) };
    const at = `/repos/${REPO}/pulls/${number}/comments`;
    await world.emulator.as('ana').request('POST', at, asked);
    await world.pass(TWO_PASSES);
    expect((await reviewsOf(world, number)).comments).toHaveLength(2);
  });
});

describe('what was found', () => {
  verifies(['ING-03', 'P2'], 'is the same as its webhook, which comes an hour later', async () => {
    const world = await aDeafWorld(QUICK);
    const late = { kind: 'delay', ms: 60 * MINUTE } as const;
    world.emulator.faults.addHook({ times: Infinity, fault: late });
    const { number: issue } = await world.emulator.as('tom').openIssue(REPO, READY_ISSUE);
    await say(world, issue, '/pm status');
    const number = await openPullOf(world, { 'src/run.ts': EVAL });
    await world.pass(TWO_PASSES);
    expect((await world.tell(issue)).comments).toHaveLength(1);
    await world.pass(90 * MINUTE);
    expect((await world.tell(issue)).comments).toHaveLength(1);
    expect((await reviewsOf(world, number)).reviews).toHaveLength(1);
    expect(await reviewsBegun(world)).toBe(1);
  });

  verifies('ING-10', 'approves nothing: the person is asked to say it again', async () => {
    const world = await aDeafWorld();
    const number = await world.ask({ title: '[PLAN] Quotes', body: aPlanBody() }, 'plan');
    await world.pass(2 * MINUTE);
    loseAll(world);
    await say(world, number, '/pm approve');
    await say(world, number, 'lgtm');
    await world.pass(TWO_PASSES);
    const { comments } = await world.tell(number);
    expect(comments.filter((body) => body.includes('was found later'))).toHaveLength(1);
    expect(comments[0]).toContain('**Waiting for approval**');
  });

  verifies('CMD-04', 'is not run when it was edited before it was found', async () => {
    const world = await aDeafWorld();
    const { number } = await world.emulator.as('tom').openIssue(REPO, READY_ISSUE);
    await world.pass(MINUTE);
    loseAll(world);
    const id = await say(world, number, 'Thanks.');
    world.clock.leap(world.clock.now() + 2_000);
    const at = `/repos/${REPO}/issues/comments/${id}`;
    await world.emulator.as('ana').request('PATCH', at, { body: '/pm status' });
    await world.pass(TWO_PASSES);
    expect((await world.tell(number)).comments).toEqual([]);
  });

  verifies(['ING-10', 'P7'], 'is found too when it came while the App was away', async () => {
    const world = await aDeafWorld(QUICK);
    await world.stopApp();
    loseAll(world);
    const number = await openPullOf(world, { 'src/run.ts': EVAL });
    world.clock.leap(world.clock.now() + 6 * 60 * MINUTE);
    await world.startApp();
    await world.pass(TWO_PASSES);
    expect((await reviewsOf(world, number)).reviews).toHaveLength(1);
  });
});

/** Of the requests those that count against an installation's limit: a new JWT each time has one of its own. */
function readsOfInstallations(requests: readonly RequestEntry[]): RequestEntry[] {
  return requests.filter(
    ({ actor, path }) => actor.startsWith('installation:') && path !== DOT_GITHUB,
  );
}

/** How far a pass comes in so many minutes depends on the machine: goes on until one finds nothing changed. */
async function passUntilUnchanged(world: LeapWorld): Promise<void> {
  for (let n = 0; n < 20; n += 1) {
    const from = world.emulator.requests.length;
    await world.pass(16 * MINUTE);
    const asked = readsOfInstallations(world.emulator.requests.slice(from));
    if (asked.length > 0 && asked.every(({ status }) => status === 304)) return;
  }
  throw new Error('every pass of five hours read something anew');
}

describe('looking for it', () => {
  verifies(
    ['ING-10', 'LIM-05'],
    'costs 100 unchanged repositories nothing while a token lives, and nine reads each with the next one',
    async () => {
      const world = await aLeapWorld({ app: { reconcileEveryMs: 15 * MINUTE } });
      const { emulator } = world;
      for (let n = 2; n <= 100; n += 1)
        await emulator.createRepository({
          owner: 'acme',
          name: `tidy-${n}`,
          files: { 'README.md': `# ${n}\n` },
        });
      // Each of the lists has something in it.
      const { number } = await emulator.as('tom').openIssue(REPO, READY_ISSUE);
      await say(world, number, 'Thanks.');
      await openPullOf(world, { 'docs/more.md': 'More.\n' });
      // Its review is over, the webhooks that it causes too, and every repository was read.
      await world.pass(32 * MINUTE);
      await passUntilUnchanged(world);
      const from = emulator.requests.length;
      const mintsSince = (): RequestEntry[] =>
        emulator.requests.slice(from).filter(({ path }) => path.endsWith(TOKENS));
      // An installation's token is replaced five minutes before its hour is over.
      for (let n = 0; n < 12 && mintsSince().length === 0; n += 1) await world.pass(5 * MINUTE);
      await passUntilUnchanged(world);
      const asked = readsOfInstallations(emulator.requests.slice(from));
      const lists = asked.filter(({ route }) => route.endsWith('/issues/comments'));
      expect(new Set(lists.map(({ path }) => path)).size).toBe(100);
      const counted = asked.filter(({ status }) => status !== 304);
      const addresses = Map.groupBy(counted, ({ path, query }) => `${path}?${query}`);
      expect([...addresses.values()].filter((all) => all.length > 1)).toEqual([]);
      const mints = mintsSince();
      expect(mints).toHaveLength(1);
      expect(counted.filter(({ at }) => at < (mints[0]?.at ?? ''))).toEqual([]);
      // Repository, head, pull requests, two lists of comments, four labels; and the installation's repositories.
      expect(counted.length).toBe(9 * 100 + 1);
    },
  );
});
