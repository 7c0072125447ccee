/** One pull request for each head branch of ours: looked for, then edited or opened, never opened twice or again. */
import { RefusedError } from '../../../domain/errors.ts';
import { parseMarker, pullScope, renderMarker } from '../../../domain/marker.ts';
import type { RepositoryRef } from '../../../domain/thread.ts';
import type { PullOutcome, PullWanted } from '../../../ports/work.ts';
import type { Bound } from '../bound.ts';
import { assembleComment, isSameBody, shortText } from '../comment-body.ts';
import { eachPage, PER_PAGE } from '../pages.ts';
import type { Place } from '../places.ts';
import { LAG_MS } from '../twins.ts';
import { CREATE_PULL, EDIT_PULL, LIST_PULLS, type WireListedPull } from '../pulls/operations.ts';

/** GitHub's limit of a title. */
const MAX_TITLE = 256;

interface Wanted {
  ref: RepositoryRef;
  place: Place;
  pull: PullWanted;
  title: string;
  /** With the marker. */
  body: string;
}

export async function ensurePull(
  bound: Bound,
  ref: RepositoryRef,
  pull: PullWanted,
): Promise<PullOutcome> {
  const marker = renderMarker(pull.marker, bound.markerSecret, pullScope(ref));
  const title = shortText(pull.title, MAX_TITLE);
  const body = assembleComment(pull.body, marker);
  return bound.places.at(ref, bound.calls, async (place) => {
    const want = { ref, place, pull, title, body };
    const found = pull.isNew === true ? undefined : await findOurs(bound, want);
    return found === undefined ? create(bound, want) : settle(bound, want, found);
  });
}

/** An open one before one that was closed at this very head, then the newest. */
async function findOurs(bound: Bound, want: Wanted): Promise<WireListedPull | undefined> {
  const { place, pull } = want;
  const head = `${place.owner}:${pull.head}`;
  const order = { sort: 'created', direction: 'desc', per_page: PER_PAGE };
  let closed: WireListedPull | undefined;
  for await (const page of eachPage(bound.calls, LIST_PULLS, {
    ...place,
    head,
    state: 'all',
    ...order,
  }))
    for (const found of page) {
      if (!isHere(want, found) || !(await isOurs(bound, want, found))) continue;
      if (found.state === 'open') return found;
      if (found.head.sha === pull.headSha) closed ??= found;
    }
  return closed;
}

/** A server that does not filter is filtered here; a fork's branch may have the same name. */
function isHere({ ref, pull }: Wanted, { head }: WireListedPull): boolean {
  return head.ref === pull.head && head.repo?.id === ref.repositoryId;
}

/** By its marker; one that a person edited away is told by the author while it is open. */
async function isOurs(
  bound: Bound,
  { ref, pull }: Wanted,
  found: WireListedPull,
): Promise<boolean> {
  if (!(await bound.identity.isOurs(found))) return false;
  const marker = parseMarker(found.body, bound.markerSecret, pullScope(ref));
  if (marker === undefined) return found.state === 'open';
  return marker.kind === pull.marker.kind && marker.key === pull.marker.key;
}

async function settle(bound: Bound, want: Wanted, found: WireListedPull): Promise<PullOutcome> {
  const { place, title, body } = want;
  if (found.title === title && isSameBody(found.body, body)) return tell(found, 'unchanged');
  const params = { ...place, pull_number: found.number, title, body };
  return tell((await bound.calls.send(EDIT_PULL, params)).data, 'edited');
}

async function create(bound: Bound, want: Wanted): Promise<PullOutcome> {
  try {
    return await send(bound, want, want.pull.isDraft);
  } catch (error) {
    if (!(error instanceof RefusedError) || error.code !== 'github-invalid') throw error;
    // Another was first, or it was us and the list does not show it yet.
    const found = (await findOurs(bound, want)) ?? (await findLater(bound, want, error));
    if (found !== undefined) return settle(bound, want, found);
    if (!want.pull.isDraft || !refusesDrafts(error)) throw error;
    return send(bound, want, false);
  }
}

/** GitHub says that there is one already: a list without it lags behind. */
async function findLater(
  bound: Bound,
  want: Wanted,
  { details = '' }: RefusedError,
): Promise<WireListedPull | undefined> {
  if (!/already exists/i.test(details)) return undefined;
  await bound.clock.sleep(LAG_MS);
  return findOurs(bound, want);
}

/** Private repositories of some plans have none. */
function refusesDrafts(error: RefusedError): boolean {
  return /draft pull requests are not supported/i.test(error.details ?? '');
}

async function send(bound: Bound, want: Wanted, draft: boolean): Promise<PullOutcome> {
  const { place, pull, title, body } = want;
  const params = { ...place, title, body, head: pull.head, base: pull.base, draft };
  const { data } = await bound.calls.send(CREATE_PULL, params, 'content');
  bound.identity.learn(data);
  return tell(data, 'created');
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
