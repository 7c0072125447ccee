/** Text for Slack: markup, limits, and nothing of others that calls anybody. */
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Announced } from '../../../src/domain/channel/announce/announcement.ts';
import { toSlackAnnouncement } from '../../../src/domain/channel/slack/slack-announcement.ts';
import {
  fillMessages,
  inMessages,
  SLACK_LIMIT,
  toSlackText,
} from '../../../src/domain/channel/slack/slack-message.ts';
import { readMarkdown } from '../../../src/domain/channel/text/read-markdown.ts';
import {
  fromMrkdwn,
  linksInMrkdwn,
  mentionsUser,
} from '../../../src/domain/channel/slack/from-mrkdwn.ts';
import { splitText } from '../../../src/domain/channel/slack/split-text.ts';
import { anAnnouncement } from './some-announcement.ts';
import { hostileText } from './hostile-text.ts';
import { verifies } from '../../verifies.ts';

const one = (markdown: string): string => toSlackText(markdown).messages.join('\n---\n');

/** What Slack would take for a mention, a broadcast or a link that is not ours; in code a name is only a name. */
function callsIn(message: string): string[] {
  const withoutLinks = message.replaceAll(/<https?:\/\/[^<>|\s]+\|[^<>|\n]*>/g, '');
  const withoutCode = withoutLinks.replaceAll(/```[^]*?```|`[^`\n]+`/g, '');
  return [
    ...(withoutLinks.match(/<|@(?:channel|here|everyone)/gi) ?? []),
    ...(withoutCode.match(/@[\p{L}\p{N}_]/gu) ?? []),
  ];
}

test.each([
  ['approved', { by: 'ana' }, '👍 ana approved head ab12ab12ab12'],
  ['merged or closed', {}, '☑️ head ab12ab12ab12 no longer waits for approval'],
])('a head that was %s asks for nobody any more', (_, by, says) => {
  const answer = { headSha: 'ab12'.repeat(10), ...by };
  const announced = { event: 'head-settled', request: 'a', answer } as const;
  const { head } = toSlackAnnouncement(anAnnouncement(announced));
  expect(head.replace(/ <.*>: /u, ' ')).toBe(says);
});

test('a question that needs nobody any more is named on one line, with the same escapes as where it was asked', () => {
  const question = 'Task 1: <!channel> *which*\nof @ana';
  const textOf = (announced: Announced): string =>
    toSlackAnnouncement(anAnnouncement(announced)).head.replace(/ <.*?>: /u, ' ');
  const escaped = 'Task 1: &lt;!channel&gt; *which* of @\u200bana';
  expect(textOf({ event: 'needs-human', question })).toBe(`🙋 a person is needed: ${escaped}`);
  expect(textOf({ event: 'need-settled', request: 'a', question })).toBe(`☑️ settled: ${escaped}`);
});

describe('markup', () => {
  test.each([
    ['# Title', '*Title*'],
    ['a **b** and *c* and ~~d~~', 'a *b* and _c_ and ~d~'],
    ['snake_case_name and 2 * 3 * 4', 'snake_case_name and 2 * 3 * 4'],
    ['`a < b`', '`a &lt; b`'],
    ['[the docs](https://example.com/a?b=1&c=2)', '<https://example.com/a?b=1&amp;c=2|the docs>'],
    ['- one\n- [x] two\n  1. three', '• one\n☑ two\n    1. three'],
    ['> quoted', '> quoted'],
    ['```ts\nlet a = 1 < 2;\n```', '```\nlet a = 1 &lt; 2;\n```'],
    ['![a chart](https://example.com/c.png)', '<https://example.com/c.png|a chart>'],
    ['a <!-- hidden --> b', 'a  b'],
    ['| a | b |\n|---|---|\n| 1 | 22 |', '```\na | b\n1 | 22\n```'],
  ])('%j becomes %j', (markdown, expected) => {
    expect(one(markdown)).toBe(expected);
  });

  verifies(
    'OUT-03: label that names another host',
    'a link whose label names another host shows the real one',
    () => {
      expect(one('[github.com/octo](https://evil.example/x)')).toBe(
        '<https://evil.example/x|github.com/octo (evil.example)>',
      );
    },
  );

  test('an address that is not one of the web is no link', () => {
    expect(one('[click](javascript:alert(1))')).toBe('click');
  });
});

describe('mentions', () => {
  test.each([
    '<!channel> <!here> <!everyone> <!subteam^S1|team>',
    '<@U123> <@U123|bob> <#C1|general>',
    '@channel @here @everyone @bob',
    '`@channel` and\n```\n@here <!here>\n```',
    '[<!here>](https://example.com) [@channel](https://example.com/|<!here>)',
    '&lt;!here&gt; \\<!channel\\> <<!here>>',
    '<https://example.com|<!channel>>',
    '@\u200bchannel @\u2060here \u202e@everyone',
  ])('none survives in %j', (text) => {
    const { head } = toSlackAnnouncement(
      anAnnouncement({ event: 'failed', reason: text }, { title: text }),
    );
    for (const message of [...toSlackText(text).messages, head])
      expect(callsIn(message)).toEqual([]);
  });

  verifies('OUT-03: mentions in any text', 'none survives in any text', () => {
    fc.assert(
      fc.property(hostileText(), (text) => {
        const { head, below } = toSlackAnnouncement(
          anAnnouncement({ event: 'verdict', verdict: text, details: text }, { title: text }),
        );
        const messages = [...toSlackText(text).messages, head, ...(below?.messages ?? [])];
        for (const message of messages) expect(callsIn(message)).toEqual([]);
      }),
    );
  });
});

describe('limits', () => {
  verifies(
    'OUT-05: length in Slack',
    'no message is over the limit or empty, whatever the text',
    () => {
      fc.assert(
        fc.property(fc.array(hostileText(), { maxLength: 12 }), fc.nat(20), (texts, times) => {
          const text = toSlackText(texts.join('\n\n').repeat(1 + times));
          expect(text.messages.length).toBeGreaterThan(0);
          for (const message of [...text.messages, ...inMessages(text)]) {
            expect(message.length).toBeLessThanOrEqual(SLACK_LIMIT);
            expect(message.trim()).not.toBe('');
          }
        }),
        { numRuns: 30 },
      );
    },
  );

  const words = Array.from({ length: 1_500 }, (_, at) => `word${at}`);

  test('long text is cut between words and none is lost', () => {
    const { messages, snippets } = fillMessages(readMarkdown(words.join(' ')));
    expect(messages.length).toBeGreaterThan(2);
    expect(messages.join(' ').split(/\s+/)).toEqual(words);
    expect(snippets).toEqual([]);
  });

  test('an answer that fits into a message is one, and has no file', () => {
    const text = 'a '.repeat(1_999).trim();
    expect(toSlackText(text)).toEqual({ messages: [text], snippets: [] });
  });

  test('over 4,000 characters, an answer is its first paragraphs and a file with all of it', () => {
    const works = 'It works. '.repeat(80).trim();
    const text = `# Result\n\n${works}\n\n- one\n- two\n\n## Why\n\n${words.join(' ')}`;
    const { messages, snippets } = toSlackText(text);
    expect(messages).toEqual([
      `*Result*\n\n${works}\n\n• one\n• two\n\n_The whole text is below._`,
    ]);
    expect(snippets).toEqual([{ name: 'answer.md', text }]);
  });

  test('its first paragraph is cut between words where that alone is too long for a summary', () => {
    const { messages } = toSlackText(words.join(' '));
    expect(messages).toHaveLength(1);
    const [summary = '', note] = (messages[0] ?? '').split('\n\n');
    expect(note).toBe('_The whole text is below._');
    expect(summary.length).toBeLessThanOrEqual(1_500);
    expect(summary.endsWith('…')).toBe(true);
    expect(words.join(' ')).toContain(summary.slice(0, -1).trim());
    expect(words).toContain(summary.slice(0, -1).trim().split(' ').at(-1));
  });

  test.each([
    ['a heading', '# Result', '*Result*'],
    ['a note', '1 older message was dropped.', '1 older message was dropped.'],
    ['nothing but headings', '# Result\n\n## Why', '*Result*\n\n*Why*'],
  ])('below %s, a long paragraph is there with its beginning', (_, markdown, shown) => {
    const [message = ''] = toSlackText(`${markdown}\n\n${words.join(' ')}`).messages;
    expect(message.startsWith(`${shown}\n\nword0 word1 `)).toBe(true);
    const [summary = ''] = message.split('\n\n_The whole');
    expect(summary.endsWith('…')).toBe(true);
    expect(summary.length).toBeGreaterThan(1_400);
    expect(summary.length).toBeLessThanOrEqual(1_500);
  });

  test.each([
    ['lines', `${'x = "a & b"\n'.repeat(15)}${'y'.repeat(3_000)}`, 'x = "a &amp; b"'],
    ['one line', '&'.repeat(700), '&amp;&amp;'],
  ])('code of %s that is too long for a summary is cut inside its block', (_, code, shown) => {
    const { messages } = toSlackText(`# Run\n\n\`\`\`\n${code}\n\`\`\`\n\n${words.join(' ')}`);
    expect(messages[0]).toContain(`*Run*\n\n\`\`\`\n${shown}`);
    expect(messages[0]).toContain('\n…\n```\n\n_The whole text is below._');
    expect(messages[0]?.length).toBeLessThanOrEqual(1_500 + 50);
  });

  test('its long code has files of its own beside the whole text', () => {
    const code = '```py\n' + 'x = 1\n'.repeat(20) + '```';
    const { messages, snippets } = toSlackText(`Run this.\n\n${code}\n\n${words.join(' ')}`);
    expect(messages[0]).toContain('Run this.\n\n_snippet-1.py is below._');
    expect(snippets.map(({ name }) => name)).toEqual(['answer.md', 'snippet-1.py']);
  });

  test('where Slack takes no files, the whole text is messages, with its code', () => {
    const code = Array.from({ length: 400 }, (_, at) => `x${at} = "a & b"`).join('\n');
    const text = toSlackText(`Run this.\n\n\`\`\`py\n${code}\n\`\`\`\n\n${words.join(' ')}`);
    const all = inMessages(text);
    for (const message of all) expect(message.length).toBeLessThanOrEqual(SLACK_LIMIT);
    const told = all.join('\n').replaceAll('&amp;', '&');
    for (const line of code.split('\n')) expect(told).toContain(line);
    for (const word of words) expect(told).toContain(word);
    expect(told).not.toContain('in a file');
  });

  test('where Slack takes no files, long code of a short answer is messages', () => {
    const code = 'x = 1\n'.repeat(30).trim();
    const text = toSlackText('Run this.\n\n```py\n' + code + '\n```');
    expect(text.messages).toEqual(['Run this.\n\n_snippet-1.py is below._']);
    expect(inMessages(text)).toEqual([`\`\`\`\n${code}\n\`\`\``]);
  });

  test('a text without end is not posted without end', () => {
    const all = inMessages(toSlackText('All is well. '.repeat(100_000)));
    expect(all).toHaveLength(20);
    expect(all.at(-1)).toContain('The rest is on GitHub.');
  });

  test('40,000 characters are one message and a file with all of them', () => {
    const text = 'All is well. '.repeat(3_100);
    const { messages, snippets } = toSlackText(text);
    expect(messages).toHaveLength(1);
    expect(messages[0]).toContain('The whole text is below.');
    expect(snippets).toEqual([{ name: 'answer.md', text }]);
  });

  test('a text of more than a million characters is a file that Slack takes', () => {
    const { messages, snippets } = toSlackText('All is well. '.repeat(100_000));
    expect(messages).toHaveLength(1);
    expect(snippets.map(({ text: whole }) => whole.length)).toEqual([900_000]);
  });

  test('short code stays in the message and never in two; long code is a file named by its language', () => {
    const short = '```py\n' + 'x = 1\n'.repeat(10) + '```';
    const { messages } = fillMessages(readMarkdown(`${'a '.repeat(1_980)}\n\n${short}`));
    expect(messages).toHaveLength(2);
    expect(messages[1]).toBe('```\n' + 'x = 1\n'.repeat(10) + '```');
    const long = toSlackText(
      '```py\n' + 'x = 1\n'.repeat(20) + '```\n\n```ts src/orders.ts\n' + 'a\n'.repeat(30) + '```',
    );
    expect(long.snippets.map(({ name }) => name)).toEqual(['snippet-1.py', 'orders.ts']);
    expect(long.messages).toEqual(['_snippet-1.py is below._\n\n_orders.ts is below._']);
  });

  verifies('OUT-03: end of a block of code', 'code cannot end its own block', () => {
    const [message = ''] = toSlackText('````\na\n```\n@channel\n````').messages;
    expect(message.match(/```/g)).toHaveLength(2);
  });

  test('neither a link, an entity nor an emoji is cut', () => {
    const link = '<https://example.com/a|label>';
    const family = '👨‍👩‍👧‍👦';
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom(link, '&amp;', family, ' ', 'word'), {
          minLength: 30,
          maxLength: 300,
        }),
        (tokens) => {
          const pieces = splitText(tokens.join(''), 100);
          for (const piece of pieces) {
            expect(piece.length).toBeLessThanOrEqual(100);
            const left = piece.replaceAll(link, '').replaceAll('&amp;', '').replaceAll(family, '');
            expect(left.replaceAll('word', '').replaceAll(/[word ]/g, '')).toBe('');
          }
          expect(pieces.join('').replaceAll(' ', '')).toBe(tokens.join('').replaceAll(' ', ''));
        },
      ),
    );
  });

  test('right-to-left text and joiners stay as they are', () => {
    const text = 'שלום 👩🏽‍🚀 می‌خواهم';
    expect(one(text)).toBe(text);
  });
});

describe('what people write', () => {
  test('markup becomes plain text, and a mention of us is left out', () => {
    const text =
      '<@U1> look at <https://github.com/octo/shop/issues/3|this> &amp; ask <@U2|ann> in <#C1|dev> <!here>';
    expect(fromMrkdwn(text, 'U1')).toBe(
      'look at this (https://github.com/octo/shop/issues/3) & ask @ann in #dev @here',
    );
    expect(mentionsUser(text, 'U1')).toBe(true);
    expect(mentionsUser(text, 'U3')).toBe(false);
    expect(linksInMrkdwn(text)).toEqual(['https://github.com/octo/shop/issues/3']);
  });
});
