/** How an apply job begins: its claim must still be held, and without the repository's key it announces a key of its own. */
import type { Intent, IntentsFile } from '../../../domain/actions/intents.ts';
import type { Basics } from '../../host-parts.ts';
import type { Env } from '../../environment/env-file.ts';
import type { StatePlace } from '../branch/kept-file.ts';
import { readKnownActionsState } from '../branch/state-branch.ts';
import { announceSigner } from '../job/announce-signer.ts';
import { refuseLostClaim } from '../job/lost-claim.ts';
import { findNoKey } from '../job/signing-key.ts';
import type { WorkflowContext } from '../job/workflow-context.ts';
import { believeSigned, type Believing } from '../job/workflow-github.ts';
import type { ClaimTicket } from './claim-ticket.ts';

interface Beginning {
  basics: Basics;
  context: WorkflowContext;
  ticket: ClaimTicket;
  /** With the state, where this job has read it. */
  place: StatePlace;
}

interface Begun {
  /** As it is now: an earlier attempt of this job may have written since the claim was made. */
  recorded: readonly number[];
  believing: Believing;
}

/** Undefined where everything was written before. @throws RefusedError `claim-lost` */
export async function beginApply(
  file: IntentsFile,
  { basics, context, ticket, place }: Beginning,
): Promise<Begun | undefined> {
  const { claim, thread } = ticket;
  const { state, jobSignatures } = signsAsJob(basics.env, file, ticket)
    ? await announceSigner({ basics, context, place, claim })
    : { state: await readKnownActionsState(place) };
  const held = Object.hasOwn(state.claims, claim) ? state.claims[claim] : undefined;
  if (held?.doneAt !== undefined) return undefined;
  refuseLostClaim(state, claim, { basics, context });
  const recorded = state.recorded[thread.number] ?? [];
  const known = believeSigned(basics, recorded, thread.repositoryId);
  return { recorded, believing: { ...known, jobSignatures } };
}

const TEXTS: ReadonlySet<Intent['data']['kind']> = new Set(['comment', 'reply', 'review', 'issue']);

/** Without the repository's key only a job's own signature tells its texts from those of other workflows. */
function signsAsJob(env: Env, { intents }: IntentsFile, ticket: ClaimTicket): boolean {
  if (findNoKey(env) === undefined) return false;
  const isText = intents.some(({ data }) => TEXTS.has(data.kind));
  return isText || ticket.isPlan === true || ticket.planning !== undefined;
}
