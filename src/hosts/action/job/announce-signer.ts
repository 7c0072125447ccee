/** Before a job without the repository's key writes a text, it announces on the memory branch the key that it signs with. */
import { renderActionsState, type ActionsState } from '../../../domain/actions/actions-state.ts';
import { announceJobKey, jobKeysOf } from '../../../domain/github/job-keys.ts';
import {
  createJobKey,
  isSignedByJob,
  type JobSignatures,
} from '../../../domain/github/job-signature.ts';
import type { Basics } from '../../host-parts.ts';
import { updateKeptFile, type StatePlace } from '../branch/kept-file.ts';
import {
  ACTIONS_STATE_FILE,
  readActionsState,
  readKnownActionsState,
} from '../branch/state-branch.ts';
import { refuseLostClaim } from './lost-claim.ts';
import type { WorkflowContext } from './workflow-context.ts';

export interface Announcing {
  basics: Basics;
  context: WorkflowContext;
  place: StatePlace;
  /** Key of the claim that the job works under. */
  claim: string;
}

export interface BegunJob {
  state: ActionsState;
  /** Undefined where the claim has ended: nothing is written then. */
  jobSignatures?: JobSignatures;
}

/**
 * The state as it is, with the key of this job in it. What earlier attempts under the claim signed is believed too.
 *
 * @throws RefusedError `claim-lost`
 */
export async function announceSigner({
  basics,
  context,
  place,
  claim,
}: Announcing): Promise<BegunJob> {
  const { random } = basics;
  const key = createJobKey([random.id(), random.id(), random.id()].join(' '));
  let announced: ActionsState | undefined;
  const change = (before: ActionsState): string | undefined => {
    announced = undefined;
    if (before.claims[claim]?.doneAt !== undefined) return undefined;
    refuseLostClaim(before, claim, { basics, context });
    announced = announceJobKey(before, claim, key.publicKey);
    return renderActionsState(announced);
  };
  const message = 'quorum: announce what a job signs with';
  await readKnownActionsState(place);
  await updateKeptFile(place, ACTIONS_STATE_FILE, { message, change });
  if (announced === undefined) return { state: await readActionsState(place) };
  const keys = jobKeysOf(announced, claim);
  const isSigned = (text: string, scope: string): boolean => isSignedByJob(text, scope, keys);
  return { state: announced, jobSignatures: { sign: key.sign, isSigned } };
}
