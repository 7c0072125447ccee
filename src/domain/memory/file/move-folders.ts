/** Folders of personas that were renamed or taken out of the team: moved with all that is in them, never deleted (NW-14). */
import * as z from 'zod';
import { PERSONAS_FOLDER, personaOf } from './apply-change.ts';
import { addEntries } from './edit-memory-file.ts';
import { entriesOf, parseMemoryFile, renderMemoryFile } from './memory-file.ts';
import { TEAM } from '../memory-entry.ts';

/** The team when memory was last written: without it, a rename would look like a removal. */
export const TEAM_FILE = 'state/team.json';
const ARCHIVE = '.archived';

export interface TeamMember {
  handle: string;
  name: string;
  role: string;
}

const Known = z.record(z.string(), z.object({ name: z.string(), role: z.string() }));
type Known = z.infer<typeof Known>;

export interface MovedFolders {
  /** Text by path, undefined where a file is gone from; `team.json` included. */
  changes: Map<string, string | undefined>;
  /** Whether a folder moves; else only the list of the team differs. */
  isMoving: boolean;
}

/**
 * A handle that left the team while exactly one new one with its name or role joined was renamed; any other one is
 * archived. One that rejoins gets its folder from the archive.
 */
export function moveFolders(
  files: ReadonlyMap<string, string>,
  team: readonly TeamMember[],
): MovedFolders {
  const known = readKnown(files.get(TEAM_FILE));
  const folders = foldersIn(files);
  const handles = new Set(team.map(({ handle }) => handle));
  const gone = [...folders].filter((each) => !handles.has(each) && each !== TEAM);
  const fresh = team.filter(({ handle }) => !folders.has(handle) && !(handle in known));
  const renamed = gone.flatMap((handle): [string, string][] => {
    const heir = heirOf(handle, known, fresh);
    return heir === undefined ? [] : [[handle, heir]];
  });
  const heirs = new Map(renamed.filter(([, heir]) => isOnce(renamed, heir)));
  const back = team
    .map(({ handle }) => handle)
    .filter((each) => !folders.has(each) && ![...heirs.values()].includes(each))
    .map((each): [string, string] => [`${ARCHIVE}/${each}`, each]);
  const moves = [
    ...gone.map((each): [string, string] => [each, heirs.get(each) ?? `${ARCHIVE}/${each}`]),
    ...back,
  ];
  const changes = new Map(moves.flatMap(([from, to]) => moveOne(files, from, to)));
  const isMoving = changes.size > 0;
  const list = renderKnown(team);
  if (files.get(TEAM_FILE) !== list) changes.set(TEAM_FILE, list);
  return { changes, isMoving };
}

/** The files as they are with these changes. */
export function withChanges(
  files: ReadonlyMap<string, string>,
  { changes }: Pick<MovedFolders, 'changes'>,
): Map<string, string> {
  return new Map(
    [...files, ...changes].flatMap(([path, text]): [string, string][] =>
      text === undefined || (changes.has(path) && changes.get(path) === undefined)
        ? []
        : [[path, text]],
    ),
  );
}

function heirOf(handle: string, known: Known, fresh: readonly TeamMember[]): string | undefined {
  const was = known[handle];
  if (was === undefined) return undefined;
  const alike = fresh.filter(({ name, role }) => name === was.name || role === was.role);
  return alike.length === 1 ? alike[0]?.handle : undefined;
}

function isOnce(renamed: readonly [string, string][], heir: string): boolean {
  return renamed.filter(([, each]) => each === heir).length === 1;
}

/** Damage is no reason to archive anybody: then nothing is known. */
function readKnown(text: string | undefined): Known {
  try {
    return Known.safeParse(JSON.parse(text ?? '{}')).data ?? {};
  } catch {
    return {};
  }
}

function renderKnown(team: readonly TeamMember[]): string {
  const rows = team
    .toSorted((a, b) => (a.handle < b.handle ? -1 : 1))
    .map(({ handle, name, role }) => [handle, { name, role }] as const);
  return `${JSON.stringify(Object.fromEntries(rows), undefined, 2)}\n`;
}

function foldersIn(files: ReadonlyMap<string, string>): Set<string> {
  const paths = [...files.keys()].filter((path) => path.startsWith(PERSONAS_FOLDER));
  const names = paths.map((path) => path.slice(PERSONAS_FOLDER.length).split('/'));
  return new Set(
    names.flatMap(([name = '', ...rest]) => (rest.length > 0 && name !== ARCHIVE ? [name] : [])),
  );
}

function moveOne(
  files: ReadonlyMap<string, string>,
  from: string,
  to: string,
): [string, string | undefined][] {
  const folder = `${PERSONAS_FOLDER}${from}/`;
  return [...files]
    .filter(([path]) => path.startsWith(folder))
    .flatMap(([path, text]): [string, string | undefined][] => {
      const target = `${PERSONAS_FOLDER}${to}/${path.slice(folder.length)}`;
      return [
        [path, undefined],
        [target, joined(text, files.get(target), path)],
      ];
    });
}

/** Where the archive has an older file already, both are kept. */
function joined(text: string, older: string | undefined, path: string): string {
  if (older === undefined) return text;
  const persona = personaOf(path);
  if (persona === undefined) return `${older.trimEnd()}\n\n${text}`;
  const context = { persona, today: '' };
  const entries = entriesOf(parseMemoryFile(text, context));
  return renderMemoryFile(addEntries(parseMemoryFile(older, context), entries));
}
