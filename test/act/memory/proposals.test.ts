/** Proposals for memory: what people are asked about, what is put onto a branch, and that what is forgotten leaves all of them. */
import { describe, expect, test } from 'vitest';
import { forgetInProposals } from '../../../src/act/memory/forget-in-proposals.ts';
import { lookAtConsolidation } from '../../../src/act/memory/look-consolidation.ts';
import { openConsolidation } from '../../../src/act/memory/open-consolidation.ts';
import { openRoles } from '../../../src/act/memory/open-roles.ts';
import { findConsolidations } from '../../../src/domain/memory/consolidation/find-consolidation.ts';
import { corePath, workingPath } from '../../../src/domain/memory/file/apply-change.ts';
import { addEntries } from '../../../src/domain/memory/file/edit-memory-file.ts';
import { renderMemoryFile } from '../../../src/domain/memory/file/memory-file.ts';
import type { MemoryEntry } from '../../../src/domain/memory/memory-entry.ts';
import { renderEntryLine } from '../../../src/domain/memory/file/entry-line.ts';
import type { MergeFacts, PersonReview } from '../../../src/ports/github/work.ts';
import type { RoleOperation } from '../../../src/domain/memory/role/role-memory.ts';
import { anEntry } from '../../domain/memory/some-memory.ts';
import { THREAD } from '../../helpers/play.ts';
import { verifies } from '../../verifies.ts';
import { aMemoryWorld, AT, type MemoryBranches } from './a-memory-world.ts';

const REPEATED = ['2026-02-01', '2026-02-08', '2026-02-15'].map((createdAt, at) =>
  anEntry({
    id: `000000000${at}`,
    createdAt,
    text: `Webhook retries must check the delivery id, case ${at}`,
  }),
);
const MEMORY = 'quorum/memory';
const textOf = (entries: readonly MemoryEntry[]): string =>
  renderMemoryFile(addEntries({ parts: [], problems: [] }, entries));
const REMEMBERED = { [workingPath('maya')]: textOf(REPEATED) };
const [DUE] = findConsolidations(new Map(Object.entries(REMEMBERED)), {
  persona: 'maya',
  today: AT.slice(0, 10),
});
const BRANCH = `quorum/consolidate-maya-${DUE?.evidence}`;

function remembering(change: (world: MemoryBranches) => unknown = () => undefined): MemoryBranches {
  const world = aMemoryWorld();
  world.branches[MEMORY] = { ...REMEMBERED };
  change(world);
  return world;
}

describe('a consolidation', () => {
  const look = async (world: MemoryBranches, persona = 'maya') =>
    (
      await lookAtConsolidation(
        { kind: 'look-consolidation', thread: THREAD, persona },
        world.context(),
      )
    ).result;

  test('that is due is found, with the persona whose memory it is', async () => {
    const result = await look(remembering());
    expect(result).toMatchObject({ found: DUE, persona: { handle: 'maya' }, nonce: 'n0n5e' });
    expect(result).not.toHaveProperty('off');
  });

  const SWITCHED_OFF = 'proposals for memory are switched off here';
  test.each<[string, (world: MemoryBranches) => unknown, string]>([
    ['Quorum is off', ({ config }) => (config.enabled = false), SWITCHED_OFF],
    ['memory is off', ({ config }) => (config.memory.enabled = false), SWITCHED_OFF],
    ['proposals are off', ({ config }) => (config.memory.proposals = false), SWITCHED_OFF],
    ['the host has no memory', (world) => (world.hasMemory = false), SWITCHED_OFF],
    [
      'there is nothing to consolidate',
      ({ branches }) => (branches[MEMORY] = { [workingPath('maya')]: textOf([anEntry()]) }),
      'nothing is to be consolidated',
    ],
    [
      'another proposal for the persona is open',
      ({ pulls }) => pulls.push({ head: 'quorum/consolidate-maya-0123456789', isOpen: true }),
      'a proposal for this persona is open',
    ],
    [
      'people closed this very proposal',
      ({ pulls }) => pulls.push({ head: BRANCH, isOpen: false }),
      'people were asked about it before',
    ],
  ])('is not proposed where %s', async (_, change, off) => {
    const result = await look(remembering(change));
    expect(result.off).toBe(off);
    expect(result).not.toHaveProperty('found');
  });

  test.each([
    { head: 'quorum/consolidate-carlos-0123456789', isOpen: true },
    { head: 'quorum/consolidate-maya-0123456789', isOpen: false },
    { head: 'somebody/elses', isOpen: true },
  ])('is proposed beside $head, open: $isOpen', async (pull) => {
    expect((await look(remembering(({ pulls }) => pulls.push(pull)))).found).toEqual(DUE);
  });

  const APPROVED = { state: 'approved' } as PersonReview;
  test.each<[string, Partial<MergeFacts>, boolean]>([
    ['conflicts with memory', { isMergeable: false, isAutoMerge: false, reviews: [] }, true],
    ['can be merged', { isMergeable: true, isAutoMerge: false, reviews: [] }, false],
    ['GitHub will merge', { isMergeable: false, isAutoMerge: true, reviews: [] }, false],
    ['a person approved', { isMergeable: false, isAutoMerge: false, reviews: [APPROVED] }, false],
  ])('whose open pull request %s is made again: %s', async (_, facts, isAgain) => {
    const world = remembering(({ pulls }) => pulls.push({ head: BRANCH, isOpen: true }));
    world.facts = facts;
    expect((await look(world)).found).toEqual(isAgain ? DUE : undefined);
  });

  verifies(
    'MEM-03: nothing doubtful is consolidated',
    'takes no line for which nobody vouches, and nothing where GitHub does not say who pushed',
    async () => {
      const [first] = REPEATED;
      const line = first && renderEntryLine(first, first.createdAt);
      const some = remembering((world) => (world.doubtful = new Set([line ?? ''])));
      expect(await look(some)).not.toHaveProperty('found');
      const all = await look(remembering((world) => (world.doubtful = 'all')));
      expect(all.off).toBe('GitHub does not say who pushed this memory');
    },
  );

  test.each([
    ['all', true],
    ['untold', undefined],
  ] as const)(
    'may be looked for again where GitHub answers %s: %s',
    async (doubtful, isLagging) => {
      const result = await look(remembering((world) => (world.doubtful = doubtful)));
      expect([result.off, result.isLagging]).toEqual([
        'GitHub does not say who pushed this memory',
        isLagging,
      ]);
    },
  );

  test('of somebody who left the team has no persona to be asked', async () => {
    const world = remembering();
    world.branches[MEMORY] = { [workingPath('gone')]: textOf(REPEATED) };
    expect(await look(world, 'gone')).not.toHaveProperty('persona');
  });
});

