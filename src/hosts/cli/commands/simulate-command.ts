/** The command line of `quorum simulate`: its options and examples, without loading what carries it out. */
import { InvalidArgumentError, type Command } from 'commander';
import type { ExitCode, Io } from '../terminal/io.ts';

interface Options {
  json?: true;
  repo: string;
  last: number;
  everyCommit?: true;
}

const DEFAULT_LAST = 20;
const MAX_LAST = 1_000;

const EXAMPLES = `
Examples:
  quorum simulate
  quorum simulate --repo ../shop --last 50
  quorum simulate --every-commit --last 10 --json

Exit codes: 0 fine, 1 one of them could not be reviewed, 2 the command line is wrong.`;

export function addSimulate({
  program,
  io,
  finish,
}: {
  program: Command;
  io: Io;
  finish: (code: ExitCode) => void;
}): void {
  program
    .command('simulate')
    .description(
      'what the team would have said of past pull requests, and what it would have cost; no model is asked, nothing is written',
    )
    .option('--repo <folder>', 'clone whose history is read', '.')
    .option('--last <number>', 'how many, newest first', toCount, DEFAULT_LAST)
    .option('--every-commit', 'each commit counts, where none names a pull request')
    .option('--json', 'print JSON, for machines')
    .addHelpText('after', EXAMPLES)
    .action(async (options: Options) => {
      const { simulate } = await import('./simulate.ts');
      finish(await simulate(options, io));
    });
}

function toCount(text: string): number {
  const count = Number(text);
  if (Number.isInteger(count) && count >= 1 && count <= MAX_LAST) return count;
  throw new InvalidArgumentError(`Give a number from 1 to ${MAX_LAST}.`);
}
