/** Makes proposed edits in the files of memory as they are now. */
import { corePath, workingPath } from '../file/apply-change.ts';
import { addEntries, removeEntries } from '../file/edit-memory-file.ts';
import {
  entriesOf,
  parseMemoryFile,
  renderMemoryFile,
  type MemoryFileContext,
} from '../file/memory-file.ts';
import type { MemoryEdit, MemoryFileName } from './consolidation.ts';

const PATHS: Readonly<Record<MemoryFileName, (persona: string) => string>> = {
  core: corePath,
  working: workingPath,
};

/**
 * The files that change. Pure and idempotent. An edit is left out when any entry that it replaces was reworded, removed
 * or forgotten since. It must not undo a person's change (MEM-08).
 */
export function applyMemoryEdits(
  files: ReadonlyMap<string, string>,
  edits: readonly MemoryEdit[],
  context: MemoryFileContext,
): Map<string, string> {
  const after = edits.reduce((all, edit) => applyEdit(all, edit, context), new Map(files));
  return new Map([...after].filter(([path, text]) => files.get(path) !== text));
}

function applyEdit(
  files: Map<string, string>,
  { from, to, removes, adds }: MemoryEdit,
  context: MemoryFileContext,
): Map<string, string> {
  const { persona } = context;
  const [source, target] = [PATHS[from](persona), PATHS[to](persona)];
  const file = parseMemoryFile(files.get(source) ?? '', context);
  const texts = new Map(entriesOf(file).map(({ id, text }) => [id, text]));
  if (removes.some(({ id, text }) => texts.get(id) !== text)) return files;
  const left = renderMemoryFile(removeEntries(file, new Set(removes.map(({ id }) => id))));
  const before = source === target ? left : (files.get(target) ?? '');
  const added = renderMemoryFile(addEntries(parseMemoryFile(before, context), adds));
  return new Map([...files, [source, left], [target, added]]);
}
