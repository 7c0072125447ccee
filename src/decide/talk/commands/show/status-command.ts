/** `/pm status`: this thread's state, what it cost, and what comes next. */
import {
  shownRuns,
  verdictOf,
  type Run,
  questionOf,
  modelCallsOf,
} from '../../../../domain/run/state/run-record.ts';
import { DEFAULT_LABELS } from '../../../../domain/repository/labels.ts';
import { sumCost } from '../../../../domain/run/ledger.ts';
import type { TalkView } from '../../../../domain/run/talk.ts';
import type { WatchState } from '../../../../domain/repository/watched-code.ts';
import type { ThreadState } from '../../../run/thread-context.ts';
import { runKindOf } from '../../../kinds/run-kinds.ts';
import { planLines, planNow, planStep, type PlanNow } from '../plan/plan-status.ts';
import {
  asCode,
  done,
  money,
  type CommandContext,
  type CommandOutcome,
} from '../../../run/command-context.ts';

export function showStatus({ state, view }: CommandContext): CommandOutcome {
  const runs = shownRuns(state);
  const plan = planNow(state.plan, view.issue.body);
  const lines = [
    ...runs.map(runLine),
    ...(runs.length === 0 && plan === undefined ? ['There has been no discussion here yet.'] : []),
    ...control(view),
    findings(state),
    digest(view),
    ...(plan === undefined ? [grownPlan(state)] : planLines(plan)),
    `Model: ${chosen(state) ?? modelInUse(view, runs)}.`,
    `Cost of this thread: ${spending(view.spent.thread)}.`,
    `Next: ${nextStep(view, state, plan)}`,
  ];
  return done(
    lines
      .filter((line) => line !== '')
      .map((line) => `- ${line}`)
      .join('\n'),
  );
}

/** The name that a default label has in this repository. */
export function labelHere({ config }: TalkView, label: keyof typeof DEFAULT_LABELS): string {
  return { ...DEFAULT_LABELS, ...config.labels }[label];
}

export function spending({ usd, unknownCalls, calls }: TalkView['spent']['thread']): string {
  const counted = calls === 1 ? '1 call' : `${calls} calls`;
  return calls === 0 ? 'nothing yet' : `${money(usd, unknownCalls > 0)} in ${counted}`;
}

function runLine(run: Run): string {
  const { usd, isPartlyUnknown } = sumCost(modelCallsOf(run));
  const line = `${runKindOf(run).name} ${asCode(run.id)}: ${stateOf(run)}, ${money(usd, isPartlyUnknown)}.`;
  const refused = (run.unwritten ?? []).map(({ what, code }) => `${what} (${asCode(code)})`);
  return refused.length === 0 ? line : `${line} **GitHub did not take** ${refused.join(', ')}.`;
}

function stateOf(run: Run): string {
  const { status } = run;
  const verdict = verdictOf(run);
  if (status === 'active') return `going on${roundOf(run)}`;
  if (status === 'blocked') return `waits for ${asCode(questionOf(run)?.owner ?? 'somebody')}`;
  if (status === 'closed') return `stopped, ${run.endReason ?? 'without a verdict'}`;
  if (run.trigger === 'code_watch' && run.watch !== undefined) return `over, ${opened(run.watch)}`;
  return verdict === undefined ? 'over' : `${verdict.verdict}, ${verdict.headline}`;
}

function roundOf(run: Run): string {
  return 'round' in run ? `, round ${run.round} of ${run.settings.maxRounds}` : '';
}

/** What the code watch made of the candidates, in a few words. */
export function opened({ candidates }: WatchState): string {
  const issues = candidates.flatMap(({ issue }) =>
    issue?.outcome === 'created' ? [`#${issue.number}`] : [],
  );
  return issues.length === 0 ? 'no issue opened' : `opened ${issues.join(', ')}`;
}

function control(view: TalkView): string[] {
  const { paused, issue } = view;
  const held = labelHere(view, 'hold');
  return [
    paused === undefined
      ? ''
      : `Paused: ${asCode(paused.by)} stopped all work in this repository on ${paused.at.slice(0, 16)}Z.`,
    issue.labels.includes(held) ? `On hold: the label ${asCode(held)} is set.` : '',
  ];
}

function findings({ ledger }: ThreadState): string {
  if (ledger === undefined) return '';
  const open = ledger.findings.filter((each) => each.status === 'open').length;
  return `Findings: ${open} open of ${ledger.findings.length}.`;
}

function digest({ statusIssue, config }: TalkView): string {
  if (statusIssue === undefined || !config.standup.digest) return '';
  const { number, isOff } = statusIssue;
  return isOff === true
    ? `Weekly digest: off, because #${number} is closed. Reopen it to switch the digest on.`
    : `Weekly digest: #${number}.`;
}

/** The plan that grew from this thread, which is an issue of its own. */
function grownPlan({ planning, proposed }: ThreadState): string {
  if (planning?.phase.kind === 'waiting') return 'Plan: the PM waits for answers to its questions.';
  if (planning !== undefined) return 'Plan: the PM is working on it.';
  return proposed === undefined ? 'Plan: none.' : `Plan: #${proposed.number}.`;
}

function chosen({ switches }: ThreadState): string | undefined {
  const [last] = switches ?? [];
  return last?.model === undefined
    ? undefined
    : `${asCode(last.model)}, chosen for this thread by ${asCode(last.by)}`;
}

/** What answered last here, or would answer. */
export function modelInUse(view: TalkView, runs: readonly Run[]): string {
  const last = runs.flatMap(modelCallsOf).at(-1);
  if (last !== undefined) return asCode(last.provider === 'offline' ? 'offline rules' : last.model);
  const ready = view.models.find((model) => model.state === 'ready' && model.name !== 'offline');
  return ready === undefined ? 'offline rules' : asCode(ready.model);
}

function nextStep(view: TalkView, state: ThreadState, plan: PlanNow | undefined): string {
  const runs = shownRuns(state);
  const { proposed } = state;
  if (view.paused !== undefined) return '`/pm resume` resumes work.';
  const blocked = runs.find((run) => run.status === 'blocked');
  const asked = blocked && questionOf(blocked);
  if (asked !== undefined) return `${asCode(asked.owner)} answers: ${asCode(asked.question, 300)}`;
  if (runs.some((run) => run.status === 'active')) return 'the team closes what is going on.';
  if (view.issue.labels.includes(labelHere(view, 'hold'))) return '`/pm unhold` removes the hold.';
  const step = planStep(plan);
  if (step !== undefined) return step;
  if (plan !== undefined) return 'nothing to do: the tasks continue by themselves.';
  if (proposed !== undefined) return `the plan #${proposed.number} says what it waits for.`;
  return view.issue.isPull
    ? '`/pm review` asks for a review; a push starts one automatically.'
    : '`/pm deliberate` lets the team discuss this.';
}
