/** The words of a task's commit and pull request. */
import { cleanOutput } from '../../domain/text/clean-output.ts';
import { taskSubject } from '../../policy/gates/judge-branch.ts';
import { noreplyEmail } from '../../domain/github/noreply.ts';
import { codeSpan } from '../../domain/text/code-span.ts';
import type { CommitWanted } from '../../domain/task/task-effects.ts';
import { renderExchange } from './coder/coder-questions.ts';
import { roundsOf, type TaskRun } from '../../domain/task/task.ts';

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

/** A model's words end in no trailer of ours, and name nobody. */
function toTrailerFree(summary: string): string {
  return summary
    .split('\n')
    .map((line) => line.replaceAll(/[<>@]/g, '').replace(/^([\w-]+):(?=\s)/, '$1 -'))
    .join('\n')
    .slice(0, 2000)
    .trim();
}

/** What people read on the pull request: what it does, where it comes from, and what it rests on. */
export function renderPullBody(run: TaskRun, headSha: string): string {
  const { change, order, base, accountHost: host } = run;
  const { plan, task } = order.ref;
  const repository = `${plan.owner}/${plan.repo}`;
  const clean = (text: string): string => cleanOutput(text, { repository, host }).text;
  const asked = (run.exchanges ?? []).map(renderExchange);
  const decisions = [...(change?.decisions ?? []), ...asked];
  return [
    `### Summary\n\n${clean(change?.summary ?? '')}`,
    `### Changes\n\n${(change?.paths ?? [])
      .slice(0, 50)
      .map((path) => `- ${codeSpan(path)}`)
      .join('\n')}`,
    ...(decisions.length === 0
      ? []
      : [`### Decisions\n\n${decisions.map((each) => `- ${oneLine(clean(each))}`).join('\n')}`]),
    [
      '### Where it comes from',
      '',
      `- Plan: #${plan.number}, task ${task}, approved by ${codeSpan(order.approvedBy.login)} (digest ${codeSpan(order.digest.slice(0, 12))})`,
      `- Worked on by: ${order.persona}${order.why === undefined ? '' : ` (${order.why})`}, attempt ${run.attempt}`,
      `- Base: ${codeSpan(base?.sha.slice(0, 12) ?? '')}`,
      // With it the text of each head is another one, and GitHub dates it: what was said before is about another head.
      `- Head: ${codeSpan(headSha)}`,
      '- Gates: the check runs `quorum / gate / …` of the head; `quorum / merge` says what is missing for a merge',
    ].join('\n'),
    `<sub>Run ${run.id}</sub>`,
  ].join('\n\n');
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
