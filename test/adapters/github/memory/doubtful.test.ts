/** Whose pushes onto the memory branch count, as GitHub lists them. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { createGitHub } from '../../../../src/adapters/github/create-github.ts';
import type {
  DoubtfulLines,
  GitHubMemory,
  MemoryBranch,
} from '../../../../src/ports/github/memory-branch.ts';
import { verifies } from '../../../verifies.ts';
import { createTestClock, SECRET, steady } from '../stage.ts';
import { openMemoryWorld, type EmulatedMemory } from './memory-world.ts';

const PATH = 'personas/dev/working.md';
const NO_COMMIT = '0'.repeat(40);
const line = (text: string): string => `- [PATTERN] ${text}`;

async function append(memory: MemoryBranch, world: EmulatedMemory, text: string): Promise<void> {
  await memory.update(world.place, {
    paths: [PATH],
    message: text,
    change: (files) => new Map([[PATH, `${files.get(PATH) ?? ''}${line(text)}\n`]]),
  });
}

/** The branch as another App reaches it. */
async function otherApp({ emulator, place }: EmulatedMemory): Promise<MemoryBranch> {
  const permissions = { contents: 'write', metadata: 'read' } as const;
  const { appId, privateKey } = await emulator.createApp({ name: 'Other', permissions });
  const repository = { ...place.repository, installationId: emulator.installApp(appId, 'acme') };
  const github: GitHubMemory = createGitHub({
    auth: { kind: 'app', appId, privateKey },
    baseUrl: emulator.apiUrl,
    markerSecret: SECRET,
    clock: createTestClock(),
    random: steady,
    budgets: 'off',
  });
  const { memory } = github.at(repository);
  return { ...memory, update: (at, update) => memory.update({ ...at, repository }, update) };
}

async function doubtfulIn(world: EmulatedMemory): Promise<DoubtfulLines> {
  const memory = world.open();
  const { head = '' } = await memory.read(world.place, { paths: [] });
  return memory.doubtful(world.place, head);
}

describe.each([true, false])('who pushed the memory branch, GraphQL: %s', (hasGraphql) => {
  verifies('MEM-03: own pushes', 'ours and those of people leave no doubt', async () => {
    const world = await openMemoryWorld({ hasGraphql });
    await append(world.open(), world, 'ours');
    await world.person.push({ [PATH]: `${line('ours')}\n${line('by hand')}\n` });
    expect(await doubtfulIn(world)).toEqual(new Set());
  });

  verifies('MEM-03: lines of another App', 'names the lines that another App added', async () => {
    const world = await openMemoryWorld({ hasGraphql });
    await append(world.open(), world, 'ours');
    await append(await otherApp(world), world, 'theirs');
    await append(world.open(), world, 'ours again');
    expect(await doubtfulIn(world)).toEqual(new Set([line('theirs')]));
  });

  verifies(
    'MEM-03: branch that another App made',
    'doubts every line of a branch that another App made, also after ours was deleted',
    async () => {
      const world = await openMemoryWorld({ hasGraphql });
      await append(world.open(), world, 'ours');
      await world.person.deleteBranch();
      await append(await otherApp(world), world, 'theirs');
      expect(await doubtfulIn(world)).toEqual(new Set([line('theirs')]));
    },
  );
});

