/** The diff of a range: whole in one call, or put together from the list of files where it is too large for that. */
import type { ErrorCode } from '../../../domain/event/error-codes.ts';
import { parseDiff } from '../../../domain/diff/parse-diff.ts';
import { QuorumError } from '../../../domain/event/errors.ts';
import type { ThreadRef } from '../../../domain/run/thread-ref.ts';
import type { PullChanges, PullRange } from '../../../ports/github/pulls.ts';
import type { SessionContext } from '../bound.ts';
import { eachPage, PER_PAGE } from '../client/pages.ts';
import type { Place } from '../repository-locator.ts';
import { composeDiff } from './compose-diff.ts';
import { COMPARE, COMPARE_DIFF, LIST_FILES, type WireFile } from './pull-operations.ts';
import { assertHead, readWirePull } from './read-pull.ts';

/** GitHub lists no more files than these (docs.github.com, "List pull requests files" and "Compare two commits"). */
const MAX_OF_COMPARISON = 300;

export async function readChanges(
  bound: SessionContext,
  ref: ThreadRef,
  range: PullRange,
): Promise<PullChanges> {
  const { baseSha, headSha } = range;
  if (baseSha === headSha) return { diff: '', isCut: false, leftOut: [], unnamedFiles: 0 };
  const key = `${ref.installationId}/${ref.repositoryId}/${baseSha}...${headSha}`;
  const kept = bound.changes.get(key);
  if (kept !== undefined) return kept;
  const changes = await readAnew(bound, ref, range);
  // What an answer lacks it may hold the next time; of many files GitHub never names more.
  const isFinal = changes.unnamedFiles === 0 || (range.filesOfPull ?? 0) > MAX_OF_COMPARISON;
  if (isFinal) bound.changes.put(key, changes, changes.diff.length);
  return changes;
}

/** For callers that have a reason to doubt the last read. */
export function readAnew(
  bound: SessionContext,
  ref: ThreadRef,
  range: PullRange,
): Promise<PullChanges> {
  return readRange(bound, ref, { range, place: bound.places.last(ref) });
}

async function readRange(
  bound: SessionContext,
  ref: ThreadRef,
  asked: Asked,
): Promise<PullChanges> {
  const { range, place } = asked;
  const files = range.filesOfPull ?? 0;
  if (files > MAX_OF_COMPARISON) return readPages(bound, ref, { ...asked, files });
  const basehead = `${range.baseSha}...${range.headSha}`;
  try {
    const { data } = await bound.calls.get(COMPARE_DIFF, { ...place, basehead });
    if (isWhole(data, range)) return { diff: data, isCut: false, leftOut: [], unnamedFiles: 0 };
    return await readListed(bound, ref, asked);
  } catch (error) {
    if (!isTooLarge(error)) throw error;
    return readListed(bound, ref, asked);
  }
}

/**
 * Whether a diff holds what GitHub counts: as many files as the pull request has, and each hunk as long as its header
 * says. An empty diff of a part of it is held against the list of files, which must be empty too.
 */
function isWhole(text: string, { filesOfPull }: PullRange): boolean {
  const { files, problems } = parseDiff(text);
  if (problems.length > 0) return false;
  return filesOfPull === undefined ? text !== '' : files.length >= filesOfPull;
}

/** GitHub refuses a diff that it does not want to write (406, 422) or fails over it each time (500 `not_available`). */
const TOO_LARGE = new Set<ErrorCode>(['github-invalid', 'github-too-large', 'github-unavailable']);

function isTooLarge(error: unknown): boolean {
  return error instanceof QuorumError && TOO_LARGE.has(error.code);
}

interface Asked {
  range: PullRange;
  place: Place;
}

async function readListed(
  bound: SessionContext,
  ref: ThreadRef,
  asked: Asked,
): Promise<PullChanges> {
  const pull = await readWirePull(bound, ref, asked.place);
  const isSame = pull.base.sha === asked.range.baseSha && pull.head.sha === asked.range.headSha;
  const files = pull.changed_files;
  return isSame ? readPages(bound, ref, { ...asked, files }) : readComparison(bound, asked);
}

async function readPages(
  bound: SessionContext,
  ref: ThreadRef,
  asked: Asked & { files: number },
): Promise<PullChanges> {
  const { place, range } = asked;
  const files: WireFile[] = [];
  const params = { ...place, pull_number: ref.number, per_page: PER_PAGE };
  for await (const page of eachPage(bound.calls, LIST_FILES, params)) {
    for (const file of page) assertListedFor(ref, range.headSha, file);
    files.push(...page);
  }
  return toChanges(files, Math.max(0, asked.files - files.length));
}

/** Pages are of whatever head there is when each is asked for; a file's address tells which. */
function assertListedFor(ref: ThreadRef, headSha: string, file: WireFile): void {
  const listed = URL.parse(file.contents_url)?.searchParams.get('ref');
  if (/^[0-9a-f]{40,64}$/.test(listed ?? '')) assertHead(ref, headSha, listed ?? '');
}

/** A part of a pull request: GitHub shows its first 300 files and does not say how many there are. */
async function readComparison(bound: SessionContext, asked: Asked): Promise<PullChanges> {
  const { baseSha, headSha } = asked.range;
  const basehead = `${baseSha}...${headSha}`;
  const { data } = await bound.calls.get(COMPARE, { ...asked.place, basehead, per_page: 1 });
  return toChanges(data.files, data.files.length >= MAX_OF_COMPARISON ? 1 : 0);
}

function toChanges(files: WireFile[], unnamedFiles: number): PullChanges {
  const { diff, leftOut } = composeDiff(files);
  return { diff, leftOut, unnamedFiles, isCut: unnamedFiles + leftOut.length > 0 };
}
