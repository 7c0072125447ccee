/** The command line of `quorum memory`, without loading what carries it out. */
import type { Command } from 'commander';
import type { ExitCode, Io } from '../terminal/io.ts';

interface Add {
  program: Command;
  io: Io;
  finish: (code: ExitCode) => void;
}

export interface MemoryFlags {
  json?: true;
  /** Clone whose branch is read. */
  repo: string;
}

const HELP = `
Examples:
  quorum memory list
  quorum memory search "time zones"
  quorum memory show 3f2a9c01de --json
  quorum memory forget 3f2a9c01de
  quorum memory export > memory.md

The branch is read from this clone, without a network: git fetch first. forget commits to the clone's own branch and
says how to push it; until then the App still uses the entry.`;

export function addMemory({ program, io, finish }: Add): void {
  const memory = program
    .command('memory')
    .description('what the team remembers of a repository, from the memory branch of a clone')
    .addHelpText('after', HELP);
  const add = (usage: string, description: string): Command =>
    memory
      .command(usage)
      .description(description)
      .option('--repo <dir>', 'clone of the repository', '.')
      .option('--json', 'print JSON, for machines');
  add('list', 'every entry, newest first').action(async (flags: MemoryFlags) => {
    const { listMemory } = await import('./memory.ts');
    finish(await listMemory(flags, io));
  });
  add('search <text>', 'entries about a subject or a file, best first').action(
    async (text: string, flags: MemoryFlags) => {
      const { searchMemory } = await import('./memory.ts');
      finish(await searchMemory({ ...flags, text }, io));
    },
  );
  add('show <id>', 'one entry, with where it comes from and what it cites').action(
    async (id: string, flags: MemoryFlags) => {
      const { showMemory } = await import('./memory.ts');
      finish(await showMemory({ ...flags, id }, io));
    },
  );
  add('forget <id>', "remove one entry, in a commit on the clone's own branch").action(
    async (id: string, flags: MemoryFlags) => {
      const { forgetMemory } = await import('./memory.ts');
      finish(await forgetMemory({ ...flags, id }, io));
    },
  );
  add('export', 'all entries as one Markdown document, by persona').action(
    async (flags: MemoryFlags) => {
      const { exportMemory } = await import('./memory.ts');
      finish(await exportMemory(flags, io));
    },
  );
}
