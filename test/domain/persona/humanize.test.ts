/** What the humanizer takes out, and what it never touches. */
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  nextEmoji,
  NO_MESSAGES,
  type EmojiCounter,
} from '../../../src/domain/persona/humanize/emoji.ts';
import { humanize, type HumanizeOptions } from '../../../src/domain/persona/humanize.ts';

const OPTIONS: HumanizeOptions = { place: 'github', emoji: 'never' };
const onGitHub = (text: string): string => humanize(text, OPTIONS).text;
const inChat = (text: string): string => humanize(text, { ...OPTIONS, place: 'chat' }).text;

describe('openings', () => {
  test.each([
    ['Great question! The cache is cold.', 'The cache is cold.'],
    ['Hi there! Sure! the cache is cold.', 'The cache is cold.'],
    ["I'd be happy to help! The cache is cold.", 'The cache is cold.'],
    ['Thanks for the detailed report! The cache is cold.', 'The cache is cold.'],
    ['As an AI language model, the cache is cold.', 'The cache is cold.'],
    ["Let's dive in! The cache is cold.", 'The cache is cold.'],
    ['What a great idea! The cache is cold.', 'The cache is cold.'],
    ['Sure, here is the list.', 'Here is the list.'],
    ['Great question!\n\nThe cache is cold.', 'The cache is cold.'],
    ['Certainly. `get` misses.', '`get` misses.'],
  ])('%j becomes %j', (text, expected) => {
    expect(onGitHub(text)).toBe(expected);
  });

  test.each([
    'Sure!',
    'Sure, but the cache is cold.',
    'Great questions came up in the review.',
    'Thanks for reporting #12! The cache is cold.',
    'Perfect numbers are rare.',
    '> Great question!\n\nThe cache is cold.',
    '`Sure!` is logged.',
  ])('%j stays', (text) => {
    expect(onGitHub(text)).toBe(text);
  });
});

describe('filler', () => {
  test.each([
    ["It's important to note that the cache is cold.", 'The cache is cold.'],
    ['The cache, in order to be warm, is read twice.', 'The cache, to be warm, is read twice.'],
    ['We utilize it. Basically, it leaks.', 'We use it. It leaks.'],
    ['Due to the fact that it leaks, stop.', 'Because it leaks, stop.'],
    ['It leaks. Let me know if you have any questions!', 'It leaks.'],
    ['Basically, in order to merge we test.', 'To merge we test.'],
    ['It leaks a lot. Moreover, it leaks a lot.', 'It leaks a lot.'],
    ["It leaks. Let me know if you'd like me to elaborate!", 'It leaks.'],
    ['It leaks. Hope this helps! Great work.', 'It leaks.'],
    ['It leaks. Feel free to reach out.', 'It leaks.'],
    ['It took 12. Let me know if you have any questions!', 'It took 12.'],
    ['See src/cli.ts. Hope this helps!', 'See src/cli.ts.'],
    ['See https://a.example/b. Hope this helps! It is 1.2.', 'See https://a.example/b. It is 1.2.'],
    ['Ask @ana-lund. Great work! Then 3.14 it is.', 'Ask @ana-lund. Then 3.14 it is.'],
  ])('%j becomes %j', (text, expected) => {
    expect(onGitHub(text)).toBe(expected);
  });

  test.each([
    'The log says "in order to utilize it".',
    '`utilize()` leaks.',
    '```\nBasically, in order to\n```',
    '> Basically, it leaks.',
    'See [in order to](https://x.y/a).',
    'See src/utilize/in.ts.',
    'Let me know if `x` is 3.',
  ])('%j stays', (text) => {
    expect(onGitHub(text)).toBe(text);
  });
});

describe('repetition', () => {
  test('a sentence that was said is not said again, wherever it appears', () => {
    expect(onGitHub('The cache is cold. It misses. The cache is cold!')).toBe(
      'The cache is cold. It misses.',
    );
    expect(onGitHub('The cache is cold.\n\nThe cache is cold. It misses.')).toBe(
      'The cache is cold.\n\nIt misses.',
    );
    expect(onGitHub('It leaks a lot. It leaks a lot. Great work!\n\nEnd.')).toBe(
      'It leaks a lot.\n\nEnd.',
    );
  });

  test('short ones and those with code or numbers stay', () => {
    expect(onGitHub('No. Yes. No.')).toBe('No. Yes. No.');
    const exact = 'It takes 3 s here. It takes 3 s here.';
    expect(onGitHub(exact)).toBe(exact);
    const code = 'Look at `a` again. Look at `a` again.';
    expect(onGitHub(code)).toBe(code);
  });
});

