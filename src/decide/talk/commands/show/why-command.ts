/** `/pm why [ID]`: explains a decision from what its run kept, and the state of a plan or a task. */
import {
  shownRuns,
  isDiscussionRun,
  type Run,
  verdictOf,
  questionOf,
  modelCallsOf,
} from '../../../../domain/run/state/run-record.ts';
import { sumCost } from '../../../../domain/run/ledger.ts';
import type { PastTalk, TalkView } from '../../../../domain/run/talk.ts';
import type { ParsedCommand } from '../../../../domain/commands/command.ts';
import { counted } from '../../../../domain/text/counted.ts';
import { latestPositions } from '../../../discussion/verdict/tally-votes.ts';
import type { WatchState } from '../../../../domain/repository/watched-code.ts';
import { cell } from '../../../../domain/text/table-cell.ts';
import {
  asCode,
  done,
  money,
  refused,
  type CommandContext,
  type CommandOutcome,
} from '../../../run/command-context.ts';
import { runKindOf } from '../../../kinds/run-kinds.ts';
import { planNow, renderPlanWhy, renderTaskWhy, type PlanNow } from '../plan/plan-status.ts';
import { opened } from './status-command.ts';
import { renderVoices } from './value-command.ts';

export function explainRun(
  { state, view }: CommandContext,
  { args }: ParsedCommand,
): CommandOutcome {
  const [id] = args;
  const plan = explainPlan(planNow(state.plan, view.issue.body), id);
  if (plan !== undefined) return plan;
  const runs = shownRuns(state).toSorted((a, b) => (a.startedAt < b.startedAt ? 1 : -1));
  const run = id === undefined ? runs[0] : runs.find((each) => isSame(each.id, id));
  if (run !== undefined) return done(renderWhy(run, view));
  const answer = (state.answers ?? []).find((each) => id !== undefined && isSame(each.id, id));
  if (answer !== undefined) return done(renderAnswer(answer));
  if (id === undefined) return refused('There has been no decision in this thread yet.');
  const elsewhere = view.lastRuns.find((each) => isSame(each.run, id));
  if (elsewhere !== undefined)
    return refused(
      `Run ${asCode(elsewhere.run)} belongs to #${elsewhere.key.split('/').at(-1) ?? '?'}, or a later one took its place: ${elsewhere.verdict ?? 'no verdict'}, ended ${elsewhere.endedAt.slice(0, 16)}Z.`,
    );
  const known = [...runs.map((each) => each.id), ...(state.answers ?? []).map((each) => each.id)];
  const hint =
    known.length === 0
      ? ''
      : ` Known here: ${known
          .slice(0, 5)
          .map((each) => asCode(each))
          .join(', ')}.`;
  return refused(`No run ${asCode(id)} is kept in this thread.${hint}`);
}

