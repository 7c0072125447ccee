/** The plan in an issue's body, as a signed delivery carries it: what was there when the person acted. */
import type { DeliveredPlan } from '../domain/plan/approval.ts';
import { parsePlan } from '../domain/plan/body/parse-plan.ts';
import { planDigest } from '../domain/plan/plan-digest.ts';

/** GitHub accepts no longer bodies. */
const MAX_BODY = 65_536;

interface Item {
  body?: string | null | undefined;
  updated_at?: string | number | null | undefined;
  pull_request?: unknown;
}

/** For a trigger; nothing where the text is no sound plan or its time is not told. */
export function toDeliveredPlan({ body, updated_at: at, pull_request: pull }: Item): {
  plan?: DeliveredPlan;
} {
  if (typeof at !== 'string' || (pull !== undefined && pull !== null)) return {};
  const digest = deliveredDigest(body);
  return digest === undefined ? {} : { plan: { digest, at } };
}

/** Undefined for a text that is no plan, or a plan with problems: nobody can approve one. */
export function deliveredDigest(body: string | null | undefined): string | undefined {
  if (body === null || body === undefined || body.length > MAX_BODY) return undefined;
  const plan = parsePlan(body);
  return plan.problems.length > 0 ? undefined : planDigest(plan);
}
