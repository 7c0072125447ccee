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
/** More messages than this in one go are a file with the whole text. */
const MAX_MESSAGES = 4;
/** Slack's own limit for a snippet is 1 MB. */
const MAX_SNIPPET = 900_000;

export interface Snippet {
  name: string;
  text: string;
}

export interface SlackText {
  /** At least one, each within {@link SLACK_LIMIT}. */
  messages: readonly string[];
  snippets: readonly Snippet[];
}

/** What is longer than a few messages is one message, and a file with all of it. */
export function toSlackText(markdown: string): SlackText {
  const isHuge = markdown.length > 2 * MAX_MESSAGES * SLACK_LIMIT;
  const text = fillMessages(readMarkdown(isHuge ? markdown.slice(0, 2 * SLACK_LIMIT) : markdown));
  if (!isHuge && text.messages.length <= MAX_MESSAGES) return text;
  const [first = ''] = text.messages;
  const note = '_The whole text is in the file below._';
  const head = splitText(first, SLACK_LIMIT - note.length - 2)[0] ?? '';
  const whole = { name: 'answer.md', text: markdown.slice(0, MAX_SNIPPET).toWellFormed() };
  return { messages: [`${head}\n\n${note}`], snippets: [whole] };
}

/** Fills one message after the other. */
export function fillMessages(blocks: readonly Block[]): SlackText {
  const snippets: Snippet[] = [];
  const pieces = blocks.flatMap((block, at) =>
    toPieces(block, snippets).map((text, part) => ({
      text,
      gap: part === 0 ? gapBetween(blocks[at - 1], block) : '\n\n',
    })),
  );
  const messages: string[] = [];
  for (const { text, gap } of pieces) {
    const last = messages.at(-1);
    if (last !== undefined && last.length + text.length + gap.length <= SLACK_LIMIT)
      messages[messages.length - 1] = `${last}${gap}${text}`;
    else messages.push(text);
  }
  const kept = messages.filter((message) => !isEmptyText(message));
  return { messages: kept.length === 0 ? ['…'] : kept, snippets };
}

function toPieces(block: Block, snippets: Snippet[]): string[] {
  if (block.kind === 'text') return splitText(toMrkdwn(block), SLACK_LIMIT);
  const code = toCodeBlock(block.text);
  const isLong = block.text.split('\n').length >= LONG_CODE_LINES || code.length > SLACK_LIMIT;
  if (!isLong) return [code];
  const name = snippetName(block, snippets.length + 1);
  snippets.push({ name, text: block.text.slice(0, MAX_SNIPPET).toWellFormed() });
  return [`_${name} is in a file below._`];
}
