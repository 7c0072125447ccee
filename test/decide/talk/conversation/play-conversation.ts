/** A thread that several Apps, other bots and people share: each App is the real reducer, its effects are answered here. */
import { decide } from '../../../../src/decide/route.ts';
import type { ThreadState } from '../../../../src/decide/run/thread-context.ts';
import { defaultConfig } from '../../../../src/domain/config/config.ts';
import type { Effect } from '../../../../src/domain/event/effect.ts';
import { EVENT_VERSION, type Event, type EventData } from '../../../../src/domain/event/event.ts';
import type { MarkerData } from '../../../../src/domain/github/marker.ts';
import type { Persona } from '../../../../src/domain/persona/persona.ts';
import type { TalkView } from '../../../../src/domain/run/talk.ts';
import { threadKey, type Actor } from '../../../../src/domain/run/thread-ref.ts';
import type { CommentView } from '../../../../src/domain/run/view.ts';
import { aPersona } from '../../../helpers/a-persona.ts';
import { aView } from '../../../helpers/an-issue.ts';
import { THREAD } from '../../../helpers/play.ts';

export interface Cast {
  seed: number;
  instances: number;
  /** By account type; those with odd numbers hide behind a person's account. */
  bots: number;
  people: number;
  humanWords: number;
  /** Milliseconds between two human words, at most. */
  pauseMs: number;
  /** Whether the repository lists the agents that take part. */
  isListed: boolean;
  /** Guards are shown every account as a person with a role: what they would tell apart is gone. */
  isBlind?: boolean;
}

export interface Said {
  id: number;
  by: string;
  role: 'quorum' | 'bot' | 'person';
  at: number;
  body: string;
  marker?: MarkerData;
  /** The comment that it answers. */
  to?: number;
  /** Answers between it and the last human word: 0 for people. */
  hops: number;
}

export interface Outcome {
  said: Said[];
  /** False when it was cut off because it went on and on. */
  hasEnded: boolean;
  /** Questions to a model, with the depth that each was asked at. */
  asks: { instance: string; talk: string; depth: number }[];
}

const START = Date.parse('2026-03-02T09:00:00Z');
const MANY = 400;
const NOTHING = { usd: 0, unknownCalls: 0, calls: 0 };
const TEXTS = [
  'The cache is keyed by user, so the second call misses.',
  'Is the timeout counted from the first byte?',
  'I agree, that makes sense.',
  'Thanks a lot!',
  'Muchas gracias, hasta luego.',
  'What about `parse()` in src/a.ts?',
  'We should add a test for the empty file and one for a missing header.',
  'Noted.',
];

interface Instance {
  self: Actor;
  team: Persona[];
  state: unknown;
}

/** Plays a conversation from its seed until nobody has anything left to say. */
export function playConversation(cast: Cast): Outcome {
  return new Play(cast).run();
}

class Play {
  private readonly cast: Cast;
  private readonly outcome: Outcome = { said: [], hasEnded: true, asks: [] };
  private readonly pending: { at: number; run: () => void }[] = [];
  private readonly instances: Instance[];
  private readonly bots: Actor[];
  private readonly people: Actor[];
  private now = START;
  private random: number;
  private events = 0;

  constructor(cast: Cast) {
    this.cast = cast;
    this.random = cast.seed >>> 0;
    this.instances = range(cast.instances).map((n) => ({
      self: { id: 9_000 + n, login: `quorum${n}[bot]`, isBot: true },
      team: [
        aPersona({
          handle: `carlos${n}`,
          name: `Carlos${n}`,
          lead: true,
          triggers: ['chat_message'],
        }),
        aPersona({ handle: `maya${n}`, name: `Maya${n}` }),
      ],
      state: undefined,
    }));
    this.bots = range(cast.bots).map((n) => ({
      id: 500 + n,
      login: `robot${n}`,
      isBot: n % 2 === 0,
    }));
    this.people = range(cast.people).map((n) => ({
      id: 100 + n,
      login: `person${n}`,
      isBot: false,
    }));
  }

