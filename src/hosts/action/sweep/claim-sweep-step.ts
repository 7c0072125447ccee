/**
 * The claim job of a sweep: finds what is to be done, does what needs no model, and reserves the rest. What it reserves is
 * the pass: a later pass finds nothing of it.
 */
import { readConfig } from '../../../act/recover/read-config.ts';
import { claimEvent } from '../../../domain/actions/actions-state.ts';
import { watchTokensLastDay } from '../../../domain/actions/spending/book-spending.ts';
import { ConfigError, toFailure } from '../../../domain/event/errors.ts';
import {
  APP_LOOPS,
  hasWatchTokens,
  isWatchDue,
  mostOfSearch,
  parseLoops,
  type SweepLoop,
} from '../../../domain/loops/sweep-loops.ts';
import { tellNoTokens } from '../../../domain/loops/watch-tokens.ts';
import type { Basics } from '../../host-parts.ts';
import { MEMORY_BRANCH } from '../job/action-specs.ts';
import { dollarsInput, numberInput, type Inputs } from '../job/read-inputs.ts';
import type { StatePlace } from '../branch/kept-file.ts';
import { readActionsState, updateActionsState } from '../branch/state-branch.ts';
import type { WorkflowContext } from '../job/workflow-context.ts';
import type { ClaimTicket } from '../steps/claim-ticket.ts';
import { isGivenUp, reserveLost, type Sweeping } from './find-lost.ts';
import { findPlans } from './find-plans.ts';
import { findMemory } from './memory/find-memory.ts';
import type { LoopReport } from './loop-report.ts';
import { releaseStale } from './release-stale.ts';
import { openModelFreePorts } from '../job/model-free-ports.ts';
import { findWeek } from './weekly/find-week.ts';
import type { SweepTicket, WatchTicket } from './sweep-ticket.ts';

export interface SweepClaimed {
  ticket: SweepTicket;
  reports: readonly LoopReport[];
}

/** What the loops reserve, while they go on. */
interface Pass extends Pick<SweepTicket, 'memory' | 'watch' | 'plans' | 'week'> {
  events: ClaimTicket[];
}

const MINUTE_MS = 60_000;
/** Webhooks are not repeated later, and workflows are not started again. */
const WINDOW_MS = 3 * 24 * 60 * MINUTE_MS;
const OVERLAP_MS = 60 * MINUTE_MS;
const BEGUN = 'reconcile';

export async function claimSweepStep(
  basics: Basics,
  context: WorkflowContext,
  inputs: Inputs,
): Promise<SweepClaimed> {
  const { run, refused } = readLoops(inputs);
  refuseOther(context, inputs['repository'] ?? '');
  const maxUsd = dollarsInput(inputs, 'max-usd');
  const isDry = inputs['dry-run'] === 'true';
  const minutes = numberInput(inputs, 'time-limit-minutes', { most: 360 }) ?? 60;
  const sweep = await openModelFreePorts(basics, context);
  const pass: Pass = { events: [] };
  const reports: LoopReport[] = refused.map((loop) => ({
    loop,
    lines: [`Not run. ${APP_LOOPS[loop]}`],
  }));
  try {
    const place = { github: sweep.github, repository: context.repository, branch: MEMORY_BRANCH };
    const state = await readActionsState(place);
    const sweeping: Sweeping = {
      basics,
      context,
      inputs,
      sweep,
      state,
      isDry,
      lifeMs: minutes * MINUTE_MS,
    };
    for (const loop of run) {
      const { report, isOver } = await runLoop(loop, { sweeping, place, pass });
      reports.push(report);
      // GitHub is away or limits us: more calls would be wasted. The next pass finds the rest.
      if (isOver) break;
    }
  } finally {
    await sweep.close();
  }
  return { ticket: { version: 1, ...pass, maxUsd }, reports };
}

function readLoops(inputs: Inputs): Extract<ReturnType<typeof parseLoops>, { kind: 'loops' }> {
  const wanted = parseLoops(inputs['loops'] ?? '');
  if (wanted.kind === 'loops') return wanted;
  const { name, meant } = wanted;
  const shown = JSON.stringify(name.slice(0, 80));
  const hint = meant === undefined ? '' : ` Did you mean \`${meant}\`?`;
  throw invalid(`The input \`loops\` names ${shown}, which is no loop.${hint}`);
}

function refuseOther({ repository }: WorkflowContext, wanted: string): void {
  const own = `${repository.owner}/${repository.repo}`;
  if (wanted === '' || wanted.toLowerCase() === own.toLowerCase()) return;
  throw invalid(
    `The token of this workflow reaches \`${own}\` alone. Run the sweep of another repository there, or install the App.`,
  );
}

interface Running {
  sweeping: Sweeping;
  place: StatePlace;
  pass: Pass;
}

