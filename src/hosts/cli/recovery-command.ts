/** The command lines of `quorum rebuild` and `quorum cleanup`, without loading what carries them out. */
import type { Command } from 'commander';
import type { ExitCode, Io } from './io.ts';

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
  quorum cleanup               what there is
  quorum cleanup --yes         remove worktrees that nothing changed in for 30 days, give expired leases back

Branches and commits stay.
Exit codes: 0 done, 1 it did not work, 2 the command line or the configuration is wrong.`;

export function addRecovery({ program, io, finish }: Add): void {
  program
    .command('rebuild')
    .description(
      'the store was lost: take up what is open on GitHub again, without doing anything twice',
    )
    .option('--dry-run', 'say what there is; change nothing')
    .option('--json', 'print JSON, for machines')
    .addHelpText('after', REBUILD_HELP)
    .action(async (options: { json?: true; dryRun?: true }) => {
      const { runRebuild } = await import('./rebuild.ts');
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
