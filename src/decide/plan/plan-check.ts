/** The check that says whether a plan can be read. */
import type { PlanProblem } from '../../domain/plan/plan.ts';
import type { PlanView } from '../../domain/plan/plan-view.ts';
import { toRepositoryRef, type ThreadRef } from '../../domain/run/thread-ref.ts';

/** Pinned name (spec 13). */
const PLAN_CHECK = 'quorum / plan';

export function planCheck(thread: ThreadRef, view: PlanView, problems: readonly PlanProblem[]) {
  const repository = toRepositoryRef(thread);
  const count = problems.length;
  const things = count === 1 ? '1 error' : `${count} errors`;
  return {
    kind: 'check' as const,
    repository,
    headSha: view.repository.headSha,
    checks: [
      {
        name: PLAN_CHECK,
        conclusion: count > 0 ? ('failure' as const) : ('success' as const),
        title: `#${thread.number}: ${count > 0 ? things : 'no errors'}`,
        summary: problems.map(({ line, message }) => `- line ${line}: ${message}`).join('\n'),
      },
    ],
  };
}
