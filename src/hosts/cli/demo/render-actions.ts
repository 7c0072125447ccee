/** What came of the demonstration without an App, as people read it. */
import {
  isActionsDemoFine,
  type ActionsDemo,
  type MergedTask,
  type WorkedOn,
} from './actions-result.ts';
import { counted } from '../../../domain/text/counted.ts';
import { renderComment } from '../terminal/comment.ts';
import { renderTable } from '../terminal/table.ts';
import { paragraph, renderDemoProblems, renderHead, type Page } from './page.ts';
import { renderDemoStandup } from './standup-text.ts';

/** Said plainly, so that nobody takes the story for all that the team does. */
const NOT_SHOWN =
  'Not in this story: an answer to the question of an issue, a review of a second push, the change that closes a tension, the memory and announcements. The App shows them in `npm run demo`.';

export function renderActionsEnd(played: ActionsDemo, page: Page): string {
  const { issues, pulls, plan, standup, boundaries } = played;
  const { paint, columns } = page;
  const parts = [
    ...[...issues, ...pulls].map((one) => renderWorkedOn(one, page)),
    renderHead({ ...plan, kind: `a plan, ${plan.state}` }, page),
    renderTable(
      plan.tasks.map((task) => renderMergedTask(task, page)),
      { columns, indent: 4 },
    ),
    ...[plan, ...plan.tasks].map((one) => renderDemoProblems(one, page)),
    renderDemoStandup(standup, page),
    renderTable(
      boundaries.map(({ says, isFine }) => [isFine ? paint.green('✓') : paint.red('✗'), says]),
      { columns, indent: 2 },
    ),
    paragraph(NOT_SHOWN, columns),
    renderFigures(played, page),
  ];
  return `\n${parts.filter((part) => part !== '').join('\n')}`;
}

function renderWorkedOn(worked: WorkedOn, page: Page): string {
  const { verdict, shown, text } = worked;
  const { paint, columns } = page;
  const line = [`verdict ${paint.bold(verdict || 'none')}`, ...shown].join(' · ');
  return [
    renderHead(worked, page),
    paragraph(line, columns, 2),
    text === '' ? '' : `\n${renderComment(text, { paint, columns, indent: 4, unfold: false })}\n`,
    renderDemoProblems(worked, page),
  ].join('');
}

function renderMergedTask(
  { task, title, startedBy, pull, verdict, isMerged, checks }: MergedTask,
  { paint }: Page,
): string[] {
  return [
    isMerged ? paint.green('merged') : paint.red('open'),
    `task ${task}`,
    paint.cyan(`#${pull}`),
    `${title}. Started by ${startedBy}. Review: ${verdict || 'none'}. ${checks.join(', ')}`,
  ];
}

function renderFigures(played: ActionsDemo, { paint, columns }: Page): string {
  const { seconds, githubCalls, jobs } = played;
  const fine = isActionsDemoFine(played)
    ? paint.green('Everything ended as it should.')
    : paint.red('Something did not end as it should.');
  const figures = `${seconds.toFixed(1)} s · ${counted(jobs, 'job')} · ${counted(githubCalls, 'GitHub call')}, offline, no App`;
  return paragraph(`${fine} ${figures}.`, columns);
}
