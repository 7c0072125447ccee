/** The command line: every command with its options and examples. What a command needs is loaded when it runs. */
import { Command, Option } from 'commander';
import { COUNCIL_MODES, type CouncilMode } from './council-modes.ts';
import { reportFailure } from './report-failure.ts';
import { EXIT, type ExitCode, type Io } from './terminal/io.ts';
import { addAnnounce } from './commands/announce-command.ts';
import { addDemo, addEmulator } from './commands/demo-command.ts';
import { addSetUp } from './commands/init-command.ts';
import { addJournal } from './commands/journal-command.ts';
import { addMemory } from './commands/memory-command.ts';
import { addPersonas } from './commands/personas-command.ts';
import { addPlan } from './commands/plan-command.ts';
import { addRecovery } from './commands/recovery-command.ts';
import { addReview } from './commands/review-command.ts';
import { addSimulate } from './commands/simulate-command.ts';
import { addStandup } from './commands/standup-command.ts';
import { addSweep } from './commands/sweep-command.ts';

interface Json {
  json?: true;
}

/** Runs one command line and returns its exit code. Never throws. */
export async function runCli(args: readonly string[], io: Io, version: string): Promise<ExitCode> {
  let code: ExitCode = EXIT.ok;
  const program = createProgram(io, version, (given) => {
    code = given;
  });
  try {
    await program.parseAsync(args, { from: 'user' });
    return code;
  } catch (error) {
    return reportFailure(io, error, wantsJson(args));
  }
}

/** Also where the format is given in words. */
function wantsJson(args: readonly string[]): boolean {
  return /(?:^| )--(?:json|format[ =]json)(?: |$)/.test(args.join(' '));
}

type Finish = (code: ExitCode) => void;

function createProgram(io: Io, version: string, finish: Finish): Command {
  const program = new Command('quorum')
    .description('An AI agent team in a GitHub repository. People hold the keys.')
    .version(version, '-V, --version', 'print the version')
    .helpOption('-h, --help', 'show help')
    .helpCommand('help [command]', 'say what a command does')
    .configureOutput({
      writeOut: (text) => io.out(text),
      writeErr: (text) => io.err(text),
      outputError: (text, write) => write(text.replace(/^error: /, 'quorum: ')),
      getOutHelpWidth: () => io.columns,
      getErrHelpWidth: () => io.columns,
    })
    .showHelpAfterError('Run quorum --help, or add --help to the command.')
    .exitOverride()
    .addHelpText('after', HELP_AFTER);
  const add: Add = { program, io, finish };
  addDemo(add);
  addEmulator(add);
  addApp(add);
  addSetUp(add);
  addDoctor(add);
  addPersonas(add);
  addReview({ ...add, version });
  addSimulate(add);
  addSweep(add);
  addAnnounce(add);
  addDeliberate(add);
  addPlan(add);
  addConfig(add);
  addJournal(add);
  addMemory(add);
  addStandup(add);
  addReplay(add);
  addRecovery(add);
  addCommand(add);
  return program;
}

const HELP_AFTER = `
Start here:
  quorum demo                 the whole story offline: no key, no account, no network
  quorum review               what the team says about your changes, before anybody else sees them
  quorum deliberate "…"       what the team says about an idea, on the repository you are in
  quorum init                 set up a repository for GitHub Actions, without a server
  quorum start                run as a GitHub App; without credentials it opens the setup page

Exit codes:
  0  fine
  1  something was found, or did not work
  2  the command line or the configuration is wrong

Environment: the real one wins over ./.env. docs/configuration.md lists every name.
Machines: --json prints JSON on standard output; progress goes to standard error.`;

interface Add {
  program: Command;
  io: Io;
  finish: Finish;
}

const JSON_OPTION = ['--json', 'print JSON, for machines'] as const;

function addApp({ program, io, finish }: Add): void {
  program
    .command('start')
    .description('run the App: receive webhooks and do the work (PORT, HOST, DATABASE_URL …)')
    .option(...JSON_OPTION)
    .addHelpText('after', examples('quorum start', 'PORT=8080 HOST=0.0.0.0 quorum start'))
    .action(async (options: Json) => {
      const { start } = await import('./commands/start-command.ts');
      finish(await start(options, io));
    });
  program
    .command('worker')
    .description('do queued work only, beside other processes on one PostgreSQL')
    .option('--concurrency <number>', 'pieces of work in hand at once', '16')
    .option(...JSON_OPTION)
    .addHelpText('after', examples('DATABASE_URL=postgres://… quorum worker'))
    .action(async (options: Json & { concurrency: string }) => {
      const { worker } = await import('./commands/worker.ts');
      finish(await worker(options, io));
    });
  program
    .command('setup')
    .description('register the GitHub App in the browser, then stop')
    .option(...JSON_OPTION)
    .addHelpText('after', examples('quorum setup', 'GH_ORG=acme quorum setup'))
    .action(async (options: Json) => {
      const { setup } = await import('./commands/setup-command.ts');
      finish(await setup(options, io));
    });
}

