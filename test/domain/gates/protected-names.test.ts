/** Which names are protected by default, at which depth and at which gate, and what `paths.unprotected` takes out. */
import { describe, expect, test } from 'vitest';
import { applyFloors } from '../../../src/domain/config/config-floors.ts';
import { defaultConfig } from '../../../src/domain/config/config.ts';
import { resolveConfig } from '../../../src/domain/config/config-file.ts';
import { judgeScope } from '../../../src/policy/gates/judge-scope.ts';
import {
  approvedPaths,
  protectionBy,
  type PathProtection,
} from '../../../src/domain/gates/protected-paths.ts';
import { aChangedFile } from '../../helpers/a-changed-file.ts';
import { OWN_SETTINGS } from '../../helpers/own-settings.ts';
import { verifies } from '../../verifies.ts';

const NONE: PathProtection = { protected: [] };

/** What the scope gate says of a change of this one path, which the task names or not. */
async function judge(path: string, paths: PathProtection, named: readonly string[] = []) {
  const text = `diff --git a/x b/x\n--- a/x\n+++ b/x\n@@ -1,0 +2,1 @@\n+const x = 1;\n`;
  const { result, flags } = await judgeScope(
    { text, isTooLarge: false, files: [aChangedFile(path)] },
    {
      planned: named,
      paths,
      approvedPaths: approvedPaths(named),
      maxChangedLines: 100,
      maxBinaryKb: 5,
      manifests: [],
    },
    () => Promise.resolve([]),
  );
  return { result, isFlagged: flags.includes(`\`${path}\` is protected`) };
}

const ANYWHERE = [
  'CODEOWNERS',
  'AGENT.md',
  'AGENTS.md',
  'AGENTS.override.md',
  'CLAUDE.md',
  'CLAUDE.local.md',
  'GEMINI.md',
  '.agents/rules.md',
  '.aider.conf.yml',
  '.claude/settings.json',
  '.clinerules',
  '.codex/config.toml',
  '.cursor/rules/a.mdc',
  '.cursorrules',
  '.devcontainer/devcontainer.json',
  '.devcontainer.json',
  '.envrc',
  '.gemini/settings.json',
  '.gitattributes',
  '.idea/workspace.xml',
  '.mcp.json',
  '.npmrc',
  '.pnpmfile.cjs',
  '.vscode/tasks.json',
  '.windsurf/rules/a.md',
  '.windsurfrules',
  '.yarnrc',
  '.yarnrc.yml',
];
const AT_THE_TOP = [
  '.github/ISSUE_TEMPLATE/bug.yml',
  '.changeset/brave-cats.md',
  '.circleci/config.yml',
  '.storybook/main.ts',
  '.unheard-of/deep/down/x',
  '.quorum/journal/7.md',
  'memory/pm.md',
];
const FOR_PEOPLE = [
  '.github/workflows/ci.yml',
  '.github/actions/x/action.yml',
  '.github/quorum.yml',
  '.github/quorum.yaml',
  '.github/quorum/personas/eve.md',
  'personas/maya.md',
];
const ORDINARY = ['.gitignore', '.prettierrc.json', 'src/memory/cache.ts', 'docs/vscode/x.md'];
/** Below another folder these are ordinary, and only these. */
const FOLDERS = ['packages/a/', 'a/b/c/d/'];

const table = [
  ...ANYWHERE.flatMap((path) => ['', ...FOLDERS].map((folder) => [folder + path, true] as const)),
  ...AT_THE_TOP.map((path) => [path, true] as const),
  ...AT_THE_TOP.map((path) => [`src/${path}`, false] as const),
  ...FOR_PEOPLE.map((path) => [path, true] as const),
  ...ORDINARY.map((path) => [path, false] as const),
];

describe('by default', () => {
  test.each(table)('%s is protected: %s', async (path, isProtected) => {
    expect(protectionBy(NONE)(path)).toBe(isProtected);
    expect(await judge(path, NONE)).toEqual({
      result: isProtected ? 'failed' : 'passed',
      isFlagged: isProtected,
    });
    const isForPeople = FOR_PEOPLE.includes(path);
    expect(await judge(path, NONE, [path])).toEqual({
      result: isForPeople ? 'failed' : 'passed',
      isFlagged: isProtected,
    });
  });

  test('a file or a link in the place of a protected folder is protected', () => {
    const paths = ['.github', '.quorum', 'personas', 'memory', '.vscode', 'packages/a/.claude'];
    expect(paths.filter((path) => !protectionBy(NONE)(path))).toEqual([]);
  });
});

describe('`paths.unprotected`', () => {
  verifies('EXE-05', 'takes out what is built in, and never what only people change', async () => {
    const all: PathProtection = { protected: [], unprotected: ['**'] };
    for (const path of [...ANYWHERE, ...AT_THE_TOP])
      expect([path, await judge(path, all)]).toEqual([
        path,
        { result: 'passed', isFlagged: false },
      ]);
    for (const path of [...FOR_PEOPLE, '.GitHub/Workflows/ci.yml'])
      expect([path, await judge(path, all, [path])]).toEqual([
        path,
        { result: 'failed', isFlagged: true },
      ]);
  });

  test('takes out nothing that the repository protects itself', async () => {
    const paths = { protected: ['.changeset/config.json'], unprotected: ['.changeset/**'] };
    expect((await judge('.changeset/a.md', paths)).result).toBe('passed');
    expect((await judge('.changeset/config.json', paths)).result).toBe('failed');
  });

  test('takes out no other name that the same path may come to', () => {
    const isProtected = protectionBy({ protected: [], unprotected: ['AGENTS.md.'] });
    expect(isProtected('AGENTS.md.')).toBe(true);
  });

  test('with a wrong pattern takes out nothing by it', () => {
    const isProtected = protectionBy({
      protected: [],
      unprotected: ['{.npmrc,x', '.changeset/**'],
    });
    expect(isProtected('.npmrc')).toBe(true);
    expect(isProtected('.changeset/a.md')).toBe(false);
  });

  verifies('CFG-04', 'is reported when it covers what only people change', () => {
    const raisedBy = (...unprotected: string[]): string[] =>
      applyFloors({
        ...defaultConfig(),
        paths: { protected: [], ignored: [], unprotected },
      }).raised.map(({ key, from }) => `${key}: ${from}`);
    const reaching = [
      '**',
      '.github/**',
      '.github/workflows/ci.yml',
      '/personas/maya.md',
      '*.yml',
      '.github/quorum.{yml,yaml}',
    ];
    expect(raisedBy(...reaching)).toEqual(reaching.map((each) => `paths.unprotected: ${each}`));
    expect(raisedBy('.changeset/**', '.vscode', '.github/ISSUE_TEMPLATE/**')).toEqual([]);
  });

  test('lets this repository’s own tasks add changesets', () => {
    const { config, isValid } = resolveConfig([
      { origin: 'own', file: '.github/quorum.yml', text: OWN_SETTINGS },
    ]);
    expect(isValid).toBe(true);
    const isProtected = protectionBy(config.paths);
    expect(isProtected('.changeset/brave-cats.md')).toBe(false);
    expect(isProtected('.github/CONTRIBUTING.md')).toBe(true);
  });
});
