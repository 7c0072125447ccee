/** Codes that link a person of a channel to a login: once, and while they are fresh. */
import { describe, expect, test } from 'vitest';
import { decideIdentities } from '../../../src/decide/channel/identities.ts';
import { CODE_MS, type IdentitiesState } from '../../../src/domain/channel/identities.ts';
import { EVENT_VERSION, type EventData } from '../../../src/domain/event/event.ts';

const AT = Date.parse('2026-03-02T09:00:00Z');
const chat = { channel: 'slack', place: 'C1', thread: '1.000001', message: '1.000001' } as const;

function play(...events: readonly [data: EventData, at: number][]) {
  let state: unknown;
  const linked: string[] = [];
  for (const [nth, [data, at]] of events.entries()) {
    const event = {
      id: `e${nth}`,
      key: 'identities',
      version: EVENT_VERSION,
      at: new Date(at).toISOString(),
      data,
    };
    const decision = decideIdentities(state, event, { now: at });
    state = decision.state;
    linked.push(...decision.events.map(({ data: { kind } }) => kind));
  }
  return { state: state as IdentitiesState, linked };
}

const asked: EventData = {
  kind: 'link-asked',
  run: 'r',
  person: { id: 'slack:U1', name: 'ana', isBot: false },
  chat,
  codeDigest: 'd',
};
const confirmed: EventData = {
  kind: 'link-confirmed',
  run: 'r',
  codeDigest: 'd',
  by: { id: 1, login: 'ana' },
};

describe('a code', () => {
  test('links within its quarter of an hour, and not a moment later', () => {
    const until = AT + CODE_MS;
    expect(play([asked, AT], [confirmed, until]).state.links).toHaveProperty(['slack:U1']);
    const late = play([asked, AT], [confirmed, until + 1]);
    expect(late.state.links).toEqual({});
    expect(late.linked).toEqual([]);
  });

  test('links once', () => {
    const { linked } = play([asked, AT], [confirmed, AT + 1], [confirmed, AT + 2]);
    expect(linked).toEqual(['linked']);
  });
});
