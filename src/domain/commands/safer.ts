/** Of several commands in one comment: which run. The safer of contradicting ones wins, and there are at most five. */
import type { IgnoredLine, ParsedCommand } from './command.ts';
import { safetyOf } from './registry.ts';

/** Spec 05. */
const MAX_COMMANDS = 5;
/** From now on a command holds back the whole thread, below it only the task that it names. */
const WHOLE_THREAD = 2;

export interface Chosen {
  commands: ParsedCommand[];
  ignored: IgnoredLine[];
}

/** Chooses among the commands of one comment; both lists stay in the comment's order. */
export function chooseCommands(found: readonly ParsedCommand[]): Chosen {
  const ignored: IgnoredLine[] = [];
  const once = withoutRepeats(found, ignored);
  const agreed = withoutContradictions(once, ignored);
  // What holds work back is never the part that did not fit.
  const bySafety = agreed.toSorted((a, b) => rank(b) - rank(a) || a.line - b.line);
  const fitting = new Set(bySafety.slice(0, MAX_COMMANDS));
  for (const command of agreed.filter((each) => !fitting.has(each))) {
    const reason = `only ${MAX_COMMANDS} commands of one comment are run`;
    ignored.push({ line: command.line, code: 'above-limit', name: command.name, reason });
  }
  return { commands: agreed.filter((each) => fitting.has(each)), ignored };
}

function rank(command: ParsedCommand): number {
  return Math.max(0, safetyOf(command));
}

function withoutRepeats(found: readonly ParsedCommand[], ignored: IgnoredLine[]): ParsedCommand[] {
  const seen = new Set<string>();
  return found.filter((command) => {
    const key = [command.name, ...command.args].join(' ').toLowerCase();
    if (!seen.has(key)) return seen.add(key);
    const reason = `the same command is above`;
    ignored.push({ line: command.line, code: 'repeated', name: command.name, reason });
    return false;
  });
}

function withoutContradictions(
  found: readonly ParsedCommand[],
  ignored: IgnoredLine[],
): ParsedCommand[] {
  const holding = found.filter((command) => safetyOf(command) > 0);
  if (holding.length === 0) return [...found];
  const strongest = holding.toSorted((a, b) => safetyOf(b) - safetyOf(a))[0];
  const isThread = strongest !== undefined && safetyOf(strongest) >= WHOLE_THREAD;
  const byTask = new Map(holding.map((command) => [taskOf(command), command]));
  return found.filter((command) => {
    if (safetyOf(command) >= 0) return true;
    const winner = isThread ? strongest : byTask.get(taskOf(command));
    if (winner === undefined) return true;
    const reason = `it contradicts \`/pm ${winner.name}\` on line ${winner.line}, which is the safer one`;
    ignored.push({ line: command.line, code: 'safer-wins', name: command.name, reason });
    return false;
  });
}

/** The number of the task that a command is about; the empty string is the whole thread. */
function taskOf({ args }: ParsedCommand): string {
  return args.find((word) => /^#?\d+$/.test(word))?.replace('#', '') ?? '';
}
