/** A channel of Slack as people see it. */
import { article, toHtmlText, page } from '../page.ts';
import type { ChatAnswer } from '../serve.ts';
import type { SlackChannel, SlackMessage, SlackWorld } from './slack-world.ts';

const EMOJI: Readonly<Record<string, string>> = {
  eyes: '👀',
  white_check_mark: '✅',
  no_entry: '⛔',
};

/** `/` lists channels, `/channel/NAME` shows one; undefined is no page. */
export function slackPage(world: SlackWorld, path: string): ChatAnswer | undefined {
  if (path === '/')
    return page(
      'Slack (emulated)',
      `<ul>${world.channels.map((each) => `<li><a href="/channel/${toHtmlText(each.name)}">#${toHtmlText(each.name)}</a></li>`).join('')}</ul>`,
    );
  const name = /^\/channel\/([\w-]{1,80})$/.exec(path)?.[1];
  const channel = world.channels.find((each) => each.name === name);
  return channel === undefined ? undefined : page(`#${channel.name}`, channelBody(world, channel));
}

function channelBody(world: SlackWorld, { messages }: SlackChannel): string {
  const heads = messages.filter(
    ({ ts, thread_ts: thread }) => thread === undefined || thread === ts,
  );
  return heads
    .flatMap((head) => [
      head,
      ...messages.filter((each) => each !== head && each.thread_ts === head.ts),
    ])
    .map((message) => shown(world, message))
    .join('');
}

function shown(world: SlackWorld, message: SlackMessage): string {
  const when = new Date(Number(message.ts) * 1000).toISOString().slice(11, 16);
  const files = message.files.map(
    (file) =>
      `<div class="file">📄 ${toHtmlText(file.name)}<pre>${toHtmlText((file.bytes ?? Buffer.alloc(0)).toString().slice(0, 2_000))}</pre></div>`,
  );
  const marks = message.reactions.map(
    (each) =>
      `<span class="mark">${EMOJI[each.name] ?? toHtmlText(each.name)} ${each.users.length}</span> `,
  );
  return article({
    who: message.username ?? world.users.get(message.user)?.name ?? message.user,
    when: message.edited ? `${when} (edited)` : when,
    html: toHtml(message.text),
    more: files.join('') + buttonsOf(message) + marks.join(''),
    isBelow: message.thread_ts !== undefined && message.thread_ts !== message.ts,
  });
}

/** Nothing on these pages can be pressed. */
function buttonsOf({ blocks = [] }: SlackMessage): string {
  const labels = blocks.flatMap((block) =>
    block.type === 'actions' ? block.elements.map(({ text }) => text.text) : [],
  );
  return labels.map((label) => `<span class="mark">${toHtmlText(label)}</span> `).join('');
}

/** Slack's markup as HTML: code, links, and bold. Entities are those of HTML already. */
export function toHtml(text: string): string {
  return text
    .split(/(```[\s\S]*?```)/)
    .map((part) =>
      part.startsWith('```') ? `<pre>${plain(part.slice(3, -3).trim())}</pre>` : inline(part),
    )
    .join('');
}

function inline(text: string): string {
  return text
    .split(/(<[^<>]*>|`[^`\n]+`|\*[^*\n]+\*|(?<![\w/])_[^_\n]+_(?![\w/]))/)
    .map((part) => {
      if (part.startsWith('<')) return anchor(part.slice(1, -1));
      if (/^`.+`$/.test(part)) return `<code>${plain(part.slice(1, -1))}</code>`;
      if (/^_.+_$/.test(part)) return `<em>${plain(part.slice(1, -1))}</em>`;
      return /^\*.+\*$/.test(part) ? `<strong>${plain(part.slice(1, -1))}</strong>` : plain(part);
    })
    .join('');
}

function anchor(inner: string): string {
  const [url = '', label = url] = inner.split('|');
  return /^https?:/.test(url)
    ? `<a href="${plain(url)}">${plain(label)}</a>`
    : `<strong>${plain(inner)}</strong>`;
}

function plain(text: string): string {
  return toHtmlText(text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&'));
}
