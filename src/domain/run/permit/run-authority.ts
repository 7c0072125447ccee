/** On whose authority a run works: a role on GitHub, or the person at a terminal, who pays for it and posts nothing. */
import { permitUnless, type Permit } from './permit.ts';

/** What may keep a run from going on, and what a terminal may waive. */
export const RUN_CONDITIONS = [
  'enabled',
  'archived',
  'state',
  'draft',
  'lock',
  'labels',
  'settle',
  'role',
] as const;
export type RunCondition = (typeof RUN_CONDITIONS)[number];

export type RunAuthority = { kind: 'role' } | { kind: 'terminal'; waives: readonly RunCondition[] };

/** Whether a condition does not hold for this run; without an authority all of them do. */
export function waives(authority: RunAuthority | undefined, condition: RunCondition): boolean {
  return authority?.kind === 'terminal' && authority.waives.includes(condition);
}

/** Whether something forbids going on, the reason as people would say it, and the condition that it belongs to. */
export type RunCheck = readonly [applies: boolean, reason: string, condition?: RunCondition];

/** Forbids for the first reason that applies and is not waived. */
export function checkRun(checks: readonly RunCheck[], authority: RunAuthority | undefined): Permit {
  return permitUnless(
    checks.map(([applies, reason, condition]) => [
      applies && (condition === undefined || !waives(authority, condition)),
      reason,
    ]),
  );
}
