/** A file's bytes as text to read: binary left out, long files cut at a line. */
import type { SourceFile } from '../run/view.ts';

/**
 * Undefined for binary, told as git does: a NUL byte. A text over `maxBytes` is cut at the end of a line, or, where one
 * line alone is longer, without half a character.
 */
export function toSourceFile(
  path: string,
  bytes: Buffer,
  maxBytes: number,
): SourceFile | undefined {
  if (bytes.includes(0)) return undefined;
  if (bytes.length <= maxBytes) return { path, text: bytes.toString(), isCut: false };
  const head = bytes.subarray(0, maxBytes);
  const line = head.lastIndexOf(0x0a);
  const text =
    line === -1 ? head.toString().replace(/\ufffd$/, '') : head.toString('utf8', 0, line + 1);
  return { path, text, isCut: true };
}
