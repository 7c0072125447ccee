/** One person asks for work in one thread after another: so many requests in an hour become issues, whatever comes at once. */
import { expect, test } from 'vitest';
import { decideChat } from '../../../../src/decide/channel/chat/decide-chat.ts';
import { chatKey } from '../../../../src/decide/channel/chat/chat-state.ts';
import { decideIdentities } from '../../../../src/decide/channel/identities.ts';
import {
  IDENTITIES_KEY,
  MOST_REQUESTS_AN_HOUR,
} from '../../../../src/domain/channel/identities.ts';
import type { EffectData } from '../../../../src/domain/event/effect.ts';
import { EVENT_VERSION, type Event, type EventData } from '../../../../src/domain/event/event.ts';
import { aMessage, LOOK, NOW } from './a-talk.ts';

const HOUR_MS = 3_600_000;

/** Streams of threads and of people, with a queue between them. */
class Streams {
  readonly #states = new Map<string, unknown>();
  readonly wanted: EffectData[] = [];
  now = NOW;
  #events = 0;

  /** Mentions in new threads, all of them there before anything is looked up. */
  mention(count: number, by = 'T1/U1'): void {
    const looks = Array.from({ length: count }, () => this.#say(by)).flat();
    let waiting: Event[] = looks;
    while (waiting.length > 0) waiting = waiting.flatMap((each) => this.#take(each));
  }

  #say(by: string): Event[] {
    const thread = `${this.#events}.0`;
    const author = { id: by, name: 'Ana', isBot: false };
    const message = aMessage('Build it', { thread, message: thread, id: thread, author });
    return this.#take(
      this.#event(chatKey(message), { kind: 'trigger', trigger: { kind: 'said', message } }),
    );
  }

  #event(key: string, data: EventData): Event {
    this.#events += 1;
    const at = new Date(this.now).toISOString();
    return { id: `e${this.#events}`, key, version: EVENT_VERSION, at, data };
  }

  #take(event: Event): Event[] {
    const { key } = event;
    if (key !== IDENTITIES_KEY && !key.startsWith('chat:')) return [];
    const decide = key === IDENTITIES_KEY ? decideIdentities : decideChat;
    const decision = decide(this.#states.get(key), event, { now: this.now });
    this.#states.set(key, decision.state);
    this.wanted.push(...decision.effects.map(({ data }) => data));
    const looks = decision.effects.filter(({ data }) => data.kind === 'look-chat');
    return [
      ...looks.map(({ id }) =>
        this.#event(key, {
          kind: 'done',
          run: 'r',
          effectId: id,
          effectKind: 'look-chat',
          result: LOOK,
        }),
      ),
      ...decision.events.map((each) => this.#event(each.key, each.data)),
    ];
  }

  count(kind: EffectData['kind']): number {
    return this.wanted.filter((each) => each.kind === kind).length;
  }
}

test('forty mentions at once become ten issues, and one sentence says why there are no more', () => {
  const streams = new Streams();
  streams.mention(40);
  expect(streams.count('issue')).toBe(MOST_REQUESTS_AN_HOUR);
  const said = streams.wanted.flatMap((each) =>
    each.kind === 'chat-reply' ? [each.markdown] : [],
  );
  expect(said).toEqual([expect.stringContaining('10 things within an hour')]);
});

test('somebody else still asks meanwhile, and the same person an hour later', () => {
  const streams = new Streams();
  streams.mention(40);
  streams.mention(1, 'T1/U2');
  expect(streams.count('issue')).toBe(MOST_REQUESTS_AN_HOUR + 1);
  streams.now += HOUR_MS - 1;
  streams.mention(1);
  expect(streams.count('issue')).toBe(MOST_REQUESTS_AN_HOUR + 1);
  streams.now += 1;
  streams.mention(40);
  expect(streams.count('issue')).toBe(2 * MOST_REQUESTS_AN_HOUR + 1);
  expect(streams.count('chat-reply')).toBe(2);
});
