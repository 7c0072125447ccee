/**
 * One pull request for each of Quorum's head branches: looked for, then edited or opened, never opened twice or
 * again.
 */
import { RefusedError } from '../../../domain/event/errors.ts';
import {
  parseMarker,
  pullScope,
  renderMarker,
  splitMarker,
} from '../../../domain/github/marker.ts';
import { BODY_LIMIT, shortText, TITLE_LIMIT } from '../../../domain/text/cap-body.ts';
import { isOwnText, shownDigest } from '../../../domain/github/own-text.ts';
import type { RepositoryRef } from '../../../domain/run/thread-ref.ts';
import type { PullOutcome, PullWanted } from '../../../ports/github/work.ts';
import type { SessionContext } from '../bound.ts';
import { assembleComment, isSameBody } from '../write/comment-body.ts';
import { eachPage, PER_PAGE } from '../client/pages.ts';
import type { Place } from '../repository-locator.ts';
import { assertLasting } from '../cache/doubts.ts';
import { LAG_MS } from '../write/twins.ts';
import {
  CREATE_PULL,
  EDIT_PULL,
  LIST_PULLS,
  type WireListedPull,
} from '../pulls/pull-operations.ts';

interface Wanted {
  ref: RepositoryRef;
  place: Place;
  pull: PullWanted;
  title: string;
  /** With the marker. */
  body: string;
}

export async function ensurePull(
  bound: SessionContext,
  ref: RepositoryRef,
  pull: PullWanted,
): Promise<PullOutcome> {
  const marker = renderMarker(pull.marker, bound.markerSecret, pullScope(ref));
  const title = shortText(pull.title, TITLE_LIMIT);
  const body = assembleComment(pull.body, marker);
  return bound.places.at(ref, bound.calls, async (place) => {
    const want = { ref, place, pull, title, body };
    const { ours } = pull.isNew === true ? NOTHING : await findPulls(bound, want);
    return ours === undefined ? create(bound, want) : settle(bound, want, ours);
  });
}

/** What the list shows for the branch. */
interface Found {
  ours: WireListedPull | undefined;
  /** Somebody else has an open one: GitHub takes no second one. */
  isTaken: boolean;
}

const NOTHING: Found = { ours: undefined, isTaken: false };

/** Prefers an open pull request of Quorum's own, then the newest one that was closed at this head. */
async function findPulls(bound: SessionContext, want: Wanted): Promise<Found> {
  const { ref, place, pull } = want;
  // The list is narrowed by the owner's name of now.
  const head = `${bound.places.last(ref).owner}:${pull.head}`;
  const order = { sort: 'created', direction: 'desc', per_page: PER_PAGE };
  let ours: WireListedPull | undefined;
  let isTaken = false;
  for await (const page of eachPage(bound.calls, LIST_PULLS, {
    ...place,
    head,
    state: 'all',
    ...order,
  }))
    for (const found of page) {
      if (!isHere(want, found)) continue;
      const isOpen = found.state === 'open';
      const isOur = await isOurs(bound, want, found);
      if (isOpen && isOur) return { ours: found, isTaken: false };
      if (isOpen) isTaken = true;
      if (isOur && found.head.sha === pull.headSha) ours ??= found;
    }
  return { ours, isTaken };
}

/** A server that does not filter is filtered here; a fork's branch may have the same name. */
function isHere({ ref, pull }: Wanted, { head }: WireListedPull): boolean {
  return head.ref === pull.head && head.repo?.id === ref.repositoryId;
}

/** By its marker. While it is open, the author identifies a pull request whose marker a person edited away. */
async function isOurs(
  bound: SessionContext,
  { ref, pull }: Wanted,
  found: WireListedPull,
): Promise<boolean> {
  if (!(await bound.identity.isOurText({ ...found, id: found.number }))) return false;
  const marker = parseMarker(found.body, bound.markerSecret, pullScope(ref));
  if (marker === undefined) return found.state === 'open';
  return marker.kind === pull.marker.kind && marker.key === pull.marker.key;
}

async function settle(
  bound: SessionContext,
  want: Wanted,
  found: WireListedPull,
): Promise<PullOutcome> {
  const { place } = want;
  const { title, body } = afterPeople(bound, want, found);
  if (found.title === title && isSameBody(found.body, body)) return tell(found, 'unchanged');
  const params = { ...place, pull_number: found.number, title, body };
  return tell((await bound.calls.send(EDIT_PULL, params)).data, 'edited');
}

