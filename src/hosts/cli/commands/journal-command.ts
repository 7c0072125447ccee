/** The command line of `quorum journal`, without loading what carries it out. */
import type { Command } from 'commander';
import type { ExitCode, Io } from '../terminal/io.ts';

interface Add {
  program: Command;
  io: Io;
  finish: (code: ExitCode) => void;
}

export interface JournalFlags {
  json?: true;
  /** `owner/repo#12`, or a number in the repository of `dir`. */
  thread: string;
  dir: string;
}

const HELP = `
Examples:
  quorum journal acme/api#12
  quorum journal 12              in a clone of the repository

It is made from the store that the App uses, also while the App runs. The same events give the same bytes.`;

export function addJournal({ program, io, finish }: Add): void {
  program
    .command('journal <thread>')
    .description(
      'what happened in an issue, plan or pull request and why, as Markdown: owner/repo#12, or a number in a clone',
    )
    .option('--dir <folder>', 'clone that a number is of', '.')
    .option('--json', 'print JSON, for machines')
    .addHelpText('after', HELP)
    .action(async (thread: string, options: { json?: true; dir: string }) => {
      const { journal } = await import('./journal.ts');
      finish(await journal({ ...options, thread }, io));
    });
}
