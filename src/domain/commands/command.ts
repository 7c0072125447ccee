/** What a `/pm` command is: its entry in the registry, and one that was found in a comment. */
import type { CommandKind } from '../config/config.ts';

/** Where a command makes sense. */
export type CommandPlace = 'thread' | 'issue' | 'pull' | 'plan';

/** What may follow the name, on the same line. */
export interface ArgumentRule {
  /** How many words of the front are typed; all of them when nothing is said and there is no prose. */
  head?: number;
  /** What the arguments look like, joined by single spaces. When absent, the command takes no arguments. */
  words?: RegExp;
  /** Free words after the typed ones. They go to a model as data, never to a shell. */
  prose?: 'optional' | 'required';
}

/** One entry of the registry: parser, permission check, help and documentation are all made from it. */
export interface CommandEntry {
  name: string;
  /** As a person types it, with what may follow. */
  usage: string;
  /** What it does, in one line that starts with a verb. */
  summary: string;
  examples: readonly string[];
  kind: CommandKind;
  /** What the command asks for when arguments follow, where that differs. */
  kindWithArguments?: CommandKind;
  where: CommandPlace;
  /** Whether what it does cannot be taken back. */
  destructive: boolean;
  /**
   * Which of contradicting commands wins: above 0 it holds work back (higher is safer), below 0 it starts or advances
   * work, 0 contradicts nothing.
   */
  safety: number;
  /** The same for a word that decides it: `memory reject` is safer than `memory approve`. */
  safetyOf?: Readonly<Record<string, number>>;
  /** Only a person may ask for it, no App, listed or not (CB-1). */
  person?: boolean;
  takes: ArgumentRule;
  /** False while nothing runs it: it is understood, and answered with that. */
  built: boolean;
}

/** A command as it is written in a comment. */
export interface ParsedCommand {
  name: string;
  args: string[];
  /** What follows the name, as it was written. */
  text: string;
  /** In the comment's body, from 1. */
  line: number;
}

export type IgnoredCode =
  | 'above-limit'
  | 'bad-arguments'
  | 'code'
  | 'definition'
  | 'email-reply'
  | 'heading'
  | 'hidden-characters'
  | 'html'
  | 'indented'
  | 'inline'
  | 'list'
  | 'look-alike'
  | 'mid-line'
  | 'quote'
  | 'repeated'
  | 'safer-wins'
  | 'table'
  | 'too-complex'
  | 'too-long'
  | 'unknown-command';

/** A line that looks like a command and is not run. */
export interface IgnoredLine {
  line: number;
  /** For people. */
  reason: string;
  code: IgnoredCode;
  /** The command's name, where one was understood. */
  name?: string;
  /** What was probably meant by an unknown name. */
  suggestion?: string;
}

export interface ParsedComment {
  commands: ParsedCommand[];
  ignored: IgnoredLine[];
}
