/** Standups through the real doors: a plan ends, each participant looks past its own task, and people decide what follows. */
import { describe, expect, test } from 'vitest';
import {
  aPlanWorld,
  leavingTodo,
  sayTask,
  TODO_SOURCE,
  type PlanWorld,
} from '../helpers/a-plan-story.ts';
import { aModel, isStandup } from '../helpers/a-model.ts';
import type { ScriptedCall } from '../../src/emulator/model-server/script.ts';
import { createJumpClock } from '../helpers/a-jump-clock.ts';
import { aWorld, READY_ISSUE, REPO } from '../helpers/a-world.ts';
import { aPosition, aVerdict } from '../helpers/an-issue.ts';
import { openPullOf } from '../helpers/commits.ts';
import { noBwrap } from '../helpers/no-bwrap.ts';
import { waitUntil } from '../helpers/wait-until.ts';
import { verifies } from '../verifies.ts';

async function finish(world: PlanWorld, task: ReturnType<typeof sayTask>): Promise<number> {
  const number = await world.plan([task]);
  await world.idle();
  await world.emulator.as('tom').comment(REPO, 2, '/pm approve');
  await world.idle();
  return number;
}

interface Shown {
  id: number;
  body: string;
}

/** The comments of the thread that are a standup's. */
async function standups({ emulator }: PlanWorld, number: number): Promise<Shown[]> {
  const path = `/repos/${REPO}/issues/${number}/comments?per_page=100`;
  const all = (await emulator.as('ana').request('GET', path)) as Shown[];
  return all.filter(({ body }) => body.startsWith('### Standup'));
}

async function edit(
  world: PlanWorld,
  { id }: Shown,
  { by, body }: { by: string; body: string },
): Promise<void> {
  const path = `/repos/${REPO}/issues/comments/${id}`;
  await world.emulator.as(by).request('PATCH', path, { body });
  await world.idle();
}

function ticked({ body }: Shown): string {
  return body.replace('- [ ] Make', '- [x] Make');
}

async function only(world: PlanWorld, number: number): Promise<Shown> {
  const [shown, ...others] = await standups(world, number);
  if (shown === undefined || others.length > 0) throw new Error('there is not exactly one standup');
  return shown;
}

async function issuesAfter({ emulator }: PlanWorld, number: number): Promise<number[]> {
  const path = `/repos/${REPO}/issues?state=all&per_page=100`;
  const all = (await emulator.as('ana').request('GET', path)) as {
    number: number;
    pull_request?: unknown;
  }[];
  return all
    .filter((each) => each.pull_request === undefined && each.number > number)
    .map((each) => each.number);
}

/** How often each effect of a standup asked GitHub. */
async function callsOf({ store }: PlanWorld): Promise<Record<string, number>> {
  const all = await store.records.effects({ limit: 10_000 });
  const runs = new Set(
    all.filter(({ data }) => data.kind === 'look-standup').map(({ run }) => run),
  );
  const ofStandups = Map.groupBy(
    all.filter(({ run }) => runs.has(run)),
    ({ data }) => data.kind,
  );
  return Object.fromEntries(
    [...ofStandups].map(([kind, effects]) => [
      kind,
      sum(effects.flatMap(({ githubCalls }) => Object.values(githubCalls))),
    ]),
  );
}

function sum(values: readonly number[]): number {
  return values.reduce((all, value) => all + value, 0);
}

async function bookOf({ store, emulator }: PlanWorld) {
  const { id } = emulator.repository(REPO);
  return (await store.standups.load(id, 'tensions'))?.value.tensions ?? [];
}

