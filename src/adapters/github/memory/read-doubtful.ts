/** Who pushed what is on a memory branch: GitHub's own list of pushes, as a commit's author can be anybody's name. */
import { z } from 'zod';
import { QuorumError } from '../../../domain/event/errors.ts';
import { PERSONAS_FOLDER } from '../../../domain/memory/file/apply-change.ts';
import { linesOfEntries } from '../../../domain/memory/file/hold-back.ts';
import type {
  DoubtfulLines,
  KnownDoubt,
  MemoryPlace,
} from '../../../ports/github/memory-branch.ts';
import type { SessionContext } from '../bound.ts';
import type { Answer } from '../github-answer.ts';
import { PER_PAGE } from '../client/pages.ts';
import { COMPARE, type WireFile } from '../pulls/pull-operations.ts';
import { operation, User } from '../rest-operations.ts';
import { readBranchAt } from './read-branch.ts';

const Push = z.object({
  before: z.string(),
  after: z.string(),
  /** Null where the account is gone. */
  actor: User.nullish(),
  activity_type: z.string(),
});
type Push = z.infer<typeof Push>;

/** Newest first; deletions of the branch and merges into it are among them. */
const LIST_PUSHES = operation('GET /repos/{owner}/{repo}/activity', z.array(Push));

/** Each is a call; of more, the whole range is asked for at once. */
const MOST_RANGES = 10;
/** 500 pushes: journals are pushes too, and must not hide those of others. */
const MOST_PAGES = 5;
const PLAIN = 'push';
const FORCED = 'force_push';
const NO_COMMIT = /^0+$/;
/** GitHub names no more files of a range. */
const MOST_FILES = 300;

/** `known`: what was known of an earlier head. Only what was pushed since is looked at. */
export async function readDoubtful(
  bound: SessionContext,
  at: MemoryPlace,
  { head, known }: { head: string; known: KnownDoubt | undefined },
): Promise<DoubtfulLines> {
  try {
    const listed = await listPushes(bound, at, known?.head);
    return await judgePushes(bound, at, { ...listed, head, known });
  } catch (error) {
    if (error instanceof QuorumError && !error.retryable) return unknown(bound, error);
    throw error;
  }
}

interface Judging extends Pushes {
  head: string;
  known: KnownDoubt | undefined;
}

async function judgePushes(
  bound: SessionContext,
  at: MemoryPlace,
  { pushes, isWhole, head, known }: Judging,
): Promise<DoubtfulLines> {
  // GitHub may list a push a moment after its commit can be read.
  if (pushes[0]?.after !== head || !isContinuous(pushes)) return 'all';
  const { fresh, before } = splitAtKnown(pushes, known);
  const { id: ownId } = await bound.identity.self();
  const oldest = fresh.findLast((push) => !isVouchedFor(push, ownId));
  if (oldest === undefined) return new Set(before);
  const isCut = before === undefined && !isWhole;
  if (isCut && oldest === fresh.at(-1)) return 'all';
  const ranges = rangesOf(fresh, ownId);
  const asked = ranges.length > MOST_RANGES ? [{ ...oldest, after: head }] : ranges;
  const lines = await linesOf(bound, at, asked);
  return lines === 'all' ? lines : new Set([...(before ?? []), ...lines]);
}

/** At the oldest push to it: what was pushed before the branch was moved back counts as well. */
function splitAtKnown(
  pushes: readonly Push[],
  known: KnownDoubt | undefined,
): { fresh: readonly Push[]; before?: ReadonlySet<string> } {
  const seen = pushes.findLastIndex(({ after }) => after === known?.head);
  if (known === undefined || seen === -1) return { fresh: pushes };
  return { fresh: pushes.slice(0, seen), before: known.doubtful };
}

interface Pushes {
  /** Newest first; deletions of the branch and merges into it are among them. */
  pushes: Push[];
  /** Whether GitHub has no older ones. */
  isWhole: boolean;
}

/** Back to a push that is known, and no further than {@link MOST_PAGES}. */
async function listPushes(
  { calls, places }: SessionContext,
  { repository, branch }: MemoryPlace,
  known: string | undefined,
): Promise<Pushes> {
  const place = places.last(repository);
  const params = { ...place, ref: `refs/heads/${branch}`, per_page: PER_PAGE };
  const pushes: Push[] = [];
  let answer: Answer<Push[]> | undefined = await calls.get(LIST_PUSHES, params);
  for (let count = 1; answer !== undefined; count += 1) {
    pushes.push(...answer.data);
    const isKnown = pushes.some(({ after }) => after === known);
    if (isKnown || count === MOST_PAGES) return { pushes, isWhole: answer.data.length < PER_PAGE };
    answer = await calls.next(LIST_PUSHES, params, answer);
  }
  return { pushes, isWhole: true };
}

