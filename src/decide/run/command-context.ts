/** What a command and an answer work on, and how a command tells what came of it. */
import type { Event } from '../../domain/event/event.ts';
import type { CommentRef, Question, Talk, TalkView } from '../../domain/run/talk.ts';
import type { Undo } from '../../domain/commands/undo.ts';
import type { Step } from './decision.ts';
import type { ThreadState } from './thread-context.ts';

/** One step of a talk: its own copy of the state, and where it writes what it wants. */
export interface TalkContext {
  state: ThreadState;
  talk: Talk;
  step: Step;
  event: Event;
}

/** With what was read of the comment. */
export interface CommandContext extends TalkContext {
  view: TalkView;
  /** Why the team must stay silent here, if it must (TG-1). People may still stop it. */
  stopped: string | undefined;
}

/** What came of one command. */
export interface CommandOutcome {
  /** Whether it was done, or is being done. */
  isDone: boolean;
  /** For the answer, Markdown; undefined when a reaction says it all. */
  say?: string;
  /** A run has begun and tells by itself how it ended. */
  isUnderWay?: boolean;
  /** A persona answers. */
  question?: Question;
  /** How it is taken back. */
  undo?: Undo;
}

export function done(say?: string): CommandOutcome {
  return { isDone: true, ...(say === undefined ? {} : { say }) };
}

export function refused(say?: string): CommandOutcome {
  return { isDone: false, ...(say === undefined ? {} : { say }) };
}

/** Whether what a comment did came after this one: its author could not know of it. GitHub numbers comments in order. */
export function isLater(other: number | undefined, { id, place }: CommentRef): boolean {
  return other !== undefined && place === 'thread' && other > id;
}

/** Somebody else's words inside a code span: they ping nobody and format nothing. */
export function asCode(text: string, max = 120): string {
  const flat = text.replaceAll(/\s+/g, ' ').replaceAll('`', "'").trim();
  const shown = flat.length > max ? `${flat.slice(0, max - 1)}…` : flat;
  return `\`${shown === '' ? ' ' : shown}\``;
}

/** The same as a cell of a table. */
export function inCell(text: string): string {
  return asCode(text, 80).replaceAll('|', '\\|');
}

/** Dollars as people read them; an unknown part is said. */
export function money(usd: number, isPartlyUnknown = false): string {
  const shown = usd === 0 ? '$0' : `$${usd < 0.01 ? usd.toFixed(4) : usd.toFixed(2)}`;
  return isPartlyUnknown ? `${shown} and an unknown part` : shown;
}
