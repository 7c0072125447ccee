/** Reserves one persona's memory for this pass of a sweep: the first that people were not asked about yet. */
import { createHash } from 'node:crypto';
import { lookAtConsolidation } from '../../../../act/memory/look-consolidation.ts';
import { claimEvent, findClaim } from '../../../../domain/actions/actions-state.ts';
import { spentLastDay } from '../../../../domain/actions/spending/book-spending.ts';
import type { Config } from '../../../../domain/config/config.ts';
import { mostOfDiscussion } from '../../../../domain/loops/sweep-loops.ts';
import type { Consolidation } from '../../../../domain/memory/consolidation/consolidation.ts';
import { ownerOfFile } from '../../../../domain/memory/self/self-file.ts';
import { toRepositoryThread } from '../../../../domain/run/thread-ref.ts';
import { codeSpan } from '../../../../domain/text/code-span.ts';
import type { StatePlace } from '../../branch/kept-file.ts';
import { updateActionsState } from '../../branch/state-branch.ts';
import { isGivenUp, type Sweeping } from '../find-lost.ts';
import type { MemoryTicket } from '../sweep-ticket.ts';
import { tellRefused } from './refused-proposals.ts';

export interface MemoryFound {
  lines: string[];
  ticket?: MemoryTicket;
}

interface Looking {
  sweeping: Pick<Sweeping, 'basics' | 'context' | 'state' | 'isDry' | 'lifeMs'> & {
    sweep: Pick<Sweeping['sweep'], 'ports' | 'readSettings'>;
  };
  place: StatePlace;
  config: Config;
  /** Now, ISO 8601. */
  at: string;
  /** Of the memory: texts by path. */
  files: ReadonlyMap<string, string>;
}

interface Reserved extends MemoryFound {
  /** The next pass looks again: somebody else works on it, or GitHub cannot answer yet. */
  isUnsettled?: boolean;
}

/** One proposal a pass: people read them one after the other. */
export async function reserveFirst(due: readonly string[], looking: Looking): Promise<Reserved> {
  const { basics, context, state } = looking.sweeping;
  if (!hasMoney(looking.config, spentLastDay(state, basics.clock.now())))
    return { lines: [NO_MONEY], isUnsettled: true };
  const refused = tellRefused(state, context, basics.clock.now());
  if (refused !== undefined) return { lines: [refused], isUnsettled: true };
  const lines: string[] = [];
  let isUnsettled = false;
  for (const [index, persona] of due.entries()) {
    const looked = await look(persona, looking);
    if ('why' in looked) {
      isUnsettled ||= looked.isUnsettled === true;
      lines.push(`${codeSpan(persona)}: ${looked.why}.`);
      continue;
    }
    const rest = due.slice(index + 1).map((handle) => codeSpan(handle));
    const later = rest.length === 0 ? [] : [`A later pass looks at ${rest.join(', ')}.`];
    const reserved = await reserveOne(looked, looking);
    if (reserved.isUnsettled !== true)
      return { ...reserved, lines: [...lines, ...reserved.lines, ...later] };
    isUnsettled = true;
    lines.push(...reserved.lines);
  }
  return { lines, ...(isUnsettled && { isUnsettled }) };
}

const NO_MONEY =
  'Models have used up what `budget` allows in a day. A later pass asks about the memory.';

/** As each call of a model is held to the limits: a claim without money would be a try for nothing. */
function hasMoney({ budget }: Config, spentUsd: number): boolean {
  return spentUsd < Math.min(budget.council.perDayUsd, budget.perDayUsd);
}

/** A persona for whom nothing is proposed in this pass. */
type Skipped = Pick<Reserved, 'isUnsettled'> & { why: string };

/** As the App looks. Returns why nothing is proposed, where nothing is. */
async function look(
  persona: string,
  { sweeping, at, files }: Looking,
): Promise<{ found: Consolidation; claim: string } | Skipped> {
  const { context, sweep, state } = sweeping;
  const thread = toRepositoryThread(context.repository);
  const { ports, readSettings } = sweep;
  const wanted = { kind: 'look-consolidation', thread, persona } as const;
  const { result } = await lookAtConsolidation(wanted, { ports, readSettings, at });
  const { off, isLagging, found } = result;
  if (off !== undefined || found === undefined)
    return {
      why: off ?? 'nothing is to be consolidated',
      ...(isLagging === true && { isUnsettled: isLagging }),
    };
  if (result.persona === undefined) return { why: 'the persona is not in the team any more' };
  // Memory that has changed may make an open proposal conflict, which is then made again.
  const own = new Map([...files].filter(([path]) => ownerOfFile(path) === persona));
  const claim = `memory ${persona} ${found.evidence} ${digestOfFiles(own).slice(0, 10)}`;
  const known = findClaim(state, claim, Date.parse(at));
  if (known?.doneAt !== undefined) return { why: 'a workflow proposed it before' };
  if (isGivenUp(known, Date.parse(at)))
    return {
      why: 'three sweeps took this and none of them finished it. It is begun again when the files of this persona change, or after 14 days',
    };
  return { found, claim };
}

export function digestOfFiles(files: ReadonlyMap<string, string>): string {
  const all = [...files].toSorted(([a], [b]) => (a < b ? -1 : 1));
  return createHash('sha256').update(JSON.stringify(all)).digest('hex').slice(0, 40);
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
    if (verdict.kind === 'refused')
      return {
        state: next,
        told: { lines: [`${codeSpan(persona)}: another workflow has it.`], isUnsettled: true },
      };
    const ticket = { claim, at: verdict.claim.at, persona, evidence };
    return { state: next, told: { lines: [`${what} are put to a model.`], ticket } };
  });
}
