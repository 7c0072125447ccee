/** The standup of a demonstration, as people read it. */
import { counted } from '../../../domain/text/counted.ts';
import { renderTable } from '../terminal/table.ts';
import type { DemoStandupSeen } from './actions-result.ts';
import { paragraph, renderDemoProblems, type Page } from './page.ts';

interface Told extends DemoStandupSeen {
  /** What closed its tension, where the story goes so far. */
  closedBy?: { pull: number | undefined; sha: string } | undefined;
}

/** What was noticed past everybody's own task, and what became of it. */
export function renderDemoStandup(standup: Told, page: Page): string {
  const { insights, noTension } = standup;
  const rows = insights.map(({ from, message }) => [from, message.replaceAll('`', '')]);
  const title = page.paint.bold(
    `Standup: ${counted(insights.length, 'tension')}, ${counted(noTension, 'participant')} without one`,
  );
  const table = renderTable(rows, { columns: page.columns, indent: 2 });
  const end = renderEndOf(standup);
  const told = end === '' ? '' : paragraph(end, page.columns, 2);
  return `${title}\n\n${table}${told}${renderDemoProblems(standup, page)}`;
}

function renderEndOf({ followUp, closedBy }: Told): string {
  if (closedBy !== undefined)
    return `follow-up #${followUp ?? 0}, closed by ${closedBy.sha.slice(0, 12)} in #${closedBy.pull ?? 0}`;
  return followUp === undefined ? '' : `follow-up #${followUp}`;
}
