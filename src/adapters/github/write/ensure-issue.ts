/** One issue for each marker in a repository: looked for, then edited, opened again or opened, never opened twice. */
import type { IssueWanted } from '../../../domain/event/effect-values.ts';
import { parseMarker } from '../../../domain/github/marker.ts';
import type { IssueOutcome } from '../../../domain/github/issue-outcome.ts';
import type { RepositoryRef } from '../../../domain/run/thread-ref.ts';
import type { EnsuredIssue, Trace } from '../../../ports/github/github-writer.ts';
import type { SessionContext } from '../bound.ts';
import { assembleMarked, isSameBody } from './comment-body.ts';
import { shortText, TITLE_LIMIT } from '../../../domain/text/cap-body.ts';
import { close } from './ensure-closed.ts';
import { ensureLabelExists } from './ensure-labels.ts';
import {
  CREATE_ISSUE,
  EDIT_ISSUE,
  GET_ISSUE,
  LIST_ISSUES,
  type WireIssue,
} from '../rest-operations.ts';
import { eachPage, PER_PAGE } from '../client/pages.ts';
import type { Place } from '../repository-locator.ts';
import { isPull } from '../read/to-domain.ts';
import { pinIssue } from './pin-issue.ts';
import { askTrace, findOlder, findOnce, type Once } from './twins.ts';

interface Wanted {
  ref: RepositoryRef;
  place: Place;
  issue: EnsuredIssue;
  /** With the marker. */
  body: string;
}

/** Between our clock and GitHub's. */
const MAX_SKEW_MS = 60_000;

export async function ensureIssue(
  bound: SessionContext,
  ref: RepositoryRef,
  issue: EnsuredIssue,
): Promise<IssueOutcome> {
  const body = assembleMarked(bound, { ...issue, scope: issueScope(ref) });
  const title = shortText(issue.title, TITLE_LIMIT);
  return bound.places.at(ref, bound.calls, async (place) => {
    const want = { ref, place, issue: { ...issue, title }, body };
    const trace = await askTrace(issue.trace);
    const known = trace.id === undefined ? undefined : await findRecorded(bound, want, trace.id);
    const outcome =
      known?.state === 'open'
        ? await settle(bound, want, known)
        : await ensureFound(bound, want, trace);
    if (issue.isPinned === true && outcome.outcome === 'created')
      await pinIssue(bound, { ...ref, number: outcome.number });
    return outcome;
  });
}

/** By its number; undefined where it is gone, or carries another marker now. */
async function findRecorded(
  bound: SessionContext,
  want: Wanted,
  number: number,
): Promise<WireIssue | undefined> {
  const found = await bound.calls.find(GET_ISSUE, { ...want.place, issue_number: number });
  return found !== undefined && hasMarker(bound, markerOf(want), found.data)
    ? found.data
    : undefined;
}

async function ensureFound(
  bound: SessionContext,
  want: Wanted,
  trace: Trace,
): Promise<IssueOutcome> {
  const { issue } = want;
  let labelled = 0;
  const once: Once<WireIssue> = {
    list: async () => {
      const open = await lookThroughOpen(bound, want);
      labelled = open.labelled;
      return open.found;
    },
    idOf: ({ number }) => number,
    stays: 'first',
    fold: ({ number }) => closeTwin(bound, want, number),
  };
  const found = await findOnce(bound, once, trace);
  if (found !== undefined) return settle(bound, want, found);
  const closed = await findClosed(bound, want);
  if (closed !== undefined) return adoptClosed(bound, want, closed);
  if (issue.maxOpen !== undefined && labelled >= issue.maxOpen.count) return { outcome: 'full' };
  const created = await create(bound, want);
  if (trace.isDoubtful !== true || !('number' in created)) return created;
  const older = await findOlder(bound, once, created.number);
  return older === undefined ? created : settle(bound, want, older);
}

/** Its text says so too: without our marker it is not found again. */
async function closeTwin(bound: SessionContext, { place }: Wanted, number: number): Promise<void> {
  const thread = { ...place, issue_number: number };
  await close(bound, thread, 'duplicate');
  const body = 'This issue was opened twice. See the earlier one.';
  await bound.calls.send(EDIT_ISSUE, { ...thread, body });
}

/** What the marker of an issue's own text is signed for: its number is not known before it is opened. */
export function issueScope(ref: RepositoryRef): string {
  return `issues:${ref.repositoryId}`;
}

/** Quorum's open issue with this marker, if any. */
export async function findOpen(
  bound: SessionContext,
  ref: RepositoryRef,
  marker: Marked,
): Promise<WireIssue | undefined> {
  for await (const issue of ours(bound, { ref, place: bound.places.last(ref) }, 'open'))
    if (hasMarker(bound, { ref, marker }, issue)) return issue;
  return undefined;
}

