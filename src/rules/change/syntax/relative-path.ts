/** Resolves what one file of a repository says of another: imports and links. */

/** The path that a relative one means, seen from a file; undefined when it leaves the repository. */
export function resolveRelative(from: string, relative: string): string | undefined {
  const parts = relative.startsWith('/') ? [] : from.split('/').slice(0, -1);
  for (const part of relative.split('/')) {
    if (part === '..' && parts.pop() === undefined) return undefined;
    if (part !== '..' && part !== '.' && part !== '') parts.push(part);
  }
  return parts.join('/');
}
