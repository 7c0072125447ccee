/**
 * Cuts a job's log to what matters: the errors with the lines around them, and how it ended. One pass, little memory.
 */
import { countTold, stripInvisible } from '../text/invisible.ts';
import { redactSecrets } from '../secrets/secret-text.ts';
import {
  bareLine,
  gradeOf,
  isCleanUp,
  MAX_LINE,
  MAX_READ,
  stampOf,
  type LogLine,
} from './log-line.ts';

/** When a step ran, ISO 8601 to the second, ends included. */
export interface StepWindow {
  from: string;
  to: string;
}

export interface CutOptions {
  /** Most characters of the result. */
  maxChars?: number;
  /** The steps that failed: lines of other steps are left out where the log tells their time. */
  steps?: readonly StepWindow[];
}

export interface CutLog {
  /** Credentials removed; gaps are named in lines of their own. */
  text: string;
  /** Lines of the whole log that say something. */
  lines: number;
  /** Lines of it that are not in the text. */
  leftOut: number;
  /** Credentials that were taken out of the text. */
  secrets: number;
  /** Characters that nobody sees and that were taken out of it. */
  hidden: number;
}

/** Takes a log piece by piece. */
export interface LogCutter {
  push(chunk: string): void;
  /** The result; nothing may be pushed after it. */
  finish(): CutLog;
}

const MAX_CHARS = 12_000;
const BEFORE = 4;
const AFTER = 18;
/** Shares of the room: first errors, first lines that may be some, and the end. */
const SHARES = { named: 0.5, maybe: 0.12, end: 0.3 };
/** Notices of gaps take room too. */
const GAP = 40;

/** Cuts a text at once. Never throws; linear in the length of the text. */
export function cutLog(text: string, options: CutOptions = {}): CutLog {
  const cutter = createLogCutter(options);
  cutter.push(text);
  return cutter.finish();
}

export function createLogCutter(options: CutOptions = {}): LogCutter {
  const maxChars = options.maxChars ?? MAX_CHARS;
  const steps = options.steps ?? [];
  const whole = createCollector(maxChars);
  const inSteps = createCollector(maxChars);
  const isRowOfKey = createKeyWatch();
  let count = 0;
  let rest = '';
  let isInGroup = false;
  let hasEnded = false;
  const take = (raw: string): void => {
    const bare = bareLine(raw);
    if (raw.includes('##[endgroup]')) isInGroup = false;
    if (raw.includes('##[group]')) isInGroup = true;
    if (bare === '') return;
    count += 1;
    hasEnded ||= isCleanUp(bare);
    if (hasEnded || isRowOfKey(bare)) return;
    // A step's own command and environment are written before it runs: their words are no errors.
    const line: LogLine = { number: count, text: bare, grade: isInGroup ? 0 : gradeOf(bare) };
    whole.take(line);
    if (isWithin(stampOf(raw), steps)) inSteps.take(line);
  };
  return {
    push: (chunk) => {
      let from = 0;
      for (;;) {
        const end = chunk.indexOf('\n', from);
        if (end === -1) break;
        take(join(rest, chunk.slice(from, Math.min(end, from + MAX_READ))));
        rest = '';
        from = end + 1;
      }
      rest = join(rest, chunk.slice(from, from + MAX_READ));
    },
    finish: () => {
      if (rest !== '') take(rest);
      const chosen = inSteps.lines();
      return render(chosen.length > 0 ? chosen : whole.lines(), { count, maxChars });
    },
  };
}

function join(rest: string, more: string): string {
  return rest === '' ? more : `${rest}${more}`.slice(0, MAX_READ);
}

function isWithin(stamp: string, steps: readonly StepWindow[]): boolean {
  return (
    stamp !== '' &&
    steps.some(({ from, to }) => from.slice(0, 19) <= stamp && stamp <= to.slice(0, 19))
  );
}

