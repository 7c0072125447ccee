/** The status issue of a repository, and the weekly standup in its thread, through the real entry points. */
import { describe, expect, test } from 'vitest';
import { weekAt, DEFAULT_WEEK } from '../../src/domain/digest/week.ts';
import { changeValue } from '../../src/act/standup/change-value.ts';
import { raiseTension } from '../../src/domain/tension/move-tension.ts';
import { createJumpClock, type JumpClock } from '../helpers/a-jump-clock.ts';
import { aChatWorld } from '../helpers/a-chat-world.ts';
import { anInsight, aStandup } from '../helpers/a-kept-standup.ts';
import { aModel } from '../helpers/a-model.ts';
import { aPlanBody } from '../helpers/a-plan.ts';
import { green } from '../helpers/a-build.ts';
import { endWeek, statusIssue, statusIssues, weekOf } from '../helpers/a-week.ts';
import { aWorld, READY_ISSUE, REPO, type TestWorld } from '../helpers/a-world.ts';
import { waitUntil } from '../helpers/wait-until.ts';
import { verifies } from '../verifies.ts';

const WEEK_MS = 7 * 24 * 3_600_000;

async function aWeeklyWorld(over: Parameters<typeof aWorld>[0] = {}) {
  const clock = createJumpClock();
  return { clock, world: await aWorld({ ...over, clock }) };
}

/** A week in which the team discussed one issue. */
async function aBusyWeek(world: TestWorld, clock: JumpClock): Promise<number> {
  const number = await world.ask(READY_ISSUE);
  await endWeek(world, clock);
  return number;
}

async function setIssue({ emulator }: TestWorld, number: number, state: string): Promise<void> {
  await emulator.as('ana').request('PATCH', `/repos/${REPO}/issues/${number}`, { state });
}

async function sayStatus(world: TestWorld, number: number): Promise<string> {
  await world.emulator.as('ana').comment(REPO, number, '/pm status');
  await world.idle();
  return (await world.tell(number)).comments.at(-1) ?? '';
}

/** Why nothing followed from each look at a week, oldest first. */
async function looksIn({ store }: TestWorld): Promise<(string | undefined)[]> {
  const events = await store.records.events({ idEnd: '-look-week:done', limit: 10 });
  return events.map(({ reason }) => reason);
}

