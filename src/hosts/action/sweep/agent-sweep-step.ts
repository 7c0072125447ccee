/** The agent job of a sweep: each event by itself, then the memory and the code watch, as long as there is time and money. */
import { openGitTree } from '../../../adapters/local/git-tree.ts';
import { digestIntents } from '../../../domain/actions/intents.ts';
import { RefusedError, toFailure } from '../../../domain/event/errors.ts';
import type { Basics } from '../../host-parts.ts';
import { SCAN_HERE } from '../../scan/scan-here.ts';
import { watchTree, type SearchSpent } from '../../sweep/watch-tree.ts';
import type { WorkflowContext } from '../job/workflow-context.ts';
import { agentStep } from '../steps/agent-step.ts';
import type { ClaimTicket } from '../steps/claim-ticket.ts';
import { readHeldNow, type HeldNow } from './held-now.ts';
import type { LoopReport } from './loop-report.ts';
import { askMemory, type MemoryAsked } from './memory/ask-memory.ts';
import { renderSeen } from './render-seen.ts';
import {
  MEMORY_FILE,
  type MemoryTicket,
  type SweepDone,
  type SweepTicket,
  type WatchTicket,
} from './sweep-ticket.ts';

/** The job has 40 minutes; one event may take the rest of them. */
const BEGIN_BEFORE_MS = 15 * 60_000;

export interface SweptByAgent {
  done: SweepDone;
  files: ReadonlyMap<string, Uint8Array>;
  usd: number;
  reports: readonly LoopReport[];
}

interface Working {
  basics: Basics;
  context: WorkflowContext;
  isPrivate: boolean;
}

/** What a pass has done until now. */
interface Pass extends Omit<SweptByAgent, 'files' | 'reports'> {
  files: Map<string, Uint8Array>;
  reports: LoopReport[];
  isOver: () => boolean;
  /** Of what the claim job reserved: a person may run this job again long after it. */
  held: HeldNow;
}

export async function agentSweepStep(ticket: SweepTicket, working: Working): Promise<SweptByAgent> {
  const { clock } = working.basics;
  const until = clock.now() + BEGIN_BEFORE_MS;
  const pass: Pass = {
    done: { attempt: working.context.attempt, files: {} },
    files: new Map(),
    usd: 0,
    reports: [],
    isOver: () => pass.usd >= ticket.maxUsd || clock.now() > until,
    held: asksModels(ticket) ? await readHeldNow(working) : NOTHING_HELD,
  };
  await workOnAll(ticket.events, pass, working);
  if (ticket.memory !== undefined) await askOnce(ticket.memory, pass, working);
  if (ticket.watch !== undefined) await watchOnce(ticket.watch, pass, working);
  const { done, files, usd, reports } = pass;
  return { done, files, usd, reports };
}

function asksModels(ticket: SweepTicket): boolean {
  return [...ticket.events, ticket.memory, ticket.watch].some((one) => one !== undefined);
}

const NOTHING_HELD: HeldNow = { isOpen: () => false, spentUsd: 0 };

async function workOnAll(
  events: SweepTicket['events'],
  pass: Pass,
  working: Working,
): Promise<void> {
  const { done } = pass;
  const lines: string[] = [];
  for (const [at, event] of events.entries()) {
    const name = `#${event.thread.number}`;
    if (!pass.held.isOpen(event.claim)) {
      lines.push(`${name}: ${ENDED}`);
      continue;
    }
    if (pass.isOver()) {
      lines.push(`${name}: left to the next pass, because this one reached its limit.`);
      done.left = [...(done.left ?? []), String(at)];
      continue;
    }
    const worked = await workOn(event, pass.held.spentUsd + pass.usd, working);
    pass.usd += worked.usd;
    lines.push(`${name}: ${worked.told}`);
    if (worked.bytes === undefined) {
      if (worked.usd > 0) done.lostUsd = { ...done.lostUsd, [at]: worked.usd };
      continue;
    }
    pass.files.set(`${at}.json`, worked.bytes);
    done.files[at] = digestIntents(worked.bytes);
  }
  pass.reports.push({ loop: 'reconcile', lines });
}

