/** The command line of `quorum personas`, without loading what carries it out. */
import type { Command } from 'commander';
import type { ExitCode, Io } from '../terminal/io.ts';

interface Add {
  program: Command;
  io: Io;
  finish: (code: ExitCode) => void;
}

interface Flags {
  json?: true;
  dir: string;
}

const DIR = ['--dir <folder>', 'repository whose own personas count too', '.'] as const;
const JSON_OPTION = ['--json', 'print JSON, for machines'] as const;

export function addPersonas(add: Add): void {
  const personas = add.program
    .command('personas')
    .description('the team: who is in it, whether its files are valid, its prompts');
  const parts = { ...add, program: personas };
  addShow(parts);
  addCheck(parts);
  addPrompts(parts);
}

function addShow({ program, io, finish }: Add): void {
  program
    .command('list')
    .description('who is in the team')
    .option(...DIR)
    .option(...JSON_OPTION)
    .action(async (options: Flags) => {
      const { listPersonas } = await import('./persona-commands.ts');
      finish(await listPersonas(options, io));
    });
  program
    .command('show <handle>')
    .description('one persona, by handle, name or role')
    .option(...DIR)
    .option(...JSON_OPTION)
    .action(async (handle: string, options: Flags) => {
      const { showPersona } = await import('./persona-commands.ts');
      finish(await showPersona({ ...options, handle }, io));
    });
}

function addCheck({ program, io, finish }: Add): void {
  program
    .command('check [folder]')
    .description('check persona files; exit 1 when one is refused')
    .option(...JSON_OPTION)
    .addHelpText('after', '\nExamples:\n  quorum personas check .github/quorum/personas')
    .action(async (folder: string | undefined, options: Pick<Flags, 'json'>) => {
      const { checkPersonas } = await import('./persona-commands.ts');
      finish(await checkPersonas({ ...options, folder }, io));
    });
}

function addPrompts({ program, io, finish }: Add): void {
  program
    .command('render <handle>')
    .description('the prompt that a persona is compiled to')
    .option('--trigger <name>', 'the run that it is for, for example issue_review')
    .option('--memory <file>', 'what it remembers')
    .option(...DIR)
    .option(...JSON_OPTION)
    .addHelpText('after', '\nExamples:\n  quorum personas render maya --trigger issue_review')
    .action(async (handle: string, options: Flags & { trigger?: string; memory?: string }) => {
      const { renderPersona } = await import('./persona-commands.ts');
      finish(await renderPersona({ ...options, handle }, io));
    });
  program
    .command('phrases <handle>')
    .description('ask a model for the sentences that a persona says about its work, for its file')
    .option(...DIR)
    .option(...JSON_OPTION)
    .addHelpText('after', '\nExamples:\n  quorum personas phrases nia')
    .action(async (handle: string, options: Flags) => {
      const { writePhrases } = await import('./persona-phrases.ts');
      finish(await writePhrases({ ...options, handle }, io));
    });
}
