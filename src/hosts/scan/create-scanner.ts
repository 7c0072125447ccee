/** The scanner of this host, and the search of whole repositories that rests on it. */
import { ThreadScanner } from '../../adapters/scanner/thread-scanner.ts';
import type { SearchCode } from '../../domain/repository/watched-code.ts';
import type { Scanner } from '../../ports/scanner.ts';

/** Threads run the sources where this file is a source, and the build where it is built. */
const ENTRY = new URL(
  import.meta.url.endsWith('.ts') ? './scan-thread.ts' : './scan-thread.js',
  import.meta.url,
);

/** Nothing is started before the first scan. */
export function createScanner(): Scanner {
  return new ThreadScanner({ entry: ENTRY });
}

/** A search that was not read brings nothing and says so. One at a time: each holds a repository several times over. */
export function createCodeSearch(scanner: Scanner): SearchCode {
  let last: Promise<unknown> = Promise.resolve();
  return (code, limit) => {
    const own = last.then(async () => {
      const scanned = await scanner.scan('code', { code, limit });
      if (scanned.kind === 'read') return scanned.found;
      const notRead = [`the whole code: ${scanned.reason}`];
      return { candidates: [], left: [], known: 0, notRead };
    });
    last = own.catch(() => undefined);
    return own;
  };
}