describe('emoji', () => {
  const say = (texts: readonly string[], emoji: 'never' | 'rare' | 'some' = 'some'): string[] => {
    let counter: EmojiCounter = NO_MESSAGES;
    return texts.map((text) => {
      const said = humanize(text, { place: 'chat', emoji, counter });
      counter = said.counter;
      return said.text;
    });
  };

  test('a face in every third message, anything in every ninth, one at most', () => {
    const all = Array.from({ length: 10 }, () => 'Done 🚀 and 😀 and 😄.');
    expect(say(all)).toEqual([
      'Done and and.',
      'Done and and.',
      'Done and 😀 and.',
      'Done and and.',
      'Done and and.',
      'Done and 😀 and.',
      'Done and and.',
      'Done and and.',
      'Done 🚀 and and.',
      'Done and and.',
    ]);
  });

  test('never is never', () => {
    expect(say(['a 😀', 'b 😀', 'c 😀', 'd :tada:'], 'never')).toEqual(['a', 'b', 'c', 'd']);
  });

  test.each([
    'It costs 3 € or ™ © → ↔ ✓ 1.',
    '`🚀` is a commit sign',
    '> 🚀 they said',
    '"ship it 🚀" they said',
    'a:100:b and 10:30:00',
  ])('%j stays', (text) => {
    expect(say([text], 'never')).toEqual([text]);
  });

  test('families, flags and skin tones go as one', () => {
    expect(say(['a 👨‍👩‍👧‍👦 b 🇪🇸 c 👍🏽 d ❤️ e'], 'never')).toEqual(['a b c d e']);
  });

  test('the counter stays in its bounds, whatever was stored', () => {
    fc.assert(
      fc.property(fc.double(), (messages) => {
        const next = nextEmoji({ messages }, 'some').counter.messages;
        expect(next).toBeGreaterThanOrEqual(0);
        expect(next).toBeLessThan(9);
      }),
    );
  });
});

describe('plain text for chats', () => {
  test.each([
    ['## Cache\n\nIt misses.', 'Cache\n\nIt misses.'],
    ['Cache\n-----\n\nIt misses.', 'Cache\n\nIt misses.'],
    ['- one thing\n- another\n  goes on\n  - below', 'one thing\nanother\ngoes on\nbelow'],
    ['- [x] done\n- [ ] open', 'done\nopen'],
    ['1. first\n2. second', '1. first\n2. second'],
    ['- a\n\n      code', '- a\n\n      code'],
    ['```\n# no heading\n- no bullet\n```', '```\n# no heading\n- no bullet\n```'],
  ])('%j becomes %j', (text, expected) => {
    expect(inChat(text)).toBe(expected);
  });

  test('on GitHub headings and lists stay', () => {
    const text = '### Cache\n\n- it misses\n- it leaks';
    expect(onGitHub(text)).toBe(text);
  });
});

describe('any message', () => {
  /** Exact things, each with a number of its own. */
  const exact = fc
    .tuple(fc.integer({ min: 0, max: 7 }), fc.integer({ min: 1000, max: 99_999 }))
    .map(([kind, id]) => {
      const kinds = [
        `\`utilize ${id} 😀\``,
        `src/in-order-to/file${id}.ts`,
        `"Basically, ${id} 🚀"`,
        `${id}.75`,
        `[in order to ${id}](https://x.y/${id})`,
        `https://x.y/utilize/${id}?a=b`,
        `#${id}`,
        `@user-${id}`,
      ];
      return kinds[kind] ?? '';
    });
  const block = fc
    .integer({ min: 1000, max: 99_999 })
    .map((id) => `\n\n\`\`\`\nGreat question! - ${id} 😀\n# no\n\`\`\`\n\n`);
  const noise = fc.constantFrom(
    ...'Great question! |Sure! |Basically, |in order to |The cache is cold. |It leaks. |😀 |🚀 |\n\n|\n|- |## |> |Hope this helps! |It is worth noting that |, |. |Let me know if you need |1. |* |** |    '.split(
      '|',
    ),
  );
  const message = fc.array(
    fc.oneof(
      exact.map((text) => ({ text, isExact: true })),
      block.map((text) => ({ text, isExact: true })),
      noise.map((text) => ({ text, isExact: false })),
    ),
    { maxLength: 25 },
  );

  test('what is exact comes out as it was, in its order', () => {
    fc.assert(
      fc.property(message, fc.constantFrom('github' as const, 'chat' as const), (pieces, place) => {
        const source = pieces.map(({ text }) => `${text} `).join('');
        const { text } = humanize(source, { place, emoji: 'never' });
        let from = 0;
        for (const piece of pieces.filter(({ isExact }) => isExact)) {
          const found = text.indexOf(piece.text.trim(), from);
          expect(found, `${piece.text} in ${text}`).toBeGreaterThanOrEqual(from);
          from = found + piece.text.trim().length;
        }
      }),
      { numRuns: 2_000 },
    );
  });

  test('nothing throws, nothing grows, and something is always left', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 300 }), (source) => {
        const { text } = humanize(source, { place: 'chat', emoji: 'some' });
        expect(text.length).toBeLessThanOrEqual(source.length);
        if (source.trim() !== '') expect(text.trim()).not.toBe('');
      }),
      { numRuns: 1_000 },
    );
  });

  test.each([
    'a',
    'a.',
    'a/',
    '1',
    '"',
    '[',
    ']',
    '😀',
    '- a\n',
    'in order to ',
    'The cache is cold. ',
  ])('a long run of %j ends', (pattern) => {
    const source = pattern.repeat(Math.floor(60_000 / pattern.length));
    expect(humanize(source, OPTIONS).text.length).toBeGreaterThan(0);
  });
});
