/** What an erasure changes in the rows of one stream. */
import {
  ERASED,
  isJson,
  redact,
  textsOf,
  toCleaner,
  type Matter,
} from '../../domain/secrets/redact.ts';
import type { TensionBook } from '../../domain/tension/tension.ts';
import {
  NO_CALLS,
  type Changes,
  type StandupText,
  type StreamRows,
  type WorkRow,
} from './kept-rows.ts';

/** Their content is what others wrote, in another form: a prompt and its answer. */
const DERIVED = new Set(['ask', 'propose', 'code']);

type Part = Pick<Changes, 'blanked' | 'rewritten' | 'states'>;

/** Rows that came to an end and have anything of it lose their content; waiting ones, and states, lose its text. */
export function blankMatter({ work, states }: StreamRows, matter: Matter): Part {
  const values = [...work.map(({ data }) => data), ...states.map(({ value }) => value)];
  const texts = values.flatMap((text) => textsOf(JSON.parse(text), matter));
  const quoted = toCleaner(texts);
  const whole: Matter = {
    ...matter,
    clean: (text) => {
      const rest = quoted?.(text) ?? text;
      return matter.clean?.(rest) ?? rest;
    },
  };
  const part: Part = { blanked: [], rewritten: [], states: [] };
  for (const row of work) {
    const changed = rewrite(row, whole);
    const isEnded = row.status !== 'pending';
    if (isEnded && (changed !== undefined || (texts.length > 0 && isDerived(row))))
      part.blanked.push({ table: row.table, id: row.id });
    else if (changed !== undefined) part.rewritten.push(changed);
  }
  for (const { key, version, value } of states) {
    const cleaned = rewriteJson(value, whole);
    if (cleaned !== undefined) part.states.push({ key, version, value: cleaned });
  }
  return part;
}

function rewrite(row: WorkRow, matter: Matter): Changes['rewritten'][number] | undefined {
  const { table, id } = row;
  const data = rewriteJson(row.data, matter);
  const reason = row.reason === null ? null : (matter.clean?.(row.reason) ?? row.reason);
  if (data === undefined && reason === row.reason) return undefined;
  return { table, id, data: data ?? row.data, reason };
}

/** Undefined where nothing of it is in there. */
function rewriteJson(text: string, matter: Matter): string | undefined {
  const value: unknown = JSON.parse(text);
  const cleaned = JSON.stringify(redact(value, matter));
  return cleaned === JSON.stringify(value) ? undefined : cleaned;
}

function isDerived({ data }: WorkRow): boolean {
  const value: unknown = JSON.parse(data);
  if (!isJson(value)) return false;
  return [value['kind'], value['effectKind']].some((kind) => DERIVED.has(String(kind)));
}

/** All of a thread that was deleted: what still waits ends by itself. */
export function blankThread({ work, states }: StreamRows): Changes {
  const ended = work.filter(({ status }) => status !== 'pending');
  return {
    streams: [],
    calls: NO_CALLS,
    blanked: ended.map(({ table, id }) => ({ table, id })),
    rewritten: [],
    states: [],
    droppedStates: states.filter(hasContent).map(({ key }) => key),
    memory: [],
    standups: [],
    standupTexts: [],
  };
}

/** Rows of standups without the text of this matter. */
export function cleanStandups(rows: readonly StandupText[], matter: Matter): StandupText[] {
  return rows.flatMap((row) => {
    const written = rewriteJson(row.read, matter);
    return written === undefined ? [] : [{ ...row, written }];
  });
}

/** Of a thread that was deleted: its standups go, and tensions that were said nowhere else lose their words. */
export function dropStandups(rows: readonly StandupText[]): StandupText[] {
  const gone = rows.filter(({ table }) => table !== 'repository_values');
  const ids = new Set(gone.map(({ read }) => idIn(read)).filter((id) => id !== undefined));
  const books = rows.filter(
    ({ table, name }) => table === 'repository_values' && name === 'tensions',
  );
  return [...gone, ...books.flatMap((row) => withoutWords(row, ids))];
}

function withoutWords(row: StandupText, ids: ReadonlySet<string>): StandupText[] {
  const book: TensionBook = JSON.parse(row.read);
  const tensions = book.tensions.map((tension) =>
    tension.insights.every((id) => ids.has(id)) ? { ...tension, message: ERASED } : tension,
  );
  const written = JSON.stringify({ ...book, tensions });
  return written === row.read ? [] : [{ ...row, written }];
}

function idIn(json: string): string | undefined {
  const value: unknown = JSON.parse(json);
  return isJson(value) && typeof value['id'] === 'string' ? value['id'] : undefined;
}

/** An empty one is made again by what still came to its end. */
function hasContent({ value }: StreamRows['states'][number]): boolean {
  const state: unknown = JSON.parse(value);
  return !isJson(state) || Object.values(state).some((each) => isJson(each) && !isEmpty(each));
}

function isEmpty(value: object): boolean {
  return Object.keys(value).length === 0;
}
