/** What a look at an issue reads of the files that the team goes by, and that they cost no call of their own. */
import { expect, onTestFinished, test } from 'vitest';
import { createLook } from '../../../src/act/read/look.ts';
import type { ActPorts } from '../../../src/act/ports.ts';
import type { ReadSettings } from '../../../src/act/settings/read-settings.ts';
import { defaultConfig } from '../../../src/domain/config/config.ts';
import { openSqliteStore } from '../../../src/adapters/store/sqlite/open-sqlite.ts';
import type { Insight } from '../../../src/domain/standup/insight.ts';
import { anInsight, aStandup } from '../../helpers/a-kept-standup.ts';
import { createInstantClock } from '../../helpers/an-instant-clock.ts';
import type { IssueScan, Scanned, Scans } from '../../../src/domain/run/scan.ts';
import { noEvidence } from '../../../src/decide/run/no-evidence.ts';
import { aView } from '../../helpers/an-issue.ts';
import { ANA, THREAD } from '../../helpers/play.ts';
import { verifies } from '../../verifies.ts';

interface Setup {
  /** What a standup of this repository said. */
  said?: readonly Insight[];
  /** Files of the default branch. */
  has: Readonly<Record<string, string>>;
  isForPlan?: true;
  /** Path of the roadmap that the configuration names. */
  roadmap?: string;
  /** The server answers no survey. */
  isPlain?: true;
  /** What became of the scan. */
  scanned?: Scanned<IssueScan>;
  about?: string;
}

const FOUND: Scanned<IssueScan> = { kind: 'read', found: { evidence: noEvidence() } };
const ABOUT = 'Bound the retry of the queue';

async function look({ has, isForPlan, roadmap = 'ROADMAP.md', isPlain, ...setup }: Setup) {
  const { said = [], scanned = FOUND, about = ABOUT } = setup;
  const clock = createInstantClock();
  const store = await openSqliteStore({ memory: true, clock });
  onTestFinished(() => store.close());
  const at = new Date(clock.now()).toISOString();
  const repositoryIds = [THREAD.repositoryId, THREAD.repositoryId + 1];
  for (const [n, repository] of repositoryIds.entries())
    if (n === 0 || said.length > 0)
      await store.standups.save(
        aStandup({
          repository,
          at,
          insights: n === 0 ? said : [anInsight('Of another repository')],
        }),
      );
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
  const asked: Scans['issue']['input'][] = [];
  const ports = {
    scanner: {
      scan: async (_: 'issue', input: Scans['issue']['input']) => {
        asked.push(input);
        return scanned;
      },
    },
    random: { id: () => 'nonce' },
    store,
    clock,
    github: { at: () => session, app: { self: async () => ({ ...ANA, isBot: true }) } },
    roleDefaults: async () => ({ pm: '## Workflows\nshipped\n', artist: '' }),
  } as unknown as ActPorts;
  const config = { ...defaultConfig(), roadmap: { file: roadmap, milestones: false } };
  const settings = { config, personas: [], problems: [], packageDigests: {}, personaSources: {} };
  const perform = createLook(ports, {
    settingsOf: (async () => settings) as unknown as ReadSettings,
    recall: async () => undefined,
  });
  const { result } = await perform(
    {
      kind: 'look',
      ...(about !== '' && { about }),
      thread: THREAD,
      actor: ANA,
      ...(isForPlan === true && { isForPlan }),
    },
    { run: 'RUN', effectId: 'RUN/1-look' },
  );
  return { view: result.view, read, scan: result.scan, asked };
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

verifies('LS-9: planning alone', 'a plan receives insights of its repository', async () => {
  const said = [
    anInsight('The retry of the queue has no bound', { run: 'r1' }),
    anInsight('Only a thought', { run: 'r1', from: 'dev', actionable: false }),
    anInsight('', { run: 'r1', from: 'priya' }),
  ];
  const { view } = await look({ has: {}, isForPlan: true, said });
  expect(view.insights?.map(({ message, times }) => [message, times])).toEqual([
    ['The retry of the queue has no bound', 1],
  ]);
  expect((await look({ has: {}, said })).view).not.toHaveProperty('insights');
  expect((await look({ has: {}, isForPlan: true })).view).not.toHaveProperty('insights');
});

const LATE: Scanned<IssueScan> = { kind: 'not-read', reason: 'it took too long' };

test.each([
  ['found', FOUND],
  ['did not read', LATE],
])('a look brings what its scan %s, so that no reducer scans', async (_, scanned) => {
  const { scan, asked, view } = await look({ has: BOTH, scanned });
  expect(scan).toEqual(scanned);
  expect(asked.map(({ about }) => about)).toEqual([ABOUT]);
  expect(asked[0]?.view).toEqual(view);
});

test('without a question or a wish, the scan is asked about the issue alone', async () => {
  const { scan, asked } = await look({ has: BOTH, about: '' });
  expect(scan).toEqual(FOUND);
  expect(asked).toHaveLength(1);
  expect(asked[0]).not.toHaveProperty('about');
});