describe('the status issue', () => {
  test('tells of a week with work, is pinned, and is edited in place a week later', async () => {
    const { world, clock } = await aWeeklyWorld();
    const first = await world.ask(READY_ISSUE);
    await world.idle();
    expect(await statusIssues(world)).toEqual([]);
    await endWeek(world, clock);
    const shown = await statusIssue(world);
    expect(shown.user.login).toMatch(/\[bot\]$/);
    expect(shown.body).toContain('1 done, 0 merged, $0.00 spent');
    expect(shown.body).toContain(`- #${first} \`${READY_ISSUE.title}\``);
    expect(world.emulator.repository(REPO).pinned).toEqual([shown.number]);

    const second = await aBusyWeek(world, clock);
    const edited = await statusIssue(world);
    expect(edited.number).toBe(shown.number);
    expect(edited.body).toContain(`### Done\n\n- #${second} `);
    expect(edited.body).not.toContain(`- #${first} `);
    expect((await world.tell(shown.number)).comments).toEqual([]);
    expect(world.openApi.violations).toEqual([]);
  });

  test('asks GitHub nothing in weeks without work', async () => {
    const { world, clock } = await aWeeklyWorld();
    await aBusyWeek(world, clock);
    await endWeek(world, clock);
    const { body } = await statusIssue(world);
    const asked = world.emulator.requests.length;
    for (let week = 0; week < 3; week += 1) {
      clock.jump(WEEK_MS);
      await world.idle();
    }
    expect(world.emulator.requests.length).toBe(asked);
    expect((await statusIssue(world)).body).toBe(body);
  });

  test('tells of weeks in which the App was away once, when it is there again', async () => {
    const { world, clock } = await aWeeklyWorld();
    const number = await world.ask(READY_ISSUE);
    await world.idle();
    await world.stopApp();
    const { from } = weekAt(clock.now(), DEFAULT_WEEK);
    clock.jump(3 * WEEK_MS);
    await world.startApp();
    await waitUntil(async () => (await statusIssues(world)).length > 0);
    await world.idle();
    const { body } = await statusIssue(world);
    expect(body).toContain(`- #${number} `);
    const to = new Date(weekAt(clock.now(), DEFAULT_WEEK).from).toISOString().slice(0, 10);
    expect(body).toContain(` to ${to}`);
    expect(Date.parse(to)).toBeGreaterThan(from);
    expect((await weekOf(world))?.timer).toBeUndefined();
  });

  test('tells who waits: a plan for approval', async () => {
    const { world, clock } = await aWeeklyWorld();
    const { number: plan } = await world.emulator
      .as('tom')
      .openIssue(REPO, { title: '[PLAN] Carts', body: aPlanBody() });
    await world.emulator.as('ana').label(REPO, plan, ['plan']);
    await aBusyWeek(world, clock);
    expect((await statusIssue(world)).body).toMatch(
      new RegExp(`### What needs a person\\n\\n- #${plan}: the plan waits for approval \\(`),
    );
  });

  test('that a person closes stays closed, and is off until somebody reopens it', async () => {
    const { world, clock } = await aWeeklyWorld();
    const first = await aBusyWeek(world, clock);
    const { number, body } = await statusIssue(world);
    expect(await sayStatus(world, first)).toContain(`Weekly digest: #${number}.`);
    await setIssue(world, number, 'closed');
    await aBusyWeek(world, clock);
    await aBusyWeek(world, clock);
    expect(await statusIssue(world)).toMatchObject({ number, state: 'closed', body });
    const why = `#${number} is closed, so the weekly digest is off`;
    expect(await looksIn(world)).toEqual([undefined, why, why]);
    expect(await sayStatus(world, first)).toContain(
      `Weekly digest: off, because #${number} is closed.`,
    );
    await setIssue(world, number, 'open');
    const last = await aBusyWeek(world, clock);
    expect((await statusIssue(world)).body).toContain(`- #${last} `);
  });

  test('that cannot be pinned is there all the same', async () => {
    const { world, clock } = await aWeeklyWorld();
    world.emulator.repository(REPO).pinned = [101, 102, 103];
    await aBusyWeek(world, clock);
    const { number, state } = await statusIssue(world);
    expect(state).toBe('open');
    expect((await weekOf(world))?.issue).toBe(number);
    expect(world.emulator.repository(REPO).pinned).toEqual([101, 102, 103]);
  });

  test('does not exist where issues are switched off, and the reason is kept', async () => {
    const { world, clock } = await aWeeklyWorld();
    await world.ask(READY_ISSUE);
    await world.idle();
    await world.emulator.as('ana').request('PATCH', `/repos/${REPO}`, { has_issues: false });
    await endWeek(world, clock);
    expect(await statusIssues(world)).toEqual([]);
    expect(await looksIn(world)).toEqual(['issues are switched off in the repository']);
  });

  test('is one, also where the answer to its opening was lost', async () => {
    const { world, clock } = await aWeeklyWorld();
    await world.ask(READY_ISSUE);
    await world.idle();
    world.emulator.faults.add({
      method: 'POST',
      path: /\/issues$/,
      fault: { kind: 'effect-then-fail', reset: true },
    });
    await endWeek(world, clock);
    const { number } = await statusIssue(world);
    expect(world.emulator.repository(REPO).pinned).toEqual([number]);
    await aBusyWeek(world, clock);
    expect((await statusIssue(world)).number).toBe(number);
  });

  test('is found by its marker after the store was lost', async () => {
    const { world, clock } = await aWeeklyWorld();
    await aBusyWeek(world, clock);
    const { number } = await statusIssue(world);
    const { id: repositoryId } = world.emulator.repository(REPO);
    await world.store.erasure.erase({ kind: 'repository', repositoryId });
    await world.stopApp();
    await world.startApp();
    const next = await aBusyWeek(world, clock);
    expect(await statusIssue(world)).toMatchObject({
      number,
      body: expect.stringContaining(`- #${next} `),
    });
  });

  test('comes at the day and hour that the configuration says', async () => {
    const setting = { weekday: 'friday', hour: 17, timeZone: 'Europe/Madrid' } as const;
    const { weekday, hour, timeZone } = setting;
    const settings = `standup:\n  week: { weekday: ${weekday}, hour: ${hour}, timeZone: ${timeZone} }\n`;
    const { world, clock } = await aWeeklyWorld({ files: { '.github/quorum.yml': settings } });
    await aBusyWeek(world, clock);
    expect(await statusIssues(world)).toEqual([]);
    await endWeek(world, clock, setting);
    expect((await statusIssue(world)).state).toBe('open');
  });

  test('does not keep a workspace awake in which nothing is left to do', async () => {
    const files = { '.github/quorum.yml': 'plans:\n  workspace: true\n' };
    const { world, clock } = await aWeeklyWorld({ files });
    await world.emulator.endRun(REPO, green());
    await setIssue(world, await aBusyWeek(world, clock), 'closed');
    expect((await statusIssue(world)).state).toBe('open');
    const body = aPlanBody().replaceAll('**Status:** pending', '**Status:** completed');
    const { number } = await world.emulator.as('ana').openIssue(REPO, { title: '[PLAN] Q', body });
    await world.emulator.as('ana').label(REPO, number, ['plan']);
    await world.idle();
    const path = `/repos/${REPO}/issues?labels=finished`;
    expect(await world.emulator.as('ana').request('GET', path)).toHaveLength(1);
  });

  test('is off by configuration', async () => {
    const files = { '.github/quorum.yml': 'standup:\n  digest: false\n' };
    const { world, clock } = await aWeeklyWorld({ files });
    await aBusyWeek(world, clock);
    expect(await statusIssues(world)).toEqual([]);
  });
});