async function askOnce(ticket: MemoryTicket, pass: Pass, working: Working): Promise<void> {
  const left = leftOf(ticket, pass);
  const asked: MemoryAsked =
    left === undefined
      ? await askMemory(ticket, { ...working, spent: pass.held.spentUsd + pass.usd })
      : { lines: [left], usd: 0, isLeft: true };
  const { lines, usd, bytes, isLeft } = asked;
  pass.reports.push({ loop: 'memory', lines });
  pass.usd += usd;
  pass.done.memory = { usd, ...(isLeft && { isLeft }) };
  if (bytes === undefined) return;
  pass.files.set(MEMORY_FILE, bytes);
  pass.done.memory.digest = digestIntents(bytes);
}

async function watchOnce(ticket: WatchTicket, pass: Pass, working: Working): Promise<void> {
  const { done } = pass;
  const left = leftOf(ticket, pass);
  if (left !== undefined) done.isWatchLeft = true;
  const watched =
    left === undefined
      ? await watch(ticket, pass.held.spentUsd + pass.usd, working)
      : { lines: [left] };
  pass.reports.push({ loop: 'code-watch', lines: watched.lines });
  if (watched.spent === undefined) return;
  pass.usd += watched.spent.usd;
  done.watchUsd = watched.spent.usd;
  done.watchTokens = watched.spent.tokens;
  if (watched.isFailed) done.isWatchFailed = true;
}

interface Worked {
  usd: number;
  told: string;
  bytes?: Uint8Array;
}

/** A failure with one event is reported, and the others go on. */
async function workOn(
  event: ClaimTicket,
  spent: number,
  { basics, context }: Working,
): Promise<Worked> {
  const ticket = { ...event, spentUsd: spent };
  let usd = 0;
  const onSpent = (dollars: number): void => {
    usd = dollars;
  };
  try {
    const { file } = await agentStep(basics, context, { ticket, personas: undefined, onSpent });
    const { outcome, intents, spent: cost } = file;
    const told = `${outcome.verdict}, ${intents.length} writes handed to the apply job.`;
    return { usd: cost.usd, told, bytes: Buffer.from(JSON.stringify(file)) };
  } catch (error) {
    const { code, message } = toFailure(error);
    return { usd, told: `${message} (\`${code}\`)` };
  }
}

interface Watched {
  lines: string[];
  /** Absent where the search was not begun. */
  spent?: SearchSpent;
  /** It did not end: a later pass makes it. */
  isFailed?: true;
}

const LEFT = 'Left to the next pass, because this one reached its limit.';
const ENDED = 'not begun, because its claim has ended, or another run has it.';

/** Why no model is asked. */
function leftOf({ claim }: { claim: string }, { held, isOver }: Pass): string | undefined {
  if (!held.isOpen(claim)) return `This was ${ENDED}`;
  return isOver() ? LEFT : undefined;
}

/** The committed files, as the job before this step has checked them out; nothing of them is run. */
async function watch(
  { headSha }: WatchTicket,
  spentUsd: number,
  { basics, isPrivate }: Working,
): Promise<Watched> {
  const used: SearchSpent = { usd: 0, tokens: 0 };
  try {
    // The runner starts a step in the workspace.
    const dir = '.';
    // Exactly the commit that was reserved: the branch may have moved before it was checked out.
    const tree = await openGitTree(dir, headSha);
    if (tree === undefined) throw notCheckedOut(headSha);
    const { seen } = await watchTree({
      basics,
      dir,
      tree,
      path: '',
      scanner: SCAN_HERE,
      spentUsd,
      onLook: () => undefined,
      onSpent: (all) => Object.assign(used, all),
    });
    return { lines: renderSeen(seen, { isPrivate }), spent: used };
  } catch (error) {
    const { code, message } = toFailure(error);
    return { lines: [`${message} (\`${code}\`)`], spent: used, isFailed: true };
  }
}

function notCheckedOut(headSha: string): RefusedError {
  return new RefusedError({
    code: 'not-watched',
    message: `The commit \`${headSha.slice(0, 12)}\` is not checked out. Put \`actions/checkout\` before this step; where the branch has moved, a later pass searches its new head.`,
  });
}