  run(): Outcome {
    let at = START;
    for (let word = 0; word < this.cast.humanWords; word += 1) {
      at += this.below(this.cast.pauseMs + 1);
      this.plan(at, () =>
        this.say(this.one(this.people), { role: 'person', body: this.words(0.7), hops: 0 }),
      );
    }
    while (this.pending.length > 0) {
      this.pending.sort((a, b) => a.at - b.at);
      const next = this.pending.shift();
      this.now = Math.max(this.now, next?.at ?? 0);
      next?.run();
      if (this.outcome.said.length > MANY) return { ...this.outcome, hasEnded: false };
    }
    return this.outcome;
  }

  private plan(at: number, run: () => void): void {
    this.pending.push({ at, run });
  }

  /** A comment is written, and everybody hears of it, its own author too. */
  private say(author: Actor, words: Omit<Said, 'id' | 'by' | 'at'>): void {
    const said: Said = {
      ...words,
      id: this.outcome.said.length + 1,
      by: author.login,
      at: this.now,
    };
    this.outcome.said.push(said);
    for (const instance of this.instances)
      this.plan(this.now + this.below(3_000), () => this.deliver(instance, said, author));
    for (const bot of this.bots) if (bot.id !== author.id) this.botHears(bot, said);
  }

  private deliver(instance: Instance, { id, at, role }: Said, author: Actor): void {
    const { isBlind = false } = this.cast;
    const actor = isBlind ? { ...author, isBot: false } : author;
    const isByApp = role === 'quorum' && !isBlind;
    const address = {
      place: 'thread' as const,
      updatedAt: new Date(at).toISOString(),
      digest: '',
      isOnlyCommands: false,
      ...(isByApp ? { appId: author.id } : {}),
    };
    const about = { thread: THREAD, actor, commentId: id, isByBot: actor.isBot, address };
    this.reduce(instance, { kind: 'trigger', trigger: { kind: 'commented', ...about } });
  }

  private reduce(instance: Instance, data: EventData, id?: string): void {
    this.events += 1;
    const event: Event = {
      id: id ?? `event-${this.events}`,
      key: threadKey(THREAD),
      version: EVENT_VERSION,
      at: new Date(this.now).toISOString(),
      data,
    };
    const decision = decide(instance.state, event, { now: this.now });
    instance.state = JSON.parse(JSON.stringify(decision.state));
    for (const next of decision.events)
      this.plan(this.now + (next.delayMs ?? 0), () => this.reduce(instance, next.data, next.id));
    for (const effect of decision.effects)
      this.plan(this.now + this.below(5_000), () => this.answer(instance, effect));
  }

  private answer(instance: Instance, effect: Effect): void {
    const { data } = effect;
    const about = { effectId: effect.id, run: effect.run };
    if (data.kind === 'look-comment') {
      const result = {
        kind: 'read' as const,
        view: this.viewFor(instance, data.comment.id, data.actor),
      };
      this.reduce(instance, { kind: 'done', effectKind: 'look-comment', result, ...about });
    } else if (data.kind === 'look') {
      const view = aView({
        personas: instance.team,
        self: instance.self,
        actorPermission: 'triage',
      });
      const result = { view, nonce: 'a1b2c3d4e5f6a7b8c9d0e1f2', unchangedRuns: 0, githubCalls: 1 };
      this.reduce(instance, { kind: 'done', effectKind: 'look', result, ...about });
    } else if (data.kind === 'ask') {
      this.noteAsk(instance, effect.run);
      const result = { value: { text: this.words(0.7), references: [] }, calls: [] };
      this.reduce(instance, { kind: 'done', effectKind: 'ask', result, ...about });
    } else if (data.kind === 'comment') {
      const to = Number(data.marker.key.split('-').at(-1));
      const hops = this.hopsAfter(to);
      this.say(instance.self, { role: 'quorum', body: data.body, marker: data.marker, to, hops });
    }
  }

