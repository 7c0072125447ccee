/** Recognises error handlers that do nothing. */
import type { ReadLine } from './lex.ts';
import type { ChangedFile } from '../read-change.ts';

/** The line of the `}` that closes a block opened at the end of a line; undefined when the block is not empty. */
export function emptyBlockEnd(file: ChangedFile, line: number): number | undefined {
  for (let at = line + 1; at <= line + 4; at += 1) {
    const read = file.lines.get(at);
    if (read === undefined || read.comment.trim() !== '') return undefined;
    if (/^\s*\}/.test(read.code)) return at;
    if (read.code.trim() !== '') return undefined;
  }
  return undefined;
}

export function isEmptyCatch(line: ReadLine, file: ChangedFile): boolean {
  if (/catch\s*(?:\([^)]*\))?\s*\{\s*\}/.test(line.code)) return line.comment.trim() === '';
  return line.comment.trim() === '' && emptyBlockEnd(file, line.line) !== undefined;
}

/** What follows an `except` line says nothing and does nothing. */
export function passesSilently({ line, text, comment }: ReadLine, file: ChangedFile): boolean {
  const next = file.lines.get(line + 1);
  const isSilent = next !== undefined && /^\s*(?:pass|\.\.\.)\s*$/.test(next.code);
  return (
    isSilent &&
    comment.trim() === '' &&
    next.comment.trim() === '' &&
    !/StopIteration|KeyboardInterrupt|ImportError|ModuleNotFoundError|FileNotFoundError|ProcessLookupError|CancelledError/.test(
      text,
    )
  );
}
