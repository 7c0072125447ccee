/** How far a list of posts was read: the time of the newest one that was read, and which ones have that time. */
import { createHash } from 'node:crypto';

const START = '1970-01-01T00:00:00.000Z';

/** What lists of Bluesky tell of each post. */
export interface Indexed {
  uri: string;
  /** When the service saw it, ISO 8601. */
  indexedAt: string;
}

export interface NewsCursor {
  at: string;
  heard: readonly string[];
}

/** Before anything was read. */
export const FIRST_CURSOR: NewsCursor = { at: START, heard: [] };

export function isAfter({ indexedAt, uri }: Indexed, { at, heard }: NewsCursor): boolean {
  return indexedAt > at || (indexedAt === at && !heard.includes(shortOf(uri)));
}

export function advanceCursor(cursor: NewsCursor, found: readonly Indexed[]): NewsCursor {
  const at = found.reduce(
    (latest, { indexedAt }) => (indexedAt > latest ? indexedAt : latest),
    cursor.at,
  );
  const heard = found.filter(({ indexedAt }) => indexedAt === at).map(({ uri }) => shortOf(uri));
  return { at, heard: at === cursor.at ? [...cursor.heard, ...heard] : heard };
}

function shortOf(uri: string): string {
  return createHash('sha256').update(uri).digest('hex').slice(0, 8);
}

export function writeCursor({ at, heard }: NewsCursor): string {
  return [at, ...heard].join(' ');
}

/** A cursor that we did not write means the present moment: undefined. */
export function parseCursor(text: string): NewsCursor | undefined {
  const [at = '', ...heard] = text.split(' ');
  return /^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(at) ? { at, heard } : undefined;
}
