/** Keeps a comment under GitHub's limit without breaking its Markdown. */
import { redactSecrets } from '../secrets/secret-text.ts';
import { stripInvisible } from './invisible.ts';

/** GitHub refuses 65,536 characters; the rest is room for the marker and for what a server counts differently. */
export const BODY_LIMIT = 64_000;
/** What of the end is kept when something must go. */
const TAIL = 4000;

interface OpenState {
  /** The fence that is open, or an empty string. */
  fence: string;
  details: number;
}

const FENCE = /^[ \t>]*(`{3,}|~{3,})([^]*)$/;

function afterLine(state: OpenState, line: string): OpenState {
  const [, run = '', rest = ''] = FENCE.exec(line) ?? [];
  if (state.fence !== '') {
    const closes = run.startsWith(state.fence) && rest.trim() === '';
    return closes ? { ...state, fence: '' } : state;
  }
  if (run !== '' && !(run.startsWith('`') && rest.includes('`'))) return { ...state, fence: run };
  return { ...state, details: Math.max(0, state.details + openedBy(line)) };
}

/** How many more details a line opens than it closes. */
function openedBy(line: string): number {
  return Array.from(line.matchAll(/<(\/?)details\b/gi)).reduce(
    (sum, match) => sum + (match[1] === '/' ? -1 : 1),
    0,
  );
}

function stateAfter(text: string): OpenState {
  return text.split('\n').reduce(afterLine, { fence: '', details: 0 });
}

/** Text that closes whatever is open at the end of `text`. */
function closing(text: string): string {
  const state = stateAfter(text);
  const fence = state.fence === '' ? '' : `\n${state.fence}`;
  return fence + '\n\n</details>'.repeat(state.details);
}

/**
 * Cuts a body to `limit` characters. It keeps the beginning up to a paragraph, a line that says how much is missing,
 * and the end (verdict footers and markers are there). Open fences and details are closed; characters are never split.
 */
export function capBody(body: string, limit = BODY_LIMIT): string {
  const whole = body.toWellFormed();
  const closed = whole + closing(whole);
  if (closed.length <= limit) return closed;
  const tail = endOf(whole, Math.min(TAIL, Math.floor(limit / 4)));
  const room = limit - tail.length - 200;
  const head = beginOf(whole, Math.max(0, room));
  const missing = whole.length - head.length - tail.length;
  const shut = closing(head);
  return `${head}${shut}\n\n_${missing.toLocaleString('en-US')} characters left out here._\n\n${tail}${closing(tail)}`.toWellFormed();
}

function beginOf(text: string, room: number): string {
  // Closing tags need room of their own: details nest a few levels at most in what we write.
  const cut = text.slice(0, Math.max(0, room - 200));
  const paragraph = cut.lastIndexOf('\n\n');
  const line = cut.lastIndexOf('\n');
  if (paragraph > cut.length / 2) return cut.slice(0, paragraph);
  return line > cut.length / 2 ? cut.slice(0, line) : cut;
}

/** The end of the text, from a paragraph that does not stand inside a fence. */
function endOf(text: string, size: number): string {
  const from = text.length - size;
  let state: OpenState = { fence: '', details: 0 };
  let at = 0;
  for (const line of text.split('\n')) {
    if (at >= from && state.fence === '') return withoutOrphans(text.slice(at));
    state = afterLine(state, line);
    at += line.length + 1;
  }
  return '';
}

/** Drops closing tags whose opening was cut away. */
function withoutOrphans(tail: string): string {
  let depth = 0;
  return tail.replaceAll(/<details\b|<\/details>/gi, (tag) => {
    depth += tag.startsWith('</') ? -1 : 1;
    if (depth >= 0) return tag;
    depth = 0;
    return '';
  });
}

/** A text as GitHub is given it: without what nobody sees or what looks like a credential, and within the limit. */
export function toShownText(body: string): string {
  const text = capBody(redactSecrets(stripInvisible(body).text)).trimEnd();
  // Closing thousands of elements can take more room than there is: then the limit goes before good form.
  return text.length <= BODY_LIMIT ? text : text.slice(0, BODY_LIMIT).toWellFormed();
}

/** GitHub's limit of a title. */
export const TITLE_LIMIT = 256;

/** A title or another short text, without what nobody sees or what looks like a credential. */
export function shortText(text: string, limit: number): string {
  return redactSecrets(stripInvisible(text).text).slice(0, limit).toWellFormed();
}
