/** What was lost and what was duplicated, by the kind of effect. */
import type { Seen } from './stories.ts';

export interface Totals {
  lost: number;
  duplicated: number;
}

export function sumUp(seen: readonly Seen[]): Totals {
  const lost = seen.reduce((sum, { wanted, found }) => sum + Math.max(0, wanted - found), 0);
  const duplicated = seen.reduce((sum, { wanted, found }) => sum + Math.max(0, found - wanted), 0);
  return { lost, duplicated };
}

export function renderTable(seen: readonly Seen[]): string {
  const kinds = [...new Set(seen.map(({ effect }) => effect))];
  const rows = kinds.map((kind) => {
    const of = seen.filter(({ effect }) => effect === kind);
    const wanted = of.reduce((sum, one) => sum + one.wanted, 0);
    const { lost, duplicated } = sumUp(of);
    return toRow([kind, wanted, lost, duplicated]);
  });
  const wrong = seen
    .filter(({ wanted, found }) => wanted !== found)
    .map(({ effect, where, wanted, found }) => `${effect} at ${where}: ${found}, not ${wanted}`);
  return [toRow(['effect', 'wanted', 'lost', 'duplicated']), ...rows, ...wrong].join('\n');
}

function toRow([kind, ...figures]: readonly [string, ...(string | number)[]]): string {
  return `${kind.padEnd(24)}${figures.map((one) => String(one).padStart(12)).join('')}`;
}
