/** The one comment below a plan: what is wrong with it, or its tasks as a graph and in words. */
import { cleanOutput } from '../../domain/clean-output.ts';
import type { Plan, PlanProblem } from '../../domain/plan/plan.ts';
import { renderGraph, renderTwin } from '../../domain/plan/plan-graph.ts';

const MAX_PROBLEMS = 50;
const MAX_TASKS = 300;

/** @param repository - `owner/repo`: whose issues may be referred to */
export function renderPlanComment(plan: Plan, repository: string): string {
  const { tasks, problems } = plan;
  return problems.length > 0
    ? renderProblems(problems)
    : [headline(plan), renderGraph(tasks), inWords(plan, repository)]
        .filter((part) => part !== '')
        .join('\n\n');
}

function renderProblems(problems: readonly PlanProblem[]): string {
  const count = problems.length;
  const rows = problems
    .slice(0, MAX_PROBLEMS)
    .map(({ line, code, message }) => `| ${line} | \`${code}\` | ${cell(message)} |`);
  return [
    `### Plan: ${count === 1 ? 'one thing' : `${count} things`} to mend before any task may begin`,
    ['| line | what | how to mend it |', '| --- | --- | --- |', ...rows].join('\n'),
    ...(count > MAX_PROBLEMS ? [`${count - MAX_PROBLEMS} more are not shown.`] : []),
    'Edit the issue: it is read again at once, and this comment with it.',
  ].join('\n\n');
}

/** Messages quote what people wrote in code ticks; a bar would end the cell. */
function cell(message: string): string {
  return message.replaceAll('|', '\\|');
}

function headline({ tasks }: Plan): string {
  const count = (wanted: string): number => tasks.filter(({ status }) => status === wanted).length;
  const parts = [
    `${tasks.length} task${tasks.length === 1 ? '' : 's'}`,
    `${count('completed')} completed`,
    ...(count('blocked') > 0 ? [`${count('blocked')} blocked`] : []),
  ];
  return `### Plan: ${parts.join(', ')}`;
}

function inWords({ tasks }: Plan, repository: string): string {
  const lines = renderTwin(tasks.slice(0, MAX_TASKS)).map(
    (line) => `- ${cleanOutput(line, { repository }).text.replaceAll(/\s+/g, ' ')}`,
  );
  const more = tasks.length > MAX_TASKS ? [`- and ${tasks.length - MAX_TASKS} more`] : [];
  return `<details><summary>The tasks in words</summary>\n\n${[...lines, ...more].join('\n')}\n\n</details>`;
}
