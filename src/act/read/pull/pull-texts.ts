/** Texts at the head of a pull request, which rules look things up in: read within bounds, what cannot be had is named. */
import { parseDiff } from '../../../domain/diff/parse-diff.ts';
import { onlyChangedLines } from '../../../domain/review/review.ts';
import { textsWanted } from '../../../domain/review/review-texts.ts';
import type { ThreadRef } from '../../../domain/run/thread-ref.ts';
import type { SourceFile } from '../../../domain/run/view.ts';
import type { PullChanges, PullSession } from '../../../ports/github/pulls.ts';

export interface TextLimits {
  files: number;
  /** Of one file, in bytes: a longer one is not read. */
  bytes: number;
  /** Of all of them, in UTF-16 units. */
  total: number;
}

/** What is read is kept with the look's result: some 50,000 lines, as long as the diff of a large change. */
export const OVER_THE_NETWORK: TextLimits = { files: 500, bytes: 200_000, total: 2_000_000 };
/**
 * GitHub returns a hundred texts in one call. The room that the changed files leave is used for files next to the
 * change.
 */
const A_CALL = 100;
/** The share of all texts that files next to the change may fill. */
const BESIDE = 1 / 4;

export interface TextsAt {
  headSha: string;
  changes: PullChanges;
  /** Of the branch it goes to, as far as they are known. */
  basePaths: readonly string[];
  limits?: TextLimits | undefined;
}

export interface ReadTexts {
  head: SourceFile[];
  notRead: string[];
}

/** Once for each head and session: what was read before is kept. */
export async function readTexts(
  { read }: PullSession,
  thread: ThreadRef,
  { headSha, changes, basePaths, limits = OVER_THE_NETWORK }: TextsAt,
): Promise<ReadTexts> {
  const diff = parseDiff(changes.diff);
  const paths = new Set([...basePaths, ...diff.files.map(({ path }) => path)]);
  const { changed, manifests, documents, users } = textsWanted(diff, [...paths]);
  // Of what GitHub did not send, no diff says what it was before.
  const isUnknown = new Set(changes.leftOut);
  const wanted = changed.filter((path) => !isUnknown.has(path));
  const room = Math.min(limits.files, A_CALL * Math.max(1, Math.ceil(wanted.length / A_CALL)));
  const asked = [...wanted, ...manifests, ...documents, ...users].slice(0, room);
  if (asked.length === 0) return { head: [], notRead: [] };
  const found = await read.files(thread, headSha, { paths: asked, maxBytes: limits.bytes });
  const head = fitting(found, new Set(wanted), limits);
  const has = new Set(head.map(({ path }) => path));
  const isPartial = documents.some((path) => !has.has(path));
  const useless = new Set(isPartial ? documents : []);
  return {
    head: head.filter(({ path }) => !useless.has(path)),
    notRead: wanted.filter((path) => !has.has(path)).map(onlyChangedLines),
  };
}

/** Whole texts alone: half of one says of nothing that it is not there. */
function fitting(
  found: readonly SourceFile[],
  isChanged: ReadonlySet<string>,
  { total }: TextLimits,
): SourceFile[] {
  let left = total;
  return found.filter(({ path, text, isCut }) => {
    const room = isChanged.has(path) ? left : left - total * (1 - BESIDE);
    if (isCut || text.length > room) return false;
    left -= text.length;
    return true;
  });
}