const KEY_ROW = /^[\s>|+"']*[A-Za-z0-9/=][A-Za-z0-9+/=]{0,119}["',]{0,20}$/;
const KEY_HEADER = /^[\s>|+"']*[A-Z][\w-]{2,20}: .{0,120}$/;

/** Rows of a key may be chosen without its first line, which alone tells what they are: they are never taken. */
function createKeyWatch(): (text: string) => boolean {
  let isInKey = false;
  return (text) => {
    if (/-----BEGIN [A-Z ]{0,30}PRIVATE KEY/.test(text)) {
      isInKey = !/-----END [A-Z ]{0,30}PRIVATE KEY/.test(text);
      return false;
    }
    if (!isInKey) return false;
    // Whatever is no row ends it, so that a first line alone does not swallow the log.
    const isEnd = /-----END [A-Z ]{0,30}PRIVATE KEY/.test(text);
    const row = text.slice(0, MAX_LINE);
    const isRow = KEY_ROW.test(row) || KEY_HEADER.test(row);
    isInKey = isRow && !isEnd;
    return isRow || isEnd;
  };
}

interface Collector {
  take(line: LogLine): void;
  /** What was chosen, in order. */
  lines(): LogLine[];
}

/** Chooses within bounds while the lines go by. */
function createCollector(maxChars: number): Collector {
  const before: LogLine[] = [];
  const named = createShelf(maxChars * SHARES.named);
  const maybe = createShelf(maxChars * SHARES.maybe);
  const end = createTail(maxChars * SHARES.end);
  let after = 0;
  return {
    take: (line) => {
      end.take(line);
      if (line.grade === 2) {
        for (const each of before) named.take(each);
        after = AFTER;
      }
      if (line.grade === 2 || after > 0) named.take(line);
      else if (line.grade === 1) for (const each of [...before.slice(-2), line]) maybe.take(each);
      after = Math.max(0, line.grade === 2 ? after : after - 1);
      before.push(line);
      if (before.length > BEFORE) before.shift();
    },
    lines: () => {
      const all = [...named.lines, ...maybe.lines, ...end.lines()];
      const different = new Map(all.map((line) => [line.number, line]));
      return [...different.values()].toSorted((a, b) => a.number - b.number);
    },
  };
}

function sizeOf(line: LogLine): number {
  return Math.min(line.text.length, MAX_LINE) + 1;
}

/** The first lines that fit. */
function createShelf(room: number): { take(line: LogLine): void; lines: LogLine[] } {
  const lines: LogLine[] = [];
  let left = room;
  return {
    lines,
    take: (line) => {
      const last = lines.at(-1)?.number ?? 0;
      const size = sizeOf(line) + (line.number > last + 1 ? GAP : 0);
      if (line.number <= last || size > left) return;
      left -= size;
      lines.push(line);
    },
  };
}

/** The last lines that fit. */
function createTail(room: number): { take(line: LogLine): void; lines(): LogLine[] } {
  let lines: LogLine[] = [];
  let first = 0;
  let used = 0;
  return {
    take: (line) => {
      lines.push(line);
      used += sizeOf(line);
      for (let oldest = lines[first]; used > room && oldest !== undefined; oldest = lines[first]) {
        used -= sizeOf(oldest);
        first += 1;
      }
      // Moved together now and then, so that each line is copied once on the whole.
      if (first < 1000) return;
      lines = lines.slice(first);
      first = 0;
    },
    lines: () => lines.slice(first),
  };
}

function render(
  chosen: readonly LogLine[],
  { count, maxChars }: { count: number; maxChars: number },
): CutLog {
  const out: string[] = [];
  let last = 0;
  for (const line of chosen) {
    if (line.number > last + 1) out.push(gap(line.number - last - 1));
    out.push(line.text);
    last = line.number;
  }
  if (count > last) out.push(gap(count - last));
  const whole = out.join('\n');
  // First what breaks credentials up, then they, then the cut: half of one would not be known for what it is.
  const visible = stripInvisible(whole);
  const safe = redactSecrets(visible.text);
  const text = safe.split('\n').map(cap).join('\n');
  return {
    text: text.length <= maxChars ? text : `${text.slice(0, maxChars - GAP).toWellFormed()}\n(cut)`,
    lines: count,
    leftOut: count - chosen.length,
    secrets: removalsIn(safe) - removalsIn(visible.text),
    hidden: countTold(visible.counts),
  };
}

function gap(lines: number): string {
  return `(${lines === 1 ? '1 line' : `${lines} lines`} left out)`;
}

function cap(text: string): string {
  if (text.length <= MAX_LINE) return text;
  return `${text.slice(0, MAX_LINE).toWellFormed()} (${text.length - MAX_LINE} more characters)`;
}

function removalsIn(text: string): number {
  return text.match(/\((?:[A-Za-z -]{3,40}) removed\)/g)?.length ?? 0;
}
