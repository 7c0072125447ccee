/** Text with marks, as every channel can show it in its own way. What is in a span is always literal. */
import { stripInvisible } from '../../text/invisible.ts';

export interface Span {
  text: string;
  /** `http` or `https`. */
  url?: string;
  isStrong?: true;
  isEmphasised?: true;
  isStruck?: true;
  isCode?: true;
  /** The address is our own choice: the label may say anything. */
  isOurs?: true;
}

/** A paragraph, or a block of code. */
export type Block =
  | {
      kind: 'text';
      spans: readonly Span[];
      /** Depth of the quotation. */
      quote: number;
      /** Of a list: no empty line between it and the next item. */
      isItem?: true;
    }
  | {
      kind: 'code';
      text: string;
      language: string;
      /** Of the file that it is from. */
      name?: string;
    };

/** What is between two blocks. */
export function gapBetween(before: Block | undefined, after: Block): string {
  const isList = [before, after].every((each) => each?.kind === 'text' && each.isItem === true);
  return isList ? '\n' : '\n\n';
}

/** A paragraph of plain text and links. */
export function textBlock(spans: readonly (Span | string)[]): Extract<Block, { kind: 'text' }> {
  const all = spans.map((span): Span => (typeof span === 'string' ? { text: span } : span));
  return { kind: 'text', spans: all, quote: 0 };
}

/** A link, where the address is one that people can follow; the text alone otherwise. */
export function webLink(text: string, url: string): Span {
  const safe = toWebAddress(url);
  return safe === undefined ? { text } : { text, url: safe };
}

const MAX_ADDRESS = 1_000;

/** The address without what ends a link in any channel's markup; undefined when it is not one of the web. */
export function toWebAddress(url: string): string | undefined {
  if (url.length > MAX_ADDRESS || !URL.canParse(url)) return undefined;
  const parsed = new URL(url);
  const isWeb = parsed.protocol === 'https:' || parsed.protocol === 'http:';
  if (!isWeb || parsed.username !== '' || parsed.password !== '') return undefined;
  const text = parsed.href.replaceAll('|', '%7C').replaceAll("'", '%27');
  return text.length > MAX_ADDRESS ? undefined : text;
}

const LIKE_AN_ADDRESS = /:\/\/|[\p{L}\p{N}]\.\p{L}{2}/u;

/** A label that looks like an address gets the real host beside it: `github.com (evil.example)`. */
export function honestLabel({ text, url = '', isOurs }: Span): string {
  const label = text.replaceAll(/\s+/g, ' ').trim();
  const { host, href } = new URL(url);
  if (label === '') return host;
  if (isOurs === true) return label;
  const isSame = label === url || label === href || label === href.replace(/\/$/, '');
  const names = isSame || !LIKE_AN_ADDRESS.test(label) || label.startsWith(`${host}/`);
  return names || label === host ? label : `${label} (${host})`;
}

const BREAK = '\u200b';

/**
 * Puts an invisible space after every `@`, so that no service reads what follows as a mention. A final `@` gets one
 * too, because more text may follow.
 */
export function defuseMentions(text: string): string {
  return text.replaceAll(/@(?!\s)/g, `@${BREAK}`);
}

/** In code only what addresses everybody is broken, so that code stays as it was. */
export function defuseBroadcasts(text: string): string {
  return text.replaceAll(/@(?=channel|here|everyone|group)/gi, `@${BREAK}`);
}

/** Text of others for one line: visible characters only. */
export function toOneLine(text: string, most = 300): string {
  const line = stripInvisible(text.toWellFormed().replaceAll(/\s+/g, ' ')).text.trim();
  return line.length > most ? `${line.slice(0, most - 1).toWellFormed()}…` : line;
}
