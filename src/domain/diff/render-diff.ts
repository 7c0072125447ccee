/** Writes a diff back as git would, so that a part of it can be shown or given to a model. */
import type { Diff, DiffFile, DiffLine, Hunk } from './diff.ts';
import { NOWHERE } from './diff-path.ts';

const MARK: Readonly<Record<DiffLine['kind'], string>> = { context: ' ', added: '+', removed: '-' };

/** Every file of a diff; the same hunks and lines are read again from it. */
export function renderDiff(diff: Pick<Diff, 'files'>): string {
  return diff.files.map(renderDiffFile).join('');
}

export function renderDiffFile(file: DiffFile): string {
  const before = file.oldPath ?? file.path;
  const head = [`diff --git ${quote(`a/${before}`)} ${quote(`b/${file.path}`)}`, ...headers(file)];
  const sides =
    file.hunks.length === 0
      ? []
      : [
          `--- ${file.status === 'added' ? NOWHERE : quote(`a/${before}`)}`,
          `+++ ${file.status === 'deleted' ? NOWHERE : quote(`b/${file.path}`)}`,
        ];
  return [...head, ...sides, ...file.hunks.map(renderHunk)].map((line) => `${line}\n`).join('');
}

function headers(file: DiffFile): string[] {
  const before = file.oldPath ?? file.path;
  const modes =
    file.oldMode !== undefined && file.newMode !== undefined && file.oldMode !== file.newMode
      ? [`old mode ${file.oldMode}`, `new mode ${file.newMode}`]
      : [];
  // The blobs are not known; the mode is, and git writes both on one line.
  const index =
    modes.length === 0 && file.oldMode !== undefined && file.newMode !== undefined
      ? [`index 0000000..0000000 ${file.newMode}`]
      : [];
  const byStatus: Readonly<Record<DiffFile['status'], string[]>> = {
    added: [`new file mode ${file.newMode ?? '100644'}`],
    deleted: [`deleted file mode ${file.oldMode ?? '100644'}`],
    renamed: [`rename from ${quote(before)}`, `rename to ${quote(file.path)}`],
    copied: [`copy from ${quote(before)}`, `copy to ${quote(file.path)}`],
    modified: [],
    'mode-changed': [],
  };
  const binary =
    file.content === 'binary' ? [`Binary files a/${before} and b/${file.path} differ`] : [];
  return [...modes, ...byStatus[file.status], ...index, ...binary];
}

export function renderHunk(hunk: Hunk): string {
  const old = `${hunk.oldStart},${hunk.oldLines}`;
  const now = `${hunk.newStart},${hunk.newLines}`;
  const title = `@@ -${old} +${now} @@${hunk.section === '' ? '' : ` ${hunk.section}`}`;
  return [title, ...hunk.lines.flatMap(renderLine)].join('\n');
}

function renderLine(line: DiffLine): string[] {
  const text = `${MARK[line.kind]}${line.text}${line.isCrlf === true ? '\r' : ''}`;
  return line.hasNoNewline === true ? [text, '\\ No newline at end of file'] : [text];
}

/** As git quotes paths: only those with quotes, backslashes, control characters or bytes beyond ASCII. */
function quote(path: string): string {
  if (/^[ !#-[\]-~]*$/.test(path)) return path;
  const escaped = Array.from(Buffer.from(path), (byte) => {
    if (byte === 34 || byte === 92) return `\\${String.fromCodePoint(byte)}`;
    const isPlain = byte >= 32 && byte < 127;
    return isPlain ? String.fromCodePoint(byte) : `\\${byte.toString(8).padStart(3, '0')}`;
  });
  return `"${escaped.join('')}"`;
}