describe('the pull request of a consolidation', () => {
  const KEPT = anEntry({ id: '00000000ff', text: 'Webhook retries check the delivery id' });
  const EDIT = {
    from: 'working' as const,
    to: 'core' as const,
    removes: REPEATED.map(({ id, text }) => ({ id, text })),
    adds: [KEPT],
  };
  const open = async (world: MemoryBranches, edits = [EDIT]) =>
    (
      await openConsolidation(
        {
          kind: 'open-consolidation',
          thread: THREAD,
          persona: 'maya',
          evidence: '0123456789',
          edits,
          proposedBy: 'run-1',
        },
        world.context(),
      )
    ).result;

  test('holds the edits on a branch of its own, and leaves memory as it is', async () => {
    const world = remembering();
    expect(await open(world)).toEqual({ pull: { number: 41, url: 'pull/41' } });
    const branch = world.branches['quorum/consolidate-maya-0123456789'];
    expect(branch?.[corePath('maya')]).toContain(KEPT.text);
    expect(branch?.[workingPath('maya')]).not.toContain('case 0');
    expect(world.branches[MEMORY]).toEqual(REMEMBERED);
    expect(world.updates).toMatchObject([{ from: MEMORY, holds: 'memory' }]);
    expect(world.opened).toMatchObject([
      {
        head: 'quorum/consolidate-maya-0123456789',
        headSha: 'h2',
        base: MEMORY,
        isDraft: false,
        marker: { kind: 'proposal', run: 'run-1', key: 'consolidate-maya' },
      },
    ]);
  });

  test('is not opened where what was to be replaced is gone', async () => {
    const world = remembering(({ branches }) => delete branches[MEMORY]);
    expect(await open(world)).toEqual({});
    expect(world.opened).toEqual([]);
  });

  test.each<[string, (world: MemoryBranches) => unknown]>([
    ['Quorum', ({ config }) => (config.enabled = false)],
    ['memory', ({ config }) => (config.memory.enabled = false)],
    ['the host', (world) => (world.hasMemory = false)],
  ])('is refused where %s was switched off meanwhile', async (_, change) => {
    const world = remembering(change);
    await expect(open(world)).rejects.toMatchObject({ code: 'switched-off' });
    expect(world.updates).toEqual([]);
  });
});