/** The open issues with this marker, and how many of Quorum's other open issues carry the limited label. */
async function lookThroughOpen(
  bound: SessionContext,
  want: Wanted,
): Promise<{ found: WireIssue[]; labelled: number }> {
  const limited = want.issue.maxOpen?.label.toLowerCase();
  const found: WireIssue[] = [];
  let labelled = 0;
  for await (const issue of ours(bound, want, 'open')) {
    if (hasMarker(bound, markerOf(want), issue)) found.push(issue);
    else if (issue.labels.some((label) => label.toLowerCase() === limited)) labelled += 1;
  }
  return { found, labelled };
}

/** The one that was closed last. */
async function findClosed(bound: SessionContext, want: Wanted): Promise<WireIssue | undefined> {
  for await (const issue of ours(bound, want, 'closed'))
    if (hasMarker(bound, markerOf(want), issue)) return issue;
  return undefined;
}

/** Our own issues, last changed first. A server that does not filter by author is filtered here. */
export async function* ours(
  bound: SessionContext,
  { ref, place }: Pick<Wanted, 'ref' | 'place'>,
  state: 'open' | 'closed' | 'all',
): AsyncGenerator<WireIssue> {
  const { login: creator } = await bound.identity.self();
  const order = { sort: 'updated', direction: 'desc', per_page: PER_PAGE };
  for await (const page of eachPage(bound.calls, LIST_ISSUES, {
    ...place,
    creator,
    state,
    ...order,
  }))
    for (const issue of page) {
      const text = { ...issue, id: issue.number };
      if (!isPull(issue) && (await bound.identity.isOurText(text, issueScope(ref)))) yield issue;
    }
}

type Marked = Pick<IssueWanted['marker'], 'kind' | 'key'>;

function markerOf({ ref, issue }: Wanted): { ref: RepositoryRef; marker: Marked } {
  return { ref, marker: issue.marker };
}

function hasMarker(
  bound: SessionContext,
  { ref, marker }: ReturnType<typeof markerOf>,
  { body }: WireIssue,
): boolean {
  const found = parseMarker(body, bound.markerSecret, issueScope(ref));
  return found?.kind === marker.kind && found.key === marker.key;
}

async function settle(
  bound: SessionContext,
  want: Wanted,
  found: WireIssue,
): Promise<IssueOutcome> {
  const { title } = want.issue;
  if (found.title === title && isSameBody(found.body, want.body))
    return tell(found, isOpenedFor(want, found) ? 'created' : 'unchanged');
  const params = { ...want.place, issue_number: found.number, title, body: want.body };
  await bound.calls.send(EDIT_ISSUE, params);
  return tell(found, 'edited');
}

/** The run's own words in an issue that was opened since: the answer to its opening was lost. */
function isOpenedFor({ issue: { at } }: Wanted, { created_at: openedAt }: WireIssue): boolean {
  return at !== undefined && Date.parse(openedAt) >= Date.parse(at) - MAX_SKEW_MS;
}

/** What we closed is opened again; what somebody else closed is settled, unless that was about an earlier matter. */
async function adoptClosed(
  bound: SessionContext,
  want: Wanted,
  found: WireIssue,
): Promise<IssueOutcome> {
  const { place, issue } = want;
  const params = { ...place, issue_number: found.number };
  // The list does not tell on every server who closed it.
  const { data } = await bound.calls.get(GET_ISSUE, params);
  if (await bound.identity.isOurs({ user: data.closed_by })) return reopen(bound, want, found);
  const isEarlier =
    issue.since !== undefined && Date.parse(closedAt(data)) < Date.parse(issue.since);
  return isEarlier ? create(bound, want) : tell(found, 'closed');
}

function closedAt(data: WireIssue): string {
  return data.closed_at ?? data.updated_at;
}

async function reopen(
  bound: SessionContext,
  want: Wanted,
  found: WireIssue,
): Promise<IssueOutcome> {
  const { place, issue, body } = want;
  await ensureLabels(bound, want);
  const labels = [...new Set([...found.labels, ...issue.labels.map((label) => label.name)])];
  const change = { state: 'open', state_reason: 'reopened', title: issue.title, body, labels };
  await bound.calls.send(EDIT_ISSUE, { ...place, issue_number: found.number, ...change });
  return tell(found, 'reopened');
}

async function create(bound: SessionContext, want: Wanted): Promise<IssueOutcome> {
  const { place, issue, body } = want;
  await ensureLabels(bound, want);
  const labels = issue.labels.map((label) => label.name);
  const params = { ...place, title: issue.title, body, labels };
  const { data } = await bound.calls.send(CREATE_ISSUE, params, 'content');
  bound.identity.learn(data);
  return tell(data, 'created');
}

async function ensureLabels(bound: SessionContext, { ref, place, issue }: Wanted): Promise<void> {
  for (const label of issue.labels) await ensureLabelExists(bound, ref, { place, label });
}

function tell(
  { number, html_url: url }: WireIssue,
  outcome: Exclude<IssueOutcome['outcome'], 'full'>,
): IssueOutcome {
  return { outcome, number, url };
}
