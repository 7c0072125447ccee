/** Past issues that are about the same thing: ranked by BM25, measured by shared words and names. */
import MiniSearch from 'minisearch';
import { readNames } from '../../domain/text/names.ts';
import type { PastIssue } from '../../domain/run/view.ts';
import { diceOf, tokenise, wordsByStem } from '../../domain/text/words.ts';

export interface Related {
  issue: PastIssue;
  /** 0 to 1; above {@link SAME} it is about the same thing. */
  score: number;
  /** Telling words that both hold, rarest first. */
  sharedTerms: string[];
}

/** Two issues this alike, with {@link MIN_SHARED} telling words in common, are about one thing. */
export const SAME = 0.58;
export const MIN_SHARED = 3;
/** Less alike than this is not worth a line. */
const RELATED = 0.3;
const MAX_RELATED = 6;
const MAX_BODY = 4000;

export interface RelatedInput {
  number: number;
  title: string;
  body: string;
}

interface Entry {
  id: number;
  title: string;
  body: string;
}

/** Past issues worth a look, most alike first. The issue itself is left out. */
export function findRelated(input: RelatedInput, past: readonly PastIssue[]): Related[] {
  const others = past.filter(({ number }) => number !== input.number);
  if (others.length === 0 || `${input.title}${input.body}`.trim() === '') return [];
  const ranks = rank(input, others);
  return others
    .map((issue) => measure(input, issue, ranks.get(issue.number) ?? 0))
    .filter(({ score, sharedTerms }) => score >= RELATED && sharedTerms.length > 1)
    .toSorted((a, b) => b.score - a.score || a.issue.number - b.issue.number)
    .slice(0, MAX_RELATED);
}

/** BM25 of each past issue against this one, as a share of what this one would reach against itself. */
function rank(input: RelatedInput, others: readonly PastIssue[]): Map<number, number> {
  const index = new MiniSearch<Entry>({
    fields: ['title', 'body'],
    tokenize: tokenise,
    processTerm: (term) => term,
    searchOptions: { boost: { title: 2 } },
  });
  const self: Entry = { id: -1, title: input.title, body: input.body.slice(0, MAX_BODY) };
  const entries = others.map(({ number, title, body }) => ({
    id: number,
    title,
    body: body.slice(0, MAX_BODY),
  }));
  index.addAll([...new Map([self, ...entries].map((entry) => [entry.id, entry])).values()]);
  const query = `${self.title} ${self.title} ${self.body.slice(0, 1500)}`;
  const hits = index.search([...new Set(tokenise(query))].join(' '));
  const top = hits.find(({ id }) => id === -1)?.score ?? hits[0]?.score ?? 1;
  return new Map(hits.map(({ id, score }) => [Number(id), Math.min(1, score / top)]));
}

function measure(input: RelatedInput, issue: PastIssue, rankShare: number): Related {
  const [own, other] = [new Set(tokenise(input.title)), new Set(tokenise(issue.title))];
  const mine = new Set(tokenise(`${input.title} ${input.body.slice(0, MAX_BODY)}`));
  const theirs = new Set(tokenise(`${issue.title} ${issue.body.slice(0, MAX_BODY)}`));
  const sharedTerms = [...mine].filter((term) => theirs.has(term));
  const inTitles = sharedTerms.filter((term) => own.has(term) || other.has(term));
  const alike = 0.5 * diceOf(own, other) + 0.3 * rankShare + 0.2 * overlap(mine, theirs);
  const score = Math.min(1, alike + sharedNames(input, issue));
  const words = wordsByStem(`${input.title} ${input.body.slice(0, MAX_BODY)}`);
  const terms = [...new Set([...inTitles, ...sharedTerms])]
    .slice(0, 8)
    .map((term) => words.get(term) ?? term);
  return { issue, score: bound(score, input, issue), sharedTerms: terms };
}

function overlap(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  const smaller = Math.min(a.size, b.size);
  return smaller === 0 ? 0 : [...a].filter((term) => b.has(term)).length / smaller;
}

function namesIn(text: string): Set<string> {
  const { options, errorCodes, errorMessages, paths, symbols } = readNames(text.slice(0, MAX_BODY));
  return new Set([
    ...options,
    ...errorCodes,
    ...errorMessages,
    ...paths.map(({ path }) => path),
    ...symbols.map(({ name }) => name),
  ]);
}

/** The same option, symbol, error or path in both weighs more than words. */
function sharedNames(input: RelatedInput, issue: PastIssue): number {
  const theirs = namesIn(`${issue.title}\n${issue.body}`);
  const shared = [...namesIn(`${input.title}\n${input.body}`)].filter((name) => theirs.has(name));
  return Math.min(0.2, shared.length * 0.1);
}

function normalTitle(title: string): string {
  return tokenise(title).join(' ');
}

function digitsIn(title: string): string {
  return (title.match(/\d+(?:\.\d+)*/g) ?? []).join(' ');
}

const REMOVING = /\b(?:remove|drop|delete|disable|deprecate|stop)\b/i;

/** Titles that differ in a number, or in whether something comes or goes, are not about one thing. */
function bound(score: number, input: RelatedInput, issue: PastIssue): number {
  if (normalTitle(input.title) === normalTitle(issue.title) && tokenise(input.title).length > 2)
    return Math.max(score, 0.9);
  const [mine, theirs] = [digitsIn(input.title), digitsIn(issue.title)];
  const isOtherNumber = mine !== '' && theirs !== '' && mine !== theirs;
  const isOpposite = REMOVING.test(input.title) !== REMOVING.test(issue.title);
  const limited = isOtherNumber || isOpposite ? Math.min(score, SAME - 0.1) : score;
  return Math.round(limited * 100) / 100;
}

/** Whether a past issue is about the same thing. */
export function isSame({ score, sharedTerms }: Related): boolean {
  return score >= SAME && sharedTerms.length >= MIN_SHARED;
}
