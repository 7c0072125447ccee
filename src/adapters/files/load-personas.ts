/** Reads persona files from disk: the package's own folder, and optionally one that overrides it. */
import type { ErrorCode } from '../../domain/event/error-codes.ts';
import { constants } from 'node:fs';
import { open, readdir } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { MAX_PERSONA_BYTES, parsePersonaFile } from '../../domain/persona/persona-file.ts';
import type { PersonaFile } from '../../domain/persona/persona-file.ts';
import { assembleTeam } from '../../domain/persona/persona-team.ts';
import type { AssembledTeam } from '../../domain/persona/persona-team.ts';
import { fileProblem } from '../../domain/config/yaml.ts';

/** More files than this in one folder are a mistake. */
const MAX_FILES = 200;

/** The folder of the default team that this package ships; the same from source and from dist. */
export const PACKAGE_PERSONAS: string = fileURLToPath(
  new URL('../../../personas', import.meta.url),
);

/** Where a repository keeps its own. */
export const REPOSITORY_PERSONAS = '.github/quorum/personas';

export interface PersonaFolders {
  /** Defaults to the package's. */
  base?: string;
  /** A folder on top of it; one that does not exist is empty. */
  overrides?: string;
}

/**
 * Loads the team from disk. Files that do not validate are problems; the others go on.
 *
 * @example
 * ```ts
 * import { loadPersonas } from 'quorum';
 *
 * const team = await loadPersonas({ overrides: './personas' });
 * console.log(team.personas.some(({ handle }) => handle === 'dev')); // true
 * console.log(team.problems); // []
 * ```
 */
export async function loadPersonas(folders: PersonaFolders = {}): Promise<AssembledTeam> {
  const base = await readPersonaFolder(folders.base ?? PACKAGE_PERSONAS);
  if (folders.overrides === undefined) return assembleTeam([base]);
  return assembleTeam([base, await readPersonaFolder(folders.overrides)]);
}

/** Parses every `.md` file of a folder, in the order of their names. A missing folder has none. */
export async function readPersonaFolder(folder: string): Promise<PersonaFile[]> {
  const names = await markdownNames(folder);
  const files: PersonaFile[] = [];
  // One after the other: a file takes milliseconds to parse, and between two of them others get their turn.
  for (const name of names.slice(0, MAX_FILES)) files.push(await readPersona(folder, name));
  if (names.length <= MAX_FILES) return files;
  const problem = fileProblem(folder, 'too-many-files', `has more than ${MAX_FILES} persona files`);
  return [...files, { kind: 'invalid', file: folder, problems: [problem] }];
}

let packaged: Promise<readonly PersonaFile[]> | undefined;

/** The team that this package ships. It is read once: a package's files stay as they are while a process runs. */
export function readPackagePersonas(): Promise<readonly PersonaFile[]> {
  packaged ??= readPersonaFolder(PACKAGE_PERSONAS);
  return packaged;
}

/** Turns the bytes of one file into a persona: size and encoding are checked before anything is parsed. */
export function parsePersonaBytes(file: string, bytes: Uint8Array): PersonaFile {
  const invalid = (code: ErrorCode, message: string): PersonaFile => ({
    kind: 'invalid',
    file,
    problems: [fileProblem(file, code, message)],
  });
  if (bytes.byteLength > MAX_PERSONA_BYTES)
    return invalid('too-large', `is larger than ${MAX_PERSONA_BYTES / 1024} KB`);
  try {
    return parsePersonaFile({
      file,
      text: new TextDecoder('utf-8', { fatal: true }).decode(bytes),
    });
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    return invalid('not-utf-8', 'is not UTF-8 text; save it as UTF-8');
  }
}

async function markdownNames(folder: string): Promise<string[]> {
  try {
    const names = await readdir(folder);
    return names.filter((name) => name.endsWith('.md') && name !== 'README.md').toSorted();
  } catch (error) {
    if (isErrno(error, 'ENOENT')) return [];
    throw error;
  }
}

async function readPersona(folder: string, name: string): Promise<PersonaFile> {
  const path = join(folder, name);
  const file = `${basename(folder)}/${name}`;
  try {
    // A link could lead out of the repository, and its text into a prompt. A pipe must not hold the start.
    const flags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;
    await using handle = await open(path, flags);
    const bytes = Buffer.alloc(MAX_PERSONA_BYTES + 1);
    const { bytesRead } = await handle.read(bytes, 0, bytes.length, 0);
    return parsePersonaBytes(file, bytes.subarray(0, bytesRead));
  } catch (error) {
    const code = isErrno(error, 'ELOOP') ? 'symbolic-link' : 'unreadable-file';
    const message = code === 'symbolic-link' ? 'is a symbolic link' : 'cannot be read';
    return { kind: 'invalid', file, problems: [fileProblem(file, code, message)] };
  }
}

function isErrno(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code;
}
