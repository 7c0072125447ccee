/** The command line of `quorum review`: its options and examples, without loading what carries it out. */
import { Option, type Command } from 'commander';
import type { ExitCode, Io } from '../terminal/io.ts';

export const REVIEW_FORMATS = ['text', 'json', 'sarif'] as const;
export type ReviewFormat = (typeof REVIEW_FORMATS)[number];

export const FAIL_ON = ['critical', 'high', 'medium', 'low', 'info', 'never'] as const;
export type FailOn = (typeof FAIL_ON)[number];

interface Options {
  json?: true;
  dir: string;
  repo?: string;
  base?: string;
  diff?: string;
  pr?: string;
  personas?: string[];
  format?: ReviewFormat;
  failOn: FailOn;
  /** False with `--no-model`. */
  model: boolean;
}

export interface AddReview {
  program: Command;
  io: Io;
  finish: (code: ExitCode) => void;
  /** Of this program, for SARIF. */
  version: string;
}

const EXAMPLES = `
Examples:
  quorum review
  quorum review --base main --fail-on medium
  git diff HEAD~3 | quorum review --diff - --format json
  quorum review --pr 12 --repo acme/shop --personas maya,priya
  quorum review --no-model --format sarif > review.sarif

Exit codes: 0 clean, 1 findings from --fail-on on, 2 the command line or the diff is wrong.`;

export function addReview({ program, io, finish, version }: AddReview): void {
  program
    .command('review')
    .description(
      'what the team says of a change: the working tree, a diff, or a pull request (needs GITHUB_TOKEN); exit 1 on findings. Nothing is posted',
    )
    .option(
      '--base <ref>',
      'what to compare with (default: where the branch left the default branch)',
    )
    .addOption(
      new Option('--diff <file>', 'a unified or git diff; - reads standard input').conflicts(
        'base',
      ),
    )
    .addOption(
      new Option('--pr <number>', 'a pull request, by number or URL').conflicts(['base', 'diff']),
    )
    .option('--personas <handles>', 'who contributes, with commas between', (text: string) =>
      text.split(',').map((name) => name.trim()),
    )
    .addOption(new Option('--format <format>', 'how it is printed').choices(REVIEW_FORMATS))
    .addOption(
      new Option('--fail-on <severity>', 'exit 1 from this severity on')
        .choices(FAIL_ON)
        .default('high'),
    )
    .option('--no-model', 'rules alone, nobody is asked')
    .option('--dir <folder>', 'repository to look at', '.')
    .option('--repo <owner/name>', 'repository on GitHub that a number is of')
    .option('--json', 'the same as --format json')
    .addHelpText('after', EXAMPLES)
    .action(async (options: Options) => {
      const { review } = await import('./show-review.ts');
      finish(await review({ ...options, version }, io));
    });
}
