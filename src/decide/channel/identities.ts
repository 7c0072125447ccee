/** Links between people in channels and GitHub logins, how far each channel was read, and its session. */
import {
  CODE_MS,
  EMPTY_IDENTITIES,
  MOST_REQUESTS_AN_HOUR,
  type IdentitiesState,
} from '../../domain/channel/identities.ts';
import { EVENT_VERSION, type Event, type EventData } from '../../domain/event/event.ts';
import { ignored, readState, type Decision, type DecisionContext } from '../run/decision.ts';
import { chatKey } from './chat/chat-state.ts';

const MOST_ASKED = 1_000;
const HOUR_MS = 3_600_000;

export function decideIdentities(
  before: unknown,
  event: Event,
  { now }: DecisionContext,
): Decision {
  const state = readState<IdentitiesState>(before, EMPTY_IDENTITIES);
  const { data } = event;
  if (data.kind === 'link-asked') {
    const { person, chat, codeDigest } = data;
    const open = Object.entries(state.asked).filter(([, each]) => each.person !== person.id);
    const until = Date.parse(event.at) + CODE_MS;
    const asked = [...open, [codeDigest, { person: person.id, chat, until }] as const];
    state.asked = Object.fromEntries(asked.slice(-MOST_ASKED));
    return { state, effects: [], events: [] };
  }
  if (data.kind === 'request-wanted') return countRequest(state, { event, data, now });
  return data.kind === 'link-confirmed'
    ? confirm(state, { event, data, now })
    : ignored(state, 'not about anybody');
}

type Wanted = Extract<EventData, { kind: 'request-wanted' }>;

/** Counted here, because one thread knows nothing of the others: many mentions at once would pass each by itself. */
function countRequest(
  state: IdentitiesState,
  { event, data, now }: { event: Event; data: Wanted; now: number },
): Decision {
  const { person, chat, run } = data;
  const { [person]: before, ...others } = state.requests ?? {};
  const lately = (before?.at ?? []).filter((each) => each > now - HOUR_MS);
  const isTooMuch = lately.length >= MOST_REQUESTS_AN_HOUR;
  const isFirst = isTooMuch && before?.isTold !== true;
  const after = isTooMuch ? { at: lately, isTold: true as const } : { at: [...lately, now] };
  const all = [...Object.entries(others), [person, after] as const];
  const told = {
    kind: 'request-told',
    run,
    ...(isTooMuch && { isTooMuch }),
    ...(isFirst && { isFirst }),
  } as const;
  return {
    state: { ...state, requests: Object.fromEntries(all.slice(-MOST_ASKED)) },
    effects: [],
    events: [
      {
        id: `${event.id}/told`,
        key: chatKey(chat),
        version: EVENT_VERSION,
        at: event.at,
        data: told,
      },
    ],
  };
}

type Confirmed = Extract<EventData, { kind: 'link-confirmed' }>;

/** A code works once, and only while it is fresh. */
function confirm(
  state: IdentitiesState,
  { event, data, now }: { event: Event; data: Confirmed; now: number },
): Decision {
  const { codeDigest, by, run } = data;
  const asked = state.asked[codeDigest];
  if (asked === undefined) return ignored(state, 'no such code');
  delete state.asked[codeDigest];
  if (now > asked.until) return { state, effects: [], events: [] };
  state.links[asked.person] = { ...by, at: event.at };
  return {
    state,
    effects: [],
    events: [
      {
        id: `${event.id}/linked`,
        key: chatKey(asked.chat),
        version: EVENT_VERSION,
        at: event.at,
        data: { kind: 'linked', run, by, chat: asked.chat },
      },
    ],
  };
}

interface CursorState {
  v: number;
  cursor?: string;
}

/** How far a channel was read: later messages are read after a restart. */
export function decideCursor(before: unknown, { data }: Event): Decision {
  const state = readState<CursorState>(before, { v: 1 });
  if (data.kind !== 'heard-until') return ignored(state, 'no cursor');
  return { state: { v: 1, cursor: data.cursor }, effects: [], events: [] };
}

/** The newest session of a channel: after a restart the host goes on with it. */
export function decideSession(before: unknown, { data }: Event): Decision {
  const state = readState<{ v: number; sealed?: string }>(before, { v: 1 });
  if (data.kind !== 'session-kept') return ignored(state, 'no session');
  return { state: { v: 1, sealed: data.sealed }, effects: [], events: [] };
}
