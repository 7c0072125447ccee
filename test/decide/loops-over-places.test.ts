/**
 * Instances, other bots and people on one issue and in its chats at once: what is said in a chat is quoted on GitHub,
 * answers on GitHub are repeated in chats, and every conversation ends after the last word of a person.
 */
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { decideChat } from '../../src/decide/channel/chat/decide-chat.ts';
import { chatKey } from '../../src/decide/channel/chat/chat-state.ts';
import { decideChannels } from '../../src/decide/channel/decide-channels.ts';
import { decideIdentities } from '../../src/decide/channel/identities.ts';
import { classifySpeakers } from '../../src/decide/talk/guards/conversation.ts';
import { mayAnswer } from '../../src/decide/talk/guards/may-answer.ts';
import type { ChannelName, ChatThread } from '../../src/domain/channel/chat-thread.ts';
import { EVENT_VERSION, type Event, type EventData } from '../../src/domain/event/event.ts';
import type { ChatLook } from '../../src/domain/event/result.ts';

const NOW = Date.parse('2026-06-01T09:00:00Z');
const AT = new Date(NOW).toISOString();
const ISSUE = 5;
const LINK = `https://github.com/octo/shop/issues/${ISSUE}`;
const repository = { installationId: 1, repositoryId: 7, owner: 'octo', repo: 'shop' };
const THREADS: readonly ChatThread[] = [
  { channel: 'slack', place: 'C1', thread: '1.0' },
  { channel: 'bluesky', place: 'did:plc:us', thread: 'at://root' },
];
const MANY = 400;
const MAX_HOPS = 2;

interface Word {
  place: 'github' | ChannelName;
  by: string;
  role: 'person' | 'bot' | 'quorum';
  text: string;
  addresses: readonly string[];
  /** Answers between it and the last human word. A quotation and a copy are as far as what they repeat. */
  hops: number;
}

const DECIDE: Readonly<Record<string, typeof decideChat>> = {
  chat: decideChat,
  identities: decideIdentities,
};

/** One instance of Quorum with its streams; returns what it says, everywhere. */
class Instance {
  readonly #states = new Map<string, unknown>();
  readonly name: string;
  #events = 0;
  constructor(name: string) {
    this.name = name;
  }

