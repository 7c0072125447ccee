/** Reads the elements that new lines of markup begin, in HTML, JSX, Vue and Svelte, over line ends. */
import { escapePattern } from '../../../domain/text/pattern.ts';
import type { Language } from './language.ts';
import type { ReadLine } from './lex.ts';

export interface MarkupElement {
  /** As written: components have capitals. */
  name: string;
  attributes: string;
  line: number;
  endLine: number;
  /** The text between `<x>` and `</x>` when both are near; undefined when unknown. */
  content: string | undefined;
}

/** The part of a changed file that this needs. */
export interface MarkupSource {
  path: string;
  language: Language;
  added: readonly ReadLine[];
  lines: ReadonlyMap<number, ReadLine>;
}

const START = /<([A-Za-z][\w.-]*)(?=[\s/>]|$)/g;
const MAX_LINES = 30;
/** Longest tag, with its content, that is read. */
const MAX_TAG = 2000;

function isMarkup({ language, path }: MarkupSource): boolean {
  return language === 'markup' || (language === 'script' && /\.[jt]sx$/.test(path));
}

/** Elements whose opening tag begins in a new line. A tag whose end is not shown is left out. */
export function newElements(file: MarkupSource): MarkupElement[] {
  if (!isMarkup(file)) return [];
  return file.added.flatMap((line) => {
    const searched = file.language === 'script' ? line.code : line.live;
    return [...searched.matchAll(START)].flatMap((match) => {
      const element = readElement(file, line, match);
      return element === undefined ? [] : [element];
    });
  });
}

function readElement(
  file: MarkupSource,
  line: ReadLine,
  match: RegExpExecArray,
): MarkupElement | undefined {
  const after = match.index + match[0].length;
  const shown: string[] = [line.live.slice(after)];
  for (let at = line.line + 1; at < line.line + MAX_LINES; at += 1) {
    const next = file.lines.get(at);
    if (next === undefined) break;
    shown.push(next.live);
  }
  const text = shown.join('\n').slice(0, MAX_TAG);
  const end = tagEnd(text);
  if (end === undefined) return undefined;
  const attributes = text.slice(0, end).replace(/\/$/, '');
  const endLine = line.line + text.slice(0, end).split('\n').length - 1;
  const name = match[1] ?? '';
  return { name, attributes, line: line.line, endLine, content: contentOf(text, end, name) };
}

/** Quoted text, or what ends a tag; in JSX `=>` does not. */
const TAG_PIECE = /"[^"]*"|'[^']*'|`[^`]*`|=>|[{}>]/g;

/** Where the opening tag ends: the first `>` outside of quotes and braces. */
function tagEnd(text: string): number | undefined {
  let depth = 0;
  for (const match of text.matchAll(TAG_PIECE)) {
    if (match[0] === '{') depth += 1;
    if (match[0] === '}') depth -= 1;
    if (match[0] === '>' && depth <= 0) return match.index;
  }
  return undefined;
}

function contentOf(text: string, end: number, name: string): string | undefined {
  if (text[end - 1] === '/') return '';
  const close = text.indexOf(`</${name}>`, end);
  return close === -1 ? undefined : text.slice(end + 1, close);
}

/** The value of an attribute, `true` for one without a value; undefined when it is not there. */
export function attribute({ attributes }: MarkupElement, name: string): string | true | undefined {
  const match = new RegExp(
    `(?:^|\\s):?${escapePattern(name)}(?:\\s*=\\s*(?:"([^"]*)"|'([^']*)'|\\{([^}]*)\\}|([^\\s"'{]+))|(?=\\s|$))`,
    'i',
  ).exec(attributes);
  if (match === null) return undefined;
  return match[1] ?? match[2] ?? match[3] ?? match[4] ?? true;
}

/** Whether attributes are passed on that cannot be seen here. */
export function hasSpread({ attributes }: MarkupElement): boolean {
  return /\{\s*\.\.\.|\bv-bind="/.test(attributes);
}
