/** Finds imports of packages that no `package.json` declares. */
import { escapePattern } from '../../domain/text/pattern.ts';
import { isRecord } from '../../domain/config/yaml.ts';
import { parseJsonObject } from '../change/syntax/manifest.ts';
import type { ChangedFile } from '../change/read-change.ts';
import type { Sighting } from '../change/change-rule.ts';
import { quoteLine, type Repository } from './repository-links.ts';

/** Modules that Node brings; the newer ones need `node:` and so a colon. */
const BUILT_IN = new Set(
  (
    'assert async_hooks buffer child_process cluster console constants crypto dgram diagnostics_channel dns domain ' +
    'events fs http http2 https inspector module net os path perf_hooks process punycode querystring readline repl ' +
    'stream string_decoder sys timers tls trace_events tty url util v8 vm wasi worker_threads zlib'
  ).split(' '),
);

const PACKAGE = /^(?:@[a-z0-9][\w.-]*\/)?[a-z0-9][\w.-]*/;

/** Folders whose scripts run with other packages than the project's. */
export const ELSEWHERE =
  /(?:^|\/)(?:examples?|templates?|docs?|website|demo|playground|fixtures?|benchmarks?|e2e|\.[\w-]+)\//i;

/** Where something other than the manifest says what a name means. */
const MAPPED = /(?:^|\/)(?:deno\.jsonc?|import_map\.json|jspm\.config\.[cm]?js|bower\.json)$/;

const SETTINGS =
  /(?:^|\/)(?:[jt]sconfig[\w.-]*\.json|[\w.-]+\.config\.[cm]?[jt]s|\.[\w-]+rc(?:\.\w+)?)$/;

/** The package that a specifier means; undefined for a file, an alias or a module of Node. */
function packageOf(specifier: string): string | undefined {
  const [name] = PACKAGE.exec(specifier) ?? [];
  if (name === undefined || specifier.includes(':') || BUILT_IN.has(name)) return undefined;
  return specifier === name || specifier[name.length] === '/' ? name : undefined;
}

/** Manifests of a file's folder and of all above it: packages above are found, too. */
function declaredFor(path: string, { manifests }: Repository): Set<string> | undefined {
  const folders = path.split('/').slice(0, -1);
  const found = new Set<string>();
  let isUnderOne = false;
  for (let depth = folders.length; depth >= 0; depth -= 1) {
    const folder = folders.slice(0, depth).join('/');
    const manifest = manifests.get(folder === '' ? 'package.json' : `${folder}/package.json`);
    isUnderOne ||= manifest !== undefined;
    for (const name of manifest?.dependencies.keys() ?? []) found.add(name);
  }
  return isUnderOne ? found : undefined;
}

/** Names of the repository's own packages, and what settings map or declare. */
function knownNames({ change, files }: Repository): (name: string) => boolean {
  const own = new Set<string>();
  const said: string[] = [];
  for (const [path, text] of change.context.head) {
    if (/(?:^|\/)package\.json$/.test(path)) {
      const { name, imports } = parseJsonObject(text) ?? {};
      if (typeof name === 'string') own.add(name);
      for (const alias of Object.keys(isRecord(imports) ? imports : {})) own.add(alias);
    }
    if (SETTINGS.test(path) || path.endsWith('.d.ts')) said.push(text);
  }
  const settings = said.join('\n');
  const folders = new Set(files.map(({ path }) => path.split('/', 1)[0] ?? ''));
  const found = new Map<string, boolean>();
  const isSaid = (name: string): boolean =>
    own.has(name) ||
    // `src/…` from a base folder, or an alias that a bundler resolves.
    folders.has(name.split('/', 1)[0] ?? '') ||
    new RegExp(`["'\`]${escapePattern(name)}(?:["'\`/])`).test(settings);
  return (name) => {
    const known = found.get(name) ?? isSaid(name);
    found.set(name, known);
    return known;
  };
}

/** The code shows that the package may be missing. */
function isOptional(file: ChangedFile, line: number): boolean {
  for (let at = line - 3; at <= line; at += 1)
    if (/\btry\b|\.catch\(|optional/i.test(file.lines.get(at)?.text ?? '')) return true;
  return /\.catch\(/.test(file.lines.get(line + 1)?.code ?? '');
}

export function findUndeclared(repository: Repository): Sighting[] {
  if ([...repository.paths].some((path) => MAPPED.test(path))) return [];
  const isKnown = knownNames(repository);
  const told = new Set<string>();
  return repository.files.flatMap((file): Sighting[] => {
    const imports = ELSEWHERE.test(file.path) ? undefined : repository.imports.get(file.path);
    const declared = imports === undefined ? undefined : declaredFor(file.path, repository);
    if (imports === undefined || declared === undefined) return [];
    return imports.flatMap(({ specifier, line }): Sighting[] => {
      const name = packageOf(specifier);
      if (name === undefined || told.has(name) || declared.has(name)) return [];
      if (declared.has(typesOf(name)) || isBrought(name, declared)) return [];
      if (isKnown(name) || isOptional(file, line)) return [];
      told.add(name);
      return [
        {
          file,
          line,
          title: `\`${name}\` is imported and no \`package.json\` declares it.`,
          evidence: quoteLine(file, line),
          code: name,
          ...(file.isTest ? { severity: 'low' as const } : {}),
        },
      ];
    });
  });
}

/** A test runner's own package, which it puts into place for the tests. */
function isBrought(name: string, declared: ReadonlySet<string>): boolean {
  return name === '@jest/globals' && declared.has('jest');
}

function typesOf(name: string): string {
  return `@types/${name.replace(/^@/, '').replace('/', '__')}`;
}
