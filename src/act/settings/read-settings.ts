/** A repository's configuration and team: organisation, base and own file, all from default branches (12, rule 9). */
import {
  chooseConfigFile,
  CONFIG_FILE,
  CONFIG_FILES,
  parseExtends,
  explainConfig,
  readExtends,
  resolveConfig,
  type ConfigSource,
  type ExplainedValue,
  type ResolvedConfig,
} from '../../domain/config/config-file.ts';
import { MEMORY_BRANCH } from '../../domain/config/config-team.ts';
import { lockDown } from '../../domain/config/config-floors.ts';
import { teamDigests, valueDigest, type PersonaDigests } from '../../domain/persona/digest.ts';
import type { Config } from '../../domain/config/config.ts';
import { QuorumError } from '../../domain/event/errors.ts';
import { findUnknownPersonas } from '../../domain/persona/unknown-personas.ts';
import { applyPersonaSettings, assembleTeam } from '../../domain/persona/persona-team.ts';
import type { Persona } from '../../domain/persona/persona.ts';
import type { RepositoryRef } from '../../domain/run/thread-ref.ts';
import type { SourceFile } from '../../domain/run/view.ts';
import { fileProblem, readYaml, type FileProblem } from '../../domain/config/yaml.ts';
import type { FoundFile, SurveyAsk } from '../../ports/github/github-survey.ts';
import type { GitHubSession } from '../../ports/github/github.ts';
import type { RepositoryFacts } from '../../ports/github/github-reader.ts';
import type { ActPorts } from '../ports.ts';
import { createTtlCache } from '../ttl-cache.ts';
import { PERSONA_FOLDER, MAX_BYTES, type At, findFiles, cutProblem, toTeam } from './team-files.ts';

export interface Settings {
  config: Config;
  /** Every value with its source. */
  explain(): ExplainedValue[];
  personas: readonly Persona[];
  problems: readonly FileProblem[];
  /** The team as the package ships it. */
  packageDigests: PersonaDigests;
  /** Digest by path of what each of the repository's own files says of personas. */
  personaSources: Readonly<Record<string, string>>;
  /** The same of one file at another commit; undefined where it says nothing or is not there. */
  personaSourceAt(path: string, sha: string): Promise<string | undefined>;
}

const ORGANISATION_REPO = '.github';

/** An organisation's settings change rarely; a look must not pay for them each time. */
const ORGANISATION_TTL_MS = 5 * 60_000;

/** Organisations and bases that are remembered at once: far more are at work in five minutes nowhere. */
const MOST_ORGANISATIONS = 1_000;

const MAX_PATHS = 20_000;

/** The part of a survey that settings are made of. */
export function settingsAsk(
  ref: RepositoryRef,
): Omit<SurveyAsk, 'people' | 'comments' | 'pastIssues'> {
  return {
    files: CONFIG_FILES,
    folder: PERSONA_FOLDER.slice(0, -1),
    foreign: ref.repo === ORGANISATION_REPO ? undefined : organisationOf(ref.owner),
    maxBytes: MAX_BYTES,
    branch: MEMORY_BRANCH,
  };
}

function organisationOf(owner: string): Place {
  return { owner, repo: ORGANISATION_REPO, path: CONFIG_FILE };
}

/** An account's former name may be somebody else's: the owner is who owns the repository as it was just read. */
function ownerOf(fullName: string): string {
  return fullName.split('/')[0] ?? '';
}

function isOwnedBy(fullName: string, owner: string): boolean {
  return ownerOf(fullName).toLowerCase() === owner.toLowerCase();
}

export type ReadSettings = (ref: RepositoryRef, at: At) => Promise<Settings>;

/** The settings at a repository's tip; one without a commit has the defaults. */
export async function readSettingsAt(
  ref: RepositoryRef,
  facts: RepositoryFacts,
  { session, readSettings }: { session: GitHubSession; readSettings: ReadSettings },
): Promise<Settings> {
  const isEmpty = facts.headSha === '';
  const tree = isEmpty ? { paths: [] } : await session.read.paths(ref, facts.headSha, MAX_PATHS);
  return readSettings(ref, { session, facts, paths: tree.paths });
}

/** A layer, or why it could not be read. Empty where nobody wrote one. */
interface Reading {
  source?: ConfigSource;
  refused?: FileProblem;
}

interface Place {
  owner: string;
  repo: string;
  path: string;
}

/** Binds reading settings to the ports. */
export function createSettings(ports: ActPorts): ReadSettings {
  const organisations = createTtlCache<Reading>(ports.clock, {
    ttlMs: ORGANISATION_TTL_MS,
    most: MOST_ORGANISATIONS,
  });
  ports.caches?.onForget((installationId) => organisations.forget(`${installationId}/`));
  const base = async (ref: RepositoryRef, place: Place, session: GitHubSession) => {
    const key = `${ref.installationId}/${place.owner}/${place.repo}:${place.path}`;
    const known = organisations.get(key);
    if (known !== undefined) return known;
    const layer = await readForeign(ref, place, session);
    // A layer that could not be read is read again at the next look, so that a fix takes effect at once.
    if (layer.refused === undefined) organisations.set(key, layer);
    return layer;
  };
  return async (ref, at) => {
    const files = await findFiles(ref, at);
    const own = readOwn(files, at.facts);
    const extended = own.source === undefined ? undefined : readExtends(own.source);
    const owner = ownerOf(at.facts.fullName);
    const layers = await Promise.all([
      ref.repo === ORGANISATION_REPO
        ? {}
        : (surveyed(at) ?? base(ref, organisationOf(owner), at.session)),
      extended === undefined || own.source === undefined
        ? {}
        : base(ref, parseExtends(extended, owner), at.session).then(
            requireLayer(own.source, extended),
          ),
    ]);
    const team = toTeam(files, ports);
    const resolved = refuseProblems(
      resolveLayers([...layers, own]),
      own.source === undefined ? [] : findUnknownPersonas(own.source, team.layers),
    );
    return {
      config: resolved.config,
      explain: () => explainConfig(resolved),
      personas: applyPersonaSettings(team.personas, resolved.config.personas),
      problems: [...resolved.problems, ...team.problems],
      packageDigests: teamDigests(assembleTeam([ports.personas]).personas),
      personaSources: toSources([...team.texts, ...ownText(own)]),
      personaSourceAt: async (path, sha) => {
        const want = { paths: [path], maxBytes: MAX_BYTES };
        return toSources(await at.session.read.files(ref, sha, want))[path];
      },
    };
  };
}

