/** A file of a patch, changed in one line unless told otherwise. */
import type { ChangedFile } from '../../src/domain/task/patch.ts';

export function aChangedFile(path: string, over: Partial<ChangedFile> = {}): ChangedFile {
  return {
    path,
    change: 'modified',
    mode: '100644',
    added: 1,
    removed: 0,
    isBinary: false,
    bytes: 10,
    ...over,
  };
}
