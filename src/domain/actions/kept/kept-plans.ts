/**
 * What workflows keep of plans: `state/plans.json` on the memory branch, which only apply jobs write. A task that a workflow
 * starts by itself rests on the approval in it, so each record is signed.
 */
import { z } from 'zod';
import { valueDigest } from '../../persona/digest.ts';
import type { PlanState } from '../../plan/plan-view.ts';
import type { ThreadRef } from '../../run/thread-ref.ts';
import type { KeptTasks } from './kept-tasks.ts';
import {
  anObject,
  holdFirst,
  isSignature,
  parseRecords,
  signRecord,
  toStored,
} from '../signed-record.ts';

export const KEPT_PLANS_PATH = 'state/plans.json';

const ROOM = { most: 50, mostChars: 800_000 };

/** A task that an apply job started under the plan's approval. */
const Started = z.strictObject({
  /** Of the task's text. */
  digest: z.string(),
  persona: z.string(),
  /** ISO 8601. */
  at: z.iso.datetime(),
});
export type StartedTask = z.infer<typeof Started>;

const Kept = z.object({
  state: anObject<PlanState>(),
  /** The comment that approved it last. */
  approvedIn: z.int().optional(),
  /** By the number of the task. */
  started: z.record(z.string(), Started),
  /** When it was kept, ISO 8601. */
  at: z.iso.datetime(),
  signature: z.string(),
});
export type KeptPlan = z.infer<typeof Kept>;
export type PlanToKeep = Omit<KeptPlan, 'signature'>;

const KeptPlans = z.object({ version: z.literal(1), plans: z.record(z.string(), Kept) });
export type KeptPlans = z.infer<typeof KeptPlans>;

/** Undefined for text that is no such file, or of a newer version. */
export function parseKeptPlans(text: string | undefined): KeptPlans | undefined {
  return text === undefined ? { version: 1, plans: {} } : parseRecords(text, KeptPlans);
}

type PlanRef = Pick<ThreadRef, 'repositoryId' | 'number'>;

/** The record of a plan, where an apply job of this repository signed it. */
export function findKeptPlan(
  { plans }: KeptPlans,
  plan: PlanRef,
  secret: string,
): KeptPlan | undefined {
  const name = String(plan.number);
  const found = Object.hasOwn(plans, name) ? plans[name] : undefined;
  return found !== undefined && isSigned(found, plan, secret) ? found : undefined;
}

/**
 * Adds or replaces one plan. Where there are too many, those without an approval are dropped first, then the oldest: they
 * have to be approved again.
 */
export function keepPlan(kept: KeptPlans, plan: PlanToKeep, secret: string): KeptPlans {
  const bare = toStored({ ...plan, state: bareState(plan.state) });
  const { thread } = bare.state;
  const entry: KeptPlan = { ...bare, signature: sign(bare, thread, secret) };
  const plans = { ...kept.plans, [String(thread.number)]: entry };
  return { version: 1, plans: newest(plans) };
}

/** Whether the record has all of this. The count of steps and the time of keeping do not matter. */
export function isKeptAlready(standing: KeptPlan, plan: PlanToKeep): boolean {
  const { signature: _, ...known } = standing;
  return valueDigest(withoutSteps(known)) === valueDigest(withoutSteps(plan));
}

function withoutSteps(plan: PlanToKeep): object {
  const { at: _, ...bare } = toStored({ ...plan, state: bareState(plan.state) });
  const { step: _step, showing, ...state } = bare.state;
  return { ...bare, state, showing: showing && { ...showing, effectId: '' } };
}

const Open = z.object({
  approval: z.object({}),
  isComplete: z.literal(false).optional(),
  thread: z.object({ repositoryId: z.number(), number: z.int().positive() }),
});

/** What other jobs can have changed for a plan. A job that finds nothing to do leaves it as it is. */
export function digestOfRecords({ plans }: KeptPlans, { tasks }: KeptTasks): string {
  const ours = Object.values(plans).map(({ state, started }) => {
    const { approval, isComplete, thread } = state;
    return { approval, isComplete, thread, started };
  });
  return valueDigest({ plans: ours, tasks });
}

/** Numbers of the approved plans that have not ended. No signature is checked, so nothing may rest on the answer. */
export function findOpenPlans({ plans }: KeptPlans, repositoryId: number): number[] {
  const open = Object.values(plans).flatMap(({ state }) => Open.safeParse(state).data ?? []);
  const numbers = open.flatMap(({ thread }) =>
    thread.repositoryId === repositoryId ? [thread.number] : [],
  );
  return [...new Set(numbers)].toSorted((a, b) => a - b);
}

/** What the plan's text, its comments and the records of its tasks tell again is not kept. */
function bareState(state: PlanState): PlanState {
  const bare = { ...state };
  for (const name of TOLD_AGAIN) delete bare[name];
  return bare;
}

const TOLD_AGAIN = [
  'tasks',
  'begun',
  'words',
  'putBack',
  'looking',
  'timer',
  'looks',
  'ready',
  'othersAt',
  'endedAt',
] as const;

function isSigned({ signature, ...kept }: KeptPlan, plan: PlanRef, secret: string): boolean {
  return isSignature(signature, sign(kept, plan, secret));
}

function sign(kept: PlanToKeep, { repositoryId, number }: PlanRef, secret: string): string {
  return signRecord(`quorum-kept-plan:v1\n${repositoryId}/${number}`, kept, secret);
}

function newest(plans: KeptPlans['plans']): KeptPlans['plans'] {
  const sorted = Object.entries(plans).toSorted(
    ([, a], [, b]) => isApproved(b) - isApproved(a) || b.at.localeCompare(a.at),
  );
  return holdFirst(sorted, ROOM);
}

function isApproved({ state: { approval, isComplete } }: KeptPlan): number {
  return approval !== undefined && isComplete !== true ? 1 : 0;
}
