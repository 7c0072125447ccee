/** One of Quorum's check runs for each name, head and run, with its annotations appended fifty at a time. */
import { REVIEW_CHECK } from '../../../domain/task/check-names.ts';
import type { RepositoryRef } from '../../../domain/run/thread-ref.ts';
import type { CheckAnnotation, CheckOutcome, ReviewCheck } from '../../../ports/github/pulls.ts';
import type { Trace } from '../../../ports/github/github-writer.ts';
import type { SessionContext } from '../bound.ts';
import { shortText } from '../../../domain/text/cap-body.ts';
import { createCheckRun } from '../write/create-check-run.ts';
import type { Place } from '../repository-locator.ts';
import { askTrace, findOlder, findOnce, LAG_MS, SUPERSEDED, type Once } from '../write/twins.ts';
import { EDIT_REVIEW_CHECK, GET_REVIEW_CHECK, type WireReviewCheck } from './pull-operations.ts';
import { externalId, listReviewChecks, runOfCheck } from './review-checks.ts';

/** GitHub's limits (docs.github.com, "Create a check run"); messages are 64 KB there. */
const MAX_TITLE = 255;
const MAX_SUMMARY = 65_000;
const MAX_MESSAGE = 16_000;
const AT_ONCE = 50;

interface Wanted {
  place: Place;
  check: ReviewCheck;
}

export async function ensureReviewCheck(
  bound: SessionContext,
  ref: RepositoryRef,
  check: ReviewCheck,
): Promise<CheckOutcome> {
  const slot = `${ref.installationId}/${ref.repositoryId}/${externalId(check)}`;
  return bound.places.at(ref, bound.calls, async (place) => {
    const outcome = await write(bound, { place, check }, bound.recall.checks.get(slot)?.id);
    bound.recall.checks.set(slot, { id: outcome.id, nodeId: undefined });
    return outcome;
  });
}

/** `begun` is the check run that this process remembers. */
async function write(
  bound: SessionContext,
  want: Wanted,
  begun: number | undefined,
): Promise<CheckOutcome> {
  const { isNew, conclusion, hasOlder } = want.check;
  const isSure = isNew === true && hasOlder !== true;
  if (isSure && begun !== undefined) return edit(bound, want, { id: begun, annotations: 0 });
  if (isSure && conclusion === undefined) return create(bound, want);
  const trace = await askTrace(want.check.trace);
  if (isSure && isFirstOn(bound, want, trace)) return create(bound, want);
  const recorded = hasOlder === true ? undefined : await readKnown(bound, want, trace);
  return recorded === undefined ? ensureFound(bound, want, trace) : settle(bound, want, recorded);
}

/** Whether the caller has just found none there, and none was written since. */
function isFirstOn(
  { uncheckedHeads }: SessionContext,
  { check: { name, headSha } }: Wanted,
  { id, isDoubtful }: Trace,
): boolean {
  if (name !== REVIEW_CHECK || id !== undefined || isDoubtful === true) return false;
  return uncheckedHeads.has(headSha);
}

/**
 * Only the check run itself says how many annotations it has. In doubt, a replica that lags gets the time to catch
 * up.
 */
async function readKnown(
  bound: SessionContext,
  { place }: Wanted,
  { id, isDoubtful }: Trace,
): Promise<WireReviewCheck | undefined> {
  if (id === undefined) return undefined;
  if (isDoubtful === true) await bound.clock.sleep(LAG_MS);
  return (await bound.calls.find(GET_REVIEW_CHECK, { ...place, check_run_id: id }))?.data;
}

async function ensureFound(
  bound: SessionContext,
  want: Wanted,
  trace: Trace,
): Promise<CheckOutcome> {
  const once = onceOf(bound, want);
  const isDoubtful = trace.isDoubtful === true || trace.id !== undefined;
  const found = await findOnce(bound, once, isDoubtful ? { isDoubtful } : {});
  if (found !== undefined) return settle(bound, want, found);
  const created = await create(bound, want);
  // GitHub shows the newest, which is this one: an older one is ended.
  if (isDoubtful) await findOlder(bound, once, created.id);
  return created;
}

async function settle(
  bound: SessionContext,
  want: Wanted,
  found: WireReviewCheck,
): Promise<CheckOutcome> {
  const { check } = want;
  const annotations = found.output?.annotations_count ?? 0;
  const isDone = isSame(found, check) && check.annotations.length <= annotations;
  if (isDone) return { id: found.id, outcome: 'unchanged' };
  return edit(bound, want, { id: found.id, annotations });
}

