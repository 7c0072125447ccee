/** Every `/pm` command, in one list, and the ways to look into it. */
import type { CommandEntry, ParsedCommand } from './command.ts';
import type { CommandKind } from '../config/config.ts';
import { nearest } from '../text/nearest.ts';
import { KNOWLEDGE_COMMANDS } from './knowledge.ts';
import { TALK_COMMANDS } from './talk-commands.ts';
import { WORK_COMMANDS } from './work-commands.ts';

/** The whole table of spec 05. */
export const COMMANDS: readonly CommandEntry[] = [
  ...TALK_COMMANDS,
  ...WORK_COMMANDS,
  ...KNOWLEDGE_COMMANDS,
];

const BY_NAME: ReadonlyMap<string, CommandEntry> = new Map(
  COMMANDS.map((entry) => [entry.name, entry]),
);
/** Other spellings that are not slips. */
const SPELLINGS: ReadonlyMap<string, string> = new Map([
  ['add:', 'add'],
  ['synthesize', 'synthesise'],
]);

/** The entry of a name, in any case; undefined for an unknown name. */
export function findCommand(name: string): CommandEntry | undefined {
  // ASCII alone: others fold letters of other scripts into these.
  const folded = name.replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase());
  return BY_NAME.get(SPELLINGS.get(folded) ?? folded);
}

/** The name that was probably meant: of a command, or of a model in a command's place. */
export function suggestCommand(name: string, models: readonly string[] = []): string | undefined {
  return nearest(name, [...BY_NAME.keys(), ...models]);
}

/** What a found command asks for: its arguments can make a question a change. Unknown ones count as a change. */
export function kindOf(command: Pick<ParsedCommand, 'name' | 'args'>): CommandKind {
  const entry = findCommand(command.name);
  if (entry === undefined) return 'change';
  return command.args.length > 0 ? (entry.kindWithArguments ?? entry.kind) : entry.kind;
}

/** How safe a found command is, beside others in the same comment. */
export function safetyOf({ name, args }: Pick<ParsedCommand, 'name' | 'args'>): number {
  const entry = findCommand(name);
  if (entry === undefined) return 0;
  return entry.safetyOf?.[(args[0] ?? '').toLowerCase()] ?? entry.safety;
}
