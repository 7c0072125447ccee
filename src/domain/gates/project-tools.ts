/** What package managers read and where they keep what they download (CB-5). */
import { nameOf } from '../repository/paths.ts';
import type { ProjectType } from './test-command.ts';

const MANIFEST =
  /^(?:package(?:-lock)?\.json|npm-shrinkwrap\.json|pnpm-(?:lock|workspace)\.yaml|bun\.lockb?|yarn\.lock|\.npmrc|\.yarnrc(?:\.yml)?|\.pnpmfile\.cjs|pyproject\.toml|setup\.(?:py|cfg)|requirements.*\.(?:txt|in)|Pipfile(?:\.lock)?|poetry\.lock|uv\.lock|go\.(?:mod|sum|work)|Cargo\.(?:toml|lock)|pom\.xml|.*\.gradle(?:\.kts)?|Gemfile(?:\.lock)?|.*\.gemspec)$/;

/** Whether what an installation brings may depend on this file. */
export function isManifest(path: string): boolean {
  return MANIFEST.test(nameOf(path)) || /(?:^|\/)\.(?:cargo|bundle|yarn)\//.test(path);
}

/** Commands that only fetch: of what they install, and of the project, they run nothing. */
const FETCHERS =
  /^(?:npm (?:ci|install) --ignore-scripts|bun install --frozen-lockfile --ignore-scripts|go mod download|cargo fetch)(?: --[a-z-]+)*$/;
/** Files that say where they fetch from, or what they run after all. */
const STEERING = /(?:^|\/)(?:(?:\.npmrc|bunfig\.toml)$|\.cargo\/)/;

/**
 * Whether an installation may have the network although a task decides what it installs. No code that the task chose
 * may run in a process that can send data out (EXE-02, EXE-03).
 */
export function onlyFetches(install: string, paths: readonly string[]): boolean {
  return FETCHERS.test(install) && !paths.some((path) => STEERING.test(path));
}

/**
 * The environment in which a project's own tools find what was downloaded into `cache`. Home is empty in each fence, so
 * that what they keep there by default would be gone for the next one.
 */
export function toolEnv(type: ProjectType, cache: string): Readonly<Record<string, string>> {
  const at = (name: string): string => `${cache}/${name}`;
  switch (type) {
    case 'node':
      return {
        npm_config_cache: at('npm'),
        npm_config_store_dir: at('pnpm'),
        YARN_CACHE_FOLDER: at('yarn'),
        YARN_GLOBAL_FOLDER: at('yarn-berry'),
        YARN_ENABLE_SCRIPTS: 'false',
        BUN_INSTALL_CACHE_DIR: at('bun'),
      };
    case 'python':
      return {
        PIP_CACHE_DIR: at('pip'),
        PIP_DISABLE_PIP_VERSION_CHECK: '1',
        UV_CACHE_DIR: at('uv'),
        UV_LINK_MODE: 'copy',
        POETRY_CACHE_DIR: at('poetry'),
        POETRY_VIRTUALENVS_IN_PROJECT: 'true',
      };
    case 'go':
      return { GOMODCACHE: at('go'), GOFLAGS: '-modcacherw', GOTOOLCHAIN: 'local' };
    case 'rust':
      return { CARGO_HOME: at('cargo') };
    case 'java':
      return { MAVEN_OPTS: `-Dmaven.repo.local=${at('m2')}` };
    case 'ruby':
      return { BUNDLE_PATH: 'vendor/bundle' };
    case 'other':
      return {};
  }
}
