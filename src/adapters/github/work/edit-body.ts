/** Changes an issue's text and makes sure that nobody else's edit was lost on the way. */
import { ConflictError } from '../../../domain/errors.ts';
import { threadName, type ThreadRef } from '../../../domain/thread.ts';
import type { BodyEdit, BodyOutcome } from '../../../ports/work.ts';
import type { Bound } from '../bound.ts';
import { isSameBody } from '../comment-body.ts';
import { isPassing } from '../failure.ts';
import { EDIT_ISSUE } from '../operations.ts';
import type { Place } from '../places.ts';
import { readBody, type BodySeen } from './body-history.ts';

/** The first try and three more. */
const ROUNDS = 4;
/** Between rounds: GitHub's copies lag behind what was written. */
const LAG_MS = 300;

interface At {
  ref: ThreadRef;
  place: Place;
}

export async function editBody(bound: Bound, ref: ThreadRef, edit: BodyEdit): Promise<BodyOutcome> {
  return bound.places.at(ref, bound.calls, (place) => edited(bound, { ref, place }, edit));
}

async function edited(bound: Bound, at: At, edit: BodyEdit): Promise<BodyOutcome> {
  const written: string[] = [];
  let seen = await readBody(bound, at.ref, at.place);
  // What `edit` is asked about: what stands there, or what our write has covered.
  let base = seen.body;
  for (let round = 1; ; round += 1) {
    const wanted = edit(base);
    const text = wanted ?? base;
    if (text === seen.body) return { outcome: outcomeOf(wanted, written), body: seen.body };
    if (round > ROUNDS) throw contended(at.ref);
    if (round > 1) await bound.clock.sleep(LAG_MS * (round - 1));
    written.push(text);
    const after = await write(bound, at, text);
    const covered = isSameBody(after.body, text) ? lost(seen, after, written) : after.body;
    if (covered === undefined) return { outcome: outcomeOf(wanted, written), body: after.body };
    [seen, base] = [after, covered];
  }
}

function outcomeOf(wanted: string | undefined, written: readonly string[]): BodyOutcome['outcome'] {
  if (wanted === undefined) return 'refused';
  return written.length === 0 ? 'unchanged' : 'edited';
}

/** Writes and reads back; a lost answer is none when the text stands there. */
async function write(bound: Bound, { ref, place }: At, body: string): Promise<BodySeen> {
  try {
    await bound.calls.send(EDIT_ISSUE, { ...place, issue_number: ref.number, body });
  } catch (error) {
    if (!isPassing(error)) throw error;
    const after = await readBody(bound, ref, place);
    if (!isSameBody(after.body, body)) throw error;
    return after;
  }
  return readBody(bound, ref, place);
}

/** Somebody's newest text that is in the history since the last look and is not what we knew. */
function lost(before: BodySeen, after: BodySeen, written: readonly string[]): string | undefined {
  const known = new Set(before.versions.map(({ id }) => id));
  const ours = [before.body, ...written];
  return after.versions.find(
    ({ id, text }) => !known.has(id) && !ours.some((one) => isSameBody(one, text)),
  )?.text;
}

function contended(ref: ThreadRef): ConflictError {
  return new ConflictError({
    code: 'github-conflict',
    message: `Others edited the text of ${threadName(ref)} each time that it was written.`,
    details: 'It is tried again later; every edit of theirs still stands in it.',
  });
}
