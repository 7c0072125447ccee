/** What people answer to the numbered proposal in words, in four languages, also several steps in one comment. */
import { findEmailReply } from '../../commands/email-reply.ts';
import { isYes } from '../../plan/approval.ts';

export interface MemoryAnswer {
  /** Undefined when nothing was decided yet, or not plainly. */
  verdict: 'yes' | 'no' | undefined;
  /** Numbers as they were shown. */
  remove: number[];
  add: string[];
  change: { number: number; text: string }[];
  /** Lines that are no answer. An approval beside one does not count: the line may be a condition. */
  unclear: string[];
}

/** Beside those that approve a plan: English, German, French and Spanish. */
const YES =
  /^(?:y|yep|yeah|okay|sure|(?:yes|ja|oui|s[ií]),? (?:please|bitte|merci|gracias)|ja|jawohl|passt|einverstanden|oui|d'accord|vale|de acuerdo|claro|approve|keep (?:all|them|it))$/;
const NO =
  /^(?:n|no|nope|nein|non|none|reject|drop (?:all|them|it)|(?:no|nein|non),? (?:thanks|thank you|danke|merci|gracias)|lieber nicht)$/;
const COURTESY =
  /^(?:thanks|thank you|danke|merci|gracias|please|bitte|great|perfect|hi|hello)(?: (?:you|quorum|schön|beaucoup|team))?$/;
/** An answer that goes on with an instruction. */
const LEADING =
  /^(yes|yep|yeah|ok|okay|ja|oui|s[ií]|no|nein|non)[\s,;.:–—-]{1,5}(?:(?:but|and|also|aber|und|mais|et|pero|y)[\s,]{1,3}){0,3}(\S.*)$/i;
const REMOVE =
  /^(?:please )?(?:remove|drop|delete) (#?\d{1,4}(?:(?:,? and |,? & |, ?| )#?\d{1,4}){0,49})(?:[\s,;.]{1,3}(?:and )?([^\s,;.].*)|\.)?$/i;
const ADD = /^(?:please )?add: {0,5}(\S.*)$/i;
const CHANGE = /^(?:please )?change #?(\d{1,4}) to:? {1,5}(\S.*)$/i;

/** Longer ones are no answer in words. */
const LONGEST = 4_000;

/** What a comment answers to an open proposal; undefined when nothing in it is an answer. */
export function readMemoryAnswer(body: string): MemoryAnswer | undefined {
  if (body.length > LONGEST) return undefined;
  const answer: MemoryAnswer = { verdict: undefined, remove: [], add: [], change: [], unclear: [] };
  const said = new Set<'yes' | 'no'>();
  for (const line of linesOf(body)) readLine(line, { answer, said });
  const steps = answer.remove.length + answer.add.length + answer.change.length + said.size;
  if (steps === 0) return undefined;
  const [verdict] = said;
  if (said.size > 1) answer.unclear.push('yes and no');
  else if (verdict === 'no' || answer.unclear.length === 0) answer.verdict = verdict;
  return answer;
}

/** Lines that the person wrote: no quotes, and nothing below a quoted mail. */
function linesOf(body: string): string[] {
  const lines = body.split(/\r?\n/).map((line) => line.trim());
  const mail = findEmailReply(lines, (at) => lines[at]?.startsWith('>') === false);
  return lines
    .slice(0, mail)
    .filter((line) => !line.startsWith('>'))
    .map((line) => line.replace(/^(?:[-*+]|\d{1,2}[.)])[ \t]+/, ''))
    .filter((line) => line !== '');
}

interface Reading {
  answer: MemoryAnswer;
  said: Set<'yes' | 'no'>;
}

function readLine(line: string, reading: Reading): void {
  const word = wordOf(line);
  if (word === 'courtesy') return;
  if (word !== undefined) reading.said.add(word);
  else if (!readStep(line, reading) && !readLeading(line, reading))
    reading.answer.unclear.push(line);
}

function readStep(line: string, reading: Reading): boolean {
  const { answer } = reading;
  const [, numbers, more] = REMOVE.exec(line) ?? [];
  const [, added] = ADD.exec(line) ?? [];
  const [, number, text] = CHANGE.exec(line) ?? [];
  if (numbers !== undefined) {
    answer.remove.push(...(numbers.match(/\d+/g) ?? []).map(Number));
    if (more !== undefined) readLine(more, reading);
  } else if (added !== undefined) answer.add.push(added.trim());
  else if (text !== undefined) answer.change.push({ number: Number(number), text: text.trim() });
  return [numbers, added, text].some((found) => found !== undefined);
}

/** `yes, but remove 3` */
function readLeading(line: string, reading: Reading): boolean {
  const [, lead, rest] = LEADING.exec(line) ?? [];
  if (lead === undefined || rest === undefined || !isStep(rest)) return false;
  readLine(lead, reading);
  readLine(rest, reading);
  return true;
}

function isStep(text: string): boolean {
  return [REMOVE, ADD, CHANGE].some((step) => step.test(text)) || wordOf(text) !== undefined;
}

function wordOf(line: string): 'yes' | 'no' | 'courtesy' | undefined {
  const plain = line
    .normalize('NFKC')
    .replaceAll('’', "'")
    .replace(/(?<![.,!…])[.,!…]+$/, '')
    .replaceAll(/\s+/g, ' ')
    .trim()
    .toLowerCase();
  if (isYes(line) || YES.test(plain)) return 'yes';
  if (NO.test(plain)) return 'no';
  return COURTESY.test(plain) ? 'courtesy' : undefined;
}