describe('who pushed the memory branch', () => {
  test('doubts no line that we pushed, however many pushes another App made one after another', async () => {
    const world = await openMemoryWorld({ hasGraphql: true });
    await append(world.open(), world, 'ours');
    const other = await otherApp(world);
    for (let n = 0; n < 12; n += 1) await append(other, world, `theirs ${n}`);
    await append(world.open(), world, 'ours again');
    await append(other, world, 'theirs at last');
    const lines = await doubtfulIn(world);
    expect(lines).toHaveLength(13);
    expect(lines).toContain(line('theirs 0'));
    expect(lines).toContain(line('theirs 11'));
    expect(lines).toContain(line('theirs at last'));
  });

  test('doubts all that was added since the first of many pushes by another App between ours', async () => {
    const world = await openMemoryWorld({ hasGraphql: true });
    await append(world.open(), world, 'ours');
    const other = await otherApp(world);
    for (let n = 0; n < 11; n += 1) {
      await append(other, world, `theirs ${n}`);
      await append(world.open(), world, `ours ${n}`);
    }
    const lines = await doubtfulIn(world);
    expect(lines).toContain(line('theirs 0'));
    expect(lines).toContain(line('ours 10'));
    expect(lines).not.toContain(line('ours'));
  });

  test('finds a push of another App behind hundreds that we made', async () => {
    const world = await openMemoryWorld({ hasGraphql: true });
    await append(world.open(), world, 'ours');
    await append(await otherApp(world), world, 'theirs');
    await append(world.open(), world, 'ours again');
    const { activity = [] } = world.emulator.repository('acme/widgets');
    const last = activity.at(-1);
    if (last === undefined) throw new Error('no push');
    const again = { ...last, before: last.after };
    activity.push(...Array.from({ length: 250 }, () => again));
    expect(await doubtfulIn(world)).toEqual(new Set([line('theirs')]));
  });

  test('looks only at what was pushed since a head that is known', async () => {
    const world = await openMemoryWorld({ hasGraphql: true });
    await append(world.open(), world, 'ours');
    const memory = world.open();
    const other = await otherApp(world);
    await append(other, world, 'theirs');
    const { head = '' } = await memory.read(world.place, { paths: [] });
    await append(other, world, 'theirs too');
    const { head: next = '' } = await memory.read(world.place, { paths: [] });
    const known = { head, doubtful: new Set(['as it was']) };
    const lines = await memory.doubtful(world.place, next, known);
    expect(lines).toEqual(new Set(['as it was', line('theirs too')]));
  });

  test('doubts the lines that another App brought back by moving the branch to an earlier commit', async () => {
    const world = await openMemoryWorld({ hasGraphql: true });
    await append(world.open(), world, 'ours');
    await append(world.open(), world, 'forgotten');
    const memory = world.open();
    const { head: old = '' } = await memory.read(world.place, { paths: [] });
    const kept = `${line('ours')}\n`;
    await memory.update(world.place, {
      paths: [PATH],
      message: 'forget',
      change: () => new Map([[PATH, kept]]),
    });
    const { head: before = '' } = await memory.read(world.place, { paths: [] });
    await append(await otherApp(world), world, 'theirs');
    const { activity = [] } = world.emulator.repository('acme/widgets');
    const theirs = activity.pop();
    if (theirs === undefined) throw new Error('no push');
    activity.push({ ...theirs, kind: 'force_push', before, after: old });
    const known = { head: before, doubtful: new Set<string>() };
    const found = new Set([line('forgotten')]);
    expect(await memory.doubtful(world.place, old)).toEqual(found);
    expect(await memory.doubtful(world.place, old, known)).toEqual(found);
  });

  test('doubts all where the oldest push that GitHub lists is by another App', async () => {
    const world = await openMemoryWorld({ hasGraphql: true });
    await append(world.open(), world, 'ours');
    await append(await otherApp(world), world, 'theirs');
    await append(world.open(), world, 'ours again');
    const { activity = [] } = world.emulator.repository('acme/widgets');
    const [theirs] = activity.filter(({ kind }) => kind === 'push');
    if (theirs === undefined) throw new Error('no push');
    // Without a gap between them.
    const none = { ...theirs, before: NO_COMMIT, after: NO_COMMIT };
    activity.unshift(...Array.from({ length: 620 }, () => none));
    expect(await doubtfulIn(world)).toBe('all');
  });

  test('doubts all where a push is missing in the list of GitHub', async () => {
    const world = await openMemoryWorld({ hasGraphql: true });
    await append(world.open(), world, 'ours');
    await append(await otherApp(world), world, 'theirs');
    await append(world.open(), world, 'ours again');
    const { activity = [] } = world.emulator.repository('acme/widgets');
    const theirs = activity.findIndex(({ kind }) => kind === 'push');
    activity.splice(theirs, 1);
    expect(await doubtfulIn(world)).toBe('all');
  });

  test('doubts every line of a file that another App renamed', async () => {
    const world = await openMemoryWorld({ hasGraphql: true });
    await append(world.open(), world, 'ours');
    const other = await otherApp(world);
    const [from, to] = ['journal/1.md', 'personas/maya/working.md'];
    const text = `${line('theirs')}\n${line('theirs too')}\n`;
    const push = (files: [string, string | undefined][]): Promise<unknown> =>
      other.update(world.place, {
        paths: [from, to],
        message: 'move',
        change: () => new Map(files),
      });
    await push([[from, text]]);
    await push([
      [to, text],
      [from, undefined],
    ]);
    expect(await doubtfulIn(world)).toEqual(new Set([line('theirs'), line('theirs too')]));
  });

  test('doubts every line of a file whose changes are hidden by an attribute of git', async () => {
    const world = await openMemoryWorld({ hasGraphql: true });
    await append(world.open(), world, 'ours');
    await append(await otherApp(world), world, 'theirs');
    await append(world.open(), world, 'ours again');
    const { gitDir } = world.emulator.repository('acme/widgets');
    writeFileSync(join(gitDir, 'info/attributes'), '*.md -diff\n');
    expect(await doubtfulIn(world)).toEqual(new Set([line('ours'), line('theirs')]));
  });

  test('doubts all where another App made a branch with a file that is too large to be read', async () => {
    const world = await openMemoryWorld({ hasGraphql: true });
    await append(world.open(), world, 'ours');
    await append(await otherApp(world), world, 'theirs');
    await world.person.push({ [PATH]: `${line('long')}\n`.repeat(80_000) });
    const { activity = [] } = world.emulator.repository('acme/widgets');
    const [theirs, large] = activity.splice(-2);
    if (theirs === undefined || large === undefined) throw new Error('no push');
    activity.splice(0, Infinity, { ...large, before: NO_COMMIT, actorId: theirs.actorId });
    expect(await doubtfulIn(world)).toBe('all');
  });

  verifies(
    'MEM-03: nobody says who pushed',
    'doubts all of a head that GitHub does not list yet, and where it lists nothing',
    async () => {
      const world = await openMemoryWorld({ hasGraphql: true });
      await append(world.open(), world, 'ours');
      const memory = world.open();
      expect(await memory.doubtful(world.place, 'f'.repeat(40))).toBe('all');
      const fault = { kind: 'status', status: 404 } as const;
      world.emulator.faults.add({ path: '/repos/acme/widgets/activity', times: Infinity, fault });
      expect(await doubtfulIn(world)).toBe('untold');
    },
  );
});