describe('approved operations for the files of roles', () => {
  const APPEND: RoleOperation = {
    op: 'append',
    file: 'pm',
    category: 'project',
    text: 'Tests need PostgreSQL 16',
  };
  const open = async (world: MemoryBranches, operations: RoleOperation[] = [APPEND]) =>
    (
      await openRoles(
        {
          kind: 'open-roles',
          thread: THREAD,
          operations,
          proposedBy: 'run-1',
          authority: { user: { id: 5, login: 'tom' }, needed: 'write' },
        },
        world.context(),
      )
    ).result;
  const ROLES = `quorum/memory-${THREAD.number}`;

  test('begin with the shipped file when the branch has no file, and touch no other role', async () => {
    const world = aMemoryWorld();
    world.shipped = { pm: '## Project Knowledge\n\n- Node 24\n', artist: '## Style\n' };
    expect(await open(world)).toEqual({ pull: { number: 41, url: 'pull/41' }, refused: [] });
    expect(Object.keys(world.branches[ROLES] ?? {})).toEqual(['memory/pm.md', '.gitattributes']);
    expect(world.branches[ROLES]?.['memory/pm.md']).toContain('- Node 24');
    expect(world.branches[ROLES]?.['memory/pm.md']).toContain('- Tests need PostgreSQL 16');
    expect(world.updates).toMatchObject([{ branch: ROLES, from: 'main' }]);
    expect(world.opened).toMatchObject([
      {
        head: ROLES,
        base: 'main',
        body: expect.stringContaining('`tom` approved this in #12'),
        marker: { kind: 'proposal', run: 'run-1', key: `memory-${THREAD.number}` },
      },
    ]);
  });

  test('that stand there already open nothing', async () => {
    const world = aMemoryWorld();
    expect(await open(world)).toHaveProperty('pull');
    world.branches['main'] = world.branches[ROLES] ?? {};
    delete world.branches[ROLES];
    world.opened.length = 0;
    expect(await open(world)).not.toHaveProperty('pull');
    expect(world.opened).toEqual([]);
  });

  test('that replace a line which is gone open nothing, and say so', async () => {
    const world = aMemoryWorld();
    const replace: RoleOperation = { op: 'replace', file: 'pm', old: '- No', text: 'Other' };
    const result = await open(world, [replace]);
    expect(result).toMatchObject({ refused: [expect.any(String)] });
    expect(result).not.toHaveProperty('pull');
    expect(world.opened).toEqual([]);
  });

  test.each<[string, (world: MemoryBranches) => unknown, string]>([
    ['the role was lost', (world) => (world.permission = 'read'), 'permission-lost'],
    ['memory is off', ({ config }) => (config.memory.enabled = false), 'switched-off'],
    ['Quorum is off', ({ config }) => (config.enabled = false), 'switched-off'],
    ['there is no memory', (world) => (world.hasMemory = false), 'switched-off'],
  ])('are refused where %s', async (_, change, code) => {
    const world = aMemoryWorld();
    change(world);
    await expect(open(world)).rejects.toMatchObject({ code });
    expect(world.updates).toEqual([]);
  });
});

describe('what is forgotten', () => {
  const [LOST] = REPEATED;
  const forget = (world: MemoryBranches) =>
    forgetInProposals(
      { kind: 'forget', target: { kind: 'entry', id: LOST?.id ?? '' } },
      { thread: THREAD, place: { repository: THREAD, branch: MEMORY }, at: AT, message: 'Forget' },
      world.context().ports,
    );
  const proposal = (entries: readonly MemoryEntry[]) => ({ [corePath('maya')]: textOf(entries) });

  test.each<[string, (world: MemoryBranches) => unknown]>([
    ['no proposal is open', () => undefined],
    ['the proposal is closed', ({ pulls }) => pulls.push({ head: BRANCH, isOpen: false })],
    ['the pull request is no proposal', ({ pulls }) => pulls.push({ head: 'x/y', isOpen: true })],
    [
      'the host has no memory',
      (world) => {
        world.hasMemory = false;
        world.pulls.push({ head: BRANCH, isOpen: true });
      },
    ],
  ])('writes nothing where %s', async (_, change) => {
    const world = remembering(change);
    await forget(world);
    expect(world.updates).toEqual([]);
  });

  test('leaves an open proposal for its persona empty: merging it changes nothing of memory', async () => {
    const world = remembering(({ pulls }) => pulls.push({ head: BRANCH, isOpen: true }));
    world.branches[BRANCH] = proposal([anEntry({ text: 'Made of all three' })]);
    await forget(world);
    expect(world.branches[BRANCH]).not.toHaveProperty([corePath('maya')]);
    const working = world.branches[BRANCH]?.[workingPath('maya')] ?? '';
    expect(working).not.toContain('case 0');
    expect(working).toContain('case 1');
    expect(world.updates).toMatchObject([
      { branch: BRANCH, from: MEMORY, holds: 'memory', message: 'Forget' },
    ]);
  });
});
