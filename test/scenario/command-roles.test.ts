/** Every command of the registry by everybody who may and who may not: the refused change nothing, and hear little. */
import { describe, expect, test } from 'vitest';
import { COMMANDS } from '../../src/domain/commands/registry.ts';
import { hasPermission, type Permission } from '../../src/domain/run/thread-ref.ts';
import { aWorld, REPO, type TestWorld } from '../helpers/a-world.ts';
import { anIssue, answered, aPull, say, writesOf, type Answered } from '../helpers/talking.ts';
import { verifies } from '../verifies.ts';

type Least = 'read' | 'triage' | 'write';

const SHA = '3f2a9c1d7e5b';
/** As a person writes it, and the least role that may. */
const ROWS: readonly [text: string, least: Least][] = [
  ['/pm status', 'read'],
  ['/pm help', 'read'],
  ['/pm model', 'read'],
  ['/pm cost', 'read'],
  ['/pm report', 'read'],
  ['/pm why', 'read'],
  ['/pm explain', 'read'],
  ['/pm config', 'read'],
  ['/pm doctor', 'read'],
  ['/pm memory', 'read'],
  ['/pm tensions', 'read'],
  ['/pm link 7F3K9Q2M4T', 'read'],
  ['/pm conflicts', 'read'],
  ['/pm order', 'read'],
  ['/pm ask where is `main`?', 'triage'],
  ['/pm review', 'triage'],
  ['/pm deliberate', 'triage'],
  ['/pm meeting', 'triage'],
  ['/pm consult maya is it safe?', 'triage'],
  ['/pm standup', 'triage'],
  ['/pm plan', 'write'],
  ['/pm revise keep the flag', 'write'],
  ['/pm synthesise', 'triage'],
  ['/pm model default', 'write'],
  ['/pm watch', 'write'],
  ['/pm approve', 'write'],
  ['/pm reject', 'write'],
  ['/pm run', 'write'],
  ['/pm claim 3', 'write'],
  ['/pm release 3', 'write'],
  ['/pm retry 3', 'write'],
  ['/pm block 3 it waits', 'write'],
  ['/pm unblock 3', 'write'],
  ['/pm hold', 'write'],
  ['/pm unhold', 'write'],
  ['/pm stop', 'write'],
  ['/pm merge', 'write'],
  ['/pm done', 'write'],
  [`/pm ok-to-run ${SHA}`, 'write'],
  ['/pm tension accept 3', 'write'],
  ['/pm remember it rains', 'write'],
  ['/pm memory reject', 'write'],
  ['/pm memory remove 3', 'write'],
  ['/pm memory remove 4f0c2b91aa', 'write'],
  ['/pm memory add: it rains', 'write'],
  ['/pm memory change 1 to it rains', 'write'],
  ['/pm remove 3', 'write'],
  ['/pm add: it rains', 'write'],
  ['/pm change 1 to it rains', 'write'],
  ['/pm change 4f0c2b91aa to it rains', 'write'],
  ['/pm correct 1 it rains', 'write'],
  ['/pm image a bird', 'write'],
  ['/pm feedback it is a fixture', 'triage'],
  ['/pm forget the rain', 'write'],
  ['/pm undo', 'write'],
  // Last, one after the other: they are about the whole repository.
  ['/pm pause', 'write'],
  ['/pm resume', 'write'],
];
const WHOLE = new Set(['/pm pause', '/pm resume']);

test('no command is without a row here', () => {
  const rows = new Set(ROWS.map(([text]) => text.split(/[ :]/)[1]));
  expect(rows).toEqual(new Set(COMMANDS.map(({ name }) => name)));
});

interface Said extends Answered {
  text: string;
  least: Least;
  number: number;
  /** What the App keeps of the thread. */
  kept: unknown;
}

