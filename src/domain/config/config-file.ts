/** Reads .github/quorum.yml: layers of text become one effective configuration that knows where each value is from. */
import { WITHOUT_EFFECT } from './availability.ts';
import { CONFIG_VERSION, Config, Extends } from './config.ts';
import { applyFloors, lockDown, restrictiveValue } from './config-floors.ts';
import type { Raised } from './config-floors.ts';
import { MODEL_ALIASES } from './config-limits.ts';
import { nearest } from '../text/nearest.ts';
import { schemaProblems } from './schema-problems.ts';
import { fileProblem, isRecord, readYaml } from './yaml.ts';
import type { FileProblem, YamlReading } from './yaml.ts';

export const CONFIG_FILE = '.github/quorum.yml';
export const CONFIG_FILES: readonly string[] = [CONFIG_FILE, '.github/quorum.yaml'];

/** One file's text, read from a default branch. */
export interface ConfigSource {
  /** Where it is from, for people: `acme/.github`, `acme/shop`. */
  origin: string;
  file: string;
  text: string;
}

export interface ResolvedConfig {
  /**
   * The configuration to apply. With errors it is the safest reading of what could be parsed. A repository with a last
   * good configuration keeps that instead, for work that only reads (threat CFG-02).
   */
  config: Config;
  isValid: boolean;
  problems: readonly FileProblem[];
  /** What was configured too weak or too large. */
  raised: readonly Raised[];
  /** Origin of each configured value by its dotted key; a key that is absent has its default. */
  origins: ReadonlyMap<string, string>;
}

export type ConfigFileChoice =
  { kind: 'file'; file: string } | { kind: 'none' } | { kind: 'refused'; problem: FileProblem };

/** Which of the paths that exist is the configuration; two of them are refused by name (threat CFG-03). */
export function chooseConfigFile(paths: Iterable<string>): ConfigFileChoice {
  const present = new Set(paths);
  const found = CONFIG_FILES.filter((file) => present.has(file));
  const [file] = found;
  if (file === undefined) return { kind: 'none' };
  if (found.length === 1) return { kind: 'file', file };
  const message = `and ${found[1]} are both there; remove one of them`;
  return { kind: 'refused', problem: fileProblem(file, 'ambiguous-config', message) };
}

/** Where `_extends` points: `repo`, `owner/repo` or `repo:path`. The path defaults to the configuration's own. */
export function parseExtends(
  value: string,
  owner: string,
): { owner: string; repo: string; path: string } {
  const [place = '', path = CONFIG_FILE] = value.split(':');
  const parts = place.split('/');
  return { owner: parts.length > 1 ? (parts[0] ?? owner) : owner, repo: parts.at(-1) ?? '', path };
}

/** Reads one file alone, before its `_extends` is followed. {@link resolveConfig} reports its problems again. */
export function readExtends(source: ConfigSource): string | undefined {
  const yaml = readYaml(source);
  const value = yaml.ok ? yaml.reading.value['_extends'] : undefined;
  const parsed = Extends.safeParse(value);
  return parsed.success ? parsed.data : undefined;
}

/**
 * Merges layers, the most general first, and fills in defaults: mappings merge, lists and values replace. Then floors
 * are applied. Never throws.
 *
 * @example
 * ```ts
 * import { resolveConfig } from 'quorum';
 *
 * const file = '.github/quorum.yml';
 * const { config, isValid, origins } = resolveConfig([
 *   { origin: 'acme/.github', file, text: 'version: 1\ncouncil:\n  maxRounds: 3\n' },
 *   { origin: 'acme/shop', file, text: 'version: 1\ncouncil:\n  maxRounds: 2\n' },
 * ]);
 * console.log(isValid, config.council.maxRounds); // true 2
 * console.log(origins.get('council.maxRounds')); // acme/shop
 * ```
 */
export function resolveConfig(layers: readonly ConfigSource[]): ResolvedConfig {
  const read = layers.map(readLayer);
  const problems = read.flatMap((layer) => layer.problems);
  const isValid = problems.every((problem) => problem.severity !== 'error');
  const origins = new Map<string, string>();
  let merged: Record<string, unknown> = {};
  for (const layer of read) {
    merged = merge(merged, layer.value);
    markOrigins({ value: layer.value, origin: layer.source.origin, origins, prefix: '' });
  }
  const parsed = Config.safeParse(merged);
  // Each layer is valid by itself, so their merge is; the default covers an unforeseen case.
  const config = parsed.success ? parsed.data : Config.parse({ version: CONFIG_VERSION });
  const floored = applyFloors(config);
  return {
    config: isValid && parsed.success ? floored.config : lockDown(floored.config),
    isValid: isValid && parsed.success,
    problems: [
      ...problems,
      ...unknownModels(floored.config, read),
      ...ownModels(read),
      ...read.flatMap(findWithoutEffect),
    ],
    raised: floored.raised,
    origins,
  };
}

export interface ExplainedValue {
  key: string;
  value: unknown;
  /** An origin, `default`, or `floor` for a value that was raised. */
  source: string;
}

/** Every effective value with its source, in the order of the schema. */
export function explainConfig(resolved: ResolvedConfig): ExplainedValue[] {
  const raised = new Set(resolved.raised.map(({ key }) => key));
  return leaves(resolved.config, '').map(({ key, value }) => {
    // Models are written flat and kept in two tables.
    const written = key.replace(/^models\.(pool|aliases)\./, 'models.');
    const origin = resolved.origins.get(written) ?? 'default';
    return { key: written, value, source: raised.has(written) ? 'floor' : origin };
  });
}

