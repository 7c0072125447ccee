/** What the parts of the demonstration's end have in common: how wide they are, their heads and what went wrong. */
import { type Paint } from '../terminal/paint.ts';
import { renderTable } from '../terminal/table.ts';

export interface Page {
  paint: Paint;
  columns: number;
}

export function renderHead(
  { number, title, kind }: { number: number; title: string; kind: string },
  { paint, columns }: Page,
): string {
  return paragraph(`${paint.bold(`#${number} ${title}`)} ${paint.dim(`(${kind})`)}`, columns);
}

export function renderDemoProblems(
  { problems }: { problems: readonly string[] },
  { paint }: Page,
): string {
  return problems.map((says) => `  ${paint.red('✗')} ${says}\n`).join('');
}

export function joinLabels(labels: readonly string[]): string {
  return labels.length === 0 ? 'none' : labels.join(', ');
}

export function paragraph(text: string, columns: number, indent = 0): string {
  return renderTable([[text]], { columns, indent });
}
