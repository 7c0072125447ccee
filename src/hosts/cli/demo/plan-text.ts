/** What came of the demonstration's plan, as people read it: each task with who wrote it, its gates and its merge. */
import type { DemoPlan, DemoTask } from '../../../demo/plan/conclude-plan.ts';
import { renderComment } from '../terminal/comment.ts';
import { GATES_CHECK } from '../../../domain/task/check-names.ts';
import { renderTable } from '../terminal/table.ts';
import { joinLabels, paragraph, renderHead, renderDemoProblems, type Page } from './page.ts';

export function renderDemoPlan(plan: DemoPlan, page: Page): string {
  const { paint, columns } = page;
  const { title, number, state, labels, approvedBy, tasks } = plan;
  const report = plan.comments.at(-1) ?? '';
  return [
    renderHead({ number, title, kind: 'a plan' }, page),
    paragraph(`${state} · approved by @${approvedBy} · labels: ${joinLabels(labels)}`, columns, 2),
    `\n${renderTable(
      tasks.map((task) => renderTask(task, page)),
      { columns, indent: 4 },
    )}`,
    `\n${renderComment(report, { paint, columns, indent: 4, unfold: false })}\n`,
    renderDemoProblems(plan, page),
  ].join('');
}

function renderTask(
  { number, title, state, persona, pull, checks }: DemoTask,
  page: Page,
): string[] {
  const { paint } = page;
  const gates = checks.find(({ name }) => name === GATES_CHECK);
  const isMerged = pull?.merged === true;
  return [
    isMerged ? paint.green('merged') : paint.red(state),
    `task ${number}`,
    pull === undefined ? '' : paint.cyan(`#${pull.number}`),
    `${title}, by ${persona || 'nobody'}. ${gates?.title ?? 'No gate was run'}`,
  ];
}
