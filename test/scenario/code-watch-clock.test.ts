/** The code watch by the clock, in the App: begun by its scheduler, silent where nothing changed, and opened for by no comment. */
import { expect, test } from 'vitest';
import { aVerdict } from '../helpers/an-issue.ts';
import { aLeapWorld, type LeapWorld } from '../helpers/a-leap-world.ts';
import { aModel } from '../helpers/a-model.ts';
import { isWrite, REPO } from '../helpers/a-world.ts';
import { verifies } from '../verifies.ts';

const HOUR = 3_600_000;
/** Less than the interval, and more than one pass of the scheduler: a slow machine may miss the first. */
const UNTIL_SEARCHED = 2 * HOUR;
const evalIn = (name: string): string =>
  `export function ${name}(text: string): unknown {\n  return eval(text);\n}\n`;

async function aWatchedWorld(settings = '', env: Record<string, string> = {}): Promise<LeapWorld> {
  const files = { 'src/evaluate.ts': evalIn('run'), '.github/quorum.yml': settings };
  return aLeapWorld({ files, env, app: { reconcileEveryMs: HOUR } });
}

async function raised({ emulator }: LeapWorld): Promise<{ title: string; body: string }[]> {
  const query = 'labels=code-watch&state=all&per_page=100';
  const found = (await emulator.as('ana').request('GET', `/repos/${REPO}/issues?${query}`)) as {
    title: string;
    body: string;
  }[];
  return found.toReversed();
}

async function commitFile({ emulator }: LeapWorld, path: string, text: string): Promise<void> {
  await emulator.as('ana').request('PUT', `/repos/${REPO}/contents/${path}`, {
    message: `add ${path}`,
    content: Buffer.from(text).toString('base64'),
  });
}

verifies(
  'NW-18',
  'searches a repository by the clock, opens issues that nobody asked for, and then only where the head has moved',
  async () => {
    const { server, env } = await aModel({
      candidate: () => ({
        json: aVerdict({ verdict: 'APPROVE', changes: [{ text: 'Parse the text.' }] }),
      }),
    });
    // Its hours reach into the night, where a search would wait for the morning.
    const world = await aWatchedWorld('quietHours:\n  enabled: false\n', env);
    await world.pass(UNTIL_SEARCHED);
    const [first, ...others] = await raised(world);
    expect(others).toEqual([]);
    expect(first?.title).toBe('Text is run as code (`src/evaluate.ts`)');
    expect(first?.body).toContain('searched by the clock');
    expect(first?.body).not.toContain('#0');
    expect(server.calls).toHaveLength(1);

    // One more pass after the interval reads the issue that was opened; the head is the same, so nothing else follows.
    await world.pass(4 * HOUR);
    const from = world.emulator.requests.length;
    await world.pass(4 * HOUR);
    const asked = world.emulator.requests.slice(from);
    expect(asked.length).toBeGreaterThan(0);
    expect(asked.filter((request) => isWrite(request))).toEqual([]);
    expect(asked.filter(({ path }) => path.endsWith('/graphql'))).toEqual([]);
    expect(server.calls).toHaveLength(1);

    await commitFile(world, 'src/more.ts', evalIn('more'));
    await world.pass(HOUR);
    expect((await raised(world)).map(({ title }) => title)).toEqual([
      'Text is run as code (`src/evaluate.ts`)',
      'Text is run as code (`src/more.ts`)',
    ]);
    expect(server.calls).toHaveLength(2);

    // A new head is due again only when the interval is over.
    await commitFile(world, 'src/third.ts', evalIn('third'));
    await world.pass(2 * HOUR);
    expect(server.calls).toHaveLength(2);
    await world.pass(3 * HOUR);
    expect(server.calls).toHaveLength(3);
    expect(await raised(world)).toHaveLength(3);

    // Three are open: nobody is asked about a fourth.
    await commitFile(world, 'src/fourth.ts', evalIn('fourth'));
    await world.pass(4 * HOUR);
    expect(server.calls).toHaveLength(3);
    expect(await raised(world)).toHaveLength(3);
    expect(world.openApi.violations).toEqual([]);
  },
);

test('has money again for each search, whatever all earlier ones have spent', async () => {
  const { server, env } = await aModel({
    candidate: () => ({ json: aVerdict({ verdict: 'CHANGES' }) }),
  });
  const world = await aWatchedWorld('budget:\n  council:\n    perThreadUsd: 0.06\n', env);
  for (const [at, name] of ['second', 'third', 'fourth'].entries()) {
    await world.pass(4 * HOUR);
    expect(server.calls).toHaveLength(at + 1);
    await commitFile(world, `src/${name}.ts`, evalIn(name));
  }
});

/** The settings, and how many searches there are after a second commit and four hours, and after one day more. */
test.each([
  ['that spent the tokens of a day', 'sweeps:\n  codeWatch:\n    dailyTokens: 1\n', [1, 2]],
  ['within the cooldown of discussions', 'council:\n  cooldownMinutes: 1440\n', [2, 2]],
])(
  'searches a new head after a search %s: the searches are counted',
  async (_, settings, counts) => {
    const { server, env } = await aModel({
      candidate: () => ({ json: aVerdict({ verdict: 'CHANGES' }) }),
    });
    const world = await aWatchedWorld(settings, env);
    await world.pass(UNTIL_SEARCHED);
    expect(server.calls).toHaveLength(1);
    await commitFile(world, 'src/more.ts', evalIn('more'));
    const found: number[] = [];
    for (const hours of [4, 24]) {
      await world.pass(hours * HOUR);
      found.push(server.calls.length);
    }
    expect(found).toEqual(counts);
  },
);

test.each([
  ['where the configuration switches it off', 'sweeps:\n  codeWatch:\n    enabled: false\n'],
  ['where Quorum is switched off', 'enabled: false\n'],
  ['in quiet hours', 'quietHours:\n  from: 8\n  to: 22\n'],
  ['where no issue of it may be open', 'sweeps:\n  maxOpenCodeWatchIssues: 0\n'],
])('searches nothing %s', async (_, settings) => {
  const world = await aWatchedWorld(settings);
  await world.pass(4 * HOUR);
  expect(await raised(world)).toEqual([]);
  const watches = await world.store.records.events({ idEnd: '-look-code:done', limit: 10 });
  expect(watches).toEqual([]);
});

test('is not made twice after a restart', async () => {
  const world = await aWatchedWorld();
  await world.pass(UNTIL_SEARCHED);
  await world.stopApp();
  await world.startApp();
  await world.pass(4 * HOUR);
  expect(await raised(world)).toHaveLength(1);
  const dead = await world.store.records.effects({ status: 'dead', limit: 10 });
  expect(dead).toEqual([]);
});
