/** How a repository's dependencies are installed and its tests are run, by the files of the base (TG-5). */
import { nameOf } from '../repository/paths.ts';
import { isRecord } from '../config/yaml.ts';

export const PROJECT_TYPES = ['node', 'python', 'go', 'rust', 'java', 'ruby', 'other'] as const;
export type ProjectType = (typeof PROJECT_TYPES)[number];

export interface TestCommand {
  type: ProjectType;
  /** One line for a shell; undefined when nothing has to be installed. Scripts are off where the ecosystem allows it. */
  install: string | undefined;
  /** Run where what was installed elsewhere (`$FROM`) was copied to (`$TO`); undefined when nothing names its folder. */
  move?: string;
  /** One line for a shell; undefined when the repository has no tests that we know how to run. */
  test: string | undefined;
}

export interface Base {
  /** All paths of the base commit. */
  paths: readonly string[];
  /** Texts by path; those of {@link TEXTS_WANTED} are enough. */
  texts: Readonly<Record<string, string>>;
}

/** Files at the top of the repository whose texts decide. */
export const TEXTS_WANTED: readonly string[] = [
  'package.json',
  'pyproject.toml',
  'setup.cfg',
  'tox.ini',
  'requirements.txt',
  'requirements-dev.txt',
  'Gemfile',
];

/** What the configuration says instead: `gates.testCommand` and `coder.initCommand`. */
export interface CommandsConfigured {
  testCommand?: string | undefined;
  initCommand?: string | undefined;
}

interface Look {
  has: (path: string) => boolean;
  text: (path: string) => string;
  paths: readonly string[];
}

type Found = Omit<TestCommand, 'type'>;

/** In order: of several kinds in one repository the first counts. */
const KINDS: readonly (readonly [ProjectType, (look: Look) => Found | undefined])[] = [
  ['node', findNode],
  ['python', findPython],
  [
    'go',
    ({ has }) =>
      has('go.mod') ? { install: 'go mod download', test: 'go test -v ./...' } : undefined,
  ],
  [
    'rust',
    ({ has }) =>
      has('Cargo.toml')
        ? {
            install: has('Cargo.lock') ? 'cargo fetch --locked' : 'cargo fetch',
            test: 'cargo test',
          }
        : undefined,
  ],
  [
    'java',
    ({ has }) =>
      has('pom.xml') ? { install: 'mvn -B dependency:go-offline', test: 'mvn -B test' } : undefined,
  ],
  ['ruby', findRuby],
];

/** Pure: the same base and configuration give the same commands. Never asked of a task's branch. */
export function findTestCommand(base: Base, configured: CommandsConfigured = {}): TestCommand {
  const known = new Set(base.paths);
  const look: Look = {
    has: (path) => known.has(path),
    text: (path) => (known.has(path) ? (base.texts[path] ?? '') : ''),
    paths: base.paths,
  };
  const { type, ...found } = detect(look);
  return {
    type,
    ...(configured.initCommand === undefined && found.move !== undefined && { move: found.move }),
    install: configured.initCommand ?? found.install,
    test: configured.testCommand ?? found.test,
  };
}

function detect(look: Look): TestCommand {
  for (const [type, find] of KINDS) {
    const found = find(look);
    if (found !== undefined) return { type, ...found };
  }
  return { type: 'other', install: undefined, test: undefined };
}

interface Manager {
  lockfile: string;
  install: string;
  test: string;
}

const MANAGERS: readonly Manager[] = [
  {
    lockfile: 'pnpm-lock.yaml',
    install: 'pnpm install --frozen-lockfile --ignore-scripts',
    test: 'pnpm test',
  },
  {
    lockfile: 'bun.lock',
    install: 'bun install --frozen-lockfile --ignore-scripts',
    test: 'bun run test',
  },
  {
    lockfile: 'bun.lockb',
    install: 'bun install --frozen-lockfile --ignore-scripts',
    test: 'bun run test',
  },
  {
    lockfile: 'package-lock.json',
    install: 'npm ci --ignore-scripts --no-audit --no-fund',
    test: 'npm test',
  },
  {
    lockfile: 'npm-shrinkwrap.json',
    install: 'npm ci --ignore-scripts --no-audit --no-fund',
    test: 'npm test',
  },
];
const YARN_CLASSIC = 'yarn install --frozen-lockfile --ignore-scripts';
const YARN_BERRY = 'yarn install --immutable --mode=skip-build';
/** What `npm init` writes. */
const PLACEHOLDER = /no test specified/;