function addDoctor({ program, io, finish }: Add): void {
  program
    .command('doctor')
    .description(
      'check everything this installation needs, with a fix for each; exit 1 on a failure',
    )
    .option('--live <owner/repo>', 'also read this repository on GitHub, as a smoke test')
    .option('--try-keys', 'also ask one short question with each model key: a fraction of a cent')
    .option('--requeue', 'put dead and parked work back into the queue')
    .option(...JSON_OPTION)
    .addHelpText(
      'after',
      examples(
        'quorum doctor',
        'quorum doctor --try-keys',
        'quorum doctor --requeue',
        'quorum doctor --live acme/api',
      ),
    )
    .action(async (options: Json & { requeue?: true; live?: string; tryKeys?: true }) => {
      const { doctor } = await import('./commands/doctor.ts');
      finish(await doctor(options, io));
    });
}

function addDeliberate({ program, io, finish }: Add): void {
  program
    .command('deliberate <issue>')
    .description(
      'what the team says: on an issue (number or URL, needs GITHUB_TOKEN), or on any text (- reads standard input). Nothing is posted',
    )
    .option('--dir <folder>', 'repository to look at', '.')
    .option('--repo <owner/name>', 'repository on GitHub that a number is of')
    .addOption(new Option('--mode <mode>', 'how they discuss').choices(COUNCIL_MODES))
    .option(...JSON_OPTION)
    .addHelpText(
      'after',
      examples(
        'quorum deliberate "Rename --legacy to --compat and keep the old name for one release"',
        'quorum deliberate - < idea.md',
        'quorum deliberate 12 --repo acme/shop',
      ),
    )
    .action(async (subject: string, options: Json & Deliberating) => {
      const { deliberate } = await import('./commands/deliberate.ts');
      finish(await deliberate({ ...options, subject }, io));
    });
}

interface Deliberating {
  dir: string;
  repo?: string;
  mode?: CouncilMode;
}

function addConfig({ program, io, finish }: Add): void {
  const config = program.command('config').description("a repository's .github/quorum.yml");
  config
    .command('validate [file]')
    .description('check the file; exit 1 when it is refused')
    .option(...JSON_OPTION)
    .addHelpText('after', examples('quorum config validate', 'quorum config validate my.yml'))
    .action(async (file: string | undefined, options: Json) => {
      const { validateConfig } = await import('./commands/config-command.ts');
      finish(await validateConfig({ ...options, file }, io));
    });
  config
    .command('show')
    .description('every setting in effect, with where it is from')
    .option('--dir <folder>', 'repository to look at', '.')
    .option('--changed', 'only what is not the default')
    .option('--all', 'also settings that have no effect yet')
    .option(...JSON_OPTION)
    .action(async (options: Json & { dir: string; changed?: true; all?: true }) => {
      const { showConfig } = await import('./commands/config-command.ts');
      finish(await showConfig(options, io));
    });
}

function addReplay({ program, io, finish }: Add): void {
  program
    .command('replay <run>')
    .description(
      "reduce a run's stored events again, step by step; exit 1 when the result is not what was recorded",
    )
    .option(
      '--prompts',
      'also show what models were asked and answered, and read each answer again',
    )
    .option('--private', "with --prompts: show a private repository's as well")
    .option(...JSON_OPTION)
    .addHelpText('after', examples('quorum replay 01JD0000000000000000000000 --prompts'))
    .action(async (run: string, options: Json & { prompts?: true; private?: true }) => {
      const { replay } = await import('./commands/replay.ts');
      finish(await replay({ ...options, run }, io));
    });
}

function addCommand({ program, io, finish }: Add): void {
  const command = program.command('command').description('what people write in comments');
  command
    .command('list')
    .description('the /pm commands, and who may use them here')
    .option('--all', 'also commands that are not available yet')
    .option(...JSON_OPTION)
    .addHelpText('after', examples('quorum command list --json'))
    .action(async (options: Json & { all?: true }) => {
      const { listCommands } = await import('./commands/command-list.ts');
      finish(await listCommands(options, io));
    });
  command
    .command('parse <file>')
    .description(
      'the /pm commands in a comment (- reads standard input), and why other lines are not',
    )
    .option(...JSON_OPTION)
    .addHelpText('after', examples('quorum command parse comment.md --json'))
    .action(async (file: string, options: Json) => {
      const { parseCommandFile } = await import('./commands/command-file.ts');
      finish(await parseCommandFile({ ...options, file }, io));
    });
}

function examples(...lines: readonly string[]): string {
  return `\nExamples:\n${lines.map((line) => `  ${line}`).join('\n')}`;
}
