/** What people were shown of a plan, and since when: told by the result of the comment that showed it, and by nothing else. */
import { isBefore, type ShownPlan } from '../../domain/plan/approval.ts';
import { renderPlan } from '../../domain/plan/body/render-plan.ts';
import type { Plan } from '../../domain/plan/plan.ts';
import type { PlanState } from '../../domain/plan/plan-view.ts';
import type { EffectResults } from '../../domain/event/result.ts';
import type { PlanSight } from './advance.ts';

/** A longer text is not kept: the edit history of the issue shows what changed in it. */
const MAX_TEXT = 10_000;
const MAX_BEFORE = 3;

/** Notes which text the comment shows that was just wanted. A plan with problems shows none. */
export function noteShowing(
  state: PlanState,
  { plan, digest }: Pick<PlanSight, 'plan' | 'digest'>,
  effectId: string,
): void {
  if (plan.problems.length > 0) {
    delete state.showing;
    putAway(state);
    return;
  }
  const before = state.showing;
  const isKnown = state.shown?.digest === digest && (before?.digest ?? digest) === digest;
  const text = instructionsOf(plan);
  const untested = Object.values(state.tasks ?? {}).flatMap(({ task, lacksTests }) =>
    lacksTests === true ? [task] : [],
  );
  state.showing = {
    effectId,
    digest,
    ...(text.length > MAX_TEXT || isKnown ? {} : { text }),
    ...(isKnown ? { isKnown } : {}),
    ...(untested.length > 0 ? { untested } : {}),
  };
}

/** GitHub has the comment: from then on people can know what it says. */
export function noteShown(
  state: PlanState,
  effectId: string,
  { updatedAt: at }: EffectResults['comment'],
): void {
  const { showing } = state;
  if (showing?.effectId !== effectId || at === undefined) return;
  const { digest, text, isKnown, untested = [] } = showing;
  if (isKnown !== true) {
    putAway(state);
    state.shown = { digest, at, ...(text === undefined ? {} : { text }) };
  }
  const told = state.untestedShown ?? {};
  state.untestedShown = Object.fromEntries(untested.map((task) => [task, told[task] ?? at]));
}

/** The comment shows another text now. */
function putAway(state: PlanState): void {
  const { shown, shownBefore = [] } = state;
  delete state.shown;
  if (shown !== undefined) state.shownBefore = [shown, ...shownBefore].slice(0, MAX_BEFORE);
}

/** The text that the comment showed at a moment, by GitHub's clock (ISO 8601). */
export function shownAt(
  { shown, shownBefore = [] }: Pick<PlanState, 'shown' | 'shownBefore'>,
  moment: string,
): ShownPlan | undefined {
  return [...(shown === undefined ? [] : [shown]), ...shownBefore].find(({ at }) =>
    isBefore(at, moment),
  );
}

/** Everything that the plan's digest is of, as Markdown. */
export function instructionsOf({ title, goal, context, tasks, verification }: Plan): string {
  return renderPlan({
    title,
    goal,
    context,
    tasks: tasks.map((task) => ({ ...task, estimate: '' })),
    verification: verification.map(({ text }) => text),
  });
}