function onceOf(bound: SessionContext, want: Wanted): Once<WireReviewCheck> {
  return {
    list: () => listOurs(bound, want),
    idOf: ({ id }) => id,
    stays: 'last',
    fold: ({ id }) => endCheck(bound, want, id),
  };
}

/** `known.annotations` are there already; more can only be added. */
async function edit(
  bound: SessionContext,
  want: Wanted,
  known: { id: number; annotations: number },
): Promise<CheckOutcome> {
  const missing = want.check.annotations.slice(known.annotations);
  await append(bound, want, { id: known.id, batches: toBatches(missing) });
  return { id: known.id, outcome: 'edited' };
}

/** Those of this run, and on the way those of other runs that are still in progress are ended. */
async function listOurs(bound: SessionContext, want: Wanted): Promise<WireReviewCheck[]> {
  const { check, place } = want;
  const ours = await listReviewChecks(bound, place, check);
  const own = ours.filter((run) => run.external_id === externalId(check));
  // A newer one may belong to another pull request with this head, and is still at work.
  const newest = Math.max(...own.map(({ id }) => id), own.length === 0 ? Infinity : 0);
  for (const { id, ...run } of ours)
    if (id < newest && isLeftBy(run, check)) await endCheck(bound, want, id);
  return own;
}

/** Whether another run began it on this head, and never ended it. */
function isLeftBy(
  { external_id: id, status }: Pick<WireReviewCheck, 'external_id' | 'status'>,
  check: ReviewCheck,
): boolean {
  const isOfReview = runOfCheck(id, check) !== undefined;
  return isOfReview && id !== externalId(check) && status !== 'completed';
}

/** GitHub deletes no check run. */
async function endCheck(bound: SessionContext, { place }: Wanted, id: number): Promise<void> {
  await bound.calls.send(EDIT_REVIEW_CHECK, { ...place, check_run_id: id, ...SUPERSEDED });
}

async function create(bound: SessionContext, want: Wanted): Promise<CheckOutcome> {
  const [first = [], ...others] = toBatches(want.check.annotations);
  const { headSha } = want.check;
  bound.uncheckedHeads.delete(headSha);
  const run = { head_sha: headSha, ...toWire(want.check, first) };
  const { id } = await createCheckRun(bound, want.place, run);
  if (others.length > 0) await append(bound, want, { id, batches: others });
  return { id, outcome: 'created' };
}

/** Each request adds its annotations to those that are there; without any, one request changes the rest. */
async function append(
  bound: SessionContext,
  want: Wanted,
  to: { id: number; batches: CheckAnnotation[][] },
): Promise<void> {
  for (const batch of to.batches) {
    const params = { ...want.place, check_run_id: to.id, ...toWire(want.check, batch) };
    await bound.calls.send(EDIT_REVIEW_CHECK, params);
  }
}

/** At least one batch, if an empty one. */
function toBatches(annotations: readonly CheckAnnotation[]): CheckAnnotation[][] {
  const batches: CheckAnnotation[][] = [annotations.slice(0, AT_ONCE)];
  for (let at = AT_ONCE; at < annotations.length; at += AT_ONCE)
    batches.push(annotations.slice(at, at + AT_ONCE));
  return batches;
}

function toOutput(check: ReviewCheck): { title: string; summary: string } {
  return {
    title: shortText(check.title, MAX_TITLE),
    summary: shortText(check.summary, MAX_SUMMARY),
  };
}

function toWire(check: ReviewCheck, annotations: readonly CheckAnnotation[]) {
  return {
    name: check.name,
    external_id: externalId(check),
    ...(check.conclusion === undefined
      ? { status: 'in_progress' }
      : { status: 'completed', conclusion: check.conclusion }),
    output: {
      ...toOutput(check),
      ...(annotations.length > 0 && { annotations: annotations.map(toAnnotation) }),
    },
  };
}

function toAnnotation(one: CheckAnnotation): Record<string, unknown> {
  return {
    path: one.path,
    start_line: one.startLine,
    end_line: one.endLine,
    annotation_level: one.level,
    title: shortText(one.title, MAX_TITLE),
    message: shortText(one.message, MAX_MESSAGE),
  };
}

function isSame(found: WireReviewCheck, check: ReviewCheck): boolean {
  const { title, summary } = toOutput(check);
  return (
    found.status === (check.conclusion === undefined ? 'in_progress' : 'completed') &&
    (found.conclusion ?? undefined) === check.conclusion &&
    found.output?.title === title &&
    found.output.summary === summary
  );
}
