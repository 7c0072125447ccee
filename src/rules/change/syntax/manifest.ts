/** Reads what manifests of a change say about dependencies and scripts, before and after. */
import { isRecord } from '../../../domain/config/yaml.ts';
import { nameOf } from '../../../domain/repository/paths.ts';
import type { Change, ChangedFile } from '../read-change.ts';
import { wholeText } from './workflow-file.ts';

export interface PackageJson {
  /** Name → wanted version, of every kind of dependency. */
  dependencies: ReadonlyMap<string, string>;
  scripts: ReadonlyMap<string, string>;
}

/** A dependency that was not there before, or is wanted in another version. */
export interface ChangedDependency {
  file: ChangedFile;
  line: number;
  name: string;
  version: string;
  isNew: boolean;
}

const KINDS = ['dependencies', 'devDependencies', 'optionalDependencies', 'peerDependencies'];

/** Undefined when the text is no JSON object. */
export function readPackageJson(text: string): PackageJson | undefined {
  const value = parseJsonObject(text);
  if (value === undefined) return undefined;
  const scripts = value['scripts'];
  return {
    dependencies: new Map(KINDS.flatMap((kind) => entriesOf(value[kind]))),
    scripts: new Map(entriesOf(scripts)),
  };
}

export function parseJsonObject(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isRecord(value) ? value : undefined;
  } catch {
    // A manifest that is no JSON is another tool's to refuse.
    return undefined;
  }
}

function entriesOf(value: unknown): [string, string][] {
  if (!isRecord(value)) return [];
  return Object.entries(value).filter(
    (entry): entry is [string, string] => typeof entry[1] === 'string',
  );
}

/** The line of a key in JSON text, among the new lines: one that begins with it, or else holds it among others. */
export function jsonKeyLine({ added }: ChangedFile, key: string): number | undefined {
  const wanted = JSON.stringify(key);
  const isKey = ({ text }: { text: string }): boolean => {
    const at = text.indexOf(wanted);
    return (
      at >= 0 &&
      text
        .slice(at + wanted.length)
        .trimStart()
        .startsWith(':')
    );
  };
  const own = added.find(({ text }) => text.trimStart().startsWith(wanted));
  return (own ?? added.find(isKey))?.line;
}

/** What changed in `package.json`, `requirements*.txt` and `go.mod`; a new manifest counts as unchanged. */
export function changedDependencies({ files }: Pick<Change, 'files'>): ChangedDependency[] {
  return files
    .filter(({ file }) => file.status !== 'deleted')
    .flatMap((file) => {
      const name = nameOf(file.path);
      if (name === 'package.json') return fromPackageJson(file);
      if (/^requirements[\w.-]*\.txt$/.test(name)) return fromLines(file, REQUIREMENT);
      return name === 'go.mod' ? fromLines(file, GO_REQUIRE) : [];
    });
}

const INSTALL_SCRIPTS = ['preinstall', 'install', 'postinstall'];
/** `install` alone may be a dependency's name: where only some lines are known, it says nothing. */
const SCRIPT_LINE = /^\s*"(preinstall|postinstall)"\s*:\s*"((?:[^"\\]|\\.)*)"/;

/** Scripts of a `package.json` that run on install and were not there before, as [name, command]. */
export function newScripts(file: ChangedFile): [string, string][] {
  const text = wholeText(file);
  if (text === undefined) {
    const before = new Set(scriptLines(file.removed).map(String));
    return scriptLines(file.added).filter((script) => !before.has(String(script)));
  }
  const head = readPackageJson(text)?.scripts;
  const base = readPackageJson(file.baseText ?? '{}')?.scripts;
  return INSTALL_SCRIPTS.flatMap((name): [string, string][] => {
    const script = head?.get(name);
    return script === undefined || script === base?.get(name) ? [] : [[name, script]];
  });
}

function scriptLines(lines: ChangedFile['added']): [string, string][] {
  return lines.flatMap(({ text }): [string, string][] => {
    const [, name, script] = SCRIPT_LINE.exec(text) ?? [];
    return name === undefined || script === undefined ? [] : [[name, script]];
  });
}

function fromPackageJson(file: ChangedFile): ChangedDependency[] {
  const text = wholeText(file);
  const head = text === undefined ? undefined : readPackageJson(text);
  if (head === undefined) return [];
  const base = readPackageJson(file.baseText ?? '{}') ?? {
    dependencies: new Map(),
    scripts: new Map(),
  };
  if (file.baseText === undefined && !file.isNew) return [];
  return [...head.dependencies].flatMap(([name, version]) => {
    const line = jsonKeyLine(file, name);
    if (line === undefined || base.dependencies.get(name) === version) return [];
    return [{ file, line, name, version, isNew: !base.dependencies.has(name) }];
  });
}

const REQUIREMENT = /^\s*([A-Za-z0-9][\w.-]*)(?:\[[^\]]*\])?\s*([=<>!~][^#;]*|@\s*\S+)?/;
const GO_REQUIRE = /^(?:require)?\s+([\w.-]+\.[a-z]+\/[\w./-]+)\s+(v\S+)(?!.*\/\/ indirect)/;

function fromLines(file: ChangedFile, pattern: RegExp): ChangedDependency[] {
  const before = new Set(file.removed.map(({ text }) => pattern.exec(text)?.[1]));
  return file.added.flatMap(({ text, line }) => {
    const match = /^\s*(?:#|-)/.test(text) ? null : pattern.exec(text);
    const name = match?.[1];
    if (name === undefined) return [];
    return [{ file, line, name, version: (match?.[2] ?? '').trim(), isNew: !before.has(name) }];
  });
}
