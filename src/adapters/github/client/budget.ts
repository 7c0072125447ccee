/** One installation's own budget and GitHub's refusals: long waits are thrown, so that the queue waits and no request does. */
import pLimit from 'p-limit';
import { TransientError } from '../../../domain/event/errors.ts';
import type { Clock, Random } from '../../../ports/clock.ts';
import { readLimit, type Limit } from './read-limit.ts';
import type { GitHubBudgets } from './github-options.ts';
import { createWindow, type Window } from '../cache/window.ts';
import type { Answer } from '../github-answer.ts';

/** `content` creates what people are notified of; `write` changes something else. */
export type Cost = 'read' | 'write' | 'content';

const POINTS: Record<Cost, number> = { read: 1, write: 5, content: 5 };
const MINUTE_MS = 60_000;
/**
 * A call waits here for so long in all; the queue waits longer. None at all would let an effect of many calls begin again
 * and again while the window gives out its points one by one.
 */
const PATIENCE_MS = 300;
const MAX_STRIKES = 5;
const MAX_JITTER_MS = 5000;

export interface Budget {
  /**
   * Runs the work when the budget allows: at most `concurrent` at once, writes one by one. TransientError
   * `github-budget` or `github-rate-limited` with `retryAfterMs` is thrown before the work begins.
   */
  spend<T>(cost: Cost, work: () => Promise<T>, signal?: AbortSignal): Promise<T>;
  /** Takes note of what an answer says of limits; returns the error to throw when the answer is a refusal by limit. */
  note(answer: Answer): TransientError | undefined;
}

export interface BudgetParts {
  budgets: GitHubBudgets | 'off';
  clock: Clock;
  random: Random;
}

interface Wait {
  ms: number;
  code: 'github-budget' | 'github-rate-limited';
}

interface Block {
  untilMs: number;
  /** Secondary refusals in a row. */
  strikes: number;
}

export function createBudget(parts: BudgetParts): Budget {
  const { budgets, clock } = parts;
  const slots = pLimit(budgets === 'off' ? Infinity : budgets.concurrent);
  const writer = pLimit(budgets === 'off' ? Infinity : 1);
  const state: State = {
    ...parts,
    meters: budgets === 'off' ? [] : toMeters(budgets),
    block: { untilMs: 0, strikes: 0 },
  };
  async function run<T>(cost: Cost, work: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    return slots(async () => {
      signal?.throwIfAborted();
      await admit(state, cost, signal);
      for (const meter of state.meters) meter.window.add(clock.now(), meter.amount(cost));
      return work();
    });
  }
  return {
    spend: (cost, work, signal) =>
      cost === 'read' ? run(cost, work, signal) : writer(() => run(cost, work, signal)),
    note: (answer) => noteAnswer(state, answer),
  };
}

interface Meter {
  window: Window;
  amount: (cost: Cost) => number;
}

interface State extends BudgetParts {
  meters: Meter[];
  block: Block;
}

function creations(cost: Cost): number {
  return cost === 'content' ? 1 : 0;
}

function toMeters(budgets: GitHubBudgets): Meter[] {
  return [
    { window: createWindow(MINUTE_MS, budgets.pointsPerMinute), amount: (cost) => POINTS[cost] },
    { window: createWindow(MINUTE_MS, budgets.contentPerMinute), amount: creations },
    { window: createWindow(60 * MINUTE_MS, budgets.contentPerHour), amount: creations },
  ];
}

async function admit(state: State, cost: Cost, signal: AbortSignal | undefined): Promise<void> {
  for (let waitedMs = 0; ;) {
    const wait = longestWait(state, cost);
    if (wait.ms <= 0) return;
    if (waitedMs + wait.ms > PATIENCE_MS) throw toRefusal(wait, state.random);
    await state.clock.sleep(wait.ms, signal);
    waitedMs += wait.ms;
  }
}

function longestWait(state: State, cost: Cost): Wait {
  const nowMs = state.clock.now();
  const blocked = state.block.untilMs - nowMs;
  if (blocked > 0) return { ms: blocked, code: 'github-rate-limited' };
  const waits = state.meters.map((meter) => meter.window.waitMs(nowMs, meter.amount(cost)));
  return { ms: Math.max(0, ...waits), code: 'github-budget' };
}

/** Adds jitter, so that requests that wait for the same moment do not all return at once. */
function toRefusal(wait: Wait, random: Random): TransientError {
  const retryAfterMs = Math.ceil(wait.ms + random.next() * Math.min(wait.ms, MAX_JITTER_MS));
  const isOwn = wait.code === 'github-budget';
  return new TransientError({
    code: wait.code,
    message: isOwn
      ? 'Our own budget of GitHub calls for this installation is used up for now.'
      : 'GitHub limits the rate of this installation for now.',
    details: `Nothing to do: it goes on by itself in about ${Math.ceil(retryAfterMs / 1000)} s.`,
    retryAfterMs,
  });
}

function noteAnswer(state: State, answer: Answer): TransientError | undefined {
  const { block, clock, random } = state;
  const isRefusal = answer.status === 403 || answer.status === 429;
  const limit = readLimit(answer, clock.now());
  if (limit === undefined) {
    if (answer.status < 400) block.strikes = 0;
    return undefined;
  }
  const waitMs = limit.waitMs ?? growingWait(limit, block, random);
  block.untilMs = Math.max(block.untilMs, clock.now() + waitMs);
  return isRefusal ? toRefusal({ ms: waitMs, code: 'github-rate-limited' }, random) : undefined;
}

/** At least a minute, doubled with each refusal in a row, as GitHub asks for; at most 32 minutes. */
function growingWait(limit: Limit, block: Block, random: Random): number {
  if (limit.kind === 'primary') return MINUTE_MS;
  const ms = MINUTE_MS * 2 ** block.strikes;
  block.strikes = Math.min(block.strikes + 1, MAX_STRIKES);
  return ms + random.next() * MINUTE_MS * 0.1;
}
