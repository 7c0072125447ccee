/** Takes a person's or a comment's text out of stored JSON, and leaves the rest of its shape as it was. */
import { escapePattern } from '../text/pattern.ts';

/** Replaces erased text. */
export const ERASED = '[erased]';
/** GitHub shows this account where one was deleted: https://github.com/ghost */
export const GHOST = { id: 10_137, login: 'ghost' } as const;

type Json = Record<string, unknown>;

/** Whose text it is. */
export interface Matter {
  /** Whether the texts of this object are to go. */
  owns(object: Json): boolean;
  /** Another object in the place of this one, before its values are looked at. */
  replace?(object: Json): Json;
  /** What to make of every other string. */
  clean?(text: string): string;
}

/** Fields that hold what a person wrote. */
const TEXTS = new Set([
  'answer',
  'body',
  'command',
  'description',
  'message',
  'questions',
  'text',
  'title',
  'why',
  'words',
]);
/** Fields that name the person that an object is of. */
const AUTHORS = ['actor', 'asker', 'author', 'by', 'login', 'user', 'writer'] as const;
/** Other fields that hold one login, plain or as a code span. */
const NAMED = new Set<string>([...AUTHORS, 'acceptsNoTests', 'excused', 'settledBy', 'source']);
/** Fields that hold a list of logins. */
const LISTED = new Set(['assignees', 'requestedReviewers', 'reviewers']);

/** The value without the texts of this matter; what is left out is {@link ERASED}. */
export function redact(value: unknown, matter: Matter): unknown {
  if (typeof value === 'string') return matter.clean?.(value) ?? value;
  if (Array.isArray(value)) return value.map((each) => redact(each, matter));
  if (!isJson(value)) return value;
  const object = matter.replace?.(value) ?? value;
  const owns = matter.owns(value);
  return Object.fromEntries(
    Object.entries(object).map(([key, each]) => [
      key,
      owns && TEXTS.has(key) ? eraseText(redact(each, matter)) : redact(each, matter),
    ]),
  );
}

function eraseText(value: unknown): unknown {
  if (typeof value === 'string') return value === '' ? value : ERASED;
  if (Array.isArray(value)) return value.map(eraseText);
  if (!isJson(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, eraseText(each)]));
}

/** Every text of this matter, as it is written there. */
export function textsOf(value: unknown, matter: Pick<Matter, 'owns'>): string[] {
  if (Array.isArray(value)) return value.flatMap((each) => textsOf(each, matter));
  if (!isJson(value)) return [];
  const owns = matter.owns(value);
  return Object.entries(value).flatMap(([key, each]) =>
    owns && TEXTS.has(key) ? stringsOf(each) : textsOf(each, matter),
  );
}

function stringsOf(value: unknown): string[] {
  if (typeof value === 'string') return value === ERASED ? [] : [value];
  if (typeof value !== 'object' || value === null) return [];
  return Object.values(value).flatMap(stringsOf);
}

/** A shorter line says little, and is found in texts of others. */
const LEAST = 8;
/** What begins a line of Markdown: quotes, lists, boxes, headings, numbers. */
const LINE_START = /^(?:[>#*+-]|\d{1,9}[.)]|\[[ xX]?\]|\s)+/;

/** Replaces each line of these texts wherever it is quoted. Undefined where there is nothing to look for. */
export function toCleaner(texts: readonly string[]): ((text: string) => string) | undefined {
  const lines = texts
    .flatMap((text) => text.split(/\r?\n/))
    .map((line) => line.replace(LINE_START, '').trimEnd())
    .filter((line) => line.length >= LEAST && line !== ERASED);
  // The longest first: one may be a part of another.
  const pieces = [...new Set(lines)].toSorted((a, b) => b.length - a.length);
  if (pieces.length === 0) return undefined;
  return (text) => pieces.reduce((rest, piece) => rest.replaceAll(piece, ERASED), text);
}

/** A comment under an issue, under a pull request or on a diff. */
export function commentMatter(commentId: number): Matter {
  return {
    owns: ({ id, commentId: named, comment }) =>
      id === commentId || named === commentId || (isJson(comment) && comment['id'] === commentId),
  };
}

/** A person: their texts, their id and their logins. */
export function personMatter({ id, logins }: { id: number; logins: readonly string[] }): Matter {
  const names = new Set(logins.map((login) => login.toLowerCase()));
  const isName = (value: unknown): boolean =>
    typeof value === 'string' && names.has(value.replace(CODE_SPAN, '$1').toLowerCase());
  const isPerson = (value: unknown): boolean =>
    isJson(value) && typeof value['login'] === 'string' && value['id'] === id;
  const mention = toMention(logins);
  return {
    owns: (object) => AUTHORS.some((key) => isPerson(object[key]) || isName(object[key])),
    replace: (object) => {
      if (isPerson(object)) return { ...object, ...GHOST };
      const named = Object.entries(object).map(([key, value]): [string, unknown] => {
        if (isName(value) && isNameKey(key, object)) return [key, GHOST.login];
        if (key === 'authorId' && value === id) return [key, GHOST.id];
        if (!LISTED.has(key) || !Array.isArray(value)) return [key, value];
        return [key, value.map((each: unknown) => (isName(each) ? GHOST.login : each))];
      });
      return Object.fromEntries(named);
    },
    ...(mention !== undefined && { clean: (text) => text.replace(mention, `$1${GHOST.login}`) }),
  };
}

const CODE_SPAN = /^`(.+)`$/;

/** The text before a login: as people mention somebody, in a prompt, and in Quorum's sentences. */
const BEFORE = [
  '@',
  String.raw`\bauthor="?`,
  String.raw`\b(?:approved|asked for|given back|stopped|declined\*\*|refuted\*\*) by ${'`?'}`,
  String.raw`\bthe review of ${'`'}`,
  String.raw`\bsomebody other than ${'`'}`,
  // A line of a list, as rules quote people.
  String.raw`(?:^|\n)- (?=[\w-]+(?: \(maintainer\)| answered|:))`,
].join('|');

/** A bare word may be anything. */
function toMention(logins: readonly string[]): RegExp | undefined {
  const words = logins.filter((login) => /^[A-Za-z0-9-]+(?:\[bot\])?$/.test(login));
  if (words.length === 0) return undefined;
  return new RegExp(
    String.raw`(${BEFORE})(?:${words.map(escapePattern).join('|')})(?![\w-])`,
    'gi',
  );
}

/** Settings name the owner to be asked; beside `repo` it is a part of a repository's name. */
function isNameKey(key: string, object: Json): boolean {
  return key === 'owner' ? !('repo' in object) : NAMED.has(key);
}

const NAMES = ['owner', 'repo', 'name'] as const;

/** The names of a repository, wherever its id is beside them. */
export function repositoryMatter(repositoryId: number): Matter {
  return {
    owns: () => false,
    replace: (object) => {
      if (object['repositoryId'] !== repositoryId) return object;
      const erased = NAMES.filter((name) => typeof object[name] === 'string');
      return { ...object, ...Object.fromEntries(erased.map((name) => [name, 'erased'])) };
    },
  };
}

export function isJson(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
