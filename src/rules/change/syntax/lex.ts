/** Tells code, strings and comments of a line apart, so that a rule about code does not fire on a sentence about it. */
import type { Language } from './language.ts';

/** Three views of one line; what a view leaves out is blank, so columns agree. */
export interface LexedLine {
  /** Without comments and the content of strings; quotes and `${…}` stay. */
  code: string;
  /** Without comments. */
  live: string;
  /** Comments only. */
  comment: string;
}

export interface ReadLine extends LexedLine {
  /** 1-based, on its side. */
  line: number;
  text: string;
}

/**
 * Longest view of a line. People write no longer ones, and a pattern that looks back and forth in a line stays cheap;
 * `text` is whole.
 */
const MAX_VIEW = 1000;

interface Quote {
  open: string;
  /** Goes on over lines. */
  isMultiline: boolean;
  /** A backslash escapes. */
  hasEscapes: boolean;
  /** Holds code in `${…}`. */
  isTemplate?: true;
}

interface Grammar {
  lineComments: readonly string[];
  block?: readonly [open: string, close: string];
  quotes: readonly Quote[];
  /** `/…/` may be a regular expression. */
  hasRegExp?: true;
}

const PLAIN: readonly Quote[] = [
  { open: '"', isMultiline: false, hasEscapes: true },
  { open: "'", isMultiline: false, hasEscapes: true },
];
const C_BLOCK = ['/*', '*/'] as const;
const SLASHES: Grammar = { lineComments: ['//'], block: C_BLOCK, quotes: PLAIN };
const HASH: Grammar = { lineComments: ['#'], quotes: PLAIN };

const GRAMMARS: Readonly<Record<Language, Grammar | undefined>> = {
  script: {
    ...SLASHES,
    quotes: [...PLAIN, { open: '`', isMultiline: true, hasEscapes: true, isTemplate: true }],
    hasRegExp: true,
  },
  python: {
    lineComments: ['#'],
    quotes: [
      { open: '"""', isMultiline: true, hasEscapes: true },
      { open: "'''", isMultiline: true, hasEscapes: true },
      ...PLAIN,
    ],
  },
  go: { ...SLASHES, quotes: [...PLAIN, { open: '`', isMultiline: true, hasEscapes: false }] },
  sql: {
    lineComments: ['--'],
    block: C_BLOCK,
    quotes: [{ open: "'", isMultiline: true, hasEscapes: false }],
  },
  code: SLASHES,
  style: { lineComments: [], block: C_BLOCK, quotes: PLAIN },
  workflow: HASH,
  yaml: HASH,
  docker: HASH,
  shell: HASH,
  markup: { lineComments: [], block: ['<!--', '-->'], quotes: [] },
  markdown: { lineComments: [], block: ['<!--', '-->'], quotes: [] },
  json: {
    lineComments: [],
    quotes: [PLAIN[0] ?? { open: '"', isMultiline: false, hasEscapes: true }],
  },
  other: undefined,
};

/** A lexer's state between two lines. */
interface State {
  /** Inside a block comment. */
  isBlock: boolean;
  quote: Quote | undefined;
  /** Open braces inside each `${` that is open. */
  templates: number[];
  /** Last code character that is no blank, to tell a division from a regular expression. */
  last: string;
}

/** Lexes lines that follow one another. Linear; a language that is not known is all code. */
export function lexLines(lines: readonly string[], language: Language): LexedLine[] {
  const grammar = GRAMMARS[language];
  if (grammar === undefined) return lines.map(toPlainLine);
  const state: State = {
    isBlock: beginsInBlock(lines, grammar),
    quote: undefined,
    templates: [],
    last: '',
  };
  return lines.map((text) => lexLine(text, grammar, state));
}

function toPlainLine(text: string): LexedLine {
  const view = text.slice(0, MAX_VIEW);
  return { code: view, live: view, comment: '' };
}

/** A part of a file may begin inside a comment: then its end comes before any beginning. */
function beginsInBlock(lines: readonly string[], { block }: Grammar): boolean {
  if (block === undefined) return false;
  for (const line of lines) {
    const [open, close] = [line.indexOf(block[0]), line.indexOf(block[1])];
    if (close !== -1 && (open === -1 || close < open))
      return /^\s*(?:\*|.*[^*/]\*\/\s*$)/.test(line);
    if (open !== -1) return false;
  }
  return false;
}

interface Views {
  code: string[];
  live: string[];
  comment: string[];
}

function lexLine(text: string, grammar: Grammar, state: State): LexedLine {
  const views: Views = { code: [], live: [], comment: [] };
  let at = 0;
  while (at < text.length) at = lexPiece(text, at, { grammar, state, views });
  if (state.quote !== undefined && !state.quote.isMultiline) state.quote = undefined;
  return { code: viewOf(views.code), live: viewOf(views.live), comment: viewOf(views.comment) };
}

function viewOf(pieces: readonly string[]): string {
  return pieces.join('').slice(0, MAX_VIEW);
}

interface Lexing {
  grammar: Grammar;
  state: State;
  views: Views;
}

function put(views: Views, kind: keyof Views | 'string', piece: string): void {
  if (piece === '') return;
  const blank = ' '.repeat(piece.length);
  views.code.push(kind === 'code' ? piece : blank);
  views.live.push(kind === 'comment' ? blank : piece);
  views.comment.push(kind === 'comment' ? piece : blank);
}

