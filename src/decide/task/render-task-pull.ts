/** The words of a task's commit and pull request. */
import { speakPlainly } from '../../domain/persona/speak-as.ts';
import { cleanOutput } from '../../domain/text/clean-output.ts';
import { GATES_CHECK, MERGE_CHECK } from '../../domain/task/check-names.ts';
import { taskSubject } from '../../policy/gates/judge-branch.ts';
import { noreplyEmail } from '../../domain/github/noreply.ts';
import { codeSpan } from '../../domain/text/code-span.ts';
import type { CommitWanted } from '../../domain/task/task-effects.ts';
import { money } from '../run/command-context.ts';
import { addSpent } from '../../domain/run/ledger.ts';
import { fileLines, leftToDo } from './render-changes.ts';
import { journalPath, tellLeftOut } from '../../domain/task/journal-copy.ts';
import { renderExchange } from './coder/coder-questions.ts';
import { roundsOf, type PullText, type TaskRun } from '../../domain/task/task.ts';

const LONGEST_SUBJECT = 72;

/** The commit of the run's change: the same run gives the same words, and so the same commit. */
export function toTaskCommit(run: TaskRun): CommitWanted {
  const { change, order, startedAt, accountHost = 'github.com' } = run;
  if (change === undefined) throw new Error(`task run ${run.id} has no change`);
  const { plan, task } = order.ref;
  const { id, login } = order.approvedBy;
  const coAuthor = `${login} <${noreplyEmail({ id, login }, accountHost)}>`;
  const message = [
    taskSubject({ number: task, title: order.title }),
    '',
    ...(change.summary === '' ? [] : [toTrailerFree(change.summary), '']),
    `Quorum-Task: ${plan.number}/${task}`,
    `Quorum-Run: ${run.id}`,
    `Co-authored-by: ${coAuthor}`,
    '',
  ].join('\n');
  const at = Date.parse(startedAt) + roundsOf(run) * 1000;
  return { change, message, title: order.title, coAuthor, at };
}

/** A model's text never ends in one of our trailers, and mentions nobody. */
function toTrailerFree(summary: string): string {
  return summary
    .split('\n')
    .map((line) => line.replaceAll(/[<>@]/g, '').replace(/^([\w-]+):(?=\s)/, '$1 -'))
    .join('\n')
    .slice(0, 2000)
    .trim();
}

/** What people read on the pull request while its change is at this head. */
export function renderPullBody(run: TaskRun, headSha: string): string {
  return renderPullText(toPullText(run, headSha));
}

/** `ended`: lines that tell how it ended. */
export function renderPullText(text: PullText, ended: readonly string[] = []): string {
  return [
    text.change,
    ...section('Participants', text.participants),
    ...section('Cost', text.cost),
    ...section('How it ended', ended),
    text.source,
  ].join('\n\n');
}

/** What it does, where it comes from, and what it rests on. */
export function toPullText(run: TaskRun, headSha: string): PullText {
  const { change, order, base, accountHost: host } = run;
  const { plan, task } = order.ref;
  const repository = `${plan.owner}/${plan.repo}`;
  const clean = (text: string): string => cleanOutput(text, { repository, host }).text;
  const asked = (run.exchanges ?? []).map(renderExchange);
  const decisions = [...(change?.decisions ?? []), ...asked];
  const cleaned = (lines: readonly string[]): string[] => lines.map((line) => oneLine(clean(line)));
  const left = change === undefined ? [] : leftToDo(change);
  const parts = [
    `### Summary\n\n${clean(speakPlainly(change?.summary ?? ''))}`,
    ...section('Changes by file', change === undefined ? [] : cleaned(fileLines(change, run.text))),
    ...section('Decisions', cleaned(decisions.map(speakPlainly))),
    ...section('Left to do', left),
    ...(left.length === 0 ? [] : [FOLLOW_UP]),
  ];
  const source = [
    [
      '### Where it comes from',
      '',
      `- Plan: #${plan.number}, task ${task}, approved by ${codeSpan(order.approvedBy.login)} (digest ${codeSpan(order.digest.slice(0, 12))})`,
      `- Worked on by: ${order.persona}${order.why === undefined ? '' : ` (${order.why})`}, attempt ${run.attempt}`,
      `- Base: ${codeSpan(base?.sha.slice(0, 12) ?? '')}`,
      // With it the text of each head is another one, and GitHub dates it: what was said before is about another head.
      `- Head: ${codeSpan(headSha)}`,
      `- Checks: \`${GATES_CHECK}\` has the result of each gate, \`${MERGE_CHECK}\` what is missing to merge`,
      ...journalLine(run),
      ...copyLine(run),
    ].join('\n'),
    `<sub>Run ${run.id}</sub>`,
  ];
  return {
    change: parts.join('\n\n'),
    participants: participants(run),
    cost: writingCost(run),
    source: source.join('\n\n'),
  };
}

