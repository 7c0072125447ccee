/** A persona's own file: recorded where it is switched on, proposed as a pull request, and shown to that persona alone. */
import { describe, expect, test } from 'vitest';
import { lookAtConsolidation } from '../../../src/act/memory/look-consolidation.ts';
import { openConsolidation } from '../../../src/act/memory/open-consolidation.ts';
import { createReadMemory } from '../../../src/act/memory/read-memory.ts';
import { createRecall } from '../../../src/act/memory/recall.ts';
import { remember } from '../../../src/act/memory/remember.ts';
import type { ActPorts } from '../../../src/act/ports.ts';
import { systemClock } from '../../../src/adapters/system/system-clock.ts';
import type { MemoryChange } from '../../../src/domain/memory/file/memory-change.ts';
import {
  parseExperiences,
  withExperiences,
  type NewExperience,
} from '../../../src/domain/memory/self/experience.ts';
import {
  experiencesPath,
  reflectedPath,
  selfPath,
} from '../../../src/domain/memory/self/self-file.ts';
import { THREAD } from '../../helpers/play.ts';
import { verifies } from '../../verifies.ts';
import { aMemoryWorld, AT, TEAM, type MemoryBranches } from './a-memory-world.ts';

const MEMORY = 'quorum/memory';
const LIVED = experiencesPath('maya');
const EARLIER = '2026-03-02T02:00:00.000Z';
const EXPERIENCE: NewExperience = {
  id: 'RUN/owner_guidance',
  kind: 'owner_guidance',
  thread: 12,
  run: 'RUN',
  trust: 'maintainer',
  text: 'Asked: is the cache per user? tom answered: yes',
};

function aWorld(change: (world: MemoryBranches) => unknown = () => undefined): MemoryBranches {
  const world = aMemoryWorld();
  world.config.memory.self = true;
  world.branches[MEMORY] = { [LIVED]: withExperiences('', [EXPERIENCE], EARLIER) };
  change(world);
  return world;
}

const look = async (world: MemoryBranches) =>
  (
    await lookAtConsolidation(
      { kind: 'look-consolidation', thread: THREAD, persona: 'maya' },
      world.context(),
    )
  ).result;

describe('the file of a persona', () => {
  verifies('TG-16', 'is due to be rewritten where something is new, unless it is off', async () => {
    expect((await look(aWorld())).found).toMatchObject({ kind: 'self', before: '' });
    expect(await look(aWorld(({ config }) => delete config.memory.self))).toMatchObject({
      off: 'nothing is to be consolidated',
    });
    const line = aWorld().branches[MEMORY]?.[LIVED]?.trim() ?? '';
    const doubtful = aWorld((world) => (world.doubtful = new Set([line])));
    expect(await look(doubtful)).not.toHaveProperty('found');
  });

  verifies('TG-16', 'is proposed as a pull request, and memory stays as it is', async () => {
    const world = aWorld();
    const before = { ...world.branches[MEMORY] };
    const self = { before: '', after: '## Values\n', seen: [EXPERIENCE.id] };
    const evidence = '0123456789';
    const open = { kind: 'open-consolidation' as const, thread: THREAD, persona: 'maya' };
    const { result } = await openConsolidation(
      { ...open, evidence, edits: [], self, proposedBy: 'run-1' },
      world.context(),
    );
    expect(result).toEqual({ pull: { number: 41, url: 'pull/41' } });
    expect(world.branches[MEMORY]).toEqual(before);
    const branch = world.branches[`quorum/consolidate-maya-${evidence}`];
    expect(branch?.[selfPath('maya')]).toBe('## Values\n');
    expect(branch?.[reflectedPath('maya')]).toContain(EXPERIENCE.id);
    expect(world.opened).toMatchObject([
      { title: 'Memory of maya: rewrite self.md', base: MEMORY },
    ]);
  });
});

/** What is written when a run is looked back on. */
async function learned(isOn: boolean) {
  const world = aWorld(({ config, branches }) => {
    if (!isOn) delete config.memory.self;
    delete branches[MEMORY];
  });
  const change: MemoryChange = {
    kind: 'learn',
    from: { run: 'RUN', subject: 'change', headSha: '', trust: 'maintainer', cited: [] },
    learned: [
      {
        persona: 'maya',
        answer: {
          lessons: [{ category: 'PATTERN', text: 'Releases are cut on Mondays here', refs: [] }],
        },
      },
    ],
    paths: [],
    experiences: [{ persona: 'carlos', experience: EXPERIENCE }],
  };
  const readMemory = Object.assign(async () => undefined, { noteWritten: () => undefined });
  const context = { ...world.context(), readMemory };
  const { result } = await remember(
    { kind: 'remember', thread: THREAD, change },
    context as unknown as Parameters<typeof remember>[1],
  );
  return { files: world.branches[MEMORY] ?? {}, due: result.due };
}

describe('what is learned', () => {
  verifies('TG-16', 'is an experience of its persona, beside what the run brought', async () => {
    const { files, due } = await learned(true);
    expect(parseExperiences(files[LIVED] ?? '')).toMatchObject([
      { at: AT, kind: 'learned_something', run: 'RUN', text: 'Releases are cut on Mondays here' },
    ]);
    expect(parseExperiences(files[experiencesPath('carlos')] ?? '')).toEqual([
      { ...EXPERIENCE, at: AT },
    ]);
    expect(due).toBeUndefined();
  });

  test('is no experience where personas keep none', async () => {
    const { files } = await learned(false);
    expect(Object.keys(files).filter((path) => path.endsWith('.jsonl'))).toEqual([]);
  });
});

/** What a run is given of the files of its voices. */
async function recalled(change: (world: MemoryBranches) => unknown = () => undefined) {
  const world = aWorld(change);
  world.branches[MEMORY] = {
    [selfPath('maya')]: `I read the tests first.\nForeign.\n${'x'.repeat(5_000)}\n`,
    [selfPath('gone')]: 'Nobody.\n',
  };
  const session = world.context().ports.github.at(THREAD);
  const ports = { clock: systemClock, memoryIndex: { find: async () => [] } };
  const reading = createReadMemory({ clock: systemClock });
  const asker = { run: 'RUN', effectId: 'RUN/1-look' };
  const view = { headSha: 'tip', config: world.config, personas: TEAM };
  const ask = { asker, thread: THREAD, session, ...view };
  const about = { paths: [], terms: [] };
  return createRecall(ports as unknown as ActPorts, reading)({ ...ask, about });
}

describe('what a run is given', () => {
  verifies('TG-16', 'is the file of each of its voices, in whole lines', async () => {
    expect((await recalled())?.selves).toEqual({ maya: 'I read the tests first.\nForeign.' });
    expect(await recalled(({ config }) => delete config.memory.self)).not.toHaveProperty('selves');
  });

  test('has no line of another App, and nothing where GitHub does not say who pushed', async () => {
    const some = await recalled((world) => (world.doubtful = new Set(['Foreign.'])));
    expect(some?.selves).toEqual({ maya: 'I read the tests first.' });
    expect(await recalled((world) => (world.doubtful = 'all'))).not.toHaveProperty('selves');
  });
});
