/** One table: what was measured, what it was to reach, and whether it did. */

export interface Row {
  what: string;
  /** In words; empty for a figure that is listed beside another. */
  reach: string;
  measured: string;
  /** Of two things measured in the same run. */
  ratio?: string;
  isReached?: boolean;
  /** Share of the machine that others used meanwhile. */
  load: string;
}

/** One part of the benchmark. */
export interface Section {
  name: string;
  title: string;
  /** How it was measured, in a sentence or two. */
  method: string;
  run: (options: Options) => Promise<Row[]>;
}

export interface Options {
  /** More of everything. */
  isLong: boolean;
}

/** A row that is judged by a ratio: `worst` times the yardstick at most, or `least` times at least. */
export function byRatio(
  row: Omit<Row, 'ratio' | 'isReached'>,
  ratio: number,
  bound: { atMost: number } | { atLeast: number },
): Row {
  const isReached = 'atMost' in bound ? ratio <= bound.atMost : ratio >= bound.atLeast;
  return { ...row, ratio: `${ratio.toFixed(2)}×`, isReached };
}

/** As a Markdown table, which reads well on a terminal too. */
export function renderRows(rows: readonly Row[]): string {
  const head = ['what', 'reach', 'measured', 'ratio', '', 'foreign load'];
  const lines = rows.map((row) => [
    row.what,
    row.reach,
    row.measured,
    row.ratio ?? '',
    row.isReached === undefined ? '' : row.isReached ? 'ok' : '**missed**',
    row.load,
  ]);
  const widths = head.map((name, at) =>
    Math.max(name.length, 3, ...lines.map((line) => line[at]?.length ?? 0)),
  );
  const render = (cells: string[]): string =>
    `| ${cells.map((cell, at) => cell.padEnd(widths[at] ?? 0)).join(' | ')} |`;
  const rule = `| ${widths.map((width) => '-'.repeat(width)).join(' | ')} |`;
  return [render(head), rule, ...lines.map(render)].join('\n');
}
