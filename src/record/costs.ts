/** What models cost in a thread, by role and model, from the ledger. */
import { addUsage, NO_USAGE, sumCost, type LedgerEntry, type Usage } from '../domain/run/ledger.ts';

export interface CostRow extends Usage {
  role: string;
  model: string;
  calls: number;
  usd: number;
  /** The price of some of its calls is not known. */
  isPartlyUnknown: boolean;
}

/** One row for each role and model: the dearest first, then by name. */
export function costRows(calls: readonly LedgerEntry[]): CostRow[] {
  const groups = Map.groupBy(calls, ({ role, model }) => JSON.stringify([role, model]));
  return [...groups.values()]
    .map((group): CostRow => {
      const { role, model } = group[0] ?? { role: '', model: '' };
      const usage = group.map((call) => call.usage).reduce(addUsage, NO_USAGE);
      return { role, model, calls: group.length, ...usage, ...sumCost(group) };
    })
    .toSorted((a, b) => b.usd - a.usd || compare(a.role, b.role) || compare(a.model, b.model));
}

/** By code units: the order of a locale is another one on another machine. */
function compare(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

/** All rows together. */
export function totalOf(rows: readonly CostRow[]): Omit<CostRow, 'role' | 'model'> {
  return {
    ...rows.reduce<Usage>(addUsage, NO_USAGE),
    calls: rows.reduce((sum, { calls }) => sum + calls, 0),
    usd: rows.reduce((sum, { usd }) => sum + usd, 0),
    isPartlyUnknown: rows.some(({ isPartlyUnknown }) => isPartlyUnknown),
  };
}

const ROLES: Readonly<Record<string, string>> = {
  contributor: 'team',
  lead: 'lead',
  answerer: 'answers',
  pm: 'PM',
  coder: 'Coder',
  extractor: 'memory',
  standup: 'standup',
};

/** As a Markdown table with a row for the sum; a sentence where no model was asked. */
export function renderCosts(rows: readonly CostRow[]): string {
  if (rows.length === 0) return 'No model was called.';
  const cells = rows.map((row) => [
    ROLES[row.role] ?? inCell(row.role),
    row.model === 'offline' ? 'offline rules' : inCell(row.model),
    ...figuresOf(row),
  ]);
  const sum = ['**Total**', '', ...figuresOf(totalOf(rows))];
  return [HEAD, RULE, ...[...cells, sum].map((row) => `| ${row.join(' | ')} |`)].join('\n');
}

const HEAD = '| Role | Model | Calls | Tokens in | From cache | Tokens out | Cost |';
const RULE = '| --- | --- | ---: | ---: | ---: | ---: | ---: |';

function figuresOf(row: Omit<CostRow, 'role' | 'model'>): string[] {
  const input = row.inputTokens + row.cacheReadTokens + row.cacheWriteTokens;
  return [
    ...[row.calls, input, row.cacheReadTokens, row.outputTokens].map(countOf),
    dollars(row.usd, row.isPartlyUnknown),
  ];
}

const COUNT = new Intl.NumberFormat('en-US');

/** As people read it: 30,000. */
export function countOf(n: number): string {
  return COUNT.format(n);
}

/** Dollars as people read them; a part that nobody knows is said. */
export function dollars(usd: number, isPartlyUnknown = false): string {
  const shown = usd === 0 ? '$0' : `$${usd < 0.01 ? usd.toFixed(4) : usd.toFixed(2)}`;
  return isPartlyUnknown ? `${shown} and an unknown part` : shown;
}

function inCell(text: string): string {
  return `\`${text.replaceAll(/[`|\s]+/g, ' ').trim()}\``;
}
