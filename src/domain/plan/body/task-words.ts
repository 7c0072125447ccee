/** What people write behind a field's name, read as it is meant. */
import { TASK_STATUSES, type TaskStatus } from '../plan.ts';

/** What is no part of a word: marks, emoji, quotes, code ticks, ticked and empty boxes. */
const AROUND = /^[^\p{L}\p{N}]+|(?<![^\p{L}\p{N}])[^\p{L}\p{N}]+$/gu;
const STATUS = new RegExp(
  String.raw`^(${TASK_STATUSES.map((word) => word.replace('_', String.raw`[\s_-]*`)).join('|')})(?![\p{L}\p{N}_])(.*)$`,
  'isu',
);

/** Undefined for anything but the five words. An empty text is `pending`. */
export function readStatus(written: string): { status: TaskStatus; reason: string } | undefined {
  const text = written.replace(/^[^\p{L}\p{N}]+/u, '');
  if (text === '') return { status: 'pending', reason: '' };
  const match = STATUS.exec(text);
  const word = match?.[1]?.toLowerCase().replaceAll(/[\s_-]+/g, '');
  const status = TASK_STATUSES.find((known) => known.replace('_', '') === word);
  if (match === null || status === undefined) return undefined;
  return { status, reason: readReason(match[2] ?? '') };
}

function readReason(rest: string): string {
  const text = rest.replace(/^[`*_"'\s:;,.–—-]+/, '').trim();
  return /^\(.*\)$/s.test(text) ? text.slice(1, -1).trim() : text;
}

/** What a dependency was written as, and which tasks it stands for; undefined numbers are no number of a task. */
export interface DependencyWords {
  numbers: number[];
  /** Words that name no task. */
  unread: string[];
}

const NOBODY = /^(?:none|no|nothing|n\/a|nil|-|–|—)?$/i;
const FILLERS = /^(?:tasks?|and|depends|on|after|the|und|y|et|&)$/i;
/** No plan has more; a range that does is a slip of the pen. */
const WIDEST_RANGE = 1_000;

/** Reads `2`, `#2`, `Task 2`, `Tasks 1, 2 and 3`, `1-3`, `none`, and lists of those. */
export function readDependencies(written: string): DependencyWords {
  const text = dropAsides(written)
    .replaceAll(/[`*_()[\]]/g, ' ')
    .replaceAll(/(\d)\s*(?:-|–|—|\.\.+|to)\s*(?:tasks?\s*)?#?(?=\d)/gi, '$1-')
    .trim();
  if (NOBODY.test(text.replaceAll(/^[-\s]+|(?<![.\s])[.\s]+$/g, '')))
    return { numbers: [], unread: [] };
  const numbers = new Set<number>();
  const unread: string[] = [];
  for (const word of text.split(/[\s,;/+]+/)) {
    const read = readNumbers(word.replaceAll(/^#|(?<![.:])[.:]+$/g, ''));
    if (read !== undefined) for (const number of read) numbers.add(number);
    else if (!FILLERS.test(word) && word.replaceAll(AROUND, '') !== '') unread.push(word);
  }
  return { numbers: [...numbers].toSorted((a, b) => a - b), unread };
}

const CLOSE: Readonly<Record<string, string>> = { '(': ')', '[': ']' };

/**
 * Without words about a dependency, in brackets behind it: `Task 2 (the parser (new)) (see 1)`, `[#2](#task-2)`. Numbers may
 * stand in brackets themselves.
 */
function dropAsides(written: string): string {
  let kept = '';
  // The last character that is no space, and the first five: comments before a bracket are spaces here, many of them.
  let last = '';
  let first = '';
  for (let at = 0; at < written.length; at += 1) {
    const char = written[at] ?? '';
    const isAside = char in CLOSE && (isBehindTask(last, char) || /^none$/i.test(first));
    const end = isAside ? endOfAside(written, at) : undefined;
    kept += end === undefined ? char : ' ';
    if (end === undefined && char.trim() !== '') {
      last = char;
      if (first.length < 5) first += char;
    }
    at = end ?? at;
  }
  return kept;
}

function isBehindTask(last: string, char: string): boolean {
  return /\d/.test(last) || (last === ']' && char === '(');
}

/** Where the bracket that opens here is closed, others within it and all; undefined where nothing closes it. */
function endOfAside(text: string, start: number): number | undefined {
  const open = text[start] ?? '';
  let depth = 0;
  for (let at = start; at < Math.min(text.length, start + LONGEST_ASIDE); at += 1) {
    if (text[at] === open) depth += 1;
    if (text[at] === CLOSE[open]) depth -= 1;
    if (depth === 0) return at;
  }
  return undefined;
}

const LONGEST_ASIDE = 300;

function readNumbers(word: string): number[] | undefined {
  const match = /^(?:task-?#?)?(\d{1,6})(?:-(\d{1,6}))?$/i.exec(word);
  if (match === null) return undefined;
  const from = Number(match[1]);
  const to = Number(match[2] ?? match[1]);
  if (to < from || to - from > WIDEST_RANGE) return undefined;
  return Array.from({ length: to - from + 1 }, (_, n) => from + n);
}

/** A file as a line of a list names it: in code ticks, or the first word; what is behind a dash is the note. */
export function readFile(text: string): { path: string; note: string } | undefined {
  const ticked = /^[^`]*?`+([^`]+)`+(.*)$/s.exec(text);
  const plain = /^(?:\*\*|__)?([^\s:*]\S*?)(?:\*\*|__)?(?:\s+(.*)|:?\s*)$/s.exec(text);
  const [, path, rest = ''] = ticked ?? plain ?? [];
  if (path === undefined || /^none\.?$/i.test(path)) return undefined;
  return {
    path: path.trim().replaceAll(/^\.\/|:$/g, ''),
    note: rest.replace(/^[\s:–—-]+/, '').trim(),
  };
}

/** Why a path cannot be one of a repository; undefined when it can. */
export function pathProblem(path: string): string | undefined {
  if (/^(?:[/\\~]|[A-Za-z]:)/.test(path)) return 'is absolute';
  if (/^[a-z][a-z0-9+.-]*:\/\//i.test(path)) return 'is an address';
  const parts = path.split(/[/\\]/);
  if (parts.includes('..')) return 'leads out of the repository';
  if (parts.some((part) => part.toLowerCase() === '.git')) return 'leads into `.git`';
  if (/\p{Cc}|\p{Cf}/u.test(path)) return 'has characters that cannot be seen';
  return undefined;
}
