/** Paragraphs and code as messages of Slack: none over the limit, no block of code in two. */
import { isEmptyText } from '../text/empty-text.ts';
import { readMarkdown } from '../text/read-markdown.ts';
import { gapBetween, type Block } from '../text/rich-text.ts';
import { snippetName } from './snippet-name.ts';
import { toCodeBlock, toMrkdwn } from './mrkdwn.ts';
import { splitText } from './split-text.ts';

/** Longer messages are hard to read, and Slack cuts some of them. */
export const SLACK_LIMIT = 4_000;
/** Code from this length on becomes a file. */
const LONG_CODE_LINES = 20;
/** What of a longer answer is in the message itself. */
const SUMMARY_LIMIT = 1_500;
/** Only the beginning of a longer text is read as Markdown. */
const MAX_READ = 8 * SLACK_LIMIT;
/** Slack's own limit for a snippet is 1 MB. */
const MAX_SNIPPET = 900_000;
/** Where Slack takes no files: more messages than these would bury the thread. */
const MOST_IN_FULL = 20;

export interface Snippet {
  name: string;
  text: string;
}

export interface SlackText {
  /** At least one, each within {@link SLACK_LIMIT}. */
  messages: readonly string[];
  snippets: readonly Snippet[];
  /** Markdown of which the message is only the beginning. */
  whole?: string;
}

/** What does not fit into one message is its beginning, and a file with all of it. */
export function toSlackText(markdown: string): SlackText {
  const isHuge = markdown.length > MAX_READ;
  const blocks = readMarkdown(isHuge ? markdown.slice(0, 2 * SLACK_LIMIT) : markdown);
  const text = fillMessages(blocks);
  if (!isHuge && text.messages.length === 1) return text;
  const whole = markdown.slice(0, MAX_SNIPPET).toWellFormed();
  const snippets = [{ name: 'answer.md', text: whole }, ...(isHuge ? [] : text.snippets)];
  return { messages: [`${summarise(blocks)}\n\n_The whole text is below._`], snippets, whole };
}

/**
 * The first paragraphs, and no heading without what follows it. Where they are less than half a summary, the beginning of
 * the next one follows. A heading or a note alone says nothing of the answer.
 */
function summarise(blocks: readonly Block[]): string {
  const count = blocks.findIndex((_, at) => lengthOf(blocks.slice(0, at + 1)) > SUMMARY_LIMIT);
  const taken = blocks.slice(0, count === -1 ? blocks.length : count);
  const next = blocks[taken.length];
  const room = SUMMARY_LIMIT - lengthOf(taken);
  if (next !== undefined && room > SUMMARY_LIMIT / 2) taken.push(beginningOf(next, room));
  else while (taken.length > 1 && isHeading(taken.at(-1))) taken.pop();
  const message = fillMessages(taken).messages.join('\n\n');
  if (message.length <= SUMMARY_LIMIT) return message;
  return `${splitText(message, SUMMARY_LIMIT - 1)[0] ?? ''}…`;
}

/** Text is cut with the message, but code would lose the end of its block. */
function beginningOf(block: Block, room: number): Block {
  if (block.kind === 'text') return block;
  // A character may become five in Slack's markup, and the block has its ends.
  const text = block.text.slice(0, room / 6).toWellFormed();
  const lines = text.slice(0, Math.max(text.lastIndexOf('\n'), 0));
  return { ...block, text: `${lines === '' ? text : lines}\n…` };
}

function lengthOf(blocks: readonly Block[]): number {
  return fillMessages(blocks).messages.join('\n\n').length;
}

function isHeading(block: Block | undefined): boolean {
  return block?.kind === 'text' && block.spans.every(({ isStrong }) => isStrong === true);
}

/** What is in the files, as messages: for where Slack takes no files. */
export function inMessages({ whole, snippets }: SlackText): string[] {
  if (whole === undefined) return snippets.flatMap(({ text }) => toCodeBlocks(text));
  const read = whole.slice(0, MOST_IN_FULL * SLACK_LIMIT);
  const all = pour(readMarkdown(read).flatMap(toOpenPieces));
  if (all.length <= MOST_IN_FULL && read.length === whole.length) return all;
  return [...all.slice(0, MOST_IN_FULL - 1), '_The rest is on GitHub._'];
}

function toOpenPieces(block: Block, at: number, blocks: readonly Block[]): Piece[] {
  const texts =
    block.kind === 'code' ? toCodeBlocks(block.text) : splitText(toMrkdwn(block), SLACK_LIMIT);
  return withGaps(texts, gapBetween(blocks[at - 1], block));
}

/** Each within the limit, cut between lines. */
function toCodeBlocks(code: string): string[] {
  const blocks: string[] = [];
  let lines: string[] = [];
  for (const line of code.split('\n').flatMap(shortLines)) {
    if (lines.length > 0 && toCodeBlock([...lines, line].join('\n')).length > SLACK_LIMIT) {
      blocks.push(toCodeBlock(lines.join('\n')));
      lines = [];
    }
    lines.push(line);
  }
  return [...blocks, toCodeBlock(lines.join('\n'))];
}

/** A character may become five in Slack's markup. */
const LONGEST_LINE = 700;

function shortLines(line: string): string[] {
  const count = Math.max(1, Math.ceil(line.length / LONGEST_LINE));
  return Array.from({ length: count }, (_, at) =>
    line.slice(at * LONGEST_LINE, (at + 1) * LONGEST_LINE),
  );
}

interface Piece {
  text: string;
  /** Before it, where it is not the first of a message. */
  gap: string;
}

function withGaps(texts: readonly string[], gap: string): Piece[] {
  return texts.map((text, part) => ({ text, gap: part === 0 ? gap : '\n\n' }));
}

/** Fills one message after the other. */
export function fillMessages(blocks: readonly Block[]): SlackText {
  const snippets: Snippet[] = [];
  const pieces = blocks.flatMap((block, at) =>
    withGaps(toPieces(block, snippets), gapBetween(blocks[at - 1], block)),
  );
  return { messages: pour(pieces), snippets };
}

/** At least one message. */
function pour(pieces: readonly Piece[]): string[] {
  const messages: string[] = [];
  for (const { text, gap } of pieces) {
    const last = messages.at(-1);
    if (last !== undefined && last.length + text.length + gap.length <= SLACK_LIMIT)
      messages[messages.length - 1] = `${last}${gap}${text}`;
    else messages.push(text);
  }
  const kept = messages.filter((message) => !isEmptyText(message));
  return kept.length === 0 ? ['…'] : kept;
}

function toPieces(block: Block, snippets: Snippet[]): string[] {
  if (block.kind === 'text') return splitText(toMrkdwn(block), SLACK_LIMIT);
  const code = toCodeBlock(block.text);
  const isLong = block.text.split('\n').length >= LONG_CODE_LINES || code.length > SLACK_LIMIT;
  if (!isLong) return [code];
  const name = snippetName(block, snippets.length + 1);
  snippets.push({ name, text: block.text.slice(0, MAX_SNIPPET).toWellFormed() });
  return [`_${name} is below._`];
}
