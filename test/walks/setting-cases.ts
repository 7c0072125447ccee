/**
 * Settings that no recorded decision shows: for each either a recorded effect that goes another way with another value in the
 * repository's file, or a small case of its own.
 */
import { defaultConfig, type Config } from '../../src/domain/config/config.ts';
import { resolveConfig } from '../../src/domain/config/config-file.ts';
import { CHANNEL_CASES } from './channel-setting-cases.ts';
import { STANDUP_CASES } from './standup-setting-cases.ts';
import { SWEEP_CASES } from './sweep-setting-cases.ts';
import { MEMORY_CASES } from './memory-setting-cases.ts';
import { toGuides } from '../../src/act/read/team-guides.ts';
import { testHead } from '../../src/act/task/test-head.ts';
import { pathOf } from './setting-path.ts';
import { parseDiff } from '../../src/domain/diff/parse-diff.ts';
import { mutedOf } from '../../src/domain/review/precision.ts';
import { runTests } from '../../src/act/task/gates.ts';
import { planParts } from '../../src/decide/kinds/review/parts/plan-parts.ts';
import { readSettings } from '../../src/decide/run/run-settings.ts';
import { authorise } from '../../src/policy/authorise.ts';
import { judgeScope } from '../../src/policy/gates/judge-scope.ts';
import { aChangedFile } from '../helpers/a-changed-file.ts';
import { aPullView } from '../helpers/a-finding.ts';
import { ANA, play, THREAD } from '../helpers/play.ts';

/** The kind of a recorded effect, and a value with which it asks or gives something else. */
export const IN_EFFECTS: Readonly<Record<string, readonly [kind: string, value: unknown]>> = {
  _extends: ['verify', 'base'],
  'coder.initCommand': ['verify', 'make install'],
  'coder.maxTurns': ['code', 3],
  'coder.model': ['code', 'opus'],
  'coder.preBuildCommand': ['verify', 'make before'],
  'coder.runner': ['look-plan', 'off'],
  'coder.timeoutMinutes': ['code', 3],
  'coder.worktreeLimitMb': ['verify', 77],
  'gates.maxChangedLines': ['verify', 1],
  'gates.testCommand': ['verify', 'make test'],
  'gates.testNetwork': ['verify', true],
  'gates.testTimeoutSeconds': ['verify', 33],
  labels: ['reconcile', { plan: 'our-plan' }],
  'paths.unprotected': ['look-pull', ['**']],
  personas: ['look-plan', { maya: { enabled: false } }],
  'plans.askCollaborator': ['publish', false],
  'plans.docsTasks': ['look-plan', false],
  'plans.reviewers': ['publish', ['ana']],
};

/** The outcome with a configuration, and two values of the setting with which it differs. */
export interface OwnCase {
  values: readonly [unknown, unknown];
  outcome: (config: Config) => unknown;
}