  hear({ place, by, role, text, addresses, hops }: Word, count: number): Word[] {
    const thread = THREADS.find(({ channel }) => channel === place);
    if (thread === undefined) return [];
    const isNamed = addresses.includes(this.name);
    const unnamed = place === 'bluesky' ? 'shared' : 'seen';
    const message = {
      ...thread,
      message: `${thread.thread}/${count}`,
      id: `${place}/${count}`,
      author: { id: `T1/${by}`, name: by, isBot: role !== 'person' },
      text,
      why: isNamed ? 'mention' : unnamed,
      links: place === 'bluesky' ? [LINK] : [],
      files: [],
      at: AT,
    } as const;
    return this.#take(
      chatKey(thread),
      { kind: 'trigger', trigger: { kind: 'said', message } },
      hops,
    );
  }

  /** A comment on GitHub, and its copies in chats. */
  comment(text: string, { hops, addresses = [] }: { hops: number; addresses?: string[] }): Word[] {
    const said = { by: this.name, role: 'quorum', text, addresses, hops } as const;
    const told = { run: 'r', repository, number: ISSUE, markdown: text, channels: [] } as const;
    const copies = this.#take('channels:7', { kind: 'answered', ...told }, hops - 1);
    return [{ place: 'github', ...said }, ...copies];
  }

  #take(key: string, data: EventData, hops: number): Word[] {
    if (key.startsWith('thread:')) return this.comment('It is in `src/a.ts`.', { hops: hops + 1 });
    this.#events += 1;
    const event: Event = { id: `${this.#events}`, key, version: EVENT_VERSION, at: AT, data };
    const decide = DECIDE[key.split(':')[0] ?? ''] ?? decideChannels;
    const { state, effects, events } = decide(this.#states.get(key), event, { now: NOW });
    this.#states.set(key, state);
    const done = (effectId: string, effectKind: string, result: unknown): Word[] =>
      this.#take(key, { kind: 'done', effectId, run: 'r', effectKind, result } as EventData, hops);
    const said = effects.flatMap(({ id, data: wanted }): Word[] => {
      const own = { by: this.name, role: 'quorum', addresses: [] } as const;
      if (wanted.kind === 'look-chat') return done(id, 'look-chat', lookOf(wanted.person.id));
      if (wanted.kind === 'issue')
        return done(id, 'issue', { outcome: 'created', number: ISSUE, url: '' });
      if (wanted.kind === 'comment')
        return [
          { place: 'github', ...own, text: wanted.body, hops },
          ...done(id, 'comment', { id: 9, url: '', outcome: 'created' }),
        ];
      return wanted.kind === 'chat-reply'
        ? [{ place: wanted.chat.channel, ...own, text: wanted.markdown, hops: hops + 1 }]
        : [];
    });
    return [...said, ...events.flatMap((each) => this.#take(each.key, each.data, hops))];
  }
}

/** Everybody but strangers is linked, and may ask. */
function lookOf(author: string): ChatLook {
  const person = { id: 1, login: 'ana', permission: 'write' } as const;
  const known = author.includes('stranger') ? {} : { person };
  return { repository, needed: 'triage', number: ISSUE, ...known };
}

interface Outcome {
  said: Word[];
  hasEnded: boolean;
}

interface Cast {
  instances: number;
  bots: number;
  /** Other bots answer in so many of ten cases. */
  eagerness: number;
  words: readonly Pick<Word, 'place' | 'by' | 'text' | 'addresses'>[];
}

function play({ instances: count, bots, eagerness, words }: Cast, answers = mayAnswer): Outcome {
  const instances = Array.from({ length: count }, (_, at) => new Instance(`quorum${at}`));
  const said: Word[] = [];
  let dice = 7;
  const isEager = (): boolean => {
    dice = (dice * 31 + 11) % 101;
    return dice % 10 < eagerness;
  };
  const react = (word: Word): Word[] => {
    const { place, by, role, hops } = word;
    said.push(word);
    const others = instances.filter(({ name }) => name !== by);
    const own = others.flatMap((each) =>
      place === 'github' ? considered(each, said, answers) : each.hear(word, said.length),
    );
    const ofBots = Array.from({ length: role === 'bot' ? 0 : bots }, (_, at): Word => ({
      place,
      by: `bot${at}`,
      role: 'bot',
      text: 'I agree, well said. What about `parse()`?',
      addresses: [by],
      hops: hops + 1,
    }));
    return [...own, ...ofBots.filter(isEager)];
  };
  for (const word of words) {
    let waiting: Word[] = [{ ...word, role: 'person', hops: 0 }];
    while (waiting.length > 0) {
      waiting = waiting.flatMap(react);
      if (said.length > MANY * words.length) return { said, hasEnded: false };
    }
  }
  return { said, hasEnded: true };
}

/** An instance reads the thread on GitHub and runs its guards. */
function considered(instance: Instance, said: readonly Word[], answers: typeof mayAnswer): Word[] {
  const there = said.filter(({ place }) => place === 'github');
  const people = there.filter(({ role }) => role === 'person').map(({ by }) => by);
  const kinds = classifySpeakers(
    there.map(({ by, role }) => ({ by, isBot: role !== 'person' })),
    { us: [instance.name], agents: [], author: 'ana', members: people },
  );
  const comments = there.map(({ by, text, addresses }, at) => ({
    id: at + 1,
    by,
    kind: kinds.get(by) ?? ('person' as const),
    at: NOW + at,
    text,
    addressesUs: addresses.includes(instance.name),
    addresses,
  }));
  const may = answers({ comments, isProject: true }, { now: NOW + said.length });
  if (!may.answer) return [];
  const hops = (there[may.to - 1]?.hops ?? 0) + 1;
  return instance.comment('Yes, the cache is keyed by user.', { hops, addresses: ['quorum0'] });
}

const cast: fc.Arbitrary<Cast> = fc.record({
  instances: fc.integer({ min: 2, max: 10 }),
  bots: fc.integer({ min: 0, max: 3 }),
  eagerness: fc.integer({ min: 0, max: 10 }),
  words: fc.array(
    fc.record({
      place: fc.constantFrom('github' as const, 'slack' as const, 'bluesky' as const),
      by: fc.constantFrom('ana', 'ben', 'stranger'),
      text: fc.constantFrom(
        'Why is it slow?',
        'thanks!',
        '/pm status',
        'I agree, well said.',
        'yes',
      ),
      addresses: fc.subarray(['quorum0', 'quorum1', 'quorum2', 'bot0']),
    }),
    { minLength: 1, maxLength: 5 },
  ),
});

function farthest({ said }: Outcome): number {
  return Math.max(0, ...said.filter(({ role }) => role === 'quorum').map(({ hops }) => hops));
}

test('2 to 10 instances, bots and people on GitHub and in chats end within two hops after the last human word', () => {
  const heard = { github: 0, slack: 0, bluesky: 0 };
  fc.assert(
    fc.property(cast, (given) => {
      const outcome = play(given);
      expect(outcome.hasEnded).toBe(true);
      expect(farthest(outcome)).toBeLessThanOrEqual(MAX_HOPS);
      for (const { place, role } of outcome.said) if (role === 'quorum') heard[place] += 1;
    }),
    { numRuns: 300 },
  );
  // The guards are no wall: people are answered in every place.
  for (const count of Object.values(heard)) expect(count).toBeGreaterThan(100);
});

test('the simulation can tell: without the guards of GitHub it goes on', () => {
  const careless: typeof mayAnswer = ({ comments }) => {
    const last = comments.at(-1);
    return last !== undefined && last.kind !== 'us'
      ? { answer: true, to: last.id, maybeCircle: false }
      : { answer: false, reason: 'own-comment-last', react: false };
  };
  const words = [
    { place: 'slack', by: 'ana', text: 'Why is it slow?', addresses: ['quorum0'] },
  ] as const;
  const outcome = play({ instances: 3, bots: 1, eagerness: 10, words }, careless);
  expect(outcome.hasEnded && farthest(outcome) <= MAX_HOPS).toBe(false);
});
