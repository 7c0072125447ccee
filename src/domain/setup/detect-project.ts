/** What a repository is, by its paths and a few texts: what `quorum init` says that it found. */
import {
  findTestCommand,
  TEXTS_WANTED,
  type Base,
  type ProjectType,
} from '../gates/test-command.ts';
import { nameOf } from '../repository/paths.ts';
import { isRecord } from '../config/yaml.ts';

export interface DetectedProject {
  /** Every language with a manifest or sources; the one whose tests Quorum runs comes first. */
  types: readonly ProjectType[];
  /** Folders with a manifest of their own, of a repository with several packages; sorted. */
  packages: readonly string[];
  isMonorepo: boolean;
  /** Whether there is nothing but documents and settings. */
  isEmpty: boolean;
  /** One line for a shell; undefined where Quorum finds nothing to install. */
  install: string | undefined;
  /** One line for a shell; undefined where Quorum finds no tests. */
  test: string | undefined;
}

/** Files whose texts decide, besides those of the tests. */
export const PROJECT_TEXTS: readonly string[] = [...TEXTS_WANTED, 'Cargo.toml'];

const MANIFESTS: Readonly<Record<string, ProjectType>> = {
  'package.json': 'node',
  'pyproject.toml': 'python',
  'setup.py': 'python',
  'requirements.txt': 'python',
  'go.mod': 'go',
  'Cargo.toml': 'rust',
  'pom.xml': 'java',
  'build.gradle': 'java',
  'build.gradle.kts': 'java',
  Gemfile: 'ruby',
};
/** Each says by itself that there are several packages. */
const WORKSPACES: readonly string[] = [
  'pnpm-workspace.yaml',
  'lerna.json',
  'nx.json',
  'turbo.json',
  'rush.json',
  'go.work',
];
/** Fixtures, examples and what was copied in have manifests that are no packages of the project. */
const NOT_OURS =
  /(?:^|\/)(?:node_modules|vendor|third_party|tests?|__tests__|fixtures?|testdata|examples?|templates?)\//;
const NO_CODE =
  /^(?:\.github\/.*|docs\/.*|\.git(?:ignore|attributes|keep)|\.editorconfig|(?:[^/]*\.)?(?:md|rst|txt|adoc)|LICEN[CS]E[^/]*|README[^/]*|NOTICE|CODEOWNERS|[^/]*\.(?:md|rst|txt|adoc))$/i;

export function detectProject(base: Base): DetectedProject {
  const { type, install, test } = findTestCommand(base);
  const own = base.paths.filter((path) => !NOT_OURS.test(path));
  const manifests = own.filter((path) => Object.hasOwn(MANIFESTS, nameOf(path)));
  const found = manifests.map((path) => MANIFESTS[nameOf(path)] ?? 'other');
  const types = [...new Set([...(type === 'other' ? [] : [type]), ...found])];
  const packages = [...new Set(manifests.filter((path) => path.includes('/')).map(folderOf))];
  const isMonorepo = namesWorkspaces(base) || packages.length > 1;
  return {
    types,
    packages: isMonorepo ? packages.toSorted() : [],
    isMonorepo,
    isEmpty: base.paths.every((path) => NO_CODE.test(path)),
    install,
    test,
  };
}

function folderOf(path: string): string {
  return path.slice(0, path.lastIndexOf('/'));
}

function namesWorkspaces({ paths, texts }: Base): boolean {
  const known = new Set(paths);
  if (WORKSPACES.some((path) => known.has(path))) return true;
  if (/^[ \t]*\[workspace\]/m.test(texts['Cargo.toml'] ?? '')) return true;
  const manifest = parseManifest(texts['package.json'] ?? '');
  return isRecord(manifest) && manifest['workspaces'] !== undefined;
}

function parseManifest(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
