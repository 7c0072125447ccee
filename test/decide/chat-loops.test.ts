/** Instances, other bots and people in one thread of a channel: every conversation ends after the last word of a person. */
import {
  array,
  assert,
  boolean,
  constantFrom,
  integer,
  property,
  record,
  type Arbitrary,
} from 'fast-check';
import { expect, test } from 'vitest';
import { decideChat } from '../../src/decide/channel/chat/decide-chat.ts';
import { chatKey } from '../../src/decide/channel/chat/chat-state.ts';
import type { ChatMessage } from '../../src/domain/channel/chat-thread.ts';
import type { Effect } from '../../src/domain/event/effect.ts';
import { EVENT_VERSION, type Event, type EventData } from '../../src/domain/event/event.ts';
import type { ChatLook } from '../../src/domain/event/result.ts';

const NOW = Date.parse('2026-06-01T09:00:00Z');
const thread = { channel: 'slack', place: 'C1', thread: '1.000001' } as const;
const repository = { installationId: 1, repositoryId: 7, owner: 'octo', repo: 'shop' };

interface Speaker {
  kind: 'person' | 'bot' | 'instance';
  isLinked: boolean;
  mentions: boolean;
  text: string;
}

function toMessage(count: number, { kind, mentions, text }: Speaker, who: string): ChatMessage {
  return {
    ...thread,
    message: `1.${String(count).padStart(6, '0')}`,
    id: `slack/T1/C1/${count}`,
    author: { id: `T1/${who}`, name: who, isBot: kind !== 'person' },
    text,
    why: mentions ? 'mention' : 'seen',
    links: [],
    files: [],
    at: new Date(NOW).toISOString(),
  };
}

function lookFor(isLinked: boolean): ChatLook {
  const person = { id: 1, login: 'ana', permission: 'write' } as const;
  const known = isLinked ? { person } : { code: '0123456789' };
  return { repository, needed: 'triage', ...known };
}

/** One instance of Quorum that hears the thread; returns how often it spoke there. */
function anInstance() {
  let state: unknown;
  let events = 0;
  const take = (data: EventData): Effect[] => {
    events += 1;
    const event: Event = {
      id: `e${events}`,
      key: chatKey(thread),
      version: EVENT_VERSION,
      at: new Date(NOW).toISOString(),
      data,
    };
    const decision = decideChat(state, event, { now: NOW });
    ({ state } = decision);
    const isAsked = decision.events.some((each) => each.data.kind === 'request-wanted');
    return isAsked
      ? [...decision.effects, ...take({ kind: 'request-told', run: 'r' })]
      : decision.effects;
  };
  const done = (effectId: string, result: Extract<EventData, { kind: 'done' }>): Effect[] =>
    take({ ...result, effectId });
  return {
    hear: (message: ChatMessage, isLinked: boolean): number => {
      let spoken = 0;
      let waiting = take({ kind: 'trigger', trigger: { kind: 'said', message } });
      for (let step = 0; waiting.length > 0 && step < 20; step += 1)
        waiting = waiting.flatMap(({ id, run, data }) => {
          if (data.kind === 'chat-reply') spoken += 1;
          const base = { kind: 'done', effectId: id, run } as const;
          if (data.kind === 'look-chat')
            return done(id, { ...base, effectKind: 'look-chat', result: lookFor(isLinked) });
          if (data.kind === 'issue')
            return done(id, {
              ...base,
              effectKind: 'issue',
              result: { outcome: 'created', number: 5, url: '' },
            });
          if (data.kind === 'comment')
            return done(id, {
              ...base,
              effectKind: 'comment',
              result: { id: 9, url: '', outcome: 'created' },
            });
          return [];
        });
      return spoken;
    },
  };
}

const speaker: Arbitrary<Speaker> = record({
  kind: constantFrom('person', 'bot', 'instance'),
  isLinked: boolean(),
  mentions: boolean(),
  text: constantFrom('Please add a flag', 'thanks!', 'yes', '/pm status', 'I agree, well said.'),
});

type Instance = ReturnType<typeof anInstance>;

interface Word {
  by: Speaker;
  who: string;
}

/** What instances answer to these words: all of them hear it next, as words of a bot. */
function answersTo(
  words: readonly Word[],
  instances: readonly Instance[],
  next: () => number,
): Word[] {
  return words.flatMap(({ by, who }) => {
    const message = toMessage(next(), by, who);
    return instances.flatMap((instance, at) => {
      const spoken = instance.hear(message, by.isLinked);
      const answer: Word = {
        by: { ...by, kind: 'instance', mentions: true },
        who: `instance${at}`,
      };
      return Array.from({ length: spoken }, () => answer);
    });
  });
}

/** How often in a row instances speak after this word; 5 means without an end. */
function hopsAfter(word: Word, instances: readonly Instance[], next: () => number): number {
  let words = [word];
  for (let hops = 0; hops < 5; hops += 1) {
    words = answersTo(words, instances, next);
    if (words.length === 0) return hops;
  }
  return 5;
}

test('of 2 to 10 instances, other bots and people, nobody speaks for more than one hop after a person, and never after a bot', () => {
  assert(
    property(
      integer({ min: 2, max: 10 }),
      array(speaker, { minLength: 1, maxLength: 12 }),
      (count, said) => {
        const instances = Array.from({ length: count }, anInstance);
        let sent = 0;
        const next = (): number => (sent += 1);
        for (const by of said)
          expect(hopsAfter({ by, who: by.kind }, instances, next)).toBeLessThanOrEqual(
            by.kind === 'person' ? 1 : 0,
          );
      },
    ),
    { numRuns: 500 },
  );
});
