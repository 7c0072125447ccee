/** What a person decides about the memory without the App: entries are listed, approved, rejected and forgotten. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { applyChange, workingPath } from '../../src/domain/memory/file/apply-change.ts';
import { memoryId, type MemoryEntry } from '../../src/domain/memory/memory-entry.ts';
import {
  anActionsWorld,
  anEvent,
  buildForTests,
  dropBuild,
  type ActionsWorld,
  type Job,
} from '../helpers/a-workflow-run.ts';
import { REPO } from '../helpers/a-world.ts';
import { tipOf } from '../helpers/commits.ts';
import { memoryOf } from '../helpers/memory-of.ts';
import { verifies } from '../verifies.ts';

beforeAll(() => buildForTests(['memory']));
afterAll(dropBuild);

const PATH = workingPath('maya');
const AT = '2026-11-27T10:00:00.000Z';

function anEntry(text: string, state: MemoryEntry['state']): MemoryEntry {
  return {
    id: memoryId('maya', text),
    persona: 'maya',
    category: 'PATTERN',
    text,
    refs: [],
    words: [],
    trust: 'maintainer',
    createdAt: '2026-11-27',
    state,
    source: { kind: 'run', run: 'r1', thread: 3 },
    author: undefined,
  };
}

const PROPOSED = anEntry('Dates are in UTC.', 'quarantined');
const IN_USE = anEntry('Money is in cents.', 'active');

async function aMemory(): Promise<ActionsWorld> {
  const world = await anActionsWorld();
  const ana = world.emulator.as('ana');
  const sha = await tipOf(world);
  await ana.request('POST', `/repos/${REPO}/git/refs`, { ref: 'refs/heads/quorum/memory', sha });
  const { files } = [PROPOSED, IN_USE].reduce(
    (all, entry) => {
      const next = applyChange(all.files, { kind: 'add', entry }, AT);
      return { files: new Map([...all.files, ...next.files]) };
    },
    { files: new Map<string, string>() },
  );
  await ana.request('PUT', `/repos/${REPO}/contents/${PATH}`, {
    message: 'Remember',
    branch: 'quorum/memory',
    content: Buffer.from(files.get(PATH) ?? '').toString('base64'),
  });
  return world;
}

async function decide(
  world: ActionsWorld,
  inputs: Record<string, string>,
  by?: string,
): Promise<Job> {
  const event = await anEvent(world, 'workflow_dispatch', { inputs: {} });
  const sender =
    by === undefined ? {} : { sender: await world.emulator.as(by).request('GET', '/user') };
  const payload = { ...event.payload, ...sender };
  const permissions = { contents: 'write', pull_requests: 'read' } as const;
  return world.job({ action: 'memory', permissions, event: { ...event, payload }, inputs });
}

const kept = async (world: ActionsWorld): Promise<string> => (await memoryOf(world))?.[PATH] ?? '';

describe('the memory action', () => {
  test('lists what waits for a decision first, and writes nothing', async () => {
    const world = await aMemory();
    const before = await kept(world);
    const told = await decide(world, {});
    expect(told.summary).toContain('2 entries, 1 to decide');
    expect(told.summary.indexOf(PROPOSED.text)).toBeLessThan(told.summary.indexOf(IN_USE.text));
    expect(await kept(world)).toBe(before);
  });

  verifies(
    ['ACT-3'],
    'takes a proposed entry into use, and changes nothing the second time',
    async () => {
      const world = await aMemory();
      const done = await decide(world, { do: 'approve', ids: PROPOSED.id });
      expect([done.exitCode, done.outputs['changed']]).toEqual([0, '1']);
      const tip = await tipOf(world, 'quorum/memory');
      expect((await decide(world, {})).summary).toContain('2 entries, 0 to decide');
      expect((await decide(world, { do: 'approve', ids: PROPOSED.id })).exitCode).toBe(0);
      expect(await tipOf(world, 'quorum/memory')).toBe(tip);
    },
  );

  test('forgets one entry and keeps the others', async () => {
    const world = await aMemory();
    expect((await decide(world, { do: 'forget', ids: IN_USE.id })).exitCode).toBe(0);
    const text = await kept(world);
    expect([text.includes(IN_USE.text), text.includes(PROPOSED.text)]).toEqual([false, true]);
  });

  test('drops a proposed entry, and not one that is in use', async () => {
    const world = await aMemory();
    const refused = await decide(world, { do: 'reject', ids: `${PROPOSED.id},${IN_USE.id}` });
    expect([refused.exitCode, refused.log.includes('do: forget')]).toEqual([1, true]);
    expect(await kept(world)).toContain(PROPOSED.text);
    expect((await decide(world, { do: 'reject', ids: PROPOSED.id })).exitCode).toBe(0);
    expect(await kept(world)).not.toContain(PROPOSED.text);
  });

  verifies(['ACT-3'], 'changes nothing for somebody without the write role', async () => {
    const world = await aMemory();
    const before = await kept(world);
    const refused = await decide(world, { do: 'forget', ids: IN_USE.id }, 'tom');
    expect([refused.exitCode, refused.log.includes('[no-write-access]')]).toEqual([1, true]);
    expect(await kept(world)).toBe(before);
  });

  test.each<[string, Record<string, string>, string]>([
    ['a misspelt choice', { do: 'aprove' }, 'Did you mean `approve`?'],
    ['no entry', { do: 'forget' }, 'The input `ids` is missing'],
    ['an unknown entry', { do: 'forget', ids: '0123456789' }, 'No entry has the id 0123456789'],
    ['two lines', { do: 'forget', ids: '0123456789\n::error::x' }, 'which it cannot'],
    ['an expression', { do: 'forget', ids: '${{ github.token }}' }, 'which it cannot'],
    ['65,535 characters', { do: 'forget', ids: 'a'.repeat(65_535) }, 'which it cannot'],
  ])('refuses %s and changes nothing', async (_, inputs, told) => {
    const world = await aMemory();
    const before = await kept(world);
    const refused = await decide(world, inputs);
    expect([refused.exitCode, refused.log.includes(told)]).toEqual([1, true]);
    expect(await kept(world)).toBe(before);
  });
});
