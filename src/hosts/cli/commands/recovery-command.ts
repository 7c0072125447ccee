/** The command lines of `quorum rebuild`, `cleanup`, `forget` and `export`, without loading what carries them out. */
import { Argument, type Command } from 'commander';
import type { Kind } from './forget.ts';
import type { ExitCode, Io } from '../terminal/io.ts';

interface Add {
  program: Command;
  io: Io;
  finish: (code: ExitCode) => void;
}

const REBUILD_HELP = `
Run it where the App runs, with its environment, once its store is gone; with the embedded store, before the App starts.
Plans wait for a new yes; open pull requests of the team go on from the commit that they have.

Exit codes: 0 done, 1 it did not work, 2 the command line or the configuration is wrong.`;

const CLEANUP_HELP = `
Examples:
  quorum cleanup               list it
  quorum cleanup --yes         remove worktrees that nothing changed in for 30 days, give expired leases back

Branches and commits stay.
Exit codes: 0 done, 1 it did not work, 2 the command line or the configuration is wrong.`;

const FORGET_HELP = `
Examples:
  quorum forget repository acme/api          what is kept of it; nothing is changed
  quorum forget repository acme/api --yes    erase it
  quorum forget installation 42 --yes        everything of an installation and its repositories
  quorum forget user 583231 --yes            a person's texts and login, by id or login

With the embedded store the App must be stopped; with PostgreSQL it may run. Uninstall the App first, or new webhooks are kept.
Exit codes: 0 done, 1 it did not work, 2 the command line or the configuration is wrong.`;

const EXPORT_HELP = `
Examples:
  quorum export user octocat > octocat.jsonl
  quorum export repository 123 > repository.jsonl

One JSON object a line, with the table and the row. Also while the App runs.`;

const WHO = 'a numeric id, owner/name, or a login';

function kindArgument(): Argument {
  return new Argument('<kind>', 'what it is').choices(['installation', 'repository', 'user']);
}

function addErasure({ program, io, finish }: Add): void {
  program
    .command('forget')
    .description(
      'erase what is kept of an installation, a repository or a person; only counts without --yes',
    )
    .addArgument(kindArgument())
    .argument('<who>', WHO)
    .option('--yes', 'erase it for good')
    .option('--dry-run', 'only list; change nothing')
    .option('--json', 'print JSON, for machines')
    .addHelpText('after', FORGET_HELP)
    .action(
      async (what: Kind, who: string, options: { json?: true; yes?: true; dryRun?: true }) => {
        const { forget } = await import('./forget.ts');
        finish(await forget({ ...options, kind: what, who }, io));
      },
    );
  program
    .command('export')
    .description('write out what is kept of an installation, a repository or a person')
    .addArgument(kindArgument())
    .argument('<who>', WHO)
    .option('--json', 'JSON lines, as it prints anyway')
    .addHelpText('after', EXPORT_HELP)
    .action(async (what: Kind, who: string) => {
      const { exportKept } = await import('./forget.ts');
      finish(await exportKept({ kind: what, who }, io));
    });
}

export function addRecovery(add: Add): void {
  addErasure(add);
  addRebuild(add);
}

function addRebuild({ program, io, finish }: Add): void {
  program
    .command('rebuild')
    .description(
      'the store was lost: take up what is open on GitHub again, without doing anything twice',
    )
    .option('--dry-run', 'only list; change nothing')
    .option('--json', 'print JSON, for machines')
    .addHelpText('after', REBUILD_HELP)
    .action(async (options: { json?: true; dryRun?: true }) => {
      const { runRebuild } = await import('./rebuild-command.ts');
      finish(await runRebuild(options, io));
    });
  program
    .command('cleanup')
    .description(
      'list what work on tasks left behind: worktrees, expired leases, mirrors; remove it with --yes',
    )
    .option('--yes', 'remove worktrees, and give expired leases back')
    .option('--days <number>', 'how long nothing has changed in a worktree', '30')
    .option('--json', 'print JSON, for machines')
    .addHelpText('after', CLEANUP_HELP)
    .action(async (options: { json?: true; yes?: true; days: string }) => {
      const { cleanup } = await import('./cleanup.ts');
      finish(await cleanup(options, io));
    });
}
