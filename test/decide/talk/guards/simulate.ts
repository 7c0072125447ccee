/** A thread on GitHub with Quorum instances, other bots and people in it: each instance really runs the guards on what it sees. */
import {
  classifySpeakers,
  type Conversation,
  type Utterance,
} from '../../../../src/decide/talk/guards/conversation.ts';
import type { MayAnswer, MayAnswerOptions } from '../../../../src/decide/talk/guards/may-answer.ts';
import { turnDelayMs } from '../../../../src/decide/talk/guards/turn.ts';

export interface Cast {
  seed: number;
  instances: number;
  bots: number;
  people: number;
  humanWords: number;
  /** Whether the repository lists the agents that take part. */
  isListed: boolean;
}

export interface Said {
  id: number;
  by: string;
  role: 'quorum' | 'bot' | 'person';
  at: number;
  text: string;
  addresses: string[];
  /** Answers between it and the last human word: 0 for people. */
  hops: number;
}

export type Guard = (conversation: Conversation, options: MayAnswerOptions) => MayAnswer;

export interface Outcome {
  said: Said[];
  /** False when it was cut off because it went on and on. */
  hasEnded: boolean;
}

const MANY = 600;
const TEXTS = [
  'The cache is keyed by user, so the second call misses.',
  'Is the timeout counted from the first byte?',
  'I agree, that makes sense.',
  'Good point, I agree with the point about the cache.',
  'Thanks a lot!',
  'Thank you all, this was very helpful. Bye!',
  'Muchas gracias, hasta luego.',
  'Exactly. Sounds good.',
  'What about `parse()` in src/a.ts?',
  'We should add a test for the empty file and one for a missing header.',
  'Noted.',
];

interface Pending {
  at: number;
  run: () => void;
}

/** Plays a conversation from its seed until nobody has anything left to say. */
export function simulate(cast: Cast, guard: Guard): Outcome {
  return new Thread(cast, guard).play();
}

class Thread {
  readonly said: Said[] = [];
  private readonly pending: Pending[] = [];
  private readonly quorums: string[];
  private readonly bots: string[];
  private readonly people: string[];
  private readonly cast: Cast;
  private readonly guard: Guard;
  private state: number;

  constructor(cast: Cast, guard: Guard) {
    this.cast = cast;
    this.guard = guard;
    this.state = cast.seed >>> 0;
    const name = (prefix: string, count: number): string[] =>
      Array.from({ length: count }, (_, index) => `${prefix}${index}`);
    this.quorums = name('quorum', cast.instances);
    this.bots = name('bot', cast.bots);
    this.people = name('person', cast.people);
  }

  play(): Outcome {
    let at = 0;
    for (let word = 0; word < this.cast.humanWords; word += 1) {
      at += this.below(10) === 0 ? 4_000_000 : this.below(300_000);
      const by = this.one(this.people);
      this.plan(at, () => this.say({ by, role: 'person', hops: 0, addresses: this.names(0.6) }));
    }
    while (this.pending.length > 0) {
      this.pending.sort((a, b) => a.at - b.at);
      this.now = this.pending[0]?.at ?? this.now;
      this.pending.shift()?.run();
      if (this.said.length > MANY) return { said: this.said, hasEnded: false };
    }
    return { said: this.said, hasEnded: true };
  }

  private now = 0;

  private plan(at: number, run: () => void): void {
    this.pending.push({ at, run });
  }

  private say(said: Pick<Said, 'by' | 'role' | 'hops' | 'addresses'>): void {
    const comment = { ...said, id: this.said.length + 1, at: this.now, text: this.one(TEXTS) };
    this.said.push(comment);
    for (const name of this.quorums)
      if (name !== comment.by) this.plan(this.now + turnDelayMs(name), () => this.consider(name));
    for (const name of this.bots) this.botHears(name, comment);
  }

  /** An instance reads the thread again and runs its guards. */
  private consider(name: string): void {
    const answer = this.guard(this.seenBy(name), { now: this.now });
    if (!answer.answer) return;
    const hops = this.hopsAfter(answer.to);
    this.say({ by: name, role: 'quorum', hops, addresses: this.names(0.7, name) });
  }

  /** Other bots are not as careful: they answer people and instances, name whom they answer, and never tire. */
  private botHears(name: string, comment: Said): void {
    if (comment.role === 'bot' || this.below(3) === 0) return;
    this.plan(this.now + this.below(120_000), () =>
      this.say({
        by: name,
        role: 'bot',
        hops: this.hopsAfter(comment.id),
        addresses: [comment.by],
      }),
    );
  }

  /** Hops are counted from the last human word: an answer to something older comes right after it. */
  private hopsAfter(id: number): number {
    const person = this.said.findLast(({ role }) => role === 'person')?.id ?? 0;
    const answered = this.said.find((each) => each.id === id);
    return answered === undefined || answered.id < person ? 1 : answered.hops + 1;
  }

  private seenBy(name: string): Conversation {
    const speakers = [...new Set(this.said.map(({ by }) => by))].map((by) => ({
      by,
      // Every other bot hides behind a person's account.
      isBot: by.startsWith('quorum') || /bot\d*[02468]$/.test(by),
    }));
    const others = [...this.quorums, ...this.bots].filter((each) => each !== name);
    const kinds = classifySpeakers([...speakers, { by: 'ci', isBot: true }], {
      us: [name],
      agents: this.cast.isListed ? others : [],
      author: 'person0',
      members: this.people,
    });
    const comments = this.said.map((said): Utterance => ({
      id: said.id,
      by: said.by,
      kind: kinds.get(said.by) ?? 'person',
      at: said.at,
      text: said.text,
      addressesUs: said.addresses.includes(name),
      addresses: said.addresses,
    }));
    return { comments, isProject: this.cast.seed % 2 === 0 };
  }

  /** Whom a comment names: often somebody, sometimes several. */
  private names(probability: number, except = ''): string[] {
    const all = [...this.quorums, ...this.bots, ...this.people].filter((each) => each !== except);
    const names: string[] = [];
    while (names.length < 3 && this.below(100) < probability * 100) names.push(this.one(all));
    return names;
  }

  private one<T>(list: readonly T[]): T {
    const picked = list[this.below(list.length)];
    if (picked === undefined) throw new Error('nothing to pick from');
    return picked;
  }

  /** A small generator of whole numbers, from the seed. */
  private below(limit: number): number {
    this.state = (Math.imul(this.state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((this.state / 4_294_967_296) * limit);
  }
}
