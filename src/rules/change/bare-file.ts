/** A file that no rule reads line by line (a lockfile, a key store), as something a finding can point to. */
import type { DiffFile } from '../../domain/diff/diff.ts';
import type { ChangedFile } from './read-change.ts';

export function bareFile(file: DiffFile): ChangedFile {
  return {
    file,
    path: file.path,
    basePath: file.oldPath ?? file.path,
    language: 'other',
    isTest: false,
    isNew: file.status === 'added',
    added: [],
    removed: [],
    lines: new Map(),
    addedNumbers: new Set(),
    headText: undefined,
    baseText: undefined,
    elements: () => [],
    script: () => undefined,
  };
}
