/**
 * Whatever a model does instead of answering, the run ends in a sane state, and its comment reports
 * the failure.
 */
import { describe, expect, test } from 'vitest';
import type { ScriptedReply } from '../../src/emulator/model-server/script.ts';
import { aModel } from '../helpers/a-model.ts';
import { aPosition, aVerdict } from '../helpers/an-issue.ts';
import { aLeapWorld, type LeapWorld } from '../helpers/a-leap-world.ts';
import { aWorld, READY_ISSUE, type TestWorld } from '../helpers/a-world.ts';
import { pendingButWeek } from '../helpers/pending-but-week.ts';
import { verifies } from '../verifies.ts';

/** What holds after every kind of failure: one comment that is no longer "discussing", one outcome, nothing dead. */
async function expectSaneEnd(world: TestWorld, number: number): Promise<string> {
  const told = await world.tell(number);
  // A question to a person comes in a comment of its own as well: edits notify nobody.
  expect(told.comments).toHaveLength(told.labels.includes('needs-human') ? 2 : 1);
  const [body = ''] = told.comments;
  expect(body).toMatch(/^### (?!Discussing)/m);
  // The note that rules replaced a model comes before anything else.
  const isOffline = body.includes('offline rules, no model');
  expect(
    /^\*\*No model: only offline rules judged this\.\*\* `\w+` did not answer: /.test(body),
  ).toBe(isOffline);
  const outcomes = told.labels.filter((label) => label !== 'deliberate');
  expect(outcomes).toHaveLength(1);
  expect(['ready', 'draft', 'needs-human']).toContain(outcomes[0]);
  // The eyes stay on while a person has the floor.
  expect(told.reactions.includes('eyes')).toBe(outcomes[0] === 'needs-human');
  const { events, effects } = await world.store.records.counts();
  expect(events).toMatchObject({ dead: 0, parked: 0 });
  const pending = await pendingButWeek(world.store.records);
  expect(pending).toBe(outcomes[0] === 'needs-human' ? 1 : 0);
  expect(effects).toMatchObject({ pending: 0, dead: 0 });
  expect(body.length).toBeLessThan(65_536);
  return body;
}

/** How often a model is tried before it is left hangs on the machine's speed: hours of the world are enough for any. */
async function passUntilTold(world: LeapWorld, number: number): Promise<void> {
  for (let hours = 0; hours < 4; hours += 1 / 3) {
    await world.pass(20 * 60_000);
    const [body = ''] = (await world.tell(number)).comments;
    if (/^### (?!Discussing)/m.test(body)) return;
  }
}

const WIDE = 'word '.repeat(200_000);

/** What the model does on every call, and what its readers see. */
const MISCHIEF: [string, ScriptedReply, RegExp][] = [
  ['writes prose', 'I would rather not use JSON today.', /could not answer|Too few/],
  ['writes nothing', { text: '' }, /could not answer|Too few/],
  ['refuses', { text: 'I cannot help with that.', finish: 'refusal' }, /could not answer|Too few/],
  ['is cut off by its length', { text: '{"skip":false,"vote":"REA', finish: 'length' }, /Too few/],
  ['writes a list', { json: [1, 2, 3] }, /Too few/],
  ['votes a word that is none', { json: { ...aPosition(), vote: 'MERGE' } }, /Too few/],
  ['is surer than sure', { json: { ...aPosition(), confidence: 17 } }, /Too few/],
  ['writes a megabyte', { text: WIDE }, /Too few/],
  [
    'cuts the stream',
    { json: aPosition(), fault: { kind: 'cut', afterEvents: 2 } },
    /offline rules/,
  ],
  ['closes the connection', { fault: { kind: 'reset' } }, /offline rules/],
  ['answers a proxy’s page', { fault: { kind: 'html', status: 502 } }, /offline rules/],
  ['answers garbage', { fault: { kind: 'garbage' } }, /offline rules|Too few/],
  ['answers 200 and nothing', { fault: { kind: 'empty' } }, /offline rules|Too few/],
  ['is overloaded', { fault: { kind: 'status', status: 529 } }, /offline rules/],
  ['has no credit left', { fault: { kind: 'status', status: 402 } }, /account has no credits left/],
  [
    'filters the content',
    { fault: { kind: 'content-filter' } },
    /a content filter of its provider/,
  ],
];

describe('a model that', () => {
  for (const [what, reply, told] of MISCHIEF) {
    verifies(
      ['LIM-07', 'CB-15'],
      `${what} leaves a sane end, and people can read why`,
      async () => {
        const { server, env } = await aModel();
        server.setScript(() => reply);
        const world = await aLeapWorld({ env, app: { reconcileEveryMs: 0 } });
        const number = await world.ask(READY_ISSUE);
        await passUntilTold(world, number);
        expect(await expectSaneEnd(world, number)).toMatch(told);
        expect(server.calls.length).toBeLessThan(40);
      },
    );
  }

  test('names places and rules that do not exist links to none of them', async () => {
    const places = [
      { path: '../../etc/passwd', line: 1 },
      { path: 'https://evil.example/x', line: 2 },
      { path: 'src/cli.ts', line: 9_999_999 },
      { path: 'no/such/file.ts', line: 3, endLine: 1 },
    ];
    const findings = places.map((place, n) => ({
      severity: 'low' as const,
      title: `finding ${n}`,
      evidence: 'seen',
      place,
      ruleId: 'no-such-rule',
    }));
    const { env } = await aModel({
      position: (_, handle) => ({ json: aPosition({ reasons: handle, findings }) }),
    });
    const world = await aWorld({ env });
    const number = await world.ask(READY_ISSUE);
    await world.idle();
    const body = await expectSaneEnd(world, number);
    const links = Array.from(body.matchAll(/\]\(([^)]+)\)/g), (match) => match[1]);
    for (const link of links)
      expect(link).toMatch(/^\/acme\/tidy\/blob\/[0-9a-f]{40}\/src\/cli\.ts/);
  });

  verifies(
    ['LIM-08: hard stop with one notice', 'CB-14b'],
    'costs more than the cap is not asked again, and people can read why',
    async () => {
      const dear = { usage: { input: 40_000_000, output: 2_000_000 } };
      const { server, env } = await aModel({
        position: (_, handle) => ({ json: aPosition({ reasons: handle }), ...dear }),
        verdict: () => ({ json: aVerdict(), ...dear }),
      });
      const world = await aWorld({ env });
      const number = await world.ask(READY_ISSUE);
      await world.idle();
      const body = await expectSaneEnd(world, number);
      expect(body).toContain('partial result');
      expect((await world.tell(number)).labels).toContain('needs-human');
      const before = server.calls.length;
      // The next issue of the day is over the day's cap: nothing more is spent.
      const next = await world.ask({ ...READY_ISSUE, title: 'Another wish' });
      await world.idle();
      expect(server.calls.length).toBe(before);
      const { comments } = await world.tell(next);
      expect(comments).toEqual([
        expect.stringContaining('partial result'),
        expect.stringContaining('the team needs your decision'),
      ]);
      const spent = await world.store.records.spent({});
      expect(spent.calls).toBe(before);
    },
  );

  verifies('LIM-07', 'never ends its answer is given up in time', async () => {
    const { server, env } = await aModel();
    server.setScript(() => ({ fault: { kind: 'hang' } }));
    const world = await aLeapWorld({ env, app: { reconcileEveryMs: 0 } });
    const number = await world.ask(READY_ISSUE);
    await world.pass(30 * 60_000);
    const body = await expectSaneEnd(world, number);
    expect(body).toMatch(/offline rules|could not answer|Too few/);
  });
});
