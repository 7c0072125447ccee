/**
 * A repository's address by its name, for servers that know it by that alone: scripts of tests, and emulators that serve
 * nothing but the repository itself below `/repositories/{id}`.
 */
export function toNamedPath(path: string, name: string): string {
  return path.replace(/^\/repositories\/\d+(?=[/?]|$)/, `/repos/${name}`);
}