/** Reads up to the next border between code, string and comment; gives where it stopped. */
function lexPiece(text: string, at: number, lexing: Lexing): number {
  const { state, grammar, views } = lexing;
  if (state.isBlock) {
    const close = text.indexOf(grammar.block?.[1] ?? '', at);
    state.isBlock = close === -1;
    const end = close === -1 ? text.length : close + (grammar.block?.[1].length ?? 0);
    put(views, 'comment', text.slice(at, end));
    return end;
  }
  if (state.quote !== undefined) return lexString(text, at, lexing);
  return lexCode(text, at, lexing);
}

function lexString(text: string, at: number, { state, views }: Lexing): number {
  const { quote } = state;
  if (quote === undefined) return at;
  for (let index = at; index < text.length; index += 1) {
    if (quote.hasEscapes && text[index] === '\\') {
      index += 1;
    } else if (text.startsWith(quote.open, index)) {
      put(views, 'string', text.slice(at, index));
      put(views, 'code', quote.open);
      state.quote = undefined;
      state.last = '"';
      return index + quote.open.length;
    } else if (quote.isTemplate === true && text.startsWith('${', index)) {
      put(views, 'string', text.slice(at, index));
      put(views, 'code', '${');
      state.quote = undefined;
      state.templates.push(0);
      state.last = '{';
      return index + 2;
    }
  }
  put(views, 'string', text.slice(at));
  return text.length;
}

function lexCode(text: string, at: number, lexing: Lexing): number {
  const { grammar, state, views } = lexing;
  for (let index = at; index < text.length; index += 1) {
    const character = text[index] ?? '';
    if (character === ' ' || character === '\t') continue;
    if (isPlainCharacter(character)) {
      state.last = character;
      continue;
    }
    if (startsComment(text, index, grammar)) {
      put(views, 'code', text.slice(at, index));
      put(views, 'comment', text.slice(index));
      return text.length;
    }
    const border = borderAt(text, index, lexing);
    if (border !== undefined) {
      put(views, 'code', text.slice(at, index));
      return border();
    }
    state.last = character;
  }
  put(views, 'code', text.slice(at));
  return text.length;
}

/** Letters and digits begin nothing; looking at them first is what makes this fast. */
function isPlainCharacter(character: string): boolean {
  const code = character.charCodeAt(0);
  return (code > 96 && code < 123) || (code > 64 && code < 91) || (code > 47 && code < 58);
}

/** Word comments (`#`) begin at the start or after a blank, so that `$#` and `a#b` do not begin one. */
function startsComment(text: string, at: number, { lineComments }: Grammar): boolean {
  return lineComments.some(
    (mark) =>
      text.startsWith(mark, at) && (mark !== '#' || at === 0 || /[\s;)]/.test(text[at - 1] ?? ' ')),
  );
}

/** What a border at this position does: begins a comment or a string, or closes a `${`. */
function borderAt(text: string, at: number, lexing: Lexing): (() => number) | undefined {
  const { grammar, state, views } = lexing;
  if (grammar.block !== undefined && text.startsWith(grammar.block[0], at))
    return () => {
      put(views, 'comment', grammar.block?.[0] ?? '');
      state.isBlock = true;
      return at + (grammar.block?.[0].length ?? 0);
    };
  const quote = grammar.quotes.find(({ open }) => text.startsWith(open, at));
  if (quote !== undefined)
    return () => {
      put(views, 'code', quote.open);
      state.quote = quote;
      return at + quote.open.length;
    };
  if (grammar.hasRegExp === true && text[at] === '/') return regExpAt(text, at, lexing);
  return closesTemplate(text[at] ?? '', at, lexing);
}

/** After a value `/` divides; anywhere else it begins a regular expression. */
function regExpAt(text: string, at: number, { state, views }: Lexing): (() => number) | undefined {
  const isKeyword = /\b(?:return|typeof|case|in|of|do|else|void|await|yield)\s*$/.test(
    text.slice(Math.max(0, at - 12), at),
  );
  if (/[\w$)\]}"]/.test(state.last) && !isKeyword) return undefined;
  const match = /^\/(?:[^/\\[]|\\.|\[(?:[^\]\\]|\\.)*\])+\/[a-z]*/.exec(text.slice(at));
  if (match === null) return undefined;
  return () => {
    put(views, 'code', '/');
    put(views, 'string', match[0].slice(1, -1));
    put(views, 'code', match[0].slice(-1));
    state.last = '"';
    return at + match[0].length;
  };
}

function closesTemplate(
  character: string,
  at: number,
  { state, views, grammar }: Lexing,
): (() => number) | undefined {
  const depth = state.templates.at(-1);
  if (depth === undefined) return undefined;
  if (character === '{') state.templates[state.templates.length - 1] = depth + 1;
  if (character !== '}') return undefined;
  if (depth > 0) {
    state.templates[state.templates.length - 1] = depth - 1;
    return undefined;
  }
  return () => {
    put(views, 'code', '}');
    state.templates.pop();
    state.quote = grammar.quotes.find(({ isTemplate }) => isTemplate === true);
    return at + 1;
  };
}