export const OWN_CASES: Readonly<Record<string, OwnCase>> = {
  ...MEMORY_CASES,
  ...CHANNEL_CASES,
  ...STANDUP_CASES,
  ...SWEEP_CASES,
  'access.allowedApps': {
    values: [[], [40]],
    outcome: ({ access }) =>
      authorise({
        command: { name: 'review', args: [] },
        asker: { id: 9, login: 'helper[bot]', isBot: true, appId: 40 },
        role: undefined,
        access,
        us: { appId: 1, botId: 2 },
      }),
  },
  'access.commands': {
    values: [{}, { review: 'admin' }],
    outcome: ({ access }) =>
      authorise({
        command: { name: 'review', args: [] },
        asker: ANA,
        role: { userId: ANA.id, permission: 'write', roleName: 'write' },
        access,
        us: { appId: 1, botId: 2 },
      }),
  },
  'coder.sandbox': { values: ['required', 'off'], outcome: testsOfHead },
  'council.fallBackToSingle': {
    values: [false, true],
    outcome: (config) => readSettings(config, { owner: 'ana', asker: ANA, unchangedRuns: 20 }).mode,
  },
  'gates.maxBinaryKb': {
    values: [1, 9],
    outcome: ({ gates, paths }) =>
      judgeScope(
        {
          text: '',
          isTooLarge: false,
          files: [aChangedFile('a.png', { isBinary: true, bytes: 5 * 1024 })],
        },
        { ...gates, paths, planned: [], approvedPaths: [], manifests: [] },
        () => Promise.resolve([]),
      ),
  },
  'gates.tests': {
    values: ['required', 'none'],
    outcome: (config) =>
      runTests({
        found: { type: 'other', install: undefined, test: undefined },
        config,
        accepted: undefined,
      } as unknown as Parameters<typeof runTests>[0]),
  },
  'roadmap.file': {
    values: ['ROADMAP.md', 'docs/plan.md'],
    outcome: (config) =>
      toGuides(
        ['ROADMAP.md', 'docs/plan.md'].map((path) => ({ path, text: `- ${path}`, isCut: false })),
        { config, isForPlan: undefined },
        {},
      ),
  },
  'review.drafts': {
    values: [false, true],
    outcome: (config) => {
      const played = play({
        look: () => ({ code: 'bug', message: '', retryable: false }),
        ask: () => ({ code: 'bug', message: '', retryable: false }),
        pull: () => aPullView({ pull: { isDraft: true, headSha: 'a'.repeat(40) }, config }),
      });
      const headSha = 'a'.repeat(40);
      played.send({ kind: 'pull', action: 'opened', thread: THREAD, actor: ANA, headSha });
      return played.effects.map(({ data }) => data.kind);
    },
  },
  'review.maxParts': {
    values: [1, 4],
    outcome: (config) => partsWith(config),
  },
  'review.muteAfter': {
    values: [5, 500],
    outcome: ({ review: { muteBelow: below, muteAfter: after } }) =>
      mutedOf({ 'persona:maya': { accepted: 1, declined: 40, ignored: 0 } }, { below, after }),
  },
  'review.muteBelow': {
    values: [0, 0.9],
    outcome: ({ review: { muteBelow: below, muteAfter: after } }) =>
      mutedOf({ 'persona:maya': { accepted: 20, declined: 20, ignored: 0 } }, { below, after }),
  },
};

function partsWith(config: Config): unknown {
  const files = Array.from({ length: 6 }, (_, n) => {
    const lines = `+a line of file ${n}\n`.repeat(400);
    return `diff --git a/f${n}.ts b/f${n}.ts\n--- a/f${n}.ts\n+++ b/f${n}.ts\n@@ -0,0 +1,400 @@\n${lines}`;
  });
  const run = { settings: { mode: 'team' } } as unknown as Parameters<typeof planParts>[0];
  const judged = parseDiff(files.join(''));
  planParts(
    run,
    { view: aPullView({ config }), contextTokens: 20_000 },
    { judged, evidence: { signals: [] } as unknown as Parameters<typeof planParts>[2]['evidence'] },
  );
  return run.reading;
}

/** Carries out `test-head` on a repository without a test command. */
async function testsOfHead(config: Config): Promise<unknown> {
  const headSha = 'b'.repeat(40);
  const told: unknown[] = [];
  const session = {
    counts: {},
    survey: { issue: async () => ({ repository: {}, files: [], permissions: new Map() }) },
    work: {},
    leases: {},
    plans: {},
    tasks: {},
    reviews: {},
    pulls: { pull: async () => ({ state: 'open', headSha, baseSha: 'a'.repeat(40) }) },
    write: { ensureChecks: async ({ checks }: { checks: unknown[] }) => void told.push(checks) },
  };
  const ports = {
    github: { at: () => session },
    codingRuntime: { git: { read: async () => ({ paths: async () => '' }) } },
  };
  const context = { ports, readSettings: async () => ({ config }) };
  type Args = Parameters<typeof testHead>;
  const data = { kind: 'test-head', thread: THREAD, headSha, by: 'ana' };
  await testHead(data as unknown as Args[0], context as unknown as Args[1]);
  return told;
}

/** Problems of a file that says this version, and no others. */
export function problemsOfVersion(version: number): number {
  const file = { origin: 'acme/tidy', file: '.github/quorum.yml', text: `version: ${version}\n` };
  return resolveConfig([file]).problems.length;
}

/** The defaults with one setting changed. */
export function configWith(key: string, value: unknown): Config {
  const config = structuredClone(defaultConfig()) as unknown as Record<string, unknown>;
  const path = pathOf(key);
  let at = config;
  for (const part of path.slice(0, -1)) at = at[part] as Record<string, unknown>;
  at[path.at(-1) ?? ''] = value;
  return config as unknown as Config;
}
