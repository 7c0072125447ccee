/** Files of bundles, and where two builds of them differ. It imports nothing that has to be installed. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

/** Paths of all files below `<root>/<action>/dist`, in order. */
export function bundleFiles(root: string): string[] {
  return readdirSync(root)
    .toSorted()
    .map((name) => path.join(name, 'dist'))
    .filter((dist) => existsSync(path.join(root, dist)))
    .flatMap((dist) =>
      readdirSync(path.join(root, dist))
        .toSorted()
        .map((file) => path.join(dist, file)),
    );
}

/** Paths that only one of two builds has, and of files whose bytes differ. */
export function differingFiles(one: string, other: string): string[] {
  const [own, others] = [bundleFiles(one), bundleFiles(other)];
  const all = [...new Set([...own, ...others])].toSorted();
  return all.filter((file) => {
    if (!own.includes(file) || !others.includes(file)) return true;
    return !readFileSync(path.join(one, file)).equals(readFileSync(path.join(other, file)));
  });
}

const IMPORTED = /(?:from|import)\s*"\.\/([^"]+\.js)"/g;

/** Bytes of a bundle that are read before its first request: the entry, and what it imports at once. */
export function bytesAtStart(dist: string): number {
  const known = new Set(['index.js']);
  let bytes = 0;
  for (const file of known) {
    const text = readFileSync(path.join(dist, file));
    bytes += text.length;
    for (const [, next = ''] of text.toString('utf8').matchAll(IMPORTED)) known.add(next);
  }
  return bytes;
}