/** Each command in a thread of its own, which `tom` opened; all but those about the repository at the same time. */
async function giveAll(world: TestWorld, by: string): Promise<Said[]> {
  const given: { text: string; least: Least; number: number; id: number }[] = [];
  for (const [text, least] of ROWS) {
    const number = await anIssue(world);
    if (WHOLE.has(text)) await world.idle();
    const { id } = await world.emulator.as(by).comment(REPO, number, text);
    given.push({ text, least, number, id });
  }
  await world.idle();
  const { id: repository } = (await world.emulator.as('ana').request('GET', `/repos/${REPO}`)) as {
    id: number;
  };
  return Promise.all(
    given.map(async (each) => ({
      ...each,
      ...(await answered(world, { ...each, before: 0 })),
      kept: (await world.store.load(`thread:${repository}/${each.number}`))?.state,
    })),
  );
}

/** Without what was counted of refusals. */
function deedsIn(kept: unknown): unknown {
  const { denied: _, ...rest } = kept as { denied?: unknown };
  return rest;
}

const NO_DEEDS = { v: 1, runs: {}, talks: {} };
const LONGEST_DENIAL = 250;

function expectRefused(said: Said, held: Permission): void {
  const { text, least, reactions, labels, answers, kept } = said;
  expect([text, reactions, labels, answers.length]).toEqual([text, ['confused'], [], 1]);
  const [words = ''] = answers.map((body) => body.replace(/<!--[\s\S]*?-->/g, '').trim());
  expect(words).toContain(`it needs \`${least}\` permission and you have \`${held}\``);
  expect(words).not.toContain('@');
  expect(words.length - 2 * text.length).toBeLessThan(LONGEST_DENIAL);
  expect([text, deedsIn(kept)]).toEqual([text, NO_DEEDS]);
}

function expectAllowed({ text, reactions, answers }: Said): void {
  expect([text, reactions.length]).toEqual([text, 1]);
  expect(answers.join('\n')).not.toContain('was not run');
}

const PEOPLE: readonly [who: string, login: string, held: Permission][] = [
  // Everybody may read what is public.
  ['a stranger', 'eve', 'read'],
  ['the author of the thread', 'tom', 'read'],
  ['somebody with triage', 'ben', 'triage'],
  ['somebody with write', 'ben', 'write'],
  ['somebody with maintain', 'ben', 'maintain'],
];

describe('every command, in public', () => {
  for (const [who, login, held] of PEOPLE)
    verifies(['CMD-01', 'P4'], `by ${who}: what ${held} may, and nothing else`, async () => {
      const world = await aWorld();
      if (login === 'ben') world.emulator.createUser(login);
      if (login === 'ben') world.emulator.addCollaborator(REPO, login, held);
      const all = await giveAll(world, login);
      for (const said of all)
        if (hasPermission(held, said.least)) expectAllowed(said);
        else expectRefused(said, held);
      const { calls } = await world.store.records.spent({});
      expect(calls > 0).toBe(hasPermission(held, 'triage'));
      expect(world.openApi.violations).toEqual([]);
    });

  const BODY = { permission: 'admin', role_name: 'admin' };
  const SILENT: readonly [who: string, prepare: (world: TestWorld) => Promise<string>][] = [
    [
      'an automated account with every right',
      async ({ emulator }) => {
        const permissions = { issues: 'write', metadata: 'read' } as const;
        const app = await emulator.createApp({
          name: 'Robot',
          owner: 'acme',
          permissions,
          events: [],
        });
        emulator.installApp(app.appId, 'acme');
        const login = `${emulator.app(app.appId).slug}[bot]`;
        emulator.addCollaborator(REPO, login, 'admin');
        return login;
      },
    ],
    [
      'a login that belongs to another account by now',
      async ({ emulator }) => {
        const user = { id: 999_999, login: 'eve', type: 'User' };
        answerRole(emulator, { status: 200, body: { ...BODY, user } });
        return 'eve';
      },
    ],
    [
      'an account that GitHub knows no more',
      async ({ emulator }) => {
        answerRole(emulator, { status: 404, body: { message: 'Not Found' } });
        return 'eve';
      },
    ],
  ];

  for (const [who, prepare] of SILENT)
    verifies(['CMD-01', 'CMD-06', 'CMD-07'], `by ${who}: not even a word`, async () => {
      const world = await aWorld();
      const all = await giveAll(world, await prepare(world));
      for (const { text, kept } of all)
        expect([text, kept === undefined ? NO_DEEDS : deedsIn(kept)]).toEqual([text, NO_DEEDS]);
      expect(writesOf(world)).toEqual([]);
      expect((await world.store.records.spent({})).calls).toBe(0);
    });
});