/** Of a plan its tasks are what people ask about: `/pm why`, `/pm why 3`. */
function explainPlan(
  plan: PlanNow | undefined,
  id: string | undefined,
): CommandOutcome | undefined {
  if (plan === undefined) return undefined;
  if (id === undefined) return done(renderPlanWhy(plan));
  if (!/^#?\d{1,6}$/.test(id)) return undefined;
  const number = Number(id.replace('#', ''));
  const task = renderTaskWhy(plan, number);
  return task === undefined ? refused(`The plan has no task ${number}.`) : done(task);
}

function isSame(a: string, b: string): boolean {
  return a.toLowerCase() === b.toLowerCase();
}

function renderWhy(run: Run, view: TalkView): string {
  const calls = modelCallsOf(run);
  const { usd, isPartlyUnknown } = sumCost(calls);
  const lines = [
    `**${runKindOf(run).name} ${asCode(run.id)}**, asked for by ${asCode(run.actor.login)} (${asCode(run.label === '' ? 'a push' : run.label)}), ${run.startedAt.slice(0, 16)}Z.`,
    outcome(run),
    votes(run),
    value(run),
    boundOf(run),
    looked(run),
    run.trigger === 'pr_review' ? renderVoices(run, view) : '',
    `${calls.length} model calls, ${money(usd, isPartlyUnknown)}; ${run.githubCalls} reads of GitHub.`,
  ];
  return lines.filter((line) => line !== '').join('\n\n');
}

/** Candidates of the code watch with what became of each. */
function judgedOf(watch: WatchState): string {
  const lines = watch.candidates.map(({ candidate, judgement, failure }) => {
    const said =
      judgement === undefined
        ? `judged by nobody${failure === undefined ? '' : ` (${asCode(failure)})`}`
        : `${judgement.word} (sure ${judgement.confidence.toFixed(1)}): ${judgement.headline}`;
    return `- ${asCode(candidate.ruleId)} in ${asCode(candidate.places[0]?.path ?? '')}: ${said}`;
  });
  return [`${counted(watch.files, 'file')} searched, ${opened(watch)}.`, lines.join('\n')]
    .filter((part) => part !== '')
    .join('\n\n');
}

function boundOf(run: Run): string {
  const bounded = isDiscussionRun(run) ? run.bounded : undefined;
  return bounded === undefined ? '' : `Code kept the lead from closing it alone: ${bounded}.`;
}

function outcome(run: Run): string {
  const { status, endReason } = run;
  const [verdict, needsYou] = [verdictOf(run), questionOf(run)];
  if (status === 'closed') return `It was stopped: ${endReason ?? 'no reason was kept'}.`;
  if (status === 'active') return 'It is going on.';
  if (needsYou !== undefined) return `It waits for ${asCode(needsYou.owner)}: ${needsYou.question}`;
  if (run.trigger === 'code_watch' && run.watch !== undefined) return judgedOf(run.watch);
  if (verdict === undefined) return 'It ended without a verdict.';
  return `Verdict ${verdict.verdict} (sure ${verdict.confidence.toFixed(1)}): ${verdict.headline}. ${verdict.reasons}`;
}

function votes(run: Run): string {
  if (!isDiscussionRun(run)) return '';
  const rows = latestPositions(run).map(
    ({ name, position }) =>
      `| ${name} | ${position?.vote.toLowerCase() ?? '–'} | ${position?.confidence.toFixed(1) ?? '–'} | ${cell(position?.line ?? '')} |`,
  );
  if (rows.length === 0) return '';
  return ['| voice | vote | sure | in a line |', '|---|---|---|---|', ...rows].join('\n');
}

function value(run: Run): string {
  if (!isDiscussionRun(run)) return '';
  const { leadAlone, verdict, lead } = run;
  if (leadAlone === undefined || verdict === undefined) return '';
  const who = lead?.name ?? 'The lead';
  return leadAlone === verdict.verdict
    ? `${who} alone, without the others, would have decided the same.`
    : `${who} alone would have decided ${leadAlone}; the others changed that.`;
}

function looked(run: Run): string {
  if (!('lookedAt' in run)) return '';
  const { lookedAt, headSha } = run;
  const files = lookedAt.files.slice(0, 10).map((path) => asCode(path));
  const more =
    lookedAt.files.length > files.length ? ` and ${lookedAt.files.length - files.length} more` : '';
  const at = headSha === '' ? '' : ` at ${asCode(headSha.slice(0, 12))}`;
  return files.length === 0 ? '' : `Read${at}: ${files.join(', ')}${more}.`;
}

function renderAnswer(answer: PastTalk): string {
  const rests =
    answer.references.length === 0
      ? 'It names no place in the repository.'
      : `It rests on ${answer.references.map((each) => asCode(each)).join(', ')}.`;
  return `**Answer ${asCode(answer.id)}** by ${asCode(answer.handle)} to ${asCode(answer.asker)}, ${answer.at.slice(0, 16)}Z. ${rests} ${asCode(answer.model)}, ${money(answer.costUsd, answer.isCostPartlyUnknown)}.`;
}
