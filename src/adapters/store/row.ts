/** Reads one column of a database row as what it must be, for clients whose rows are untyped. */

export type Row = Record<string, unknown>;

/** Text that must be there. */
export function text(row: Row, column: string): string {
  const value = row[column];
  if (typeof value !== 'string') throw new TypeError(`Column ${column} holds no text.`);
  return value;
}

/** Text, or undefined for NULL. */
export function textOrNone(row: Row, column: string): string | undefined {
  return row[column] === null ? undefined : text(row, column);
}

/** A number; PostgreSQL's client gives 64-bit columns as text. */
export function number(row: Row, column: string): number {
  const value = Number(row[column] ?? Number.NaN);
  if (Number.isNaN(value)) throw new TypeError(`Column ${column} holds no number.`);
  return value;
}

/** A number, or undefined for NULL. */
export function numberOrNone(row: Row, column: string): number | undefined {
  return (row[column] ?? null) === null ? undefined : number(row, column);
}

/** Milliseconds since the epoch as ISO 8601, or undefined for NULL. */
export function timeOrNone(row: Row, column: string): string | undefined {
  const ms = numberOrNone(row, column);
  return ms === undefined ? undefined : new Date(ms).toISOString();
}

/** One of a closed set of words. */
export function word<T extends string>(row: Row, column: string, words: readonly T[]): T {
  const value = text(row, column);
  const found = words.find((known) => known === value);
  if (found === undefined) throw new TypeError(`Column ${column} holds an unknown word: ${value}.`);
  return found;
}

export function requireRepository(repository: number): void {
  if (!Number.isSafeInteger(repository) || repository < 1)
    throw new RangeError(`The store needs the numeric id of a repository, not ${repository}.`);
}

/** As text columns can hold it: PostgreSQL refuses NUL and half characters. */
export function plain(value: string): string {
  return value.toWellFormed().replaceAll('\u0000', '\uFFFD');
}
