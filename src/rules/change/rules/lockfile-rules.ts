/** Rules about lockfiles that do not fit, or fetch from elsewhere. */
import { isLockfile, nameOf } from '../../../domain/repository/paths.ts';
import { PROGRAMS } from '../syntax/language.ts';
import type { ReviewContext } from '../context.ts';
import { changedDependencies, parseJsonObject } from '../syntax/manifest.ts';
import type { Change, ChangedFile } from '../read-change.ts';
import type { ReviewRule, Sighting } from '../change-rule.ts';
import { bareFile } from '../bare-file.ts';

/** Which manifests a lockfile belongs to. */
const MANIFESTS: Readonly<Record<string, RegExp>> = {
  'package-lock.json': /(?:^|\/)package\.json$/,
  'npm-shrinkwrap.json': /(?:^|\/)package\.json$/,
  'yarn.lock': /(?:^|\/)(?:package\.json|\.yarnrc\.yml)$/,
  'pnpm-lock.yaml': /(?:^|\/)(?:package\.json|pnpm-workspace\.yaml)$/,
  'bun.lock': /(?:^|\/)package\.json$/,
  'poetry.lock': /(?:^|\/)pyproject\.toml$/,
  'uv.lock': /(?:^|\/)pyproject\.toml$/,
  'Pipfile.lock': /(?:^|\/)Pipfile$/,
  'go.sum': /(?:^|\/)go\.(?:mod|work)$/,
  'Cargo.lock': /(?:^|\/)Cargo\.toml$/,
  'Gemfile.lock': /(?:^|\/)(?:Gemfile|[^/]+\.gemspec)$/,
  'composer.lock': /(?:^|\/)composer\.json$/,
};
const NODE_LOCKS = [
  'package-lock.json',
  'yarn.lock',
  'pnpm-lock.yaml',
  'bun.lock',
  'npm-shrinkwrap.json',
];
/** Registries that everybody uses: a first package from one of them is no reason to look twice. */
export const KNOWN_REGISTRIES: readonly string[] = [
  'registry.npmjs.org',
  'registry.yarnpkg.com',
  'npm.pkg.github.com',
  'npm.jsr.io',
];

function folderOf(path: string): string {
  return path.slice(0, path.length - nameOf(path).length);
}

/** Lockfiles beside a manifest and above it. The nearest first: a package with a lockfile of its own does not use the one above it. */
function lockfilesFor(manifest: string, paths: Iterable<string>): string[] {
  const folder = folderOf(manifest);
  return [...paths]
    .filter((path) => NODE_LOCKS.includes(nameOf(path)) && folder.startsWith(folderOf(path)))
    .toSorted((a, b) => folderOf(b).length - folderOf(a).length);
}

/** A lockfile in a folder above counts only for workspaces, not for an example with a manifest of its own. */
function standsFor(lock: string, manifest: string, { paths = [], head }: ReviewContext): boolean {
  const folder = folderOf(lock);
  if (folder === folderOf(manifest) || paths.includes(`${folder}pnpm-workspace.yaml`)) return true;
  return parseJsonObject(head.get(`${folder}package.json`) ?? '')?.['workspaces'] !== undefined;
}

