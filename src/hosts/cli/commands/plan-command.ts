/** `quorum plan …` on the command line. */
import type { Command } from 'commander';
import type { ExitCode, Io } from '../terminal/io.ts';

interface Add {
  program: Command;
  io: Io;
  finish: (code: ExitCode) => void;
}

export interface PlanCheck {
  json?: true;
  /** Prints the tasks as a Mermaid graph. */
  graph?: true;
}

export interface PlanChange {
  json?: true;
  task: string;
  status?: string;
  reason?: string;
  assignee?: string;
  /** Changes a status in a way that the table of a task's life does not hold. */
  force?: true;
  /** Changes the file instead of printing the body. */
  write?: true;
}

export function addPlan({ program, io, finish }: Add): void {
  const plan = program.command('plan').description('plans: issues whose body lists tasks');
  plan
    .command('check <file>')
    .description('check a plan, a file or - for standard input; exit 1 when something is wrong')
    .option('--graph', 'print the tasks as a Mermaid graph')
    .option('--json', 'print JSON, for machines')
    .addHelpText(
      'after',
      '\nExamples:\n  quorum plan check plan.md\n  gh issue view 12 --json body -q .body | quorum plan check -',
    )
    .action(async (file: string, options: PlanCheck) => {
      const { checkPlan } = await import('./plan-file.ts');
      finish(await checkPlan({ ...options, file }, io));
    });
  plan
    .command('set <file>')
    .description('print the plan with one task changed; every other byte stays as it is')
    .requiredOption('--task <number>', 'the task')
    .option('--status <word>', 'pending, claimed, in_progress, completed or blocked')
    .option('--reason <text>', 'why, shown behind the status')
    .option('--assignee <name>', 'who works on it; an empty one takes the name away')
    .option('--force', 'also where that status may not follow the one it has')
    .option('--write', 'change the file instead')
    .option('--json', 'print JSON, for machines')
    .addHelpText(
      'after',
      '\nExamples:\n  quorum plan set plan.md --task 2 --status claimed --assignee dev > new.md\n  quorum plan set --write plan.md --task 2 --status blocked --reason "waits for the new parser"',
    )
    .action(async (file: string, options: PlanChange) => {
      const { changePlan } = await import('./plan-file.ts');
      finish(await changePlan({ ...options, file }, io));
    });
}