/**
 * Text and title as they should be. A person's words get the marker alone, so that the pull request is found again. It
 * names the head: consent counts from the edit that told of its head, so each head must bring an edit. A text that
 * leaves no room for that makes way.
 */
function afterPeople(
  bound: SessionContext,
  { ref, pull, title, body }: Wanted,
  found: WireListedPull,
): Pick<Wanted, 'title' | 'body'> {
  if (pull.from === undefined) return { title, body };
  const { text } = splitMarker(found.body.replaceAll('\r\n', '\n'));
  const shown = isOwnText(found.title, pull.from) ? title : found.title;
  const isOwn = isOwnText(text, [...pull.from, shownDigest(pull.body)]);
  if (isOwn || text.length > BODY_LIMIT) return { title: shown, body };
  const data = { ...pull.marker, head: pull.headSha };
  const marker = renderMarker(data, bound.markerSecret, pullScope(ref));
  return { title: shown, body: text === '' ? marker : `${text}\n\n${marker}` };
}

async function create(bound: SessionContext, want: Wanted): Promise<PullOutcome> {
  try {
    return await send(bound, want, want.pull.isDraft);
  } catch (error) {
    if (!(error instanceof RefusedError) || error.code !== 'github-invalid') throw error;
    // Another was first, or it was us and the list does not show it yet, or shows nothing under a former owner's name.
    await bound.places.read(want.ref, bound.calls);
    const { ours, isTaken } = await findPulls(bound, want);
    if (ours !== undefined) return settle(bound, want, ours);
    if (!isTaken) assertNotListedYet(bound, want, error);
    if (!want.pull.isDraft || !refusesDrafts(error)) throw error;
    return send(bound, want, false);
  }
}

/** @throws TransientError `github-lagging` when GitHub says that there is one already, and the list does not show it yet */
function assertNotListedYet(
  bound: SessionContext,
  { ref, pull }: Wanted,
  { details = '' }: RefusedError,
): void {
  if (!/already exists/i.test(details)) return;
  assertLasting(bound, { name: `pull/${ref.repositoryId}/${pull.head}`, againAtMs: [LAG_MS] });
}

/** Private repositories of some plans have none. */
function refusesDrafts(error: RefusedError): boolean {
  return /draft pull requests are not supported/i.test(error.details ?? '');
}

async function send(bound: SessionContext, want: Wanted, draft: boolean): Promise<PullOutcome> {
  const { place, pull, title, body } = want;
  const params = { ...place, title, body, head: pull.head, base: pull.base, draft };
  const { data } = await bound.calls
    .send(CREATE_PULL, params, 'content')
    .catch((error: unknown) => Promise.reject(toldIfSwitchedOff(error)));
  bound.identity.learn(data);
  return tell(data, 'created');
}

/** The message where a setting keeps workflows from it. */
export const MAY_NOT_OPEN_PULLS =
  'Actions may not open pull requests. Select "Allow GitHub Actions to create and approve pull requests" under Settings, Actions, General, Workflow permissions, and try again. If it cannot be selected, the organisation forbids it: ask an owner of the organisation.';

/** A setting of the repository or its organisation keeps workflows from it, whatever the permissions of the job are. */
function toldIfSwitchedOff(error: unknown): unknown {
  if (!(error instanceof RefusedError) || !/not permitted to create/i.test(error.details ?? ''))
    return error;
  return new RefusedError({
    code: 'github-forbidden',
    message: MAY_NOT_OPEN_PULLS,
    ...(error.details !== undefined && { details: error.details }),
    cause: error,
  });
}

function tell(pull: WireListedPull, outcome: PullOutcome['outcome']): PullOutcome {
  return {
    number: pull.number,
    url: pull.html_url,
    headSha: pull.head.sha,
    state: pull.state === 'closed' ? 'closed' : 'open',
    isMerged: typeof pull.merged_at === 'string',
    outcome,
    updatedAt: pull.updated_at,
    // It need not be read again to be made ready.
    ...(pull.draft && pull.state !== 'closed' && pull.node_id !== '' && { draftId: pull.node_id }),
  };
}
