/** The command line of `quorum sweep`: its options and examples, without loading what carries it out. */
import { Option, type Command } from 'commander';
import type { ExitCode, Io } from '../terminal/io.ts';

interface Options {
  json?: true;
  once?: true;
  loops: string[];
  path?: string;
  dir: string;
}

const EXAMPLES = `
Examples:
  quorum sweep
  quorum sweep --path src/parse --json

One pass of the code watch: what in this repository's code is worth an issue. At a terminal nothing is opened.

Exit codes: 0 nothing worth an issue, 1 something is, or it did not work, 2 the command line is wrong.`;

const ONCE =
  'quorum: `--once` changes nothing, because a sweep is always one pass. Leave it out: the next release refuses it.\n';

export function addSweep({
  program,
  io,
  finish,
}: {
  program: Command;
  io: Io;
  finish: (code: ExitCode) => void;
}): void {
  program
    .command('sweep')
    .description(
      'look for what no event tells of, in the working tree; exit 1 when something is worth an issue. Nothing is posted',
    )
    // Every sweep is one pass. Scripts that say so go on working for one release.
    .addOption(new Option('--once', 'one pass, then stop').hideHelp())
    // Scripts may give these two. As long as there is one loop and no way to open issues, they decide nothing.
    .addOption(new Option('--dry-run', 'open nothing').hideHelp())
    .addOption(
      new Option('--loops <names>', 'which loops, with commas between')
        .argParser((text: string) => text.split(',').map((name) => name.trim()))
        .default(['code-watch'])
        .hideHelp(),
    )
    .option('--path <path>', 'only what is in this file or folder')
    .option('--dir <folder>', 'repository to look at', '.')
    .option('--json', 'print JSON, for machines')
    .addHelpText('after', EXAMPLES)
    .action(async (options: Options) => {
      const { once, ...flags } = options;
      if (once === true) io.err(ONCE);
      const { sweep } = await import('./run-sweep.ts');
      finish(await sweep(flags, io));
    });
}
