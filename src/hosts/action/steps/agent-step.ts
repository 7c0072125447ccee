/**
 * The agent job: the App's own reducers with models, on a store that is thrown away and a token that only reads. What it
 * would write becomes `intents.json`.
 */
import { collectWrites } from '../../../act/collect-writes.ts';
import { createPerform, type Perform } from '../../../act/perform.ts';
import type { Performed } from '../../../act/ports.ts';
import { readPackagePersonas } from '../../../adapters/files/load-personas.ts';
import { createSecretDetector } from '../../../adapters/secrets/detector.ts';
import { loadSecretlint } from '../../../adapters/secrets/secretlint.ts';
import { openSqliteStore } from '../../../adapters/store/sqlite/open-sqlite.ts';
import { decide } from '../../../decide/route.ts';
import { gatherFindings } from '../../../decide/kinds/review/gather-findings.ts';
import { isOpen } from '../../../decide/run/thread-context.ts';
import { IntentsFile } from '../../../domain/actions/intents.ts';
import { RefusedError } from '../../../domain/event/errors.ts';
import { EVENT_VERSION, type EventData, type NewEvent } from '../../../domain/event/event.ts';
import type { Effect } from '../../../domain/event/effect.ts';
import { EMPTY_LEDGER } from '../../../domain/review/review.ts';
import type { Finding } from '../../../domain/review/finding.ts';
import {
  modelCallsOf,
  ofKind,
  shownRuns,
  verdictOf,
  type Run,
} from '../../../domain/run/state/run-record.ts';
import { derivedId } from '../../../domain/run/ids.ts';
import { threadKey } from '../../../domain/run/thread-ref.ts';
import type { Store } from '../../../ports/store.ts';
import { consume } from '../../../run.ts';
import { chosenHandles, limitTeam } from '../../cli/review/limit-team.ts';
import { isIdle, isQuiet, threadState, until } from '../../follow-runs.ts';
import { openModelPool, type Basics } from '../../host-parts.ts';
import { captureProposal, onlyThinking, seedOf } from './capture-proposal.ts';
import type { ClaimTicket } from './claim-ticket.ts';
import { measureTrajectory } from '../tell/measure-trajectory.ts';
import { believeRecorded, openWorkflowGitHub } from '../job/workflow-github.ts';
import { seedSpent } from '../job/seed-spent.ts';
import type { WorkflowContext } from '../job/workflow-context.ts';
import { SCAN_HERE } from '../../scan/scan-here.ts';

/** Several rounds of slow models fit well within. */
const TIMEOUT_MS = 20 * 60_000;
const STOP_MS = 2_000;
const AT_ONCE = 8;

export interface AgentResult {
  file: IntentsFile;
  findings: readonly Finding[];
  /** Why nothing came of it, for people; undefined where something did. */
  endReason: string | undefined;
}

export interface AgentOptions {
  personas: readonly string[] | undefined;
  /** Told what models cost in US dollars, also where the run fails. */
  onSpent?: (usd: number) => void;
}

export async function agentStep(
  basics: Basics,
  context: WorkflowContext,
  { ticket, personas, onSpent }: { ticket: ClaimTicket } & AgentOptions,
): Promise<AgentResult> {
  const { clock, random, log } = basics;
  const store = await openSqliteStore({ memory: true, clock });
  try {
    await seedSpent(store, { repository: ticket.thread, usd: ticket.spentUsd, now: clock.now() });
    const perform = await openPerform(basics, context, { ticket, store });
    const captured = captureProposal(adaptViews(perform, personas), ticket);
    const collected = collectWrites(captured.perform, store);
    const told: NewEvent[] = [];
    const seed = seedOf(ticket);
    const decideHere: typeof decide = (state, event, moment) => {
      const isOfThread = event.key === threadKey(ticket.thread);
      const decision = decide(state ?? (isOfThread ? seed : undefined), event, moment);
      told.push(...decision.events);
      return seed === undefined ? decision : onlyThinking(decision);
    };
    const { perform: carryOut } = collected;
    const engine = { store, clock, random, log, decide: decideHere, perform: carryOut };
    const worker = await store.work({
      concurrency: AT_ONCE,
      perInstallation: AT_ONCE,
      consume: (work) => consume(work, engine),
    });
    try {
      await start(store, ticket);
      await settle(store, basics, ticket);
    } finally {
      await worker.stop(STOP_MS);
    }
    const proposed = captured.proposed();
    const ending = { store, context, ticket, wanted: collected.wanted(), told };
    return await conclude({ ...ending, ...(seed !== undefined && { proposed }) });
  } finally {
    if (onSpent !== undefined)
      onSpent((await store.records.spent({ key: threadKey(ticket.thread) })).usd);
    await store.close();
  }
}

async function openPerform(
  basics: Basics,
  context: WorkflowContext,
  { ticket, store }: { ticket: ClaimTicket; store: Store },
): Promise<Perform> {
  const believing = believeRecorded(ticket.recorded);
  const github = openWorkflowGitHub(basics, context, believing);
  const model = openModelPool(basics);
  return createPerform({
    ...basics,
    github,
    store,
    markerSecret: believing.markerSecret,
    model,
    estimateUsd: (question, known) => model.estimateUsd(question, known),
    ...(model.contextTokens === undefined ? {} : { contextTokens: model.contextTokens }),
    personas: await readPackagePersonas(),
    scanner: SCAN_HERE,
    detectSecrets: createSecretDetector({
      load: loadSecretlint,
      onMissing: (error) =>
        basics.log.warn({ err: error }, 'the detector of credentials cannot be loaded'),
    }),
  });
}