describe.skipIf(noBwrap !== undefined)('the standup of a plan', () => {
  verifies(
    ['LS-1', 'LS-2', 'LS-4', 'LS-8', 'LS-12'],
    'shows what was left for later; a tick makes an issue of what is stored, and its merged fix closes the tension',
    async () => {
      const world = await aPlanWorld();
      const number = await finish(world, leavingTodo());
      const shown = await only(world, number);
      expect(shown.body).toContain(
        'Task 1 left `src/goodbye.js:2` for later: "// TODO: take the language from the settings".',
      );
      expect(shown.body).toMatch(/<sub>No tension: \w+, \w+, \w+ · offline rules, no model/);
      const calls = await callsOf(world);
      expect(calls).toEqual({ 'look-standup': 4, ask: 0, 'settle-standup': 2, comment: 1 });
      expect(sum(Object.values(calls))).toBeLessThanOrEqual(8);

      // A person without write access cannot edit our comment on GitHub. When another word was
      // changed as well, no box counts.
      const more = ticked(shown).replace('for later', 'for later, and rm -rf');
      await edit(world, shown, { by: 'tom', body: more });
      expect(await issuesAfter(world, 2)).toEqual([]);

      expect((await only(world, number)).body).toBe(shown.body);

      await edit(world, shown, { by: 'tom', body: ticked(shown) });
      // A page that was open since then: what it knows is older, and makes no second issue.
      await edit(world, shown, { by: 'tom', body: ticked(shown) });
      const [followUp = 0, ...others] = await issuesAfter(world, 2);
      expect(others).toEqual([]);
      const issue = await world.tell(followUp);
      expect(issue.title).toContain('left src/goodbye.js:2 for later');
      expect(await world.body(followUp)).toContain('accepted by `tom`');
      const linked = await only(world, number);
      expect(linked.body).toContain('- [x] Make this a follow-up issue');
      expect(linked.body).toContain(`- Follow-up: #${followUp}`);
      expect(await bookOf(world)).toMatchObject([
        { state: 'accepted', issue: followUp, by: 'tom' },
      ]);

      const fixed = TODO_SOURCE.replace('  // TODO: take the language from the settings\n', '');
      const pull = await openPullOf(
        world,
        { 'src/goodbye.js': fixed },
        { title: 'Say it plainly', body: `Fixes #${followUp}` },
      );
      await world.idle();
      await world.emulator.as('ana').request('PUT', `/repos/${REPO}/pulls/${pull}/merge`, {});
      await world.idle();
      expect((await world.tell(followUp)).state).toBe('closed');
      expect(await bookOf(world)).toMatchObject([
        { state: 'closed', closedBy: { kind: 'commit', pull } },
      ]);
      expect((await only(world, number)).body).toMatch(
        new RegExp(`- Closed: #${followUp} by \`[0-9a-f]{12}\` \\(#${pull}\\)`),
      );
      expect(world.openApi.violations).toEqual([]);
    },
  );

  verifies(
    ['LS-8'],
    'asks GitHub nothing where nobody has a tension; the report that is there gets a line',
    async () => {
      const world = await aPlanWorld();
      const number = await finish(world, sayTask(1, 'goodbye'));
      expect(await standups(world, number)).toEqual([]);
      const { comments } = await world.tell(number);
      expect(comments.at(-1)).toContain('<sub>Standup: no tension (4 participants).</sub>');
      expect(await callsOf(world)).toEqual({
        'look-standup': 0,
        ask: 0,
        'settle-standup': 0,
        comment: 1,
      });
      const { id } = world.emulator.repository(REPO);
      const kept = await world.store.standups.insights({ repositories: [id], limit: 10 });
      expect(kept).toMatchObject({ total: 4, noTension: 4 });
    },
  );

  verifies(['LS-1'], 'is not held where a person stopped the work', async () => {
    const world = await aPlanWorld();
    const number = await world.plan([leavingTodo()]);
    await world.idle();
    await world.emulator.as('ana').comment(REPO, number, '/pm block 1 not now');
    await world.idle();
    await world.emulator.as('ana').close(REPO, number, 'not_planned');
    await world.idle();
    expect(await standups(world, number)).toEqual([]);
    const { id } = world.emulator.repository(REPO);
    expect(await world.store.standups.standups({ repositories: [id], limit: 10 })).toEqual([]);
  });
});

