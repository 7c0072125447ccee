/** The command line of `quorum standup`, without loading what carries it out. */
import { InvalidArgumentError, Option, type Command } from 'commander';
import { INSIGHT_TYPES, type InsightType } from '../../../domain/standup/insight.ts';
import type { ExitCode, Io } from '../terminal/io.ts';

interface Add {
  program: Command;
  io: Io;
  finish: (code: ExitCode) => void;
}

export interface StandupFlags {
  json?: true;
  /** `owner/name` or a numeric id; of the clone in `dir` when absent. */
  repo?: string;
  dir: string;
}

export interface ListFlags extends StandupFlags {
  type?: InsightType;
  limit: number;
}

const USUAL_LIMIT = 50;
const MAX_LIMIT = 1000;

const HELP = `
Examples:
  quorum standup list
  quorum standup list --repo acme/api --type risk --json
  quorum standup show 5f0c21d9aa30
  quorum standup trends --repo acme/api

They read the store that the App uses, also while the App runs. In a clone, its repository is meant.`;

export function addStandup({ program, io, finish }: Add): void {
  const standup = program
    .command('standup')
    .description('what agents noticed past their own tasks, and what became of it')
    .addHelpText('after', HELP);
  const add = (usage: string, description: string): Command =>
    standup
      .command(usage)
      .description(description)
      .option('--repo <name>', 'owner/name, or a numeric id')
      .option('--dir <folder>', 'clone whose repository is meant', '.')
      .option('--json', 'print JSON, for machines');
  add('list', 'insights, newest first')
    .addOption(new Option('--type <type>', 'only of this type').choices(INSIGHT_TYPES))
    .option('--limit <count>', 'how many at most', toLimit, USUAL_LIMIT)
    .action(async (flags: ListFlags) => {
      const { listStandups } = await import('./standup.ts');
      finish(await listStandups(flags, io));
    });
  standup
    .command('show <run>')
    .description('the standup of one run')
    .option('--json', 'print JSON, for machines')
    .action(async (run: string, flags: { json?: true }) => {
      const { showStandup } = await import('./standup.ts');
      finish(await showStandup({ ...flags, run }, io));
    });
  add('trends', 'themes that return, and whether standups are worth their cost').action(
    async (flags: StandupFlags) => {
      const { showTrends } = await import('./standup.ts');
      finish(await showTrends(flags, io));
    },
  );
}

function toLimit(text: string): number {
  const limit = Number(text);
  if (Number.isInteger(limit) && limit >= 1 && limit <= MAX_LIMIT) return limit;
  throw new InvalidArgumentError(`Give a number from 1 to ${MAX_LIMIT}.`);
}