async function runLoop(
  loop: SweepLoop,
  running: Running,
): Promise<{ report: LoopReport; isOver: boolean }> {
  try {
    return { report: { loop, lines: await LOOPS[loop](running) }, isOver: false };
  } catch (error) {
    const { code, message, retryable } = toFailure(error);
    const lines = [`${message} (\`${code}\`)`];
    return { report: { loop, lines, isFailed: true }, isOver: retryable };
  }
}

const LOOPS: Readonly<Record<SweepLoop, (running: Running) => Promise<string[]>>> = {
  reconcile: async ({ sweeping, place, pass }) => {
    const since = await sinceOf(sweeping, place);
    return reserveLost(sweeping, { since, tickets: pass.events });
  },
  'stale-claims': ({ sweeping }) => releaseStale(sweeping),
  plans: async ({ sweeping, place, pass }) => {
    const { lines, ticket } = await findPlans(sweeping, place);
    if (ticket !== undefined) pass.plans = ticket;
    return lines;
  },
  memory: async ({ sweeping, place, pass }) => {
    const { lines, ticket } = await findMemory(sweeping, place);
    if (ticket !== undefined) pass.memory = ticket;
    return lines;
  },
  weekly: async ({ sweeping, place, pass }) => {
    const { lines, ticket } = await findWeek(sweeping, place);
    if (ticket !== undefined) pass.week = ticket;
    return lines;
  },
  'code-watch': async ({ sweeping, place, pass }) => {
    const { lines, ticket } = await reserveWatch(sweeping, place);
    if (ticket !== undefined) pass.watch = ticket;
    return lines;
  },
};

/** The first pass notes when it began: what is older was there before the sweep was, and nobody waits for it. */
async function sinceOf({ basics, state, isDry }: Sweeping, place: StatePlace): Promise<string> {
  const now = basics.clock.now();
  const begun = state.cursors[BEGUN];
  const from = begun === undefined ? now - OVERLAP_MS : Date.parse(begun);
  const since = new Date(Math.max(from, now - WINDOW_MS)).toISOString();
  if (begun === undefined && !isDry)
    await updateActionsState(place, 'quorum: the first sweep', (at) => ({
      state: { ...at, cursors: { ...at.cursors, [BEGUN]: at.cursors[BEGUN] ?? since } },
      told: undefined,
    }));
  return since;
}

interface Watching {
  lines: string[];
  ticket?: WatchTicket;
}

/** One search for each commit of the default branch, and not before its time. */
async function reserveWatch(sweeping: Sweeping, place: StatePlace): Promise<Watching> {
  const { basics, context, sweep, state, isDry, lifeMs } = sweeping;
  const { ports, readSettings } = sweep;
  const config = await readConfig(context.repository, { ports, readSettings });
  const { enabled, sweeps } = config;
  if (!enabled || !sweeps.codeWatch.enabled)
    return { lines: ['Switched off in the settings of this repository.'] };
  const { headSha } = await sweep.github.at(context.repository).read.repository(context.repository);
  const now = basics.clock.now();
  const claim = `${WATCH}${headSha}`;
  const isDue = isWatchDue(sweeps.codeWatch, { now, last: lastWatch(sweeping) });
  if (headSha === '' || !isDue || state.claims[claim]?.doneAt !== undefined) return { lines: [] };
  if (!hasWatchTokens(sweeps.codeWatch, watchTokensLastDay(state, now)))
    return { lines: [tellNoTokens(state, { ...sweeps.codeWatch, now })] };
  if (isGivenUp(state.claims[claim], now))
    return {
      lines: [
        `Three sweeps took the search of \`${headSha.slice(0, 12)}\` and none of them finished it. The next commit is searched again.`,
      ],
    };
  const told = `The default branch is searched at \`${headSha.slice(0, 12)}\`.`;
  if (isDry) return { lines: [`Would run. ${told}`] };
  const { workflowRun, attempt } = context;
  return updateActionsState<Watching>(place, 'quorum: claim a search of the code', (at) => {
    const reserves = mostOfSearch(config, watchTokensLastDay(at, now));
    const wanted = { event: claim, workflowRun, attempt, now, lifeMs, reserves };
    const { verdict, state: next } = claimEvent(at, wanted);
    if (verdict.kind === 'refused') return { state: next, told: { lines: [] } };
    const ticket = { claim, headSha };
    return { state: next, told: { lines: [told], ticket } };
  });
}

const WATCH = 'code-watch ';

/** When a search ended last, or another workflow began one that did not end; milliseconds since the epoch. */
function lastWatch({ state, context, lifeMs }: Sweeping): number | undefined {
  const ended = Object.entries(state.claims).flatMap(([key, claim]) => {
    const { doneAt, until, workflowRun } = claim;
    if (!key.startsWith(WATCH)) return [];
    if (doneAt !== undefined) return [Date.parse(doneAt)];
    return workflowRun === context.workflowRun ? [] : [Date.parse(until) - lifeMs];
  });
  return ended.length === 0 ? undefined : Math.max(...ended);
}

function invalid(message: string): ConfigError {
  return new ConfigError({ code: 'action-input-invalid', message });
}
