/** Where several agents may answer: when this one speaks, and what it adds (TG-11). */
import { createHash } from 'node:crypto';
import type { Conversation, Utterance } from './conversation.ts';

const SHORTEST_MS = 15_000;
const LONGEST_MS = 90_000;

/** How long an instance waits before it reads the thread again and answers: always the same for the same name. */
export function turnDelayMs(instance: string): number {
  const digest = createHash('sha256').update(`turn\n${instance.toLowerCase()}`).digest();
  return SHORTEST_MS + (digest.readUInt32BE(0) % (LONGEST_MS - SHORTEST_MS + 1));
}

export interface Turn {
  /** What other agents said since the question: shown to the model as already said. */
  said: readonly Utterance[];
  /** With `only-missing`, the answer adds only substance that is still missing, or stays silent. */
  mode: 'free' | 'only-missing';
}

const ENOUGH_PEERS = 2;

/** What happened since the comment that asks for an answer, after the thread was read again. */
export function readTurn({ comments }: Conversation, questionId: number): Turn {
  const asked = comments.findIndex(({ id }) => id === questionId);
  const said = comments.slice(asked + 1).filter(({ kind }) => kind === 'peer' || kind === 'bot');
  const speakers = new Set(said.map(({ by }) => by));
  return { said, mode: speakers.size >= ENOUGH_PEERS ? 'only-missing' : 'free' };
}
