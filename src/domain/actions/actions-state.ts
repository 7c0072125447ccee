/**
 * What workflows keep between runs, in `state/actions.json` on the memory branch: claims, what was recorded as ours, and
 * what was spent. Every change is pure and may be made again after a lost race.
 */
import { z } from 'zod';
import { bookSpending, type Spending } from './spending/book-spending.ts';

export const ACTIONS_STATE_PATH = 'state/actions.json';

/** Older claims are forgotten: a delivery is not repeated after so long. */
const KEPT_MS = 14 * 24 * 3_600_000;
const MOST_CLAIMS = 500;
const MOST_THREADS = 500;
const MOST_IDS = 200;

/** Fields that a newer version wrote stay when this one writes the file. */
const Claim = z.looseObject({
  /** `GITHUB_RUN_ID` of the workflow that has it. */
  workflowRun: z.string(),
  attempt: z.number(),
  /** When the event was claimed first, ISO 8601: a rerun works under the same moment and so has the same run ids. */
  at: z.string(),
  /** ISO 8601: another workflow may take it over after that. */
  until: z.string(),
  doneAt: z.string().optional(),
  /** How many workflows have taken it; once where absent. */
  tries: z.int().positive().optional(),
  /** The last of them does not count: GitHub failed it, or the App came first. */
  isUntried: z.literal(true).optional(),
  /** Which spending on it was added to the total last: a run and its attempt, or a digest of the work. */
  counted: z.string().optional(),
  /** Number of the account on whose approval a task rests. */
  by: z.int().optional(),
  /** Booked when it was claimed, until it is known what was spent; `at` is the moment of it. */
  reserved: z.looseObject({ at: z.iso.datetime(), usd: z.number(), tokens: z.number() }).optional(),
  /** Public keys of apply jobs that have not recorded what they wrote, or died before they could. */
  jobKeys: z.array(z.string()).optional(),
});
export type ActionClaim = z.infer<typeof Claim>;

const ActionsState = z.looseObject({
  version: z.literal(1),
  /** By what the event says. */
  claims: z.record(z.string(), Claim).default({}),
  /** Ids of comments, reviews and check runs that the apply job wrote, by the number of their thread. */
  recorded: z.record(z.string(), z.array(z.number())).default({}),
  /** Dollars by day, such as `2026-11-26`. */
  spentUsd: z.record(z.string(), z.number()).default({}),
  /** Tokens of searches of the code by day. */
  watchTokens: z.record(z.string(), z.number()).default({}),
  /** Dollars and tokens by time, for the last 24 hours. */
  spentAt: z
    .record(z.iso.datetime(), z.looseObject({ usd: z.number(), tokens: z.number() }))
    .default({}),
  /** Whether a summary has advised people to remove the App or the workflow. */
  saidAppActs: z.boolean().default(false),
  /** What loops of the sweep have seen, by their name. */
  cursors: z.record(z.string(), z.string()).default({}),
  /** When no rule asked for signed commits on branches of tasks, and on which base; empty where that was not asked. */
  unsigned: z.looseObject({ at: z.iso.datetime(), base: z.string() }).optional().catch(undefined),
});
export type ActionsState = z.infer<typeof ActionsState>;

const EMPTY: ActionsState = {
  version: 1,
  claims: {},
  recorded: {},
  spentUsd: {},
  watchTokens: {},
  spentAt: {},
  saidAppActs: false,
  cursors: {},
};

/** What the file says; undefined for text that is no such state, or of a newer version. */
export function parseActionsState(text: string | undefined): ActionsState | undefined {
  if (text === undefined) return structuredClone(EMPTY);
  try {
    return ActionsState.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined;
  }
}

/** With sorted keys, so that the same state is the same text. */
export function renderActionsState(state: ActionsState): string {
  return `${JSON.stringify(sorted(state), undefined, 1)}\n`;
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value) || typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(entries.map(([key, inner]) => [key, sorted(inner)]));
}

export interface ClaimRequest {
  event: string;
  workflowRun: string;
  attempt: number;
  /** Milliseconds since the epoch. */
  now: number;
  /** How long the workflow may take. */
  lifeMs: number;
  /** Number of the account on whose approval a task rests. */
  by?: number;
  /** Counts as spent until it is known what was: in full where the workflow never tells. */
  reserves?: Spending;
}

export type ClaimVerdict =
  /** `isNew`: nobody had it before, so that nothing can have been written under it. */
  | { kind: 'held'; claim: ActionClaim; isNew: boolean }
  | { kind: 'refused'; reason: 'done' | 'taken' };

/** Whether this workflow may work on the event, and the state in which it does. */
export function claimEvent(
  state: ActionsState,
  request: ClaimRequest,
): { verdict: ClaimVerdict; state: ActionsState } {
  const { event, workflowRun, attempt, now, lifeMs, by } = request;
  const known = findClaim(state, event, now);
  if (known?.doneAt !== undefined) return { verdict: { kind: 'refused', reason: 'done' }, state };
  const isOthers = known !== undefined && known.workflowRun !== workflowRun;
  if (isOthers && Date.parse(known.until) > now)
    return { verdict: { kind: 'refused', reason: 'taken' }, state };
  const { reserved, booked } = reserveSpending(state, known, request);
  const claim: ActionClaim = {
    workflowRun,
    attempt,
    at: known?.at ?? new Date(now).toISOString(),
    until: new Date(now + lifeMs).toISOString(),
    ...(by !== undefined && { by }),
    ...takenBefore(known, isOthers),
    ...(reserved !== undefined && { reserved }),
  };
  const claims = prune({ ...state.claims, [event]: claim }, now);
  const isNew = known === undefined;
  return { verdict: { kind: 'held', claim, isNew }, state: { ...booked, claims } };
}