describe.skipIf(noBwrap !== undefined)('commands about tensions', () => {
  test('list, accept and reject what a standup raised, also below a closed plan', async () => {
    const world = await aPlanWorld();
    const number = await finish(world, leavingTodo());
    const say = async (by: string, body: string): Promise<string> => {
      await world.emulator.as(by).comment(REPO, number, body);
      await world.idle();
      return (await world.tell(number)).comments.at(-1) ?? '';
    };
    expect(await say('tom', '/pm tensions')).toMatch(
      /\*\*1 tension open\*\*\n\n- \*\*1\*\* `Task 1 left/,
    );
    expect(await say('tom', '/pm tension reject 1')).toContain('Say why tension 1 is rejected');
    expect(await say('tom', '/pm tension accept 7')).toContain('There is no tension 7 here.');
    expect(await say('tom', '/pm tension reject 1 it is wanted')).toContain('stays silent');
    expect(await bookOf(world)).toMatchObject([
      { state: 'rejected', by: 'tom', why: 'it is wanted' },
    ]);
    // Asked once more, the same thing is not said again.
    await world.emulator.as('ana').comment(REPO, number, '/pm standup');
    await world.idle();
    expect(await standups(world, number)).toHaveLength(1);
    expect((await world.tell(number)).comments.at(-1)).toContain('Standup: no tension');
    const before = (await world.tell(number)).comments.length;
    const told = await say('tom', '/pm tension accept 1');
    const [answer] = (await world.tell(number)).comments.slice(before);
    expect(answer).toContain('Quorum opens its follow-up issue');
    const [followUp = 0] = await issuesAfter(world, 2);
    expect(told).toMatch(new RegExp(`^\\*\\*\\w+\\*\\*: .*#${followUp}`));
    expect(await bookOf(world)).toMatchObject([{ state: 'accepted', issue: followUp }]);
    expect(await say('tom', '/pm tension accept 1')).toContain(`#${followUp}`);
    expect(await issuesAfter(world, 2)).toEqual([followUp]);

    // Taken up again after its issue was closed as not planned, it gets one that is open.
    await world.emulator.as('ana').close(REPO, followUp, 'not_planned');
    await world.idle();
    expect(await bookOf(world)).toMatchObject([{ state: 'rejected' }]);
    await say('tom', '/pm tension accept 1');
    const [another = 0, ...more] = await issuesAfter(world, 2);
    expect([more, (await world.tell(another)).state]).toEqual([[followUp], 'open']);
    expect(await bookOf(world)).toMatchObject([{ state: 'accepted', issue: another }]);
  });
});

/** Answers of four participants: one fits, one invents, one flatters and talks for ever, one cannot be read. */
const ANSWERS: Readonly<Record<string, unknown>> = {
  dev: saying('Task 1 left `src/goodbye.js:2` for later, and nobody will look there.'),
  priya: saying('`src/nowhere.js:12` swallows errors.'),
  carlos: saying(`Great work everybody! ${'word '.repeat(4_000)}`),
};

function saying(message: string): unknown {
  return { insights: [{ to: 'coder', insight_type: 'drift', message, actionable: true }] };
}

/** In plain input tokens, at what the provider takes for a write to its cache and a read from it. */
function inputWorth({ usage }: ScriptedCall): number {
  const { input, cacheRead, cacheWrite } = usage ?? { input: NaN, cacheRead: NaN, cacheWrite: NaN };
  return input + 1.25 * cacheWrite + 0.1 * cacheRead;
}

describe.skipIf(noBwrap !== undefined)('a standup with models', () => {
  verifies(
    ['LS-4', 'LS-5', 'LS-6', 'LS-12'],
    'asks everybody once and at the same time, four for 1.6 times the input of one; drops what is invented, cuts what is long, and leaves out who cannot be read',
    async () => {
      const asked: string[] = [];
      const { env, server } = await aModel({
        position: () => ({ json: aPosition({ vote: 'APPROVE', findings: [] } as never) }),
        verdict: () => ({ json: aVerdict({ verdict: 'APPROVE', changes: [] } as never) }),
        standup: (_, handle) => {
          asked.push(handle);
          const answer = ANSWERS[handle];
          return answer === undefined ? { text: 'I would rather not.' } : { json: answer };
        },
      });
      const world = await aPlanWorld(undefined, { env });
      const number = await finish(world, leavingTodo());
      const { body } = await only(world, number);
      expect(body).toContain('nobody will look there.');
      expect(body).not.toContain('nowhere.js');
      expect(body).not.toContain('Great work');
      expect(body).toContain('1 insight dropped for citing what does not exist');
      expect(body).toContain('No answer: Kai (model-invalid-output)');
      const longest = Math.max(...body.split('\n').map((line) => line.split(' ').length));
      expect(longest).toBeLessThan(230);
      expect(asked.toSorted()).toEqual(['carlos', 'coder', 'dev', 'priya']);
      const asks = (await world.store.records.effects({ limit: 10_000 })).filter(
        ({ data }) => data.kind === 'ask' && data.purpose === 'standup',
      );
      expect(asks.map(({ lane }) => lane)).toEqual(asks.map(() => undefined));
      expect(new Set(asks.map(({ at }) => at)).size).toBe(1);
      const { id } = world.emulator.repository(REPO);
      const { usd, calls } = await world.store.records.spent({ repositoryId: id, role: 'standup' });
      // The one that could not be read was asked once more, and no other.
      expect(calls).toBe(5);
      expect(usd).toBeGreaterThan(0);
      expect(usd).toBeLessThan(0.05);
      // The one that was asked again has another last line, so that these are the first four.
      const worths = server.calls.filter(isStandup).map(inputWorth);
      expect(worths).toHaveLength(4);
      expect(sum(worths) / (worths[0] ?? 0)).toBeLessThanOrEqual(1.6);
    },
  );
});

describe.skipIf(noBwrap !== undefined)('a box of a standup', () => {
  test('whose tick no delivery told of is read an hour later, in the name of who edited the comment', async () => {
    const clock = createJumpClock();
    const world = await aPlanWorld(undefined, { clock });
    const number = await finish(world, leavingTodo());
    const shown = await only(world, number);
    const { faults } = world.emulator;
    faults.addHook({ times: Infinity, fault: { kind: 'lost', recorded: false } });
    await edit(world, shown, { by: 'tom', body: ticked(shown) });
    expect(await issuesAfter(world, 2)).toEqual([]);
    faults.clear();
    clock.jump(3_700_000);
    await waitUntil(async () => (await issuesAfter(world, 2)).length === 1);
    await world.idle();
    expect(await bookOf(world)).toMatchObject([{ state: 'accepted', by: 'tom' }]);
  });

  test('that GitHub takes no issue for says so; accepted once more, it gets one', async () => {
    const world = await aPlanWorld();
    const number = await finish(world, leavingTodo());
    const { faults } = world.emulator;
    const path = /\/issues$/;
    faults.add({ method: 'POST', path, times: Infinity, fault: { kind: 'status', status: 410 } });
    const shown = await only(world, number);
    await edit(world, shown, { by: 'tom', body: ticked(shown) });
    expect((await only(world, number)).body).toContain('- Waits: GitHub refused the issue');
    faults.clear();
    expect(await issuesAfter(world, 2)).toEqual([]);
    await world.emulator.as('tom').comment(REPO, number, '/pm tension accept 1');
    await world.idle();
    const [followUp = 0] = await issuesAfter(world, 2);
    expect(await bookOf(world)).toMatchObject([{ state: 'accepted', issue: followUp }]);
  });
});

describe('/pm standup', () => {
  test('looks back on a discussion where there is no plan', async () => {
    const world = await aWorld();
    const number = await world.ask(READY_ISSUE);
    await world.idle();
    await world.emulator.as('ana').comment(REPO, number, '/pm standup');
    await world.idle();
    expect((await world.tell(number)).comments.at(-1)).toMatch(
      /^Standup: no tension \(\d participants\)\./,
    );
  });
});
