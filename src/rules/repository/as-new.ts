/** Reads whole files as a change that adds them: every rule about new lines then is one about all lines. */
import type { Diff, DiffFile } from '../../domain/diff/diff.ts';
import type { SourceFile } from '../../domain/run/view.ts';

/** Linear. A file that was cut is read as far as it goes. */
export function asNew(files: readonly Pick<SourceFile, 'path' | 'text'>[]): Diff {
  return { files: files.map(toNewFile), problems: [] };
}

function toNewFile({ path, text }: Pick<SourceFile, 'path' | 'text'>): DiffFile {
  const texts = text.replace(/\r?\n$/, '').split(/\r?\n/);
  const lines = texts.map((line, index) => ({
    kind: 'added' as const,
    text: line,
    newLine: index + 1,
  }));
  const hunk = {
    oldStart: 0,
    oldLines: 0,
    newStart: 1,
    newLines: lines.length,
    section: '',
    lines,
  };
  return {
    path,
    status: 'added',
    content: 'text',
    hunks: [hunk],
    additions: lines.length,
    deletions: 0,
    isCut: false,
    diffLine: 1,
  };
}