function answerRole(
  { faults }: TestWorld['emulator'],
  answer: { status: number; body: unknown },
): void {
  const path = `/repos/${REPO}/collaborators/eve/permission`;
  faults.add({ path, times: Infinity, fault: { kind: 'status', ...answer } });
}

describe('a role that is taken away between the reading of a command and what it does', () => {
  const acting = ROWS.filter(([text]) =>
    /^\/pm (?:ask|consult|review|deliberate|watch|hold|unhold)\b/.test(text),
  );
  verifies('CMD-02', 'leaves nothing of it: no label, no call, no run that goes on', async () => {
    const world = await aWorld();
    const { emulator } = world;
    const pull = await aPull(world, { 'docs/a.md': 'A line.\n' });
    await world.idle();
    const { calls } = await world.store.records.spent({});
    for (const [text] of acting) {
      const number = text === '/pm review' ? pull : await anIssue(world);
      if (text === '/pm unhold') await emulator.as('ana').label(REPO, number, ['hold']);
      const { labels } = await world.tell(number);
      emulator.addCollaborator(REPO, 'eve', 'write');
      const stop = emulator.onExchange(({ path }) => {
        if (path.endsWith('/collaborators/eve/permission'))
          emulator.addCollaborator(REPO, 'eve', 'read');
      });
      const told = await say(world, number, { by: 'eve', body: text });
      stop();
      expect([text, told.labels]).toEqual([text, labels]);
      expect([text, (await world.store.records.spent({})).calls]).toEqual([text, calls]);
    }
    const effects = await world.store.records.effects({ limit: 1000 });
    expect(
      effects.filter(({ data }) => data.kind === 'ask' && data.trigger !== 'pr_review'),
    ).toEqual([]);
  });
});

describe('every command at once, by somebody who may everything', () => {
  const lines = ROWS.map(([text]) => text);
  const DISGUISES: readonly [where: string, body: string][] = [
    ['in a quote', lines.map((line) => `> ${line}`).join('\n')],
    ['in a fenced block', ['```', ...lines, '```'].join('\n')],
    ['in a fence that nobody closed', ['~~~', ...lines].join('\n')],
    ['in an indented block', lines.map((line) => `    ${line}`).join('\n')],
    ['in a hidden comment', ['<!--', ...lines, '-->'].join('\n')],
    ['in a block of HTML', ['<div>', ...lines, '</div>'].join('\n')],
    ['as code in a line', lines.map((line) => `See \`${line.replaceAll('`', '')}\``).join('\n\n')],
    ['in the middle of a line', lines.map((line) => `please ${line}`).join('\n\n')],
  ];

  verifies(
    ['CMD-03', 'CMD-04', 'CMD-05'],
    'does nothing where it is not said, or was edited in',
    async () => {
      const world = await aWorld();
      const ana = world.emulator.as('ana');
      for (const [, body] of DISGUISES) await ana.comment(REPO, await anIssue(world), body);
      const { id } = await ana.comment(REPO, await anIssue(world), 'hello');
      await world.idle();
      const change = { body: lines.join('\n') };
      await ana.request('PATCH', `/repos/${REPO}/issues/comments/${id}`, change);
      await world.idle();
      expect(writesOf(world)).toEqual([]);
      expect((await world.store.records.spent({})).calls).toBe(0);
    },
  );
});
