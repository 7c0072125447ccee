/** The persona files of a repository: found, read and named with their problems. */
import { CONFIG_FILES } from '../../domain/config/config-file.ts';
import { parsePersonaFile, type PersonaFile } from '../../domain/persona/persona-file.ts';
import { assembleTeam } from '../../domain/persona/persona-team.ts';
import type { RepositoryRef } from '../../domain/run/thread-ref.ts';
import type { SourceFile } from '../../domain/run/view.ts';
import { fileProblem, type FileProblem } from '../../domain/config/yaml.ts';
import type { FoundFile, Surroundings } from '../../ports/github/github-survey.ts';
import type { GitHubSession } from '../../ports/github/github.ts';
import type { RepositoryFacts } from '../../ports/github/github-reader.ts';
import type { ActPorts } from '../ports.ts';

/** Where a repository keeps personas of its own, and in folders in it. */
export const PERSONA_FOLDER = '.github/quorum/personas/';

const PERSONA_FILE = /^\.github\/quorum\/personas\/(?:[^/]+\/)?[^/]+\.md$/;

export const MAX_BYTES = 64 * 1024;

const MAX_PERSONAS = 40;

/** Where settings are read from. */
export interface At {
  session: GitHubSession;
  facts: RepositoryFacts;
  /** Of the tip; or the settings' own files, where they were read already. */
  paths: string[] | Pick<Surroundings, 'files' | 'foreign'>;
}

/** The configuration and the personas that are there. */
export async function findFiles(
  ref: RepositoryRef,
  { session, facts, paths }: At,
): Promise<FoundFile[]> {
  if (!Array.isArray(paths)) return paths.files;
  const personas = paths.filter((path) => PERSONA_FILE.test(path)).toSorted();
  const there = [
    ...paths.filter((path) => CONFIG_FILES.includes(path)),
    ...personas.slice(0, MAX_PERSONAS),
  ];
  if (there.length === 0) return [];
  const want = { paths: there, maxBytes: MAX_BYTES };
  const texts = await session.read.files(ref, facts.headSha, want);
  return there.map((path) => ({ path, file: texts.find((each) => each.path === path) }));
}

export function cutProblem({ isCut }: SourceFile, file: string): FileProblem | undefined {
  const message = `is larger than ${MAX_BYTES / 1024} KB`;
  return isCut ? fileProblem(file, 'too-large', message) : undefined;
}

export function toTeam(found: readonly FoundFile[], ports: ActPorts) {
  const files = found
    .filter(({ path }) => PERSONA_FILE.test(path))
    .toSorted((a, b) => (a.path < b.path ? -1 : 1))
    .slice(0, MAX_PERSONAS);
  const texts = files.flatMap(({ file }) => file ?? []);
  const layers = [ports.personas, files.map(toPersonaFile)];
  return { ...assembleTeam(layers), layers, texts };
}

function toPersonaFile({ path, file }: FoundFile): PersonaFile {
  const unreadable = fileProblem(path, 'unreadable-file', 'cannot be read as text');
  const problem = file === undefined ? unreadable : cutProblem(file, path);
  if (file === undefined || problem !== undefined)
    return { kind: 'invalid', file: path, problems: [problem ?? unreadable] };
  return parsePersonaFile({ file: path, text: file.text });
}