/** A push that follows cancels this run by the workflow's concurrency group: nothing waits here for the author to finish. */
function adaptViews(perform: Perform, handles: readonly string[] | undefined): Perform {
  let looked: Performed | undefined;
  return async (effect, attempt) => {
    // The second look of a run asks whether somebody pushed meanwhile; the apply job finds that out by the head.
    if (effect.data.kind === 'look-pull' && looked !== undefined) return looked;
    const done = await perform(effect, attempt);
    if (done.effectKind !== 'look-pull') return done;
    looked = done;
    const { view } = done.result;
    view.config.review.settleSeconds = 0;
    limitTeam(view, chosenHandles(handles, view.personas));
    return done;
  };
}

/** Under the claim's own moment: a rerun of the job makes the same run, with the same ids and markers. */
async function start(store: Store, ticket: ClaimTicket): Promise<void> {
  const { claim, at, thread } = ticket;
  const id = `actions:${derivedId(claim, Date.parse(at))}`;
  const data = beginning(ticket);
  await store.append([{ id, key: threadKey(thread), version: EVENT_VERSION, at, data }]);
}

/** A task's pull request is reviewed as in the App, where the task asks for it: so the review tells the task how it ended. */
function beginning({ task, headSha, thread, trigger }: ClaimTicket): EventData {
  if (task === undefined || headSha === undefined) return { kind: 'trigger', trigger };
  return { kind: 'adopted', run: task.run, task: task.ref, thread, headSha, isNew: true };
}

async function settle(store: Store, { clock }: Basics, { thread }: ClaimTicket): Promise<void> {
  const key = threadKey(thread);
  await until({ clock, timeoutMs: TIMEOUT_MS, waitsFor: 'the run of this job' }, async () => {
    if (!(await isIdle({ store, keys: [key] }))) return undefined;
    const runs = shownRuns(await threadState(store, key));
    return runs.every((run) => !isOpen(run) || isQuiet(run)) ? true : undefined;
  });
  const { events, effects } = await store.records.counts();
  if (events.dead + effects.dead === 0) return;
  const [dead] = [
    ...(await store.records.effects({ status: 'dead', limit: 1 })),
    ...(await store.records.events({ status: 'dead', limit: 1 })),
  ];
  throw new RefusedError({
    code: 'action-run-failed',
    message: `The run could not be completed: ${dead?.reason ?? 'an event or effect was dead-lettered'}.`,
  });
}

interface Ending {
  store: Store;
  context: WorkflowContext;
  ticket: ClaimTicket;
  wanted: Effect[];
  /** What streams told each other. */
  told: readonly NewEvent[];
  /** What the PM proposed, where a plan was asked for. */
  proposed?: unknown;
}

async function conclude({
  store,
  context,
  ticket,
  wanted,
  told,
  proposed,
}: Ending): Promise<AgentResult> {
  const key = threadKey(ticket.thread);
  const state = await threadState(store, key);
  const [run] = shownRuns(state).toSorted((a, b) => b.startedAt.localeCompare(a.startedAt));
  const calls = Object.values(state.runs).flatMap((one) => modelCallsOf(one));
  const { usd, calls: count, unknownCalls } = await store.records.spent({ key });
  const findings = run === undefined ? [] : findingsOf(run);
  const verdict = run === undefined ? undefined : verdictOf(run);
  // A cap that is exceeded is refused here too: the job that caused it says so.
  const file = IntentsFile.parse({
    version: 1,
    claim: ticket.claim,
    workflowRun: context.workflowRun,
    intents: wanted.map(toIntent),
    ...reviewedIn(told),
    ...(proposed !== undefined && { proposed }),
    spent: { usd, calls: count, unknownCalls },
    trajectory: measureTrajectory(calls),
    outcome: {
      verdict: verdict?.verdict ?? 'NONE',
      headline: (verdict?.headline ?? '').slice(0, 2_000),
      findings: findings.length,
    },
  });
  return { file, findings, endReason: run?.endReason };
}

/** The last verdict that the review told its task; its form is checked with the whole file. */
function reviewedIn(told: readonly NewEvent[]): { reviewed?: unknown } {
  const reviewed = told.flatMap(({ data }) =>
    data.kind === 'pull-told' && data.news.kind === 'reviewed' ? [data.news] : [],
  );
  const last = reviewed.at(-1);
  return last === undefined ? {} : { reviewed: JSON.parse(JSON.stringify(last)) };
}

function findingsOf(run: Run): readonly Finding[] {
  const review = ofKind(run, 'pr_review');
  if (review?.review === undefined) return [];
  const settled = review.review.ledger.findings.filter(({ status }) => status !== 'open');
  return gatherFindings(review, {
    ...review.review,
    ledger: { ...EMPTY_LEDGER, findings: settled },
  }).fresh;
}

/** As the file has it; its form is checked with the whole file. */
function toIntent({ id, key, run, at, lane, slot, data }: Effect): unknown {
  return JSON.parse(JSON.stringify({ id, key, run, at, lane, slot, data }));
}
