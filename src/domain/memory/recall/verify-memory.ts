/**
 * Whether what an entry cites is still there: first by the blobs of a tree alone, then by the lines of the files that
 * changed. Nothing is read here.
 */
import { linesDigest, type MemoryEntry, type MemoryRef, type MemoryUse } from '../memory-entry.ts';

/** SHA of each file's blob at the default branch's head, by path. */
export type TreeBlobs = ReadonlyMap<string, string>;

export type StaleCause =
  /** The file is gone, and its blob is nowhere else. */
  | 'file-gone'
  /** The file is there, but the lines are not in it. */
  | 'lines-gone'
  /** The file's text could not be had: too large, or no text. */
  | 'not-readable';

export type Verification =
  /** All that it cites is there; the places may have moved. */
  | { kind: 'verified'; refs: MemoryRef[] }
  /** It cites nothing, so nothing speaks for it or against it. */
  | { kind: 'nothing-cited' }
  /** These files changed: their texts decide, see {@link verifyLines}. */
  | { kind: 'lines-wanted'; refs: MemoryRef[]; paths: string[] }
  | { kind: 'stale'; cause: StaleCause; ref: MemoryRef };

/** Looks a list of entries up in a tree, by entry id. A file whose blob is under another path only was renamed. */
export function verifyByTree(
  entries: readonly MemoryEntry[],
  tree: TreeBlobs,
): Map<string, Verification> {
  const cited = new Set(entries.flatMap(({ refs }) => refs.map(({ blobSha }) => blobSha)));
  const moved = new Map<string, string>();
  for (const [path, sha] of tree) {
    const known = moved.get(sha);
    if (cited.has(sha) && (known === undefined || path < known)) moved.set(sha, path);
  }
  return new Map(entries.map(({ id, refs }) => [id, verifyRefs(refs, { tree, moved })]));
}

interface Places {
  tree: TreeBlobs;
  /** First path of each blob that is cited. */
  moved: ReadonlyMap<string, string>;
}

function verifyRefs(refs: readonly MemoryRef[], { tree, moved }: Places): Verification {
  if (refs.length === 0) return { kind: 'nothing-cited' };
  const now: MemoryRef[] = [];
  const paths = new Set<string>();
  for (const ref of refs) {
    const sha = tree.get(ref.path);
    const renamed = ref.blobSha === undefined ? undefined : moved.get(ref.blobSha);
    if (sha === undefined && renamed === undefined)
      return { kind: 'stale', cause: 'file-gone', ref };
    if (sha !== undefined && sha !== ref.blobSha) paths.add(ref.path);
    now.push(sha === undefined && renamed !== undefined ? { ...ref, path: renamed } : ref);
  }
  if (paths.size === 0) return { kind: 'verified', refs: now };
  return { kind: 'lines-wanted', refs: now, paths: [...paths] };
}

/** A file as it is now. */
export interface FileNow {
  blobSha: string;
  /** Undefined when it cannot be read as text. */
  text: string | undefined;
}

/**
 * The second step, for what {@link verifyByTree} wanted lines of. Lines that moved within their file are found again. A
 * place without a digest (a person wrote it) is taken as it is while its lines exist.
 */
export function verifyLines(
  { refs, paths }: Pick<Extract<Verification, { kind: 'lines-wanted' }>, 'refs' | 'paths'>,
  files: ReadonlyMap<string, FileNow>,
): Extract<Verification, { kind: 'verified' | 'stale' }> {
  const now: MemoryRef[] = [];
  for (const ref of refs) {
    const found = paths.includes(ref.path) ? findLines(ref, files.get(ref.path)) : ref;
    if (typeof found === 'string') return { kind: 'stale', cause: found, ref };
    now.push(found);
  }
  return { kind: 'verified', refs: now };
}

/** Work on one place: lines times places at which they may be. */
const MOST_LOOKED_AT = 200_000;

function findLines(ref: MemoryRef, file: FileNow | undefined): MemoryRef | StaleCause {
  const { text, blobSha } = file ?? {};
  if (text === undefined || blobSha === undefined) return 'not-readable';
  const lines = text.split('\n').map((line) => line.trimEnd());
  const length = ref.to - ref.from + 1;
  const at = ref.digest === undefined ? ownPlace(ref, lines) : findDigest(ref, lines);
  if (at === undefined) return 'lines-gone';
  const digest = linesDigest(lines.slice(at - 1, at - 1 + length));
  return { path: ref.path, from: at, to: at + length - 1, blobSha, digest };
}

function ownPlace({ from, to }: MemoryRef, lines: readonly string[]): number | undefined {
  return to <= lines.length ? from : undefined;
}

/** Where the lines are now, nearest to where they were. */
function findDigest({ from, to, digest }: MemoryRef, lines: readonly string[]): number | undefined {
  const length = to - from + 1;
  const last = lines.length - length + 1;
  const isAt = (at: number): boolean =>
    at >= 1 && at <= last && linesDigest(lines.slice(at - 1, at - 1 + length)) === digest;
  const farthest = Math.max(from - 1, last - from);
  const most = Math.min(farthest, Math.floor(MOST_LOOKED_AT / length));
  for (let off = 0; off <= most; off += 1) {
    if (isAt(from + off)) return from + off;
    if (off > 0 && isAt(from - off)) return from - off;
  }
  return undefined;
}

/** Days without a validation after which an entry that no person said is not used (NW-14). */
export const EXPIRY_DAYS = 90;
const DAY_MS = 86_400_000;

/** Whether an entry was neither verified nor learned again for too long. What a person said or wrote does not expire. */
export function isExpired(
  { source, createdAt }: Pick<MemoryEntry, 'source' | 'createdAt'>,
  use: Pick<MemoryUse, 'verifiedAt'> | undefined,
  { today, days = EXPIRY_DAYS }: { today: string; days?: number | undefined },
): boolean {
  if (source.kind !== 'run') return false;
  const since = Date.parse(use?.verifiedAt ?? createdAt);
  // An invalid date counts as never verified.
  return Number.isNaN(since) || Date.parse(today) - since > days * DAY_MS;
}
