/** `state/memory.json`: what changes with use, by the entries' ids. */
import * as z from 'zod';
import type { MemoryUse } from '../memory-entry.ts';

export type MemoryUses = Readonly<Record<string, MemoryUse>>;

export const NO_USE: MemoryUse = { uses: 0, kept: 0, dismissed: 0 };

const count = z.number().int().nonnegative().max(1e9);
const moment = z.union([z.iso.datetime({ offset: true }), z.iso.date()]);
const Use = z.object({
  uses: count,
  lastUsedAt: moment.optional(),
  verifiedAt: moment.optional(),
  kept: count,
  dismissed: count,
});

/** Reads the file and never throws. Rows that are not understood are left out and counted. */
export function parseUses(source: string): { uses: MemoryUses; skipped: number } {
  const rows = toRows(source);
  if (rows === undefined) return { uses: {}, skipped: source.trim() === '' ? 0 : 1 };
  const read = Object.entries(rows).map(([id, row]) => [id, toUse(id, row)] as const);
  const known = read.flatMap(([id, use]) => (use === undefined ? [] : [[id, use] as const]));
  return { uses: Object.fromEntries(known), skipped: read.length - known.length };
}

function toRows(source: string): object | undefined {
  try {
    const json: unknown = JSON.parse(source);
    return typeof json === 'object' && json !== null && !Array.isArray(json) ? json : undefined;
  } catch {
    return undefined;
  }
}

function toUse(id: string, row: unknown): MemoryUse | undefined {
  const { data } = Use.safeParse(row);
  if (data === undefined || !/^[0-9a-f]{10}$/.test(id)) return undefined;
  const { uses, kept, dismissed, lastUsedAt, verifiedAt } = data;
  return withDates({ uses, kept, dismissed }, { lastUsedAt, verifiedAt });
}

interface Dates {
  lastUsedAt: string | undefined;
  verifiedAt: string | undefined;
}

function withDates(counts: MemoryUse, { lastUsedAt, verifiedAt }: Dates): MemoryUse {
  return {
    ...counts,
    ...(lastUsedAt === undefined ? {} : { lastUsedAt }),
    ...(verifiedAt === undefined ? {} : { verifiedAt }),
  };
}

/** One entry a line, in the order of ids, so that two versions are easy to compare. */
export function renderUses(uses: MemoryUses): string {
  const rows = Object.keys(uses)
    .toSorted()
    .map((id) => `  ${JSON.stringify(id)}: ${JSON.stringify(uses[id])}`);
  return rows.length === 0 ? '{}\n' : `{\n${rows.join(',\n')}\n}\n`;
}