function resolvedHost(text: string): { host: string; isPlain: boolean } | undefined {
  const match = /(?:"resolved":\s*"|^\s*resolved\s+"|tarball:\s*)(https?):\/\/([^/"\s]+)\//.exec(
    text,
  );
  return match === null ? undefined : { host: match[2] ?? '', isPlain: match[1] === 'http' };
}

function knownHosts({ file }: ChangedFile, base: string | undefined): Set<string> {
  const before = file.hunks.flatMap(({ lines }) =>
    lines.filter(({ kind }) => kind !== 'added').map(({ text }) => text),
  );
  const all = [...before, ...(base?.split('\n') ?? [])];
  return new Set(all.map((text) => resolvedHost(text)?.host ?? ''));
}

const LOCK_EDIT = ' {\n-  "version": "1.0.0"\n+  "version": "1.0.1"\n }';
/** An update of forty packages, which the code then follows. */
const MANY_EDITS = ` {\n${Array.from({ length: 40 }, (_, at) => `-  "version": "1.0.${at}"\n+  "version": "1.1.${at}"`).join('\n')}\n }`;
const LOCK_EXAMPLE = {
  'package.json': ' {\n   "dependencies": {\n+    "left": "^1.0.0"\n   }\n }',
};

export const LOCKFILE_RULES: readonly ReviewRule[] = [
  {
    id: 'lockfile-out-of-date',
    area: 'supply chain',
    severity: 'medium',
    personas: ['dev', 'maya'],
    title: 'Dependencies change and the lockfile does not.',
    explanation:
      'A clean install (`npm ci`) refuses, or installs something else than what was tried here.',
    advice: 'run the package manager’s install and commit the lockfile with this change',
    examples: {
      yes: [
        { change: LOCK_EXAMPLE, repository: { 'package-lock.json': '{}' } },
        {
          change: { 'packages/a/package.json': LOCK_EXAMPLE['package.json'] },
          repository: {
            'package-lock.json': '{}',
            'package.json': '{ "workspaces": ["packages/*"] }',
          },
        },
        {
          change: {
            ...LOCK_EXAMPLE,
            'package-lock.json':
              ' {\n+  "packages": { "": { "dependencies": { "right": "^1.0.0" } } }\n }',
          },
          repository: {},
        },
      ],
      no: [
        {
          change: {
            ...LOCK_EXAMPLE,
            'package-lock.json':
              ' {\n+  "packages": { "": { "dependencies": { "left": "^1.0.0" } } }\n }',
          },
          repository: {},
        },
        { change: LOCK_EXAMPLE, repository: { 'README.md': '' } },
        {
          change: { 'examples/a/package.json': LOCK_EXAMPLE['package.json'] },
          repository: { 'package-lock.json': '{}', 'package.json': '{}' },
        },
      ],
    },
    find: outOfDate,
  },
  {
    id: 'lockfile-without-manifest',
    area: 'supply chain',
    severity: 'low',
    personas: ['maya'],
    title: 'The lockfile changes along with code, and no manifest does.',
    explanation:
      'An update alone is a change of its own; among other changes, nobody looks at what is now installed instead.',
    advice: 'take it out, or say in the description what was updated and why',
    examples: {
      yes: [{ change: { 'package-lock.json': LOCK_EDIT, 'src/a.ts': '+run();' } }],
      no: [
        { change: { 'package-lock.json': LOCK_EDIT } },
        { change: { 'package-lock.json': LOCK_EDIT, 'src/a.ts': '+run();', ...LOCK_EXAMPLE } },
        { change: { 'package-lock.json': '+{\n+}', 'src/a.ts': '+run();' } },
        {
          change: {
            'package-lock.json': ' {\n   "version": "1.0.0",\n-  "dev": true\n+  "peer": true\n }',
            'src/a.ts': '+run();',
          },
        },
        { change: { 'package-lock.json': MANY_EDITS, 'src/a.ts': '+run();' } },
      ],
    },
    find: stowaways,
  },
  {
    id: 'lockfile-other-host',
    area: 'supply chain',
    severity: 'high',
    personas: ['maya'],
    title: 'The lockfile fetches a package from a host that it did not use before.',
    explanation: 'Nobody reads lockfiles, so this is how a package is swapped for another one.',
    advice: 'check where the address came from; regenerate the lockfile with the package manager',
    examples: {
      yes: [
        {
          change: {
            'package-lock.json':
              ' {\n+  "resolved": "https://packages.example.net/left-1.0.0.tgz"\n }',
          },
        },
      ],
      no: [
        {
          change: {
            'package-lock.json':
              ' {\n-  "resolved": "https://npm.example.org/left-1.0.0.tgz"\n+  "resolved": "https://npm.example.org/left-1.0.1.tgz"\n }',
          },
        },
      ],
    },
    find: ({ diff, context }) =>
      diff.files
        .filter(({ path, status }) => NODE_LOCKS.includes(nameOf(path)) && status === 'modified')
        .flatMap((file) => {
          const bare = bareFile(file);
          const hosts = knownHosts(bare, context.base.get(file.oldPath ?? file.path));
          return file.hunks
            .flatMap(({ lines }) => lines)
            .flatMap((line): Sighting[] => {
              const found = line.kind === 'added' ? resolvedHost(line.text) : undefined;
              if (line.kind !== 'added' || found === undefined) return [];
              if (
                !found.isPlain &&
                (KNOWN_REGISTRIES.includes(found.host) || hosts.has(found.host))
              )
                return [];
              return [{ file: bare, line: line.newLine, evidence: found.host, code: line.text }];
            });
        }),
  },
];

/** Manifests of a change whose dependencies changed and whose lockfile did not follow. */
function outOfDate(change: Change): Sighting[] {
  const byFile = Map.groupBy(
    changedDependencies(change).filter(
      ({ file }) => nameOf(file.path) === 'package.json' && !file.isNew,
    ),
    ({ file }) => file,
  );
  const { context, diff } = change;
  return [...byFile].flatMap(([file, dependencies]): Sighting[] => {
    const changedLocks = lockfilesFor(
      file.path,
      diff.files.map(({ path }) => path),
    );
    const [first] = dependencies;
    if (first === undefined) return [];
    if (changedLocks.length === 0) {
      const [standing] = lockfilesFor(file.path, context.paths ?? []);
      return standing === undefined || !standsFor(standing, file.path, context)
        ? []
        : [
            {
              file,
              line: first.line,
              evidence: `\`${first.name}\` changes here, \`${standing}\` does not`,
            },
          ];
    }
    const lock = changedLocks.find((path) => nameOf(path) === 'package-lock.json');
    const text = lock === undefined ? undefined : context.head.get(lock);
    if (text === undefined) return [];
    const missing = dependencies.find(
      ({ name }) => !text.includes(JSON.stringify(name)) && !text.includes(`node_modules/${name}"`),
    );
    return missing === undefined
      ? []
      : [{ file, line: missing.line, title: `\`${missing.name}\` is not in \`${lock}\`.` }];
  });
}

/** Lines that say which package is installed: names of keys in the lockfiles of npm, yarn, pnpm, Python, Go, Rust. */
const INSTALLS =
  /"?(?:version|resolved|integrity|resolution|checksum|hash|sdist|url)"?\s*[:=]|\bh1:|^\s*(?:resolved|integrity|version)\s+"/;
/** A change of the lockfile that is larger by this much is what the change is about. */
const MOSTLY = 20;

/** Lockfiles that install something else, in the company of code, without a manifest that asks for it. */
function stowaways({ diff, files }: Change): Sighting[] {
  const code = files
    .filter(({ language, isTest }) => PROGRAMS.includes(language) && !isTest)
    .reduce((sum, { file }) => sum + file.additions + file.deletions, 0);
  return diff.files
    .filter(({ path, status }) => isLockfile(path) && status === 'modified')
    .filter(({ additions, deletions }) => code * MOSTLY > additions + deletions)
    .filter(
      ({ path, hunks }) =>
        !diff.files.some((other) => MANIFESTS[nameOf(path)]?.test(other.path) === true) &&
        hunks.some(({ lines }) =>
          lines.some(({ kind, text }) => kind === 'added' && INSTALLS.test(text)),
        ),
    )
    .map((file) => ({
      file: bareFile(file),
      line: file.hunks[0]?.newStart ?? 1,
      scope: 'file' as const,
      evidence: `${file.additions} lines added, ${file.deletions} removed`,
      code: file.path,
    }));
}
