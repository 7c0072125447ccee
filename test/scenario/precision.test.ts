/** What people say to findings is counted, quiets who is wrong too often, and brings them back. */
import { describe, expect, test } from 'vitest';
import { toPrecisionState, tallyOf, type Tally } from '../../src/domain/review/precision.ts';
import { checksOf, headOf } from '../helpers/a-pull.ts';
import { aWorld, REPO, type TestWorld } from '../helpers/a-world.ts';
import { aPull, say } from '../helpers/talking.ts';

const QUICK = { '.github/quorum.yml': 'review:\n  settleSeconds: 0\n' };

/** Prints for debugging, which is `dev`'s and low. */
function prints(name: string, count: number): Record<string, string> {
  const lines = Array.from({ length: count }, (_, n) => `console.log('${name} ${n}');`);
  return { [`src/${name}.ts`]: [...lines, ''].join('\n') };
}

interface LineComment {
  id: number;
  body: string;
  in_reply_to_id?: number;
}

async function findingsOn(world: TestWorld, number: number): Promise<LineComment[]> {
  const url = `/repos/${REPO}/pulls/${number}/comments?per_page=100`;
  return (await world.emulator.as('ana').request('GET', url)) as LineComment[];
}

async function react(
  world: TestWorld,
  comments: readonly LineComment[],
  { by, content }: { by: string; content: string },
): Promise<void> {
  for (const { id } of comments)
    await world.emulator
      .as(by)
      .request('POST', `/repos/${REPO}/pulls/comments/${id}/reactions`, { content });
}

/** A pull request with these files is reviewed, judged by somebody, and merged. */
async function judged(
  world: TestWorld,
  name: string,
  word: { by: string; content: string },
): Promise<void> {
  const number = await aPull(world, prints(name, 6), name);
  await world.idle();
  const found = await findingsOn(world, number);
  expect(found).toHaveLength(6);
  await react(world, found, word);
  await world.emulator.as('ana').request('PUT', `/repos/${REPO}/pulls/${number}/merge`, {});
  await world.idle();
}

async function tallyIn(world: TestWorld): Promise<Tally> {
  const { id } = (await world.emulator.as('ana').request('GET', `/repos/${REPO}`)) as {
    id: number;
  };
  const kept = toPrecisionState((await world.store.load(`precision:${id}`))?.state);
  return kept === undefined ? {} : tallyOf(kept, Date.now());
}

async function reviewBodies(world: TestWorld, number: number): Promise<string[]> {
  const url = `/repos/${REPO}/pulls/${number}/reviews`;
  const reviews = (await world.emulator.as('ana').request('GET', url)) as { body: string }[];
  return reviews.map(({ body }) => body);
}

describe('thumbs down by somebody with a role', () => {
  test('quiet a voice below high from the next review on; thumbs up bring it back', async () => {
    const world = await aWorld({ files: QUICK });
    world.emulator.addCollaborator(REPO, 'tom', 'triage');
    for (const name of ['one', 'two']) await judged(world, name, { by: 'tom', content: '-1' });
    expect((await tallyIn(world))['persona:dev']).toEqual({
      accepted: 0,
      declined: 12,
      ignored: 0,
    });
    // Whatever is counted outlives the process.
    await world.stopApp();
    await world.startApp();
    const danger = {
      'src/danger.ts': 'export function run(text: string): unknown {\n  return eval(text);\n}\n',
    };
    const number = await aPull(world, { ...prints('three', 12), ...danger }, 'three');
    await world.idle();
    const found = await findingsOn(world, number);
    const low = found.filter(({ body }) => body.includes('debug-print-left'));
    expect(found.some(({ body }) => body.startsWith('**high'))).toBe(true);
    // One in five is shown all the same.
    expect(low.length).toBeGreaterThan(0);
    expect(low.length).toBeLessThan(6);
    const [body = ''] = await reviewBodies(world, number);
    expect(body).toMatch(/<details><summary>Muted: \d+ findings below high<\/summary>/);
    expect(body).toContain('Dev: people accepted 0 of 12');
    expect(body).toMatch(/<sub>.*muted below high: Dev/);
    const [check] = await checksOf(world, await headOf(world, number));
    expect(check?.output.title).toMatch(/^Changes needed/);
    const cost = await say(world, number, '/pm cost');
    expect(cost.answers[0]).toContain('| `dev` | 0 | 12 | 0 | 0 of 12 (0 %), muted below high |');
    const why = await say(world, number, '/pm why');
    expect(why.answers[0]).toContain('Dev 0 of 12 (0 %), muted below high');
    await react(world, low, { by: 'ana', content: '+1' });
    await world.emulator.as('ana').request('PUT', `/repos/${REPO}/pulls/${number}/merge`, {});
    await world.idle();
    const after = await aPull(world, prints('four', 4), 'four');
    await world.idle();
    expect(await findingsOn(world, after)).toHaveLength(4);
    expect((await reviewBodies(world, after)).join()).not.toContain('muted');
    expect(world.openApi.violations).toEqual([]);
  });
});

describe('nobody else’s word', () => {
  test('quiets anybody: no outsider’s, no robot’s, not the author’s without a role', async () => {
    const world = await aWorld({ files: QUICK });
    const app = await world.emulator.createApp({
      name: 'Thumb Robot',
      owner: 'acme',
      permissions: { pull_requests: 'write', contents: 'write', metadata: 'read' },
      events: [],
    });
    world.emulator.installApp(app.appId, 'acme');
    const bot = `${world.emulator.app(app.appId).slug}[bot]`;
    await judged(world, 'one', { by: 'eve', content: '-1' });
    await judged(world, 'two', { by: bot, content: '-1' });
    expect((await tallyIn(world))['persona:dev']).toEqual({
      accepted: 0,
      declined: 0,
      ignored: 12,
    });
    const number = await aPull(world, prints('three', 6), 'three');
    await world.idle();
    expect(await findingsOn(world, number)).toHaveLength(6);
  });
});

test('a wish without a finding reaches the next run as data, with its author', async () => {
  const world = await aWorld({ files: QUICK });
  const number = await aPull(world, { 'docs/notes.md': '# Notes\n\nOne line.\n' });
  await world.idle();
  const told = await say(world, number, '/pm feedback leave the generated files alone');
  expect(told.answers[0]).toContain('Kept, under your name');
  await say(world, number, '/pm review');
  const { id } = (await world.emulator.as('ana').request('GET', `/repos/${REPO}`)) as {
    id: number;
  };
  const asked = (await world.store.records.effects({ limit: 200 }))
    .filter(({ key, data }) => key === `thread:${id}/${number}` && data.kind === 'ask')
    .map(({ data }) => (data.kind === 'ask' ? JSON.stringify(data.prompt) : ''));
  // As it appears in a JSON string.
  const WISH = 'author=\\"ana\\" trust=\\"maintainer\\">>>\\nleave the generated files alone';
  const shown = asked.filter((task) => task.includes(WISH));
  expect(shown.length).toBeGreaterThan(0);
  expect(shown.length).toBeLessThan(asked.length);
});
