/** A thread of a channel, event by event, without a world. */
import { decideChat } from '../../../../src/decide/channel/chat/decide-chat.ts';
import type { ChatState } from '../../../../src/decide/channel/chat/chat-state.ts';
import type { ChatMessage } from '../../../../src/domain/channel/chat-thread.ts';
import type { EffectData } from '../../../../src/domain/event/effect.ts';
import { EVENT_VERSION, type Event, type EventData } from '../../../../src/domain/event/event.ts';
import type { Failure } from '../../../../src/domain/event/errors.ts';
import type { ChatLook } from '../../../../src/domain/event/result.ts';

export const NOW = Date.parse('2026-06-01T09:00:00Z');
const KEY = 'chat:slack/C1/1.0';
export const repository = { installationId: 1, repositoryId: 7, owner: 'octo', repo: 'shop' };
export const ANA = { id: 11, login: 'ana', permission: 'write' } as const;
export const LOOK: ChatLook = { repository, person: ANA, needed: 'write' };
export const POST = { channel: 'slack', place: 'C1', thread: '1.0' } as const;
const ADDRESS = { place: 'thread', updatedAt: '', digest: '', isOnlyCommands: true } as const;

export function aMessage(text: string, over: Partial<ChatMessage> = {}): ChatMessage {
  return {
    ...POST,
    message: '1.0',
    id: `id of ${text}`,
    author: { id: 'T1/U1', name: 'Ana', isBot: false },
    text,
    why: 'mention',
    links: [],
    files: [],
    at: '2026-06-01T09:00:00.000Z',
    ...over,
  };
}

/** A thread of a channel, event by event. */
export class Talk {
  state: ChatState | undefined;
  /** The moment of the next event. */
  now = NOW;
  wanted: EffectData[] = [];
  lanes: (string | undefined)[] = [];
  told: Pick<Event, 'key' | 'data'>[] = [];
  ignored: string | undefined;
  #count = 0;
  readonly #ids: { id: string; kind: string }[] = [];

  tell(data: EventData): this {
    this.#count += 1;
    const at = new Date(this.now).toISOString();
    const event = { id: `e${this.#count}`, key: KEY, version: EVENT_VERSION, at, data };
    const decision = decideChat(this.state, event, { now: this.now });
    this.state = decision.state as ChatState;
    this.wanted = decision.effects.map((effect) => effect.data);
    this.lanes = decision.effects.map(({ lane }) => lane);
    this.told = decision.events.map(({ key, data: each }) => ({ key, data: each }));
    this.ignored = decision.ignored;
    this.#ids.push(...decision.effects.map(({ id, data: { kind } }) => ({ id, kind })));
    // Nobody here asks for too much.
    const isAsked = this.told.some(({ data: { kind } }) => kind === 'request-wanted');
    return isAsked ? this.tell({ kind: 'request-told', run: 'r' }) : this;
  }

  say(text: string, over: Partial<ChatMessage> = {}, isAddressed = false): this {
    const message = aMessage(text, over);
    const address = isAddressed ? { address: ADDRESS } : {};
    return this.tell({
      kind: 'trigger',
      trigger: { kind: 'said', message, ...address },
    });
  }

  /** Answers the newest effect of a kind. */
  bring(effectKind: 'look-chat' | 'issue' | 'comment' | 'transcribe', result: unknown): this {
    const effectId = this.#ids.findLast(({ kind }) => kind === effectKind)?.id ?? '';
    return this.tell({ kind: 'done', run: 'r', effectId, effectKind, result } as EventData);
  }

  /** The newest effect of a kind fails. */
  fail(effectKind: 'transcribe', failure: Partial<Failure>): this {
    const effectId = this.#ids.findLast(({ kind }) => kind === effectKind)?.id ?? '';
    const whole = { code: 'model-unknown', message: '', retryable: false, ...failure };
    return this.tell({
      kind: 'failed',
      run: 'r',
      effectId,
      effectKind,
      failure: whole,
    } as EventData);
  }

  get kinds(): string[] {
    return this.wanted.map(({ kind }) => kind);
  }

  get replies(): string[] {
    return this.wanted.flatMap((data) => (data.kind === 'chat-reply' ? [data.markdown] : []));
  }
}
