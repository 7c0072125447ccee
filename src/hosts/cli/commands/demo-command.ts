/** The command lines of `quorum demo` and `quorum emulator`: their options and examples, without loading what carries them out. */
import { InvalidArgumentError, type Command } from 'commander';
import type { ExitCode, Io } from '../terminal/io.ts';

interface Add {
  program: Command;
  io: Io;
  finish: (code: ExitCode) => void;
}

interface DemoOptions {
  json?: true;
  actions?: true;
  serve?: true;
  payloads?: true;
  port?: string;
}

interface EmulatorOptions {
  json?: true;
  port?: number;
  repo?: string;
  faults?: string;
  models?: string;
  webhook?: string;
}

const JSON_OPTION = ['--json', 'print JSON, for machines'] as const;

const DEMO_EXAMPLES = `
Examples:
  quorum demo
  quorum demo --serve
  npm run demo -- --actions
  quorum demo --json`;

const EMULATOR_EXAMPLES = `
Examples:
  quorum emulator
  quorum emulator --repo ../shop --webhook http://127.0.0.1:3000/api/github/webhooks
  quorum emulator --port 4001 --json

It listens on this machine only and forgets everything when it ends.`;

export function addDemo({ program, io, finish }: Add): void {
  program
    .command('demo')
    .description('show the team at work on an embedded GitHub: no key, no network, under a minute')
    .option('--actions', 'by GitHub Actions workflows alone, without an App; from a checkout')
    .option('--serve', 'leave everything up at the end, until Ctrl-C, and say how to take part')
    .option('--payloads', "feed GitHub's example webhooks through the door and say how each ended")
    .option('--port <number>', 'port of the App (default: any free one)')
    .option(...JSON_OPTION)
    .addHelpText('after', DEMO_EXAMPLES)
    .action(async (options: DemoOptions): Promise<void> => {
      if (options.actions === true) {
        const { demoActions } = await import('./demo-actions.ts');
        finish(await demoActions(options.json === true, io));
        return;
      }
      const { demo } = await import('./demo.ts');
      finish(await demo(options, io));
    });
}

export function addEmulator({ program, io, finish }: Add): void {
  program
    .command('emulator')
    .description('start the embedded GitHub alone, with an example repository or a copy of yours')
    .option('--port <number>', 'port of its pages and API (default: any free one)', toPort)
    .option('--repo <folder>', 'git repository to copy in place of the example')
    .option('--webhook <url>', "where the App's webhooks go")
    .option('--faults <file>', 'JSON list of operations of the control address, carried out first')
    .option('--models <file>', 'also start a model server that answers by this JSON list of rules')
    .option(...JSON_OPTION)
    .addHelpText('after', EMULATOR_EXAMPLES)
    .action(async (options: EmulatorOptions): Promise<void> => {
      const { emulator } = await import('./emulator.ts');
      finish(await emulator(options, io));
    });
}

function toPort(text: string): number {
  const port = Number(text);
  if (Number.isInteger(port) && port >= 0 && port < 65_536) return port;
  throw new InvalidArgumentError('A number from 0 to 65535 is expected.');
}
