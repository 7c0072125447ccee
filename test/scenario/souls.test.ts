/** Who may change what the team is: people (TG-1). */
import { expect } from 'vitest';
import { aWorld, READY_ISSUE, REPO, type TestWorld } from '../helpers/a-world.ts';
import { verifies } from '../verifies.ts';

const FOLDER = '.github/quorum/personas';
const FILE = `${FOLDER}/robin.md`;
const CONFIG = '.github/quorum.yml';
const OFF = 'personas:\n  carlos:\n    active: false\n';

const soul = (lens: string): string =>
  `---\nhandle: robin\nname: Robin\nrole: Reviewer\nteam: engineering\nlens: ${lens}\n---\n\n## Who I am\n\nSomebody.\n`;

async function aTeam(files: Record<string, string> = {}) {
  const world = await aWorld({ files });
  const bot = `${world.emulator.app(world.appId).slug}[bot]`;
  world.emulator.addCollaborator(REPO, bot, 'write');
  return { world, bot };
}

async function put(world: TestWorld, login: string, [file, text]: [string, string]): Promise<void> {
  const url = `/repos/${REPO}/contents/${file}`;
  const now = (await world.emulator
    .as('ana')
    .request('GET', url)
    .catch(() => undefined)) as { sha: string } | undefined;
  await world.emulator.as(login).request('PUT', url, {
    message: `chore: ${file}`,
    content: Buffer.from(text).toString('base64'),
    ...(now === undefined ? {} : { sha: now.sha }),
  });
}

let asked = 0;
async function isStopped(world: TestWorld): Promise<boolean> {
  asked += 1;
  const number = await world.ask({ ...READY_ISSUE, title: `Add a --flag${asked} to tidy` });
  await world.idle();
  return (
    (await world.tell(number)).comments[0]?.startsWith('### Stopped: an agent changed') === true
  );
}

verifies('TG-1', 'an agent’s first override stops the team, seen before or not', async () => {
  const { world, bot } = await aTeam();
  expect(await isStopped(world)).toBe(false);
  await put(world, bot, [FILE, soul('always agreeing')]);
  expect(await isStopped(world)).toBe(true);

  const late = await aTeam();
  await put(late.world, late.bot, [FILE, soul('always agreeing')]);
  expect(await isStopped(late.world)).toBe(true);
  await put(late.world, 'ana', [FILE, soul('names')]);
  expect(await isStopped(late.world)).toBe(false);
});

verifies('TG-1', 'a person’s commit to another file confirms nothing', async () => {
  const { world, bot } = await aTeam({ [FILE]: soul('names') });
  expect(await isStopped(world)).toBe(false);
  await put(world, bot, [FILE, soul('always agreeing')]);
  await put(world, 'ana', [`${FOLDER}/README.txt`, 'hi']);
  expect(await isStopped(world)).toBe(true);
  await put(world, 'ana', [FILE, soul('names')]);
  expect(await isStopped(world)).toBe(false);
});

verifies('TG-1', 'an agent’s change by the configuration stops the team as well', async () => {
  const { world, bot } = await aTeam({ [CONFIG]: 'enabled: true\n' });
  expect(await isStopped(world)).toBe(false);
  await put(world, bot, [CONFIG, OFF]);
  // The same file, and nothing about personas.
  await put(world, 'ana', [CONFIG, `enabled: true\n${OFF}`]);
  expect(await isStopped(world)).toBe(true);
  await put(world, 'ana', [CONFIG, 'enabled: true\n']);
  expect(await isStopped(world)).toBe(false);
});

verifies(
  'TG-1',
  'what people change is believed, and an agent elsewhere stops nobody',
  async () => {
    const { world, bot } = await aTeam();
    expect(await isStopped(world)).toBe(false);
    await put(world, 'ana', [FILE, soul('names')]);
    await put(world, bot, ['docs/x.md', 'x']);
    expect(await isStopped(world)).toBe(false);
  },
);

/** An agent proposes a change of a persona. */
async function propose({ world, bot }: Awaited<ReturnType<typeof aTeam>>): Promise<number> {
  const agent = world.emulator.as(bot);
  const main = (await agent.request('GET', `/repos/${REPO}/git/ref/heads/main`)) as {
    object: { sha: string };
  };
  const { sha } = main.object;
  await agent.request('POST', `/repos/${REPO}/git/refs`, { ref: 'refs/heads/robin', sha });
  await agent.request('PUT', `/repos/${REPO}/contents/${FILE}`, {
    message: 'feat: robin',
    content: Buffer.from(soul('always agreeing')).toString('base64'),
    branch: 'robin',
  });
  return (await agent.openPull(REPO, { title: 'Robin', head: 'robin' })).number;
}

async function mergeAs(
  world: TestWorld,
  login: string,
  { number, method = 'merge' }: { number: number; method?: string },
): Promise<void> {
  const url = `/repos/${REPO}/pulls/${number}/merge`;
  await world.emulator.as(login).request('PUT', url, { merge_method: method });
}

const MERGED_BY_PERSON =
  'a person who merges an agent’s change settles it, and the team goes on with the new digest';

verifies('TG-1', MERGED_BY_PERSON, async () => {
  for (const method of ['merge', 'squash', 'rebase']) {
    const team = await aTeam();
    expect(await isStopped(team.world)).toBe(false);
    const number = await propose(team);
    await mergeAs(team.world, 'ana', { number, method });
    expect([method, await isStopped(team.world)]).toEqual([method, false]);
    // What was settled is that change, and nothing that comes after it.
    await put(team.world, team.bot, [FILE, soul('never agreeing')]);
    expect(await isStopped(team.world)).toBe(true);
  }
});

verifies('TG-1', 'an agent’s merge stops the team until a person approves its head', async () => {
  const team = await aTeam();
  const { world, bot } = team;
  const number = await propose(team);
  await mergeAs(world, bot, { number });
  expect(await isStopped(world)).toBe(true);
  const [said = ''] = (await world.tell(number + 1)).comments;
  expect(said).toContain(`(#${number}, merged by ${bot})`);
  expect(said).toContain(`approve the head of #${number} in a review on GitHub`);
  const at = `/repos/${REPO}/pulls/${number}/reviews`;
  await world.emulator.as('eve').request('POST', at, { event: 'APPROVE' });
  expect(await isStopped(world)).toBe(true);
  await world.emulator.as('ana').request('POST', at, { event: 'APPROVE' });
  expect(await isStopped(world)).toBe(false);
});

verifies('TG-1', 'what merged by itself after a person asked for it settles nothing', async () => {
  const team = await aTeam();
  const number = await propose(team);
  const { pull } = team.world.emulator.repository(REPO).threads.get(number) ?? {};
  if (pull === undefined) throw new Error('no pull request');
  pull.autoMerge = { byId: 1, way: 'merge' };
  await mergeAs(team.world, 'ana', { number });
  expect(await isStopped(team.world)).toBe(true);
});

verifies('TG-1', 'a merge settles no agent’s push that it was made on', async () => {
  const team = await aTeam();
  expect(await isStopped(team.world)).toBe(false);
  await put(team.world, team.bot, [
    `${FOLDER}/kim.md`,
    soul('all').replaceAll('obin', 'im').replaceAll('rim', 'kim'),
  ]);
  const number = await propose(team);
  await mergeAs(team.world, 'ana', { number });
  expect(await isStopped(team.world)).toBe(true);
});