/** A change that is made again, because the answer to the first one was lost, reserves once. */
function reserveSpending(
  state: ActionsState,
  known: ActionClaim | undefined,
  { workflowRun, attempt, now, reserves }: ClaimRequest,
): { reserved: ActionClaim['reserved']; booked: ActionsState } {
  if (known?.workflowRun === workflowRun && known.attempt === attempt)
    return { reserved: known.reserved, booked: state };
  if (reserves === undefined) return { reserved: undefined, booked: state };
  const at = new Date(now).toISOString();
  return { reserved: { at, ...reserves }, booked: bookSpending(state, at, reserves) };
}

function takenBefore(known: ActionClaim | undefined, isOthers: boolean): Partial<ActionClaim> {
  if (known === undefined) return {};
  const { counted, jobKeys, isUntried } = known;
  const tries = triesOf(known) + (isOthers || isUntried === true ? 1 : 0);
  return {
    tries,
    ...(counted !== undefined && { counted }),
    ...(jobKeys !== undefined && { jobKeys }),
  };
}

/** Of a claim; none where nobody had it. */
export function triesOf(claim: ActionClaim | undefined): number {
  if (claim === undefined) return 0;
  return (claim.tries ?? 1) - (claim.isUntried === true ? 1 : 0);
}

/** Undefined where nobody had it, and where that is so long ago that it is forgotten. */
export function findClaim(
  { claims }: ActionsState,
  event: string,
  now: number,
): ActionClaim | undefined {
  const claim = Object.hasOwn(claims, event) ? claims[event] : undefined;
  if (claim === undefined) return undefined;
  const isOver = Date.parse(claim.until) <= now;
  return isOver && !isYoung(claim, now) ? undefined : claim;
}

function isYoung({ at }: ActionClaim, now: number): boolean {
  return Date.parse(at) > now - KEPT_MS;
}

/** Claims of events whose key begins so. */
export function findClaims({ claims }: ActionsState, prefix: string): ActionClaim[] {
  return Object.entries(claims).flatMap(([key, claim]) => (key.startsWith(prefix) ? [claim] : []));
}

function prune(claims: ActionsState['claims'], now: number): ActionsState['claims'] {
  const young = Object.entries(claims).filter(([, claim]) => isYoung(claim, now));
  const newest = young.toSorted(([, a], [, b]) => (a.at < b.at ? 1 : -1)).slice(0, MOST_CLAIMS);
  return Object.fromEntries(newest);
}

/** Whether the claim is still this workflow's. */
export function holdsClaim(
  { claims }: ActionsState,
  { event, workflowRun, now }: Pick<ClaimRequest, 'event' | 'workflowRun' | 'now'>,
): boolean {
  const claim = Object.hasOwn(claims, event) ? claims[event] : undefined;
  return claim?.workflowRun === workflowRun && Date.parse(claim.until) > now;
}

/** Whether this workflow may still ask a model for the event: it holds it, and nothing is done. */
export function isOpenClaim(state: ActionsState, asked: Parameters<typeof holdsClaim>[1]): boolean {
  return holdsClaim(state, asked) && state.claims[asked.event]?.doneAt === undefined;
}

export interface ApplyRecord {
  event: string;
  thread: number;
  ids: readonly number[];
  usd: number;
  /** Tells what was spent from what another job spent on the event, such as a digest. With it, work that failed counts too. */
  spending?: string;
  now: number;
  isDone: boolean;
}

/** What an apply job leaves. Made twice, the spending would count twice: so it is added only where the claim is not done. */
export function recordApplied(state: ActionsState, applied: ApplyRecord): ActionsState {
  const { event, thread, ids, usd, spending, now, isDone } = applied;
  const claim = Object.hasOwn(state.claims, event) ? state.claims[event] : undefined;
  if (claim?.doneAt !== undefined) return state;
  const at = new Date(now).toISOString();
  const known = state.recorded[thread] ?? [];
  const recorded = {
    ...state.recorded,
    [thread]: [...new Set([...known, ...ids])].slice(-MOST_IDS),
  };
  const isCounted = spending === undefined ? !isDone : claim?.counted === spending;
  const ended = claim && endApplied(claim, applied);
  return {
    ...(isCounted ? state : bookSpending(state, at, { usd, tokens: 0 })),
    claims: ended === undefined ? state.claims : { ...state.claims, [event]: ended },
    recorded: latest(recorded, MOST_THREADS, (key) => Number(key)),
  };
}

function endApplied(claim: ActionClaim, { spending, now, isDone }: ApplyRecord): ActionClaim {
  const counted = { ...claim, ...(spending !== undefined && { counted: spending }) };
  return isDone ? endClaim(counted, new Date(now).toISOString()) : counted;
}

/** Everything is recorded by its id. */
function endClaim(claim: ActionClaim, doneAt: string): ActionClaim {
  const { jobKeys: _, ...kept } = claim;
  return { ...kept, doneAt };
}

/** The entries with the largest keys. */
function latest<T>(
  record: Record<string, T>,
  most: number,
  rank: (key: string) => number,
): Record<string, T> {
  const entries = Object.entries(record).toSorted(([a], [b]) => rank(b) - rank(a));
  return Object.fromEntries(entries.slice(0, most));
}