function journalLine({ order: { journal, ref }, isJournalOff }: TaskRun): string[] {
  if (journal === undefined || isJournalOff === true) return [];
  const path = journalPath(ref.plan);
  const { owner, repo } = ref.plan;
  const link = `[${codeSpan(path)}](/${owner}/${repo}/blob/${journal}/${path})`;
  return [`- Journal of the plan: ${link} on the branch ${codeSpan(journal)}`];
}

/** The branch of a change may have a copy of an earlier commit. */
function copyLine({ change, order }: TaskRun): string[] {
  if (change?.copyLeftOut === undefined || change.journal !== undefined) return [];
  const { owner, repo, number } = order.ref.plan;
  const printed = `The operator of the App prints the journal with ${codeSpan(`quorum journal ${owner}/${repo}#${number}`)}.`;
  return [`- ${tellLeftOut(change.copyLeftOut)} ${printed}`];
}

/** Nothing where there is nothing to list. */
function section(title: string, lines: readonly string[]): string[] {
  return lines.length === 0
    ? []
    : [`### ${title}\n\n${lines.map((line) => `- ${line}`).join('\n')}`];
}

const FOLLOW_UP =
  'This change adds these notes. To have one done, comment `/pm plan` with what is to be done on the plan’s issue.';

/** After the login of a person whose review is waited for. */
export const IS_ASKED = ' is asked for a review';

/** Whose words are in it: people by login, the team by handle. */
function participants({ order, exchanges = [], reviewers = [] }: TaskRun): string[] {
  const answered = exchanges.filter(({ isEscalated }) => isEscalated).map(({ source }) => source);
  const hasPm = exchanges.some(({ isEscalated }) => !isEscalated);
  const { login } = order.approvedBy;
  return [
    `${codeSpan(login)} approved the plan`,
    `${codeSpan(order.persona)} wrote the change`,
    ...(hasPm ? ['the PM answered questions'] : []),
    ...[...new Set(answered)].map((each) => `${codeSpan(each)} answered questions`),
    ...reviewers.map((each) => `${codeSpan(each)}${IS_ASKED}`),
  ];
}

/** Of this task's calls so far; nothing where no model was asked. */
export function writingCost(run: TaskRun): string[] {
  const { calls, usd, isPartlyUnknown, models } = addSpent(run.spent, run.calls);
  if (calls === 0) return [];
  return [
    `${calls === 1 ? '1 call' : `${calls} calls`} of ${models.map((model) => codeSpan(model)).join(', ')}: ${money(usd, isPartlyUnknown)} for writing this change`,
  ];
}

/** GitHub's own words for a merge commit, with whose yes it rests on. */
export function mergeMessage(run: TaskRun, approvedBy: string): { title: string; message: string } {
  const { message } = toTaskCommit(run);
  const number = run.pull?.number ?? 0;
  return {
    title: cut(`${oneLine(run.order.title)} (#${number})`, LONGEST_SUBJECT),
    message: `${message.split('\n').slice(2).join('\n').trimEnd()}\nApproved-by: ${approvedBy}\n`,
  };
}

function oneLine(text: string): string {
  return text.replaceAll(/\s+/g, ' ').trim();
}

function cut(text: string, longest: number): string {
  return text.length > longest ? `${text.slice(0, longest - 1)}…` : text;
}
