/** The command line of `quorum announce`, without loading what carries it out. */
import { Argument, type Command } from 'commander';
import type { ExitCode, Io } from '../terminal/io.ts';

export const ANNOUNCE_EVENTS = ['verdict', 'merged', 'failed', 'needs-human', 'standup'] as const;

export interface AnnounceFlags {
  number?: string;
  title?: string;
  repo?: string;
  dir: string;
  dryRun?: true;
  json?: true;
}

const EXAMPLES = `
Examples:
  quorum announce merged "Orders are kept" --number 12 --dry-run
  quorum announce failed "the nightly build is red" --repo acme/shop --json

Announces in the channels that .github/quorum.yml names for the event. The environment has their tokens (docs/channels.md).
GitHub is asked whether the repository is private, with GITHUB_TOKEN where it is set. Without an answer it counts as private.

Exit codes: 0 announced, or shown by --dry-run, 1 a channel failed, 2 the command line is wrong.`;

export function addAnnounce({
  program,
  io,
  finish,
}: {
  program: Command;
  io: Io;
  finish: (code: ExitCode) => void;
}): void {
  program
    .command('announce')
    .description('tell Slack and Bluesky of something; --dry-run shows the messages and sends none')
    .addArgument(new Argument('<event>', 'what happened').choices(ANNOUNCE_EVENTS))
    .argument('<text>', 'what to say about it')
    .option('--number <number>', 'the issue or pull request that it is about')
    .option('--title <title>', 'its title')
    .option('--repo <owner/name>', 'the repository; that of --dir by default')
    .option('--dir <folder>', 'where .github/quorum.yml is read', '.')
    .option('--dry-run', 'send nothing')
    .option('--json', 'print JSON, for machines')
    .addHelpText('after', EXAMPLES)
    .action(async (event: string, text: string, flags: AnnounceFlags) => {
      const { announceAtTerminal } = await import('./announce.ts');
      finish(await announceAtTerminal({ event, text, flags }, io));
    });
}
