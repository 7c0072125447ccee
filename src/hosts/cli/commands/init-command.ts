/** The command lines of `quorum init`, `upgrade` and `uninstall`, without loading what carries them out. */
import type { Command } from 'commander';
import type { InitFlags, SetupFlags, UpgradeFlags } from '../setup-files/flags.ts';
import type { ExitCode, Io } from '../terminal/io.ts';

interface Add {
  program: Command;
  io: Io;
  finish: (code: ExitCode) => void;
}

const INIT_HELP = `
Examples:
  quorum init                            asks, then writes the files here
  quorum init --dry-run                  shows what it would write
  quorum init --pr                       opens a pull request for the repository of this clone
  quorum init --pr --repo acme/shop --yes --keys anthropic --daily-usd 3

Without a terminal, or with --yes, it asks nothing. It never changes a file that is there, unless --force is given.
memory/pm.md and memory/artist.md are added where they are missing, and never replaced.
--pr needs GITHUB_TOKEN, GH_TOKEN or gh auth login, with the scopes repo and workflow.`;

const UPGRADE_HELP = `
Examples:
  quorum upgrade --dry-run
  quorum upgrade --ref v1.4.0
  quorum upgrade --pr --ref 3d3c42e5aac5ba805825da76410c181273ba90b1

Only the lines that name a version change; what people edited stays.`;

const UNINSTALL_HELP = `
Examples:
  quorum uninstall --dry-run
  quorum uninstall --yes
  quorum uninstall --pr --yes

It removes files that quorum init made and nobody edited, and says what stays. Without a terminal it needs --yes.
memory/pm.md and memory/artist.md are removed only if they are as this version ships them and another file of quorum init
is there.`;

export function addSetUp({ program, io, finish }: Add): void {
  const add = (name: string, description: string, help: string): Command =>
    program
      .command(name)
      .description(description)
      .option('--dir <folder>', 'a folder in the working tree', '.')
      .option('--pr', 'open a pull request instead of changing files here')
      .option('--repo <owner/name>', 'repository of the pull request; the remote origin by default')
      .option('--branch <name>', 'branch of the pull request')
      .option('--dry-run', 'show the changes and make none')
      .option('--yes', 'ask nothing')
      .option('--json', 'print JSON, for machines')
      .addHelpText('after', help);
  add(
    'init',
    'set up a repository: configuration, one workflow, issue templates, memory',
    INIT_HELP,
  )
    .option('--force', 'replace files that are there')
    .option('--source <owner/name>', 'repository that Quorum is published from')
    .option('--ref <ref>', 'version to use: a tag or a commit')
    .option('--keys <names>', 'model keys the workflow passes: anthropic, openai or none')
    .option('--daily-usd <amount>', 'most that discussions may cost in a day')
    .option('--no-templates', 'without issue templates')
    .option('--with <names>', 'more workflows, with commas between: tasks, sweeps, code')
    .option('--app-id <number>', 'account of the App that --with code works for')
    .action(async (flags: InitFlags) => {
      const { init } = await import('../setup-files/init.ts');
      finish(await init(flags, io));
    });
  add('upgrade', 'move a repository to another version of Quorum', UPGRADE_HELP)
    .option('--force', "with --pr: also on top of other people's commits")
    .option('--source <owner/name>', 'repository that Quorum is published from')
    .option('--ref <ref>', 'version to use: a tag or a commit')
    .action(async (flags: UpgradeFlags) => {
      const { upgrade } = await import('../setup-files/upgrade.ts');
      finish(await upgrade(flags, io));
    });
  add('uninstall', 'remove what quorum init made, and say what stays', UNINSTALL_HELP)
    .option('--force', 'also remove files that were edited since')
    .action(async (flags: SetupFlags) => {
      const { uninstall } = await import('../setup-files/uninstall.ts');
      finish(await uninstall(flags, io));
    });
}
