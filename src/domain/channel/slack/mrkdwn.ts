/** Text with marks in Slack's own markup. Only links that are made here contain `<`. */
import { stripInvisible } from '../../text/invisible.ts';
import {
  defuseBroadcasts,
  defuseMentions,
  honestLabel,
  type Block,
  type Span,
} from '../text/rich-text.ts';

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };
const BREAK = '\u200b';

/** The three characters that Slack reads as its own. */
export function escapeSlack(text: string): string {
  return text.replaceAll(/[&<>]/g, (char) => ENTITIES[char] ?? char);
}

/** Text of others: nothing in it is a mention, a link or a call to everybody. */
export function plainSlack(text: string): string {
  return escapeSlack(defuseMentions(stripInvisible(text.toWellFormed()).text));
}

export function toMrkdwn({ spans, quote }: Extract<Block, { kind: 'text' }>): string {
  const text = spans.map(toSpan).join('');
  if (quote === 0) return text;
  return text
    .split('\n')
    .map((line) => `> ${line}`)
    .join('\n');
}

function toSpan(span: Span): string {
  if (span.url !== undefined) return toLink(span);
  if (span.isCode === true) return toInlineCode(span.text);
  const text = plainSlack(span.text);
  if (span.isStrong === true) return wrap(text, '*');
  if (span.isEmphasised === true) return wrap(text, '_');
  return span.isStruck === true ? wrap(text, '~') : text;
}

/** Slack marks nothing where the marker touches a space. */
function wrap(text: string, mark: string): string {
  const inner = text.trim();
  if (inner === '' || inner.includes(mark) || inner.includes('\n')) return text;
  const start = text.length - text.trimStart().length;
  return `${text.slice(0, start)}${mark}${inner}${mark}${text.slice(start + inner.length)}`;
}

function toInlineCode(text: string): string {
  const line = text.replaceAll(/\s+/g, ' ').trim().replaceAll('`', 'ˋ');
  return line === '' ? '' : `\`${escapeSlack(defuseBroadcasts(stripInvisible(line).text))}\``;
}

const MAX_LABEL = 200;

function toLink(span: Span): string {
  const label = honestLabel(span).replaceAll('|', '¦').slice(0, MAX_LABEL).toWellFormed();
  return `<${escapeSlack(span.url ?? '')}|${plainSlack(label)}>`;
}

/** A block of code; nothing in it ends the block. */
export function toCodeBlock(text: string): string {
  const inner = defuseBroadcasts(stripInvisible(text.toWellFormed()).text).replaceAll(
    '```',
    `\`${BREAK}\`${BREAK}\``,
  );
  return `\`\`\`\n${escapeSlack(inner)}\n\`\`\``;
}
