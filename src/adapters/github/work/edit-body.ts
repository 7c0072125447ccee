/** Changes an issue's text and makes sure that nobody else's edit was lost on the way. */
import { ConflictError } from '../../../domain/event/errors.ts';
import { mergeBodies } from '../../../domain/plan/body/body-versions.ts';
import { threadName, type ThreadRef } from '../../../domain/run/thread-ref.ts';
import type { BodyEdit, BodyOutcome } from '../../../ports/github/work.ts';
import type { SessionContext } from '../bound.ts';
import { isSameBody } from '../write/comment-body.ts';
import { isPassing } from '../client/github-failure.ts';
import { EDIT_ISSUE } from '../rest-operations.ts';
import type { Place } from '../repository-locator.ts';
import { editInOneCall, fetchBody, type BodySeen } from './body-history.ts';

/** The first try and three more. */
const ROUNDS = 4;
/** Between rounds: GitHub's copies lag behind what was written. */
const LAG_MS = 300;

/** A text that several write without knowing of each other. */
export interface SharedText {
  read(): Promise<BodySeen>;
  /** Writes it, and reads it back. */
  write(text: string): Promise<BodySeen>;
  /** Until what was written is to be seen everywhere. */
  wait(ms: number): Promise<void>;
  name: string;
}

export async function editBody(
  bound: SessionContext,
  ref: ThreadRef,
  edit: BodyEdit,
): Promise<BodyOutcome> {
  let issueId: string | undefined;
  return bound.places.at(ref, bound.calls, (place) =>
    editShared(
      {
        read: async () => {
          const seen = await fetchBody(bound, ref, place);
          if (bound.isJobToken) ({ issueId } = seen);
          return seen;
        },
        write: (text) => write(bound, { ref, place, issueId }, text),
        wait: (ms) => bound.clock.sleep(ms),
        name: threadName(ref),
      },
      edit,
    ),
  );
}

/** @throws ConflictError `github-conflict` when others' edits came between each time */
export async function editShared(shared: SharedText, edit: BodyEdit): Promise<BodyOutcome> {
  const first = await shared.read();
  const known = new Set(first.versions.map(({ id }) => id));
  const ours = new Set<string>();
  let seen = first;
  for (let round = 1; ; round += 1) {
    // The current body, with all edits by others that a write has covered since the first read.
    const base = round === 1 ? first.body : withOthers(first, seen, { known, ours });
    const wanted = edit(base, seen.versions);
    const text = wanted ?? base;
    if (isSameBody(text, seen.body))
      return { outcome: outcomeOf(wanted, round > 1), body: seen.body };
    if (round > ROUNDS) throw contended(shared.name);
    if (round > 1) await shared.wait(LAG_MS * (round - 1));
    const before = new Set(seen.versions.map(({ id }) => id));
    seen = await shared.write(text);
    const own = seen.versions.findLast(
      (one) => !before.has(one.id) && one.by.isBot && isSameBody(one.text, text),
    );
    ours.add(own?.id ?? '');
  }
}

/** Longer than anybody takes from reading a text to reading it back. */
const RECENT_MS = 2 * 60_000;

interface Versions {
  /** When the text was read first. */
  known: ReadonlySet<string>;
  ours: ReadonlySet<string>;
}

function withOthers(first: BodySeen, now: BodySeen, { known, ours }: Versions): string {
  const { versions } = now;
  const since = versions.filter(({ id }) => !known.has(id));
  // Without a history, only the current body shows what others wrote.
  if (since.length === 0) return now.body;
  if (since.every(({ id }) => ours.has(id))) return first.body;
  // What was read first may have been covered already by somebody who had not read back yet.
  const newest = Math.max(...versions.map(({ at }) => at));
  const recent = versions.findIndex(({ at }) => at >= newest - RECENT_MS);
  const [oldest, ...later] = versions.slice(Math.max(0, recent - 1));
  return oldest === undefined ? now.body : mergeBodies(oldest.text, later, ours);
}

function outcomeOf(wanted: string | undefined, isWritten: boolean): BodyOutcome['outcome'] {
  if (wanted === undefined) return 'refused';
  return isWritten ? 'edited' : 'unchanged';
}

interface At {
  ref: ThreadRef;
  place: Place;
  /** Where one call may write and read back. */
  issueId: string | undefined;
}

/** Writes and reads back. A lost answer does not matter when the text has arrived. */
async function write(
  bound: SessionContext,
  { ref, place, issueId }: At,
  body: string,
): Promise<BodySeen> {
  try {
    const edited = issueId && (await editInOneCall(bound, { issueId, body }));
    const seen = edited === 'unclear' ? await fetchBody(bound, ref, place) : edited;
    if (seen && (edited !== 'unclear' || isSameBody(seen.body, body))) return seen;
    await bound.calls.send(EDIT_ISSUE, { ...place, issue_number: ref.number, body });
  } catch (error) {
    if (!isPassing(error)) throw error;
    const after = await fetchBody(bound, ref, place);
    if (!isSameBody(after.body, body)) throw error;
    return after;
  }
  return fetchBody(bound, ref, place);
}

function contended(name: string): ConflictError {
  return new ConflictError({
    code: 'github-conflict',
    message: `Others edited the text of ${name} each time that it was written.`,
    details: 'It is tried again later; it still contains each of their edits.',
  });
}
