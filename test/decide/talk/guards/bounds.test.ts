/** Where the guards of a conversation end: one comment, word or moment on each side of a bound. */
import { describe, expect, test } from 'vitest';
import { judgeCircle } from '../../../../src/decide/talk/guards/circle.ts';
import {
  classifySpeakers,
  type Utterance,
} from '../../../../src/decide/talk/guards/conversation.ts';
import { mayAnswer } from '../../../../src/decide/talk/guards/may-answer.ts';
import { readTurn, turnDelayMs } from '../../../../src/decide/talk/guards/turn.ts';
import { currentExchange } from '../../../../src/decide/talk/guards/winding-down.ts';

const HOUR = 3_600_000;
const NOW = 100 * HOUR;

function comment(id: number, over: Partial<Utterance>): Utterance {
  return {
    id,
    by: `${over.kind ?? 'person'}1`,
    kind: 'person',
    at: NOW - 1000 + id,
    text: 'Why is the cache slow for new users?',
    addressesUs: false,
    addresses: [],
    ...over,
  };
}
const talk = (lines: readonly Partial<Utterance>[]) => ({
  comments: lines.map((over, n) => comment(n + 1, over)),
  isProject: false,
});
const may = (lines: readonly Partial<Utterance>[], own?: number) =>
  mayAnswer(talk(lines), { now: NOW, ...(own === undefined ? {} : { own }) });

const asks = { addressesUs: true };
const us = (over: Partial<Utterance> = {}): Partial<Utterance> => ({ kind: 'us', ...over });

test.each([
  ['a', 19_852],
  ['quorum-1', 68_305],
  ['zoe', 32_656],
])('%s waits %d ms for its turn, however its name is written', (name, delay) => {
  expect([turnDelayMs(name), turnDelayMs(name.toUpperCase())]).toEqual([delay, delay]);
});

describe('twelve of our own comments in an hour', () => {
  const eleven = Array.from({ length: 11 }, () => us());

  test('are enough, and eleven are not', () => {
    expect(may([...eleven, asks])).toMatchObject({ answer: true });
    expect(may([...eleven, us(), asks])).toEqual({
      answer: false,
      reason: 'hourly-cap',
      react: false,
    });
  });

  test('are counted without one that is an hour old', () => {
    const before = us({ at: NOW - HOUR });
    const since = us({ at: NOW - HOUR + 1 });
    expect(may([before, ...eleven, asks])).toMatchObject({ answer: true });
    expect(may([since, ...eleven, asks])).toMatchObject({ reason: 'hourly-cap' });
  });

  test('are counted where the conversation does not show them', () => {
    expect(may([asks], 11)).toMatchObject({ answer: true });
    expect(may([asks], 12)).toMatchObject({ reason: 'hourly-cap' });
  });
});

describe('where other agents take part', () => {
  const bot = { kind: 'bot' } as const;
  const named = { kind: 'peer', addressesUs: true } as const;
  const after = (own: number) => may([bot, ...Array.from({ length: own }, () => us()), {}, named]);

  test('two of our own comments are not enough, and three are', () => {
    expect(after(2)).toMatchObject({ answer: true });
    expect(after(3)).toMatchObject({ reason: 'enough-said' });
  });

  test('a person’s word counts among the last five comments', () => {
    const three = [bot, us(), us(), us()];
    const silent = { kind: 'bot' } as const;
    expect(may([...three, asks, silent, silent, silent, silent])).toMatchObject({ answer: true });
    expect(may([...three, asks, silent, silent, silent, silent, silent])).toMatchObject({
      reason: 'enough-said',
    });
  });
});

describe('a circle', () => {
  const says = 'The cache is keyed by user and misses twice.';
  const agree = (kind: Utterance['kind'], text = 'I agree, keyed by user.') => ({ kind, text });
  const judge = (...lines: Partial<Utterance>[]) => judgeCircle(talk([{ text: says }, ...lines]));

  test('shows by how many agree in turn', () => {
    expect(judge(agree('us'))).toBe('none');
    expect(judge(agree('us'), agree('peer'))).toBe('low');
    expect(judge(agree('us'), agree('peer'), agree('us'))).toBe('medium');
    expect(judge(agree('us'), agree('peer'), agree('us'), agree('peer'))).toBe('high');
    expect(judge(agree('bot'), agree('peer'))).toBe('none');
  });

  test('is made of repetitions too, from three telling words on', () => {
    expect(judge(agree('us'), agree('peer', 'Cache keyed user.'))).toBe('low');
    expect(judge(agree('us'), agree('peer', 'Cache keyed.'))).toBe('none');
    expect(judge(agree('us'), agree('peer', 'Cache keyed user eviction.'))).toBe('none');
  });

  test('is not made of what brings more than two new words', () => {
    const fresh = (words: string) => judge(agree('us'), agree('peer', `I agree, ${words}.`));
    expect(fresh('eviction replication')).toBe('low');
    expect(fresh('eviction replication throttling')).toBe('none');
  });
});

test('a person who closes ends the conversation, whatever an agent says after them', () => {
  const thanks = { text: 'Thanks!', addressesUs: true };
  const built: Partial<Utterance> = { kind: 'peer', text: 'The build has passed on main.' };
  expect(may([{}, us(), thanks, built])).toMatchObject({ reason: 'closing', react: true });
});

test('agreement of sixty words is agreement, and of one more is not', () => {
  const words = (count: number): string =>
    ['agreed', ...Array.from({ length: count - 1 }, () => 'cache')].join(' ');
  const told = (count: number) =>
    judgeCircle(
      talk([
        us({ text: 'The cache is slow.' }),
        { text: 'Agreed.' },
        us({ text: 'Agreed.' }),
        { text: words(count) },
      ]),
    );
  expect([told(60), told(61)]).toEqual(['medium', 'none']);
});

test('a question of an agent does not count among what other agents have said since', () => {
  const told = talk([
    { kind: 'peer', by: 'p1' },
    { kind: 'peer', by: 'p2' },
  ]);
  expect(readTurn(told, 1)).toMatchObject({ mode: 'free', said: [{ id: 2 }] });
});

test('an exchange begins with what a person says after exactly the silence, measured from the comment before', () => {
  const silenceMs = HOUR;
  const at = (lines: readonly number[]): number[] =>
    currentExchange(talk(lines.map((moment) => ({ at: moment }))), { silenceMs }).map(
      ({ id }) => id,
    );
  expect(at([0, HOUR])).toEqual([2]);
  expect(at([0, HOUR - 1])).toEqual([1, 2]);
  expect(at([0, HOUR, HOUR + 1])).toEqual([2, 3]);
});

test('one known agent is enough: then a speaker whom nobody lists is a person', () => {
  const speakers = [
    { by: 'ci', isBot: true },
    { by: 'zoe', isBot: false },
  ];
  const kinds = (agents: string[]) =>
    classifySpeakers(speakers, { us: ['quorum[bot]'], agents, author: 'ana', members: [] }).get(
      'zoe',
    );
  expect([kinds(['lilit']), kinds([])]).toEqual(['person', 'peer']);
});

test('agreement in words that were said before is agreement, and a third of new words is too much', () => {
  const said = 'cache index query table shard batch queue retry token';
  const told = (text: string) =>
    judgeCircle(talk([us({ text: said }), { text: 'Agreed.' }, us({ text: 'Agreed.' }), { text }]));
  expect(told(`Agreed: ${said} alpha gamma delta`)).toBe('medium');
  expect(told(`Agreed: ${said} alpha gamma delta omega sigma`)).toBe('none');
});