function findNode({ has, text }: Look): Found | undefined {
  if (!has('package.json')) return undefined;
  const manifest = readManifest(text('package.json'));
  const test = manifest.test === undefined || PLACEHOLDER.test(manifest.test) ? undefined : true;
  if (has('yarn.lock'))
    return { install: has('.yarnrc.yml') ? YARN_BERRY : YARN_CLASSIC, test: test && 'yarn test' };
  const manager = MANAGERS.find(({ lockfile }) => has(lockfile));
  if (manager !== undefined) return { install: manager.install, test: test && manager.test };
  const install = manifest.needsInstall
    ? 'npm install --ignore-scripts --no-package-lock --no-audit --no-fund'
    : undefined;
  return { install, test: test && 'npm test' };
}

function readManifest(text: string): { test: string | undefined; needsInstall: boolean } {
  const manifest = parseJson(text);
  const { dependencies, devDependencies } = isRecord(manifest) ? manifest : {};
  const { test } = scriptsOf(text);
  return {
    test: typeof test === 'string' && test.trim() !== '' ? test : undefined,
    needsInstall: [dependencies, devDependencies].some(
      (each) => isRecord(each) && Object.keys(each).length > 0,
    ),
  };
}

/** Whether an entry of `scripts` in a `package.json` runs something else, or is gone; new entries change none. */
export function changesScripts(before: string, after: string): boolean {
  const scripts = scriptsOf(after);
  return Object.entries(scriptsOf(before)).some(
    ([name, script]) => !Object.hasOwn(scripts, name) || scripts[name] !== script,
  );
}

function scriptsOf(text: string): Record<string, unknown> {
  const manifest = parseJson(text);
  return isRecord(manifest) && isRecord(manifest['scripts']) ? manifest['scripts'] : {};
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text.replace(/^\ufeff/, ''));
  } catch {
    return undefined;
  }
}

/** An environment of its own inside the folder, which git leaves out. */
const VENV = 'python3 -m venv .venv';
const IGNORED = String.raw`printf '*\n' > .venv/.gitignore`;
/** Only where no requirement brought it. */
const PYTEST_TOO =
  "{ .venv/bin/python -c 'import pytest' 2>/dev/null || .venv/bin/pip install pytest; }";
/** Scripts of an environment begin with its path, and a project that is used in place is named by its own. */
const MOVE_VENV =
  'grep -rlIsF "$FROM" .venv/bin .venv/pyvenv.cfg .venv/lib/python*/site-packages/*.pth .venv/lib/python*/site-packages/__editable__* | while read -r file; do sed -i "s|$FROM|$TO|g" "$file"; done; true';
const PYTEST = /\bpytest\b/;

function findPython(look: Look): Found | undefined {
  const { has, text, paths } = look;
  const isProject = [
    'pyproject.toml',
    'setup.py',
    'setup.cfg',
    'requirements.txt',
    'Pipfile',
    'tox.ini',
    'pytest.ini',
  ].some(has);
  const tests = paths.filter((path) => /^(?:test_.*|.*_test)\.py$/.test(nameOf(path)));
  if (!isProject && tests.length === 0) return undefined;
  const usesPytest =
    has('pytest.ini') ||
    paths.some((path) => nameOf(path) === 'conftest.py') ||
    TEXTS_WANTED.some((path) => path !== 'package.json' && PYTEST.test(text(path)));
  const module = usesPytest ? 'pytest' : 'unittest discover';
  const { install, python } = installPython(look, usesPytest);
  return {
    install,
    move: MOVE_VENV,
    test: usesPytest || tests.length > 0 ? `${python} -m ${module}` : undefined,
  };
}

function installPython(
  { has }: Look,
  usesPytest: boolean,
): { install: string | undefined; python: string } {
  if (has('uv.lock')) return { install: 'uv sync --frozen', python: 'uv run python' };
  if (has('poetry.lock'))
    return { install: 'poetry install --no-interaction', python: 'poetry run python' };
  const wanted = [
    ...['requirements.txt', 'requirements-dev.txt'].filter(has).map((file) => `-r ${file}`),
    ...(has('pyproject.toml') || has('setup.py') ? ['-e .'] : []),
  ];
  if (wanted.length === 0 && !usesPytest) return { install: undefined, python: 'python3' };
  const steps = [
    // What the machine's owner has installed is seen only where the project asks for nothing itself.
    wanted.length === 0 ? `${VENV} --system-site-packages` : VENV,
    IGNORED,
    ...(wanted.length === 0 ? [] : [`.venv/bin/pip install ${wanted.join(' ')}`]),
    ...(usesPytest ? [PYTEST_TOO] : []),
  ];
  return { install: steps.join(' && '), python: '.venv/bin/python' };
}

function findRuby({ has, text, paths }: Look): Found | undefined {
  if (!has('Gemfile')) return undefined;
  const usesRspec =
    has('.rspec') ||
    /\brspec\b/.test(text('Gemfile')) ||
    paths.some((path) => /^spec\/.*_spec\.rb$/.test(path));
  return { install: 'bundle install', test: usesRspec ? 'bundle exec rspec' : undefined };
}
