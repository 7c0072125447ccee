/** What may be written to the memory branch: known paths, readable text, no credentials, nothing over what was not read. */
import { RefusedError } from '../../../domain/event/errors.ts';
import { isMemoryPath, MAX_MEMORY_FILE_BYTES } from '../../../domain/memory/file/branch-files.ts';
import { findSecrets } from '../../../domain/secrets/secret-text.ts';
import { isRolePath } from '../../../domain/memory/role/role-file.ts';
import type { UnreadFile } from '../../../ports/github/memory-branch.ts';

interface Scope {
  /** What the writer asked for. */
  paths: readonly string[];
  unread: readonly UnreadFile[];
  /** Whether it is a branch of the memory, and not of the repository's own files. */
  isMemory: boolean;
}

/** @throws RefusedError as `update` of the port names them */
export function assertWritable(
  changes: ReadonlyMap<string, string | undefined>,
  scope: Scope,
): void {
  for (const [path, text] of changes) {
    assertPath(path, scope);
    if (text !== undefined) assertText(path, text);
  }
}

/** @throws RefusedError `memory-secret` */
export function assertMessage(message: string): void {
  assertNoSecret('The commit message', message);
}

function assertPath(path: string, { paths, unread, isMemory }: Scope): void {
  const isKnown = isMemory ? isMemoryPath(path) : isRolePath(path);
  if (!isKnown) throw pathRefused(path, 'is not a path of the memory');
  if (!paths.some((each) => each === path || (each.endsWith('/') && path.startsWith(each))))
    throw pathRefused(path, 'was not read before it was to be written');
  const inTheWay = unread.find((one) => one.path === path || path.startsWith(`${one.path}/`));
  if (inTheWay !== undefined)
    throw unreadable(`${inTheWay.path} is ${WORDS[inTheWay.reason]} and is not overwritten.`);
}

const WORDS: Readonly<Record<UnreadFile['reason'], string>> = {
  'too-large': 'over 1 MB',
  binary: 'a binary file',
  'not-utf-8': 'not UTF-8 text',
  'not-a-file': 'not a plain file',
};

function assertText(path: string, text: string): void {
  if (text.includes('\0')) throw unreadable(`The text for ${path} has a NUL character.`);
  if (Buffer.byteLength(text) > MAX_MEMORY_FILE_BYTES)
    throw unreadable(`The text for ${path} is over 1 MB and could not be read back.`);
  assertNoSecret(path, text);
}

function assertNoSecret(where: string, text: string): void {
  const [first] = findSecrets(text);
  if (first === undefined) return;
  throw new RefusedError({
    code: 'memory-secret',
    message: `${where}, line ${first.line}: this looks like a ${first.kind}. Nothing was written.`,
    details: 'Remove the credential from the text, and revoke it where it is real.',
  });
}

function pathRefused(path: string, why: string): RefusedError {
  return new RefusedError({
    code: 'memory-path-refused',
    message: `${path} ${why}. Nothing was written.`,
  });
}

function unreadable(message: string): RefusedError {
  return new RefusedError({
    code: 'memory-unreadable',
    message,
    details: 'Replace or delete the file on the memory branch.',
  });
}