/** A layer that is there and cannot be read leaves the safest reading of the others, and the reason for people. */
function resolveLayers(layers: readonly Reading[]): ResolvedConfig {
  const resolved = resolveConfig(layers.flatMap(({ source }) => source ?? []));
  return refuseProblems(
    resolved,
    layers.flatMap((layer) => layer.refused ?? []),
  );
}

/** What else is wrong with the settings leaves their safest reading. */
function refuseProblems(resolved: ResolvedConfig, refused: readonly FileProblem[]): ResolvedConfig {
  if (refused.length === 0) return resolved;
  return {
    ...resolved,
    config: lockDown(resolved.config),
    isValid: false,
    problems: [...refused, ...resolved.problems],
  };
}

/** The organisation's layer, where it was read with everything else and is the owner's own. */
function surveyed({ paths, facts }: At): Reading | undefined {
  if (Array.isArray(paths) || paths.foreign === undefined) return undefined;
  const { fullName, found } = paths.foreign;
  if (!isOwnedBy(fullName, ownerOf(facts.fullName))) return undefined;
  return found === undefined ? {} : toReading(found.file, { origin: fullName, file: found.path });
}

function readOwn(files: readonly FoundFile[], { fullName }: RepositoryFacts): Reading {
  const choice = chooseConfigFile(files.map(({ path }) => path));
  if (choice.kind === 'refused') return { refused: choice.problem };
  if (choice.kind === 'none') return {};
  const found = files.find(({ path }) => path === choice.file);
  return toReading(found?.file, { origin: fullName, file: choice.file });
}

/**
 * Half a file would mean something different from the whole, and an unread file would count as no settings. Both are
 * refused.
 */
function toReading(file: SourceFile | undefined, place: { origin: string; file: string }): Reading {
  const problem = file === undefined ? undefined : cutProblem(file, place.file);
  if (file !== undefined && problem === undefined) return { source: { ...place, text: file.text } };
  const message = `cannot be read as text in ${place.origin}; save it as plain YAML`;
  return { refused: problem ?? fileProblem(place.file, 'config-unreadable', message) };
}

/** Another repository's file; a repository or a file that is not there is no layer. */
async function readForeign(
  ref: RepositoryRef,
  place: Place,
  { read }: GitHubSession,
): Promise<Reading> {
  const other = { ...ref, repositoryId: 0, owner: place.owner, repo: place.repo };
  try {
    const facts = await read.repository(other);
    // Transferred: another account's settings are not the organisation's.
    const isMoved = place.repo === ORGANISATION_REPO && !isOwnedBy(facts.fullName, place.owner);
    if (facts.headSha === '' || isMoved) return {};
    const { paths, isCut } = await read.paths(other, facts.headSha, MAX_PATHS);
    if (!isCut && !paths.includes(place.path)) return {};
    const want = { paths: [place.path], maxBytes: MAX_BYTES };
    const [file] = await read.files(other, facts.headSha, want);
    return toReading(file, { origin: facts.fullName, file: place.path });
  } catch (error) {
    if (!(error instanceof QuorumError) || error.retryable) throw error;
    if (error.code === 'github-not-found') return {};
    const message = `of ${place.owner}/${place.repo} cannot be read: ${error.message}`;
    return { refused: fileProblem(place.path, 'config-unreadable', message) };
  }
}

/** What `_extends` names has to be there: told at the line that names it. */
function requireLayer(own: ConfigSource, named: string): (layer: Reading) => Reading {
  return (layer) => {
    if (layer.source !== undefined) return layer;
    const yaml = readYaml(own);
    const place = yaml.ok ? yaml.reading.placeOf(['_extends']) : { line: 1, column: 1 };
    const why = layer.refused?.message ?? 'is not there, or the App may not read it';
    const message = `names \`${named}\`, whose file ${why}`;
    const code = layer.refused?.code ?? 'config-unreadable';
    return { refused: { ...fileProblem(own.file, code, message), ...place, key: '_extends' } };
  };
}

function ownText({ source }: Reading): { path: string; text: string }[] {
  return source === undefined ? [] : [{ path: source.file, text: source.text }];
}

/** Of a persona file all of it; of a configuration what gives personas other settings, its own or by its base. */
function toSources(files: readonly { path: string; text: string }[]): Record<string, string> {
  const said = files.map(({ path, text }): [string, unknown] => [
    path,
    CONFIG_FILES.includes(path) ? personaSettings(path, text) : text,
  ]);
  const some = said.filter(([, value]) => value !== undefined);
  return Object.fromEntries(some.map(([path, value]) => [path, valueDigest(value)]));
}

function personaSettings(file: string, text: string): unknown {
  const yaml = readYaml({ file, text });
  const { personas, _extends: base } = yaml.ok ? yaml.reading.value : {};
  return personas === undefined && base === undefined ? undefined : { personas, base };
}
