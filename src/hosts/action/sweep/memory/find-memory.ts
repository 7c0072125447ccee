/**
 * The memory loop in the claim job of a sweep: which persona's memory has something to consolidate that people were not
 * asked about yet. No model is asked here.
 */
import { createHash } from 'node:crypto';
import { lookAtConsolidation } from '../../../../act/memory/look-consolidation.ts';
import { toMemoryPlace } from '../../../../act/memory/read-memory.ts';
import { readConfig } from '../../../../act/recover/read-config.ts';
import { claimEvent } from '../../../../domain/actions/actions-state.ts';
import { spentLastDay } from '../../../../domain/actions/spending/book-spending.ts';
import type { Config } from '../../../../domain/config/config.ts';
import {
  areRecordsDue,
  mostOfDiscussion,
  parseRecordsSeen,
  renderRecordsSeen,
} from '../../../../domain/loops/sweep-loops.ts';
import type { Consolidation } from '../../../../domain/memory/consolidation/consolidation.ts';
import { findPersonasDue } from '../../../../domain/memory/consolidation/find-consolidation.ts';
import { PERSONAS_FOLDER } from '../../../../domain/memory/file/apply-change.ts';
import { toRepositoryThread } from '../../../../domain/run/thread-ref.ts';
import { codeSpan } from '../../../../domain/text/code-span.ts';
import type { StatePlace } from '../../branch/kept-file.ts';
import { updateActionsState } from '../../branch/state-branch.ts';
import { isGivenUp, type Sweeping } from '../find-lost.ts';
import type { MemoryTicket } from '../sweep-ticket.ts';
import { findMemoryApp } from './find-memory-app.ts';

/** Name of the cursor. */
const MEMORY_SEEN = 'memory';

export interface MemoryFound {
  lines: string[];
  ticket?: MemoryTicket;
}

/** While nothing is due, or nothing has changed since the last look, only the memory itself is read. */
export async function findMemory(sweeping: Sweeping, place: StatePlace): Promise<MemoryFound> {
  const { basics, context, sweep, state } = sweeping;
  const { ports, readSettings } = sweep;
  const { repository } = context;
  const config = await readConfig(repository, { ports, readSettings });
  if (!config.enabled || !config.memory.enabled || !config.memory.proposals)
    return { lines: ['Switched off in the settings of this repository.'] };
  const now = basics.clock.now();
  const at = new Date(now).toISOString();
  const { branch } = toMemoryPlace(repository, config);
  const { github } = place;
  const { memory } = github.at(repository);
  const { files } = await memory.read({ repository, branch }, { paths: [PERSONAS_FOLDER] });
  const due = findPersonasDue(files, { at, isSelf: config.memory.self === true });
  if (due.length === 0) return { lines: [] };
  const seen = { digest: digestOfFiles(files), at: now };
  if (!areRecordsDue(seen, parseRecordsSeen(state.cursors[MEMORY_SEEN]))) return { lines: [] };
  const app = await findMemoryApp({ context, branch, now });
  const found =
    app === undefined
      ? await reserveFirst(due, { sweeping, place, config, at, digest: seen.digest })
      : { lines: [app] };
  // A pass that has found something leaves the others to the next one.
  if (found.ticket === undefined && found.isUnsettled !== true && !sweeping.isDry)
    await noteSeen(place, renderRecordsSeen(seen));
  const { lines, ticket } = found;
  return { lines, ...(ticket !== undefined && { ticket }) };
}

function digestOfFiles(files: ReadonlyMap<string, string>): string {
  const all = [...files].toSorted(([a], [b]) => (a < b ? -1 : 1));
  return createHash('sha256').update(JSON.stringify(all)).digest('hex').slice(0, 40);
}

function noteSeen(place: StatePlace, seen: string): Promise<void> {
  return updateActionsState(place, 'quorum: record a look at the memory', (state) => ({
    state: { ...state, cursors: { ...state.cursors, [MEMORY_SEEN]: seen } },
    told: undefined,
  }));
}

interface Looking {
  sweeping: Sweeping;
  place: StatePlace;
  config: Config;
  /** Now, ISO 8601. */
  at: string;
  /** Of the memory. */
  digest: string;
}

interface Reserved extends MemoryFound {
  /** Somebody else works on it, or it waits for a pass that may. */
  isUnsettled?: true;
}

/** One proposal a pass: people read them one after the other. */
async function reserveFirst(due: readonly string[], looking: Looking): Promise<Reserved> {
  const lines: string[] = [];
  for (const [index, persona] of due.entries()) {
    const looked = await look(persona, looking);
    if (typeof looked === 'string') {
      lines.push(`${codeSpan(persona)}: ${looked}.`);
      continue;
    }
    const rest = due.slice(index + 1).map((handle) => codeSpan(handle));
    const later = rest.length === 0 ? [] : [`A later pass looks at ${rest.join(', ')}.`];
    const reserved = await reserveOne(looked, looking);
    return { ...reserved, lines: [...lines, ...reserved.lines, ...later] };
  }
  return { lines };
}

/** As the App looks. Returns why nothing is proposed, where nothing is. */
async function look(
  persona: string,
  { sweeping, at, digest }: Looking,
): Promise<{ found: Consolidation; claim: string } | string> {
  const { context, sweep, state } = sweeping;
  const thread = toRepositoryThread(context.repository);
  const { ports, readSettings } = sweep;
  const wanted = { kind: 'look-consolidation', thread, persona } as const;
  const { result } = await lookAtConsolidation(wanted, { ports, readSettings, at });
  const { off, found } = result;
  if (off !== undefined || found === undefined) return off ?? 'nothing is to be consolidated';
  if (result.persona === undefined) return 'the persona is not in the team any more';
  // Memory that has changed may make an open proposal conflict, which is then made again.
  const claim = `memory ${persona} ${found.evidence} ${digest.slice(0, 10)}`;
  const known = state.claims[claim];
  if (known?.doneAt !== undefined) return 'a workflow proposed it before';
  if (isGivenUp(known, Date.parse(at)))
    return 'three sweeps took this and none of them finished it. It is begun again when the memory changes';
  return { found, claim };
}

const ABOUT: Readonly<Record<Consolidation['kind'], string>> = {
  promote: 'lessons that repeat',
  condense: 'a file that is too long',
  self: 'what it experienced',
};

async function reserveOne(
  { found, claim }: { found: Consolidation; claim: string },
  { sweeping, place, config }: Looking,
): Promise<Reserved> {
  const { basics, context, isDry, lifeMs } = sweeping;
  const { persona, evidence } = found;
  const what = `${codeSpan(persona)}: ${ABOUT[found.kind]}`;
  if (isDry) return { lines: [`${what} would be put to a model.`] };
  const { workflowRun, attempt } = context;
  const now = basics.clock.now();
  return updateActionsState<Reserved>(place, 'quorum: claim a proposal for the memory', (state) => {
    const reserves = { usd: mostOfDiscussion(config), tokens: 0 };
    const wanted = { event: claim, workflowRun, attempt, now, lifeMs, reserves };
    const { verdict, state: next } = claimEvent(state, wanted);
    if (verdict.kind === 'refused') return { state: next, told: { lines: [], isUnsettled: true } };
    const spentUsd = spentLastDay(state, now);
    const ticket = { claim, at: verdict.claim.at, persona, evidence, spentUsd };
    return { state: next, told: { lines: [`${what} are put to a model.`], ticket } };
  });
}
