/** `/pm status`: where this thread stands, what it cost, and what comes next. */
import type { CouncilRun, CouncilTrigger } from '../../domain/council.ts';
import { DEFAULT_LABELS } from '../../domain/labels.ts';
import { sumCost } from '../../domain/ledger.ts';
import type { TalkView } from '../../domain/talk.ts';
import type { WatchState } from '../../domain/watch.ts';
import type { ThreadState } from '../scene.ts';
import { asCode, done, money, type Bench, type Outcome } from './bench.ts';

/** Kinds of run, as people call them. */
export const RUN_NAMES: Readonly<Record<CouncilTrigger, string>> = {
  pr_review: 'Review',
  build_failure: 'Look at a failed build',
  prd_kickoff: 'Kick-off',
  code_watch: 'Code watch',
  issue_review: 'Discussion',
  chat_message: 'Chat',
};

export function showStatus({ state, view }: Bench): Outcome {
  const runs = Object.values(state.runs);
  const lines = [
    ...runs.map(runLine),
    ...(runs.length === 0 ? ['Nothing was discussed here yet.'] : []),
    ...control(view),
    findings(state),
    `Plan: ${planNow(state)}.`,
    `Model: ${chosen(state) ?? modelInUse(view, runs)}.`,
    `Cost of this thread: ${spending(view.spent.thread)}.`,
    `Next: ${nextStep(view, runs)}`,
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

function runLine(run: CouncilRun): string {
  const { usd, isPartlyUnknown } = sumCost(run.calls);
  const line = `${RUN_NAMES[run.trigger]} ${asCode(run.id)}: ${stateOf(run)}, ${money(usd, isPartlyUnknown)}.`;
  const refused = (run.unwritten ?? []).map(({ what, code }) => `${what} (${asCode(code)})`);
  return refused.length === 0 ? line : `${line} **GitHub did not take** ${refused.join(', ')}.`;
}

function stateOf(run: CouncilRun): string {
  const { status, verdict } = run;
  if (status === 'active') return `going on, round ${run.round} of ${run.settings.maxRounds}`;
  if (status === 'blocked') return `waits for ${asCode(run.needsYou?.owner ?? 'somebody')}`;
  if (status === 'closed') return `stopped, ${run.endReason ?? 'without a verdict'}`;
  if (run.watch !== undefined) return `over, ${opened(run.watch)}`;
  return verdict === undefined ? 'over' : `${verdict.verdict}, ${verdict.headline}`;
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

/** Where the plan of this issue stands, and the last that was heard of each task. */
function planNow({ plan }: Pick<ThreadState, 'plan'>): string {
  if (plan === undefined) return 'none';
  if (plan.isComplete === true) return 'complete';
  if (plan.rejected !== undefined) return `turned down by ${asCode(plan.rejected.by)}`;
  if (plan.isWaiting === true) return 'waits for a yes, `/pm approve`';
  const tasks = Object.entries(plan.tasks ?? {}).map(([number, { state }]) => `${number} ${state}`);
  return tasks.length === 0 ? 'no task was begun' : `tasks ${tasks.join(', ')}`;
}

function chosen({ switches }: ThreadState): string | undefined {
  const [last] = switches ?? [];
  return last?.model === undefined
    ? undefined
    : `${asCode(last.model)}, chosen for this thread by ${asCode(last.by)}`;
}

/** What answered last here, or would answer. */
export function modelInUse(view: TalkView, runs: readonly CouncilRun[]): string {
  const last = runs.flatMap((run) => run.calls).at(-1);
  if (last !== undefined) return asCode(last.provider === 'offline' ? 'offline rules' : last.model);
  const ready = view.models.find((model) => model.state === 'ready' && model.name !== 'offline');
  return ready === undefined ? 'offline rules' : asCode(ready.model);
}

function nextStep(view: TalkView, runs: readonly CouncilRun[]): string {
  if (view.paused !== undefined) return '`/pm resume` lets work go on.';
  const blocked = runs.find((run) => run.status === 'blocked');
  if (blocked?.needsYou !== undefined)
    return `${asCode(blocked.needsYou.owner)} answers: ${asCode(blocked.needsYou.question, 300)}`;
  if (runs.some((run) => run.status === 'active')) return 'the team closes what is going on.';
  if (view.issue.labels.includes(labelHere(view, 'hold')))
    return '`/pm unhold` takes the hold off.';
  return view.issue.isPull
    ? '`/pm review` asks for a review, a push brings one by itself.'
    : '`/pm deliberate` lets the team discuss this.';
}