const SAID = 'The discussion of `src/cli.ts` never named who decides.';

describe('what standups say', () => {
  verifies(
    'LS-10',
    'is raised once three of them said it, and tensions are listed by age',
    async () => {
      const { world, clock } = await aWeeklyWorld();
      const { id: repository } = world.emulator.repository(REPO);
      const at = new Date(clock.now()).toISOString();
      const said = [
        'The retry in the queue has no upper limit',
        'Retry of the queue: no upper limit anywhere',
        'Queue retry still without an upper limit',
      ].map((message, n) => anInsight(message, { run: `run-${n}` }));
      for (const insight of said) {
        const { run } = insight;
        await world.store.standups.save(aStandup({ repository, run, at, insights: [insight] }));
        if (run === 'run-1') {
          await aBusyWeek(world, clock);
          expect((await statusIssue(world)).body).not.toContain('### Seen three times or more');
        }
      }
      const [first] = said;
      if (first === undefined) throw new Error('nothing was said');
      await changeValue(
        world.store.standups,
        { repository, name: 'tensions' },
        (book) => raiseTension(book, first, { at, viewed: {} }).book,
      );
      await aBusyWeek(world, clock);
      const { body } = await statusIssue(world);
      expect(body).toMatch(/### Seen three times or more\n\n- `[a-z ]+`: 3 runs/);
      expect(body).toMatch(/### Open tensions, oldest first\n\n- \*\*1\*\* `risk` The retry/);
    },
  );
});

describe('the weekly standup', () => {
  verifies(
    ['LS-1', 'LS-8'],
    'looks back once on what no standup looked at, in the thread of the status issue',
    async () => {
      let asked = 0;
      const { env } = await aModel({
        standup: (_, handle) => {
          asked += 1;
          const insight = { to: 'priya', insight_type: 'process', message: SAID, actionable: true };
          return { json: { insights: handle === 'dev' ? [insight] : [] } };
        },
      });
      const { world, clock } = await aWeeklyWorld({ env });
      const number = await aBusyWeek(world, clock);
      const status = await statusIssue(world);
      await world.idle();
      const { comments } = await world.tell(status.number);
      expect(comments).toHaveLength(1);
      expect(comments[0]).toContain(SAID);
      expect((await world.tell(number)).comments.join('\n')).not.toContain(SAID);
      // What people think of it is read with its boxes, an hour later.
      const path = `/repos/${REPO}/issues/${status.number}/comments`;
      const [shown] = (await world.emulator.as('ana').request('GET', path)) as { id: number }[];
      await world.emulator
        .as('ana')
        .request('POST', `/repos/${REPO}/issues/comments/${shown?.id ?? 0}/reactions`, {
          content: '+1',
        });
      clock.jump(3_700_000);
      await waitUntil(async () => {
        const [held] = await world.store.standups.standups({ limit: 1 });
        return held?.thumbs.up === 1;
      });
      const before = asked;
      expect(before).toBeGreaterThan(1);
      await endWeek(world, clock);
      expect(asked).toBe(before);
    },
  );

  test('writes nothing where nobody has a tension, and is not held where it is switched off', async () => {
    for (const settings of ['', 'standup:\n  weekly: false\n', 'standup:\n  enabled: false\n']) {
      const files = { '.github/quorum.yml': settings };
      const { world, clock } = await aWeeklyWorld({ files });
      await aBusyWeek(world, clock);
      expect((await world.tell((await statusIssue(world)).number)).comments).toEqual([]);
      const { id } = world.emulator.repository(REPO);
      const held = await world.store.standups.standups({ repositories: [id], limit: 10 });
      expect([settings, held.length]).toEqual([settings, settings === '' ? 1 : 0]);
    }
  });
});

const CHANNELS = [
  'quietHours: { enabled: false }',
  'channels:',
  "  slack: { channel: '#team', events: [weekly] }",
  '  bluesky: { events: [weekly] }',
  '',
].join('\n');

describe('the digest in channels', () => {
  test.each([
    ['a public repository', false, 1],
    ['a private repository', true, 0],
  ])('of %s', async (_, isPrivate, onBluesky) => {
    const clock = createJumpClock();
    const files = { '.github/quorum.yml': CHANNELS };
    const chats = await aChatWorld({ clock, files });
    const { world } = chats;
    world.emulator.addCollaborator(REPO, 'tom', 'read');
    world.emulator.repository(REPO).private = isPrivate;
    await aBusyWeek(world, clock);
    await waitUntil(() => Promise.resolve(chats.inSlack().length > 0));
    await world.idle();
    expect(chats.inSlack()).toEqual([
      expect.stringContaining('Quorum: status>: week '),
      expect.stringContaining('1 done, 0 merged'),
    ]);
    expect(chats.onBluesky()).toHaveLength(onBluesky);
  });
});
