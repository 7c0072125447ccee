/** The pages that tell people of the commands, made from the registry: the guide, and the README's table. */
import { defaultConfig } from '../config/config.ts';
import { renderCommandHelp, renderCommandTable } from './help.ts';
import { COMMANDS } from './registry.ts';

/** Where the guide is published. */
export const COMMANDS_FILE = 'docs/commands.md';

const HEAD = [
  '# Commands',
  '',
  '<!-- Made by src/hosts/write-docs.ts from src/domain/commands. A test fails when it is not current. -->',
  '<!-- prettier-ignore-start -->',
  '',
  'Write a command at the start of a line in a new comment on an issue, a pull request or its diff. Quotes, code, lists,',
  'titles, edited comments and e-mail replies contain no commands. Quorum runs at most five commands of one comment. Of',
  'contradicting ones the safer wins. The comment gets 👀 during the work, then 👍 or 😕, and at most one answer.',
  '',
  'Your role on GitHub decides what you may use. Quorum reads it by numeric id when it reads the command, and again when it',
  'acts. A command of an automated account is not run, unless `access.allowedApps` lists its App. `access` in',
  '`.github/quorum.yml` can require more than the table says, never less than read, triage and write.',
  '',
  'Without a command, the team answers a comment that addresses it: `@maya`, `Maya, …`, or the App itself. That costs the',
  'same as `/pm ask` and needs the same role.',
  '',
  'In an emergency, `/pm stop` ends what runs in a thread. `/pm pause` stops all work in the repository within a minute.',
  '`enabled: false` switches everything off.',
  '',
] as const;

/** The whole guide. */
export function commandsPage(): string {
  const { access } = defaultConfig();
  const later = COMMANDS.filter((entry) => !entry.built).map(({ name }) => `\`${name}\``);
  const each = builtCommands().flatMap(({ name }) => [
    `## ${name}`,
    '',
    renderCommandHelp(name, access),
    '',
  ]);
  return [
    ...HEAD,
    commandTable(),
    '',
    `Not available yet: ${later.join(', ')}.`,
    '',
    ...each,
    '<!-- prettier-ignore-end -->',
    '',
  ].join('\n');
}

/** The README's part: usage, who may by default, what it does. */
export function commandTable(): string {
  return renderCommandTable(builtCommands(), defaultConfig().access);
}

function builtCommands() {
  return COMMANDS.filter((entry) => entry.built);
}