/** Pushes of others, newest first, those one after another as one range: what we pushed in between is not in them. */
function rangesOf(pushes: readonly Push[], ownId: number): Push[] {
  const ranges: Push[] = [];
  let isOpen = false;
  for (const push of pushes) {
    const isPlain = push.activity_type === PLAIN;
    const newer = ranges.at(-1);
    if (isVouchedFor(push, ownId)) isOpen = false;
    else {
      if (isOpen && isPlain && newer !== undefined) newer.before = push.before;
      else ranges.push({ ...push });
      isOpen = isPlain;
    }
  }
  return ranges;
}

export async function readIsOnlyOurs(bound: SessionContext, at: MemoryPlace): Promise<boolean> {
  const params = { ...bound.places.last(at.repository), ref: `refs/heads/${at.branch}` };
  try {
    const { data } = await bound.calls.get(LIST_PUSHES, { ...params, per_page: PER_PAGE });
    const { id: ownId } = await bound.identity.self();
    return isContinuous(data) && data.every(({ actor }) => actor?.id === ownId);
  } catch (error) {
    if (error instanceof QuorumError && !error.retryable) return false;
    throw error;
  }
}

/** Without it a push is missing, and with it who made it. */
function isContinuous(pushes: readonly Push[]): boolean {
  return pushes.every(({ before }, at) => before === (pushes[at + 1]?.after ?? before));
}

/** A person needs write access to push, and what they push counts as theirs. */
function isVouchedFor({ actor }: Push, ownId: number): boolean {
  return actor?.type === 'User' || actor?.id === ownId;
}

function unknown({ log }: SessionContext, err: QuorumError): 'untold' {
  log.warn({ err }, 'GitHub does not say who pushed the memory branch; its entries wait');
  return 'untold';
}

async function linesOf(
  bound: SessionContext,
  at: MemoryPlace,
  pushes: readonly Push[],
): Promise<ReadonlySet<string> | 'all'> {
  const lines = new Set<string>();
  for (const push of pushes) {
    const added = NO_COMMIT.test(push.after) ? [] : await linesOfPush(bound, at, push);
    if (added === undefined) return 'all';
    for (const line of added) lines.add(line);
  }
  return lines;
}

/** Undefined where GitHub does not show all of them. */
async function linesOfPush(
  bound: SessionContext,
  at: MemoryPlace,
  { before, after, activity_type: kind }: Push,
): Promise<string[] | undefined> {
  if (NO_COMMIT.test(before)) return linesAt(bound, { at, sha: after });
  if (kind === FORCED) return linesBroughtBack(bound, { at, before, after });
  const params = {
    ...bound.places.last(at.repository),
    basehead: `${before}...${after}`,
    per_page: 1,
  };
  const compared = await bound.calls.find(COMPARE, params);
  // A branch that was made again shares no history with what was there before.
  if (compared === undefined) return linesAt(bound, { at, sha: after });
  const { files } = compared.data;
  if (files.length >= MOST_FILES) return undefined;
  const own = files.filter((file) => isOfPersonas(file) && file.status !== 'removed');
  const hidden = own.filter((file) => !isShown(file)).map(({ filename }) => filename);
  const whole = hidden.length === 0 ? [] : await linesAt(bound, { at, sha: after }, hidden);
  const added = own.flatMap(({ patch = '' }) => linesOfEntries(addedIn(patch)));
  return whole === undefined ? undefined : [...whole, ...added];
}

/**
 * A branch that was moved back adds nothing to its past, and still says what was forgotten since. All that it did not say
 * just before counts.
 */
async function linesBroughtBack(
  bound: SessionContext,
  { at, before, after }: { at: MemoryPlace; before: string; after: string },
): Promise<string[] | undefined> {
  const now = await linesAt(bound, { at, sha: after });
  const old = await linesAt(bound, { at, sha: before }).catch(nothing);
  const known = new Set(old);
  return now?.filter((line) => !known.has(line));
}

/** GitHub may have deleted what no branch holds any more. */
function nothing(error: unknown): string[] {
  if (error instanceof QuorumError && !error.retryable) return [];
  throw error;
}

function isOfPersonas({ filename }: WireFile): boolean {
  return filename.startsWith(PERSONAS_FOLDER);
}

/** A moved file brings lines that its patch leaves out; an attribute of git, or its length, hides a whole patch. */
function isShown({ status, patch }: WireFile): boolean {
  return patch !== undefined && (status === 'added' || status === 'modified');
}

function addedIn(patch: string): string {
  const added = patch.split('\n').filter((line) => line.startsWith('+'));
  return added.map((line) => line.slice(1)).join('\n');
}

/** Undefined where a file is too large to be read. */
async function linesAt(
  bound: SessionContext,
  commit: { at: MemoryPlace; sha: string },
  paths: readonly string[] = [PERSONAS_FOLDER],
): Promise<string[] | undefined> {
  const { files, unread } = await readBranchAt(bound, commit, paths);
  if (unread.some(({ reason }) => reason === 'too-large')) return undefined;
  return [...files.values()].flatMap(linesOfEntries);
}