interface Layer {
  source: ConfigSource;
  value: Record<string, unknown>;
  reading?: YamlReading;
  problems: FileProblem[];
}

function readLayer(source: ConfigSource): Layer {
  if (source.text.includes('\0')) {
    const message = 'has a NUL byte in it, so that it is not text; save it as plain YAML';
    const problem = fileProblem(source.file, 'config-unreadable', message);
    return { source, value: {}, problems: [problem] };
  }
  const yaml = readYaml(source);
  if (!yaml.ok) return { source, value: {}, problems: yaml.problems };
  const { reading } = yaml;
  const value = withoutEmpty(reading.value);
  const parsed = Config.safeParse(value);
  if (parsed.success) return { source, value, reading, problems: [] };
  const context = { file: source.file, reading, schema: Config };
  const problems = schemaProblems(context, parsed.error.issues);
  return { source, value: safest(value, problems), reading, problems };
}

/** A key without a value, as in `merge:` with everything below commented out, is as good as absent. */
function withoutEmpty(value: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const kept = Object.entries(value).filter(([, each]) => each !== null);
  return Object.fromEntries(
    kept.map(([key, each]) => [key, isRecord(each) ? withoutEmpty(each) : each]),
  );
}

/** The value without what is wrong in it; where it matters, with the most restrictive reading instead. */
function safest(
  value: Readonly<Record<string, unknown>>,
  problems: readonly FileProblem[],
): Record<string, unknown> {
  let kept: Record<string, unknown> = structuredClone(value);
  for (const { key } of problems) kept = replaceAt(kept, key.split('.'), restrictiveValue(key));
  return Config.safeParse(kept).success ? kept : {};
}

/** A list with a bad entry goes as a whole: half a list is not what anybody wrote. */
function replaceAt(
  value: Readonly<Record<string, unknown>>,
  path: readonly string[],
  replacement: unknown,
): Record<string, unknown> {
  const [key = '', ...rest] = path;
  const { [key]: child, ...others } = value;
  if (rest.length > 0 && isRecord(child))
    return { ...others, [key]: replaceAt(child, rest, replacement) };
  return replacement === undefined ? others : { ...others, [key]: replacement };
}

function merge(
  base: Readonly<Record<string, unknown>>,
  over: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  const merged: Record<string, unknown> = { ...base };
  for (const [key, value] of Object.entries(over)) {
    const below = merged[key];
    merged[key] = isRecord(below) && isRecord(value) ? merge(below, value) : value;
  }
  return merged;
}

interface Marking {
  value: Readonly<Record<string, unknown>>;
  origin: string;
  origins: Map<string, string>;
  prefix: string;
}

function markOrigins({ value, origin, origins, prefix }: Marking): void {
  for (const leaf of leaves(value, prefix)) origins.set(leaf.key, origin);
}

function leaves(value: unknown, prefix: string): { key: string; value: unknown }[] {
  if (!isRecord(value)) return [{ key: prefix, value }];
  return Object.entries(value)
    .filter(([, each]) => each !== undefined)
    .flatMap(([key, each]) => leaves(each, prefix === '' ? key : `${prefix}.${key}`));
}

/** An alias may name a model that the environment provides, so that a miss is a warning. */
function unknownModels(config: Config, layers: readonly Layer[]): FileProblem[] {
  const known = [...Object.keys(config.models.pool), 'offline'];
  return MODEL_ALIASES.flatMap((alias) => {
    const name = config.models.aliases[alias];
    if (name === undefined || known.includes(name)) return [];
    const layer = layers.findLast(
      ({ value }) => isRecord(value['models']) && alias in value['models'],
    );
    if (layer?.reading === undefined) return [];
    const hint = nearest(name, known);
    return [
      {
        ...fileProblem(
          layer.source.file,
          'unknown-model',
          `names \`${name}\`, which no key of models: defines`,
        ),
        ...layer.reading.placeOf(['models', alias]),
        key: `models.${alias}`,
        severity: 'warning' as const,
        ...(hint === undefined ? {} : { nearest: hint }),
      },
    ];
  });
}

/** No repository defines a model: it could name an address and a key of the host. */
function ownModels(layers: readonly Layer[]): FileProblem[] {
  const aliases: readonly string[] = MODEL_ALIASES;
  return layers.flatMap(({ source, value, reading }) => {
    const models = value['models'];
    if (reading === undefined || !isRecord(models)) return [];
    const names = Object.keys(models).filter((name) => !aliases.includes(name));
    const message = 'is defined by the host only (QUORUM_MODELS) and ignored here';
    return names.map((name) => ({
      ...fileProblem(source.file, 'unknown-model', message),
      ...reading.placeOf(['models', name]),
      key: `models.${name}`,
      severity: 'warning' as const,
    }));
  });
}

/** A file may be ahead of this version, or wait for a feature: that stops nobody. */
function findWithoutEffect({ source, value, reading }: Layer): FileProblem[] {
  if (reading === undefined) return [];
  return WITHOUT_EFFECT.flatMap((key) => {
    const path = key.split('.');
    if (!isSet(value, path)) return [];
    return [
      {
        ...fileProblem(source.file, 'no-effect-yet', 'has no effect yet'),
        ...reading.placeOf(path),
        key,
        severity: 'warning' as const,
      },
    ];
  });
}

function isSet(value: unknown, [key, ...rest]: readonly string[]): boolean {
  if (key === undefined) return true;
  if (Array.isArray(value)) return value.some((each) => isSet(each, [key, ...rest]));
  return isRecord(value) && Object.hasOwn(value, key) && isSet(value[key], rest);
}
