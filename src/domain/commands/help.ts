/** Help on commands, for a comment or a page. No command in it is in a place where it would run. */
import type { CommandEntry, CommandPlace, IgnoredLine } from './command.ts';
import { requiredPermission, type Config } from '../config/config.ts';
import { COMMANDS, findCommand, suggestCommand } from './registry.ts';

const PLACES: Readonly<Record<CommandPlace, string>> = {
  thread: 'any issue or pull request',
  issue: 'an issue',
  pull: 'a pull request',
  plan: 'a plan',
};

/** What works today, as a table. */
export function renderHelp(access: Config['access']): string {
  const built = COMMANDS.filter((entry) => entry.built);
  return [
    '### Commands',
    '',
    renderCommandTable(built, access),
    '',
    `Write one at the start of a line. \`/pm help command\` explains one.`,
  ].join('\n');
}

/** Commands as rows of a Markdown table: usage, who may, what it does. */
export function renderCommandTable(
  entries: readonly CommandEntry[],
  access: Config['access'],
): string {
  const rows = entries.map(
    (entry) => `| ${code(entry.usage)} | ${whoMay(entry, access)} | ${cell(entry.summary)} |`,
  );
  return ['| command | needs | does |', '|---|---|---|', ...rows].join('\n');
}

/** What one command does; with an unknown name, what was probably meant. */
export function renderCommandHelp(name: string, access: Config['access']): string {
  const entry = findCommand(name.replace(/^\/pm\s+/, ''));
  if (entry === undefined) return renderUnknown(name);
  const examples = entry.examples.map((example) => `- \`${example}\``);
  return [
    `**\`${entry.usage}\`** ${entry.summary}`,
    '',
    `Needs ${whoMay(entry, access)} permission${entry.person === true ? ' and a person' : ''}; works on ${PLACES[entry.where]}.${entry.destructive ? ' Cannot be undone.' : ''}${entry.built ? '' : ' Not available yet.'}`,
    '',
    ...examples,
  ].join('\n');
}

/** Three commands that most people are after. */
const LIKELY = ['status', 'ask', 'review'] as const;

/** The short answer to a command that does not exist. */
export function renderUnknown(name: string, suggestion = suggestCommand(name)): string {
  const shown = name.replaceAll(/[^\x20-\x7e]|`/g, '?').slice(0, 40);
  const meant = suggestion === undefined ? '' : ` Did you mean \`/pm ${suggestion}\`?`;
  const others = LIKELY.map((each) => `\`/pm ${each}\``).join(', ');
  return `There is no command \`/pm ${shown}\`.${meant} Often used: ${others}; \`/pm help\` lists all.`;
}

/** How many lines of one comment are answered one by one. */
const MAX_NAMED = 10;
/** Reasons that the author of a comment wants to hear; quoting a command is no mistake. */
const TOLD = new Set([
  'above-limit',
  'bad-arguments',
  'hidden-characters',
  'safer-wins',
  'unknown-command',
]);

/** What to say of the lines that were not run; undefined when there is nothing worth an answer. */
export function renderIgnored(ignored: readonly IgnoredLine[]): string | undefined {
  const told = ignored.filter(({ code: each }) => TOLD.has(each));
  if (told.length === 0) return undefined;
  const lines = told
    .slice(0, MAX_NAMED)
    .map(({ line, name, reason }) =>
      name === undefined ? `- line ${line}: ${reason}` : `- line ${line}, \`${name}\`: ${reason}`,
    );
  const more = told.length > MAX_NAMED ? [`- and ${told.length - MAX_NAMED} more`] : [];
  return ['Not run:', ...lines, ...more].join('\n');
}

function whoMay(entry: CommandEntry, access: Config['access']): string {
  const least = requiredPermission(access, entry.name, entry.kind);
  if (entry.kindWithArguments === undefined) return least;
  const more = requiredPermission(access, entry.name, entry.kindWithArguments);
  return more === least ? least : `${least}, ${more} to change`;
}

function code(text: string): string {
  return cell(`\`${text}\``);
}

function cell(text: string): string {
  return text.replaceAll('|', '\\|');
}
