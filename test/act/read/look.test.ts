/** What a look at an issue reads of the files that the team goes by, and that they cost no call of their own. */
import { expect, test } from 'vitest';
import { createLook } from '../../../src/act/read/look.ts';
import type { ActPorts } from '../../../src/act/ports.ts';
import type { ReadSettings } from '../../../src/act/settings/read-settings.ts';
import { defaultConfig } from '../../../src/domain/config/config.ts';
import { aView } from '../../helpers/an-issue.ts';
import { ANA, THREAD } from '../../helpers/play.ts';

interface Setup {
  /** Files of the default branch. */
  has: Readonly<Record<string, string>>;
  isForPlan?: true;
  /** Path of the roadmap that the configuration names. */
  roadmap?: string;
  /** The server answers no survey. */
  isPlain?: true;
}

async function look({ has, isForPlan, roadmap = 'ROADMAP.md', isPlain }: Setup) {
  const { repository, issue } = aView({ issue: { title: 'Hello', body: 'A word.' } });
  const read: string[][] = [];
  const toFile = (path: string) => ({ path, text: has[path] ?? '', isCut: false });
  const told = (files: readonly string[]) => ({
    repository,
    issue,
    permissions: new Map([[ANA.id, 'write']]),
    comments: [],
    pastIssues: [],
    files: files.flatMap((path) => (path in has ? [{ path, file: toFile(path) }] : [])),
    foreign: undefined,
  });
  const session = {
    counts: {},
    survey: {
      issue: async (_: unknown, { files }: { files: string[] }) =>
        isPlain === true ? undefined : told(files),
    },
    read: {
      repository: async () => repository,
      issue: async () => issue,
      comments: async () => [],
      pastIssues: async () => [],
      paths: async () => ({ paths: Object.keys(has), isCut: false }),
      permission: async () => 'write',
      files: async (_: unknown, _sha: string, { paths }: { paths: string[] }) => {
        read.push(paths);
        return paths.map(toFile);
      },
    },
  };
  const ports = {
    random: { id: () => 'nonce' },
    store: { load: async () => undefined },
    github: { at: () => session, app: { self: async () => ({ ...ANA, isBot: true }) } },
    roleDefaults: async () => ({ pm: '## Workflows\nshipped\n', artist: '' }),
  } as unknown as ActPorts;
  const config = { ...defaultConfig(), roadmap: { file: roadmap, milestones: false } };
  const settings = { config, personas: [], problems: [], packageDigests: {}, personaSources: {} };
  const perform = createLook(ports, {
    settingsOf: (async () => settings) as unknown as ReadSettings,
    recall: async () => undefined,
  });
  const { result } = await perform({
    kind: 'look',
    thread: THREAD,
    actor: ANA,
    ...(isForPlan === true && { isForPlan }),
  });
  return { view: result.view, read };
}

const ROADMAP = '## Next\n- [ ] Search\n';
const PM = '## Workflows\nours\n';
const BOTH = { 'ROADMAP.md': ROADMAP, 'memory/pm.md': PM };

test('the roadmap comes with the survey, and the memory of the PM only for a plan', async () => {
  const { view, read } = await look({ has: BOTH });
  expect(view.roadmap).toEqual({ path: 'ROADMAP.md', text: ROADMAP });
  expect(view).not.toHaveProperty('pmMemory');
  expect(read).toEqual([]);
});

test("a plan has the repository's memory of the PM, with no call of its own", async () => {
  const { view, read } = await look({ has: BOTH, isForPlan: true });
  expect([view.pmMemory, read]).toEqual(['## Workflows\nours', []]);
});

test('a plan has the memory that the package ships where the repository has none', async () => {
  const { view } = await look({ has: {}, isForPlan: true });
  expect(view.pmMemory).toBe('## Workflows\nshipped');
  expect(view).not.toHaveProperty('roadmap');
});

test('a roadmap by another name is read, and the usual name is not', async () => {
  const has = { 'docs/plan.md': ROADMAP, 'ROADMAP.md': 'old' };
  const { view, read } = await look({ has, roadmap: 'docs/plan.md' });
  expect(view.roadmap).toEqual({ path: 'docs/plan.md', text: ROADMAP });
  expect(view.files).toEqual([]);
  expect(read).toEqual([['docs/plan.md']]);
});

test('without a survey both are read in one call', async () => {
  const { view, read } = await look({ has: BOTH, isForPlan: true, isPlain: true });
  expect([view.roadmap?.text, view.pmMemory]).toEqual([ROADMAP, '## Workflows\nours']);
  expect(read).toEqual([['ROADMAP.md', 'memory/pm.md']]);
});
