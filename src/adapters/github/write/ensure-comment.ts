/** One comment for each marker on a thread: looked for, then edited or created, never created twice. */
import { RefusedError } from '../../../domain/event/errors.ts';
import { parseMarker } from '../../../domain/github/marker.ts';
import { threadKey, threadName, type ThreadRef } from '../../../domain/run/thread-ref.ts';
import type { WrittenComment, EnsuredComment, Trace } from '../../../ports/github/github-writer.ts';
import type { SessionContext } from '../bound.ts';
import { assembleMarked, isSameBody } from './comment-body.ts';
import { isNotFound, isMissing } from '../client/github-failure.ts';
import { newestPages, PER_PAGE } from '../client/pages.ts';
import type { Place } from '../repository-locator.ts';
import {
  CREATE_COMMENT,
  DELETE_COMMENT,
  EDIT_COMMENT,
  GET_COMMENT,
  GET_ISSUE,
  LIST_COMMENTS,
  type WireComment,
} from '../rest-operations.ts';
import { askTrace, findOlder, findOnce, gatherTwins, readTwice, type Once } from './twins.ts';

interface Wanted {
  ref: ThreadRef;
  place: Place;
  marker: EnsuredComment['marker'];
  body: string;
  /** Key in the memory of what we wrote. */
  slot: string;
}

export async function ensureComment(
  bound: SessionContext,
  ref: ThreadRef,
  comment: EnsuredComment,
): Promise<WrittenComment> {
  const scope = threadKey(ref);
  const { marker } = comment;
  const body = assembleMarked(bound, { body: comment.body, marker, scope });
  const { kind, run, key } = marker;
  const slot = [ref.installationId, scope, kind, run, key].join('/');
  return bound.places.at(ref, bound.calls, async (place) => {
    const want = { ref, place, marker, body, slot };
    const remembered = bound.recall.comments.get(slot);
    if (comment.isWithdrawn === true)
      return withdraw(bound, want, remembered ?? (await askTrace(comment.trace)));
    if (remembered === undefined && comment.isNew === true) return create(bound, want);
    const trace = remembered ?? (await askTrace(comment.trace));
    if (trace.id === undefined) return ensureFound(bound, want, trace);
    const known = { body: undefined, ...remembered, id: trace.id };
    const done = await ensureKnown(bound, want, known);
    return done ?? ensureFound(bound, want, { isDoubtful: true });
  });
}

/** By its id where that is known; else all under the marker that the list shows. */
async function withdraw(
  bound: SessionContext,
  want: Wanted,
  { id }: Trace,
): Promise<WrittenComment> {
  const found =
    id === undefined ? await readTwice(bound, onceOf(bound, want)) : [{ id, html_url: '' }];
  for (const one of found) await isMissing(() => remove(bound, want, one));
  bound.recall.comments.delete(want.slot);
  const [first = { id: 0, html_url: '' }] = found;
  return { id: first.id, url: first.html_url, outcome: 'withdrawn', updatedAt: '' };
}

/** Undefined when the comment is gone. */
async function ensureKnown(
  bound: SessionContext,
  want: Wanted,
  known: { id: number; body: string | undefined },
): Promise<WrittenComment | undefined> {
  try {
    const isChanged = known.body !== undefined && known.body !== want.body;
    if (isChanged) return await edit(bound, want, known.id);
    const params = { ...want.place, comment_id: known.id };
    const found = await bound.calls.find(GET_COMMENT, params);
    // A replica that lags may not have it yet: only a write shows for sure that it is gone.
    if (found === undefined) return await edit(bound, want, known.id);
    return await settle(bound, want, found.data);
  } catch (error) {
    bound.recall.comments.delete(want.slot);
    if (isNotFound(error)) return undefined;
    throw error;
  }
}

async function ensureFound(
  bound: SessionContext,
  want: Wanted,
  trace: Trace,
): Promise<WrittenComment> {
  const once = onceOf(bound, want);
  const found = await findOnce(bound, once, trace);
  if (found !== undefined) return settle(bound, want, found);
  const created = await create(bound, want);
  if (trace.isDoubtful !== true) return created;
  const older = await findOlder(bound, once, created.id);
  return older === undefined ? created : settle(bound, want, older);
}

/** Newest first: most edits are of a discussion that is going on. */
function onceOf(bound: SessionContext, want: Wanted): Once<WireComment> {
  const params = { ...want.place, issue_number: want.ref.number, per_page: PER_PAGE };
  return {
    list: () =>
      gatherTwins(
        newestPages(bound.calls, LIST_COMMENTS, params),
        async (comment) =>
          hasMarker(bound, want, comment) &&
          (await bound.identity.isOurText(comment, threadKey(want.ref))),
      ),
    idOf: ({ id }) => id,
    stays: 'first',
    fold: async (twin) => void (await isMissing(() => remove(bound, want, twin))),
  };
}

async function remove(
  bound: SessionContext,
  { place }: Wanted,
  { id }: Pick<WireComment, 'id'>,
): Promise<void> {
  await bound.calls.send(DELETE_COMMENT, { ...place, comment_id: id });
}

function hasMarker(bound: SessionContext, want: Wanted, comment: WireComment): boolean {
  const found = parseMarker(comment.body, bound.markerSecret, threadKey(want.ref));
  const { kind, run, key } = want.marker;
  return found !== undefined && found.kind === kind && found.run === run && found.key === key;
}

async function settle(
  bound: SessionContext,
  want: Wanted,
  found: WireComment,
): Promise<WrittenComment> {
  if (!isSameBody(found.body, want.body)) return edit(bound, want, found.id);
  return remember(bound, want, { data: found, outcome: 'unchanged' });
}

async function edit(bound: SessionContext, want: Wanted, id: number): Promise<WrittenComment> {
  const params = { ...want.place, comment_id: id, body: want.body };
  const { data } = await toldIfLocked(bound, want, () => bound.calls.send(EDIT_COMMENT, params));
  return remember(bound, want, { data, outcome: 'edited' });
}

async function create(bound: SessionContext, want: Wanted): Promise<WrittenComment> {
  const params = { ...want.place, issue_number: want.ref.number, body: want.body };
  const { data } = await toldIfLocked(bound, want, () =>
    bound.calls.send(CREATE_COMMENT, params, 'content'),
  );
  bound.identity.learn(data);
  return remember(bound, want, { data, outcome: 'created' });
}

function remember(
  bound: SessionContext,
  want: Wanted,
  from: { data: WireComment; outcome: WrittenComment['outcome'] },
): WrittenComment {
  const { data, outcome } = from;
  const told = { id: data.id, url: data.html_url };
  bound.recall.comments.set(want.slot, { ...told, body: want.body });
  return { ...told, outcome, updatedAt: data.updated_at };
}

/** GitHub says 403 both for a locked thread and for a missing permission; the thread itself tells which. */
async function toldIfLocked<T>(
  bound: SessionContext,
  want: Wanted,
  write: () => Promise<T>,
): Promise<T> {
  try {
    return await write();
  } catch (error) {
    if (!(error instanceof RefusedError) || error.code !== 'github-forbidden') throw error;
    const params = { ...want.place, issue_number: want.ref.number };
    const thread = await bound.calls.find(GET_ISSUE, params);
    if (thread?.data.locked !== true) throw error;
    throw new RefusedError({
      code: 'github-locked',
      message: `${threadName(want.ref)} is locked.`,
      details: 'Unlock the conversation to let the team write there.',
      cause: error,
    });
  }
}