  private noteAsk({ self, state }: Instance, talk: string): void {
    const [question] = (state as ThreadState).talks?.[talk]?.questions ?? [];
    this.outcome.asks.push({ instance: self.login, talk, depth: question?.depth ?? 0 });
  }

  private viewFor({ self, team }: Instance, id: number, actor: Actor): TalkView {
    const { repository, issue, config, problems } = aView();
    const comments = this.outcome.said.map((said) => this.toView(said));
    const comment = comments.find((each) => each.id === id);
    if (comment === undefined) throw new Error(`no comment ${id}`);
    const peers = this.cast.isListed && this.cast.isBlind !== true ? this.agents(self) : [];
    return {
      repository,
      issue: { ...issue, labels: [], author: { id: 100, login: 'person0', isBot: false } },
      comment,
      comments,
      permission: this.permissionOf(actor.id),
      config: { ...config, access: { ...defaultConfig().access, peers } },
      explained: [],
      problems,
      personas: team,
      spent: { thread: NOTHING, day: NOTHING, month: NOTHING },
      tally: {},
      meter: { runs: 0, changedRuns: 0, costUsd: 0 },
      paused: undefined,
      lastRuns: [],
      models: [],
      self,
    };
  }

  private agents(self: Actor): string[] {
    const others = [...this.instances.map((each) => each.self), ...this.bots];
    return others.filter(({ id }) => id !== self.id).map(({ login }) => login);
  }

  private toView({ id, by, at, body, marker }: Said): CommentView {
    const { isBlind = false } = this.cast;
    const all = [...this.people, ...this.bots, ...this.instances.map(({ self }) => self)];
    const author = all.find(({ login }) => login === by) ?? { id: 0, login: by, isBot: false };
    const when = new Date(at).toISOString();
    return {
      id,
      author: isBlind ? { ...author, login: `x-${by}`, isBot: false } : author,
      permission: this.permissionOf(author.id),
      body,
      createdAt: when,
      updatedAt: when,
      ...(marker === undefined ? {} : { marker }),
    };
  }

  /** People may ask; an agent that the repository lists may have a role as well. Others with a role are people here. */
  private permissionOf(id: number): 'triage' | 'none' {
    const { isListed, isBlind } = this.cast;
    const isAgent = id >= 500;
    return !isAgent || isListed || isBlind === true ? 'triage' : 'none';
  }

  /** Other bots are not as careful: they answer people and instances, name whom they answer, and never tire. */
  private botHears(bot: Actor, comment: Said): void {
    if (comment.role === 'bot' || this.below(3) === 0) return;
    const whom = comment.by.replace('[bot]', '');
    this.plan(this.now + this.below(120_000), () => {
      const body = `@${whom} ${this.one(TEXTS)}`;
      this.say(bot, { role: 'bot', body, to: comment.id, hops: this.hopsAfter(comment.id) });
    });
  }

  /** Hops are counted from the last human word: an answer to something older comes right after it. */
  private hopsAfter(id: number): number {
    const { said } = this.outcome;
    const person = said.findLast(({ role }) => role === 'person')?.id ?? 0;
    const answered = said.find((each) => each.id === id);
    return answered === undefined || answered.id < person ? 1 : answered.hops + 1;
  }

  /** A sentence, and often one that calls somebody by name. */
  private words(probability: number): string {
    const text = this.one(TEXTS);
    if (this.below(100) >= probability * 100) return text;
    const n = this.below(this.cast.instances);
    const calls = [
      `Carlos${n}, what do you think?`,
      `Maya${n}, could you check?`,
      `@quorum${n} please look.`,
    ];
    return `${this.one(calls)} ${text}`;
  }

  private one<T>(list: readonly T[]): T {
    const picked = list[this.below(list.length)];
    if (picked === undefined) throw new Error('nothing to pick from');
    return picked;
  }

  /** A small generator of whole numbers, from the seed. */
  private below(limit: number): number {
    this.random = (Math.imul(this.random, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((this.random / 4_294_967_296) * limit);
  }
}

function range(count: number): number[] {
  return Array.from({ length: count }, (_, n) => n);
}
