/** `quorum plan check` and `quorum plan set`: a plan in a file, read and edited as in an issue. */
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { RefusedError } from '../../../domain/event/errors.ts';
import { claimable } from '../../../policy/claimable.ts';
import { editPlan, type PlanEdit } from '../../../domain/plan/body/edit-plan.ts';
import { parsePlan } from '../../../domain/plan/body/parse-plan.ts';
import type { Plan, PlanTask, TaskStatus } from '../../../domain/plan/plan.ts';
import { renderGraph, renderTwin } from '../../../domain/plan/plan-graph.ts';
import { mayWord } from '../../../domain/plan/task-state.ts';
import { readStatus } from '../../../domain/plan/body/task-words.ts';
import { usageError } from '../report-failure.ts';
import { EXIT, outJson, type ExitCode, type Io } from '../terminal/io.ts';
import { createPaint } from '../terminal/paint.ts';
import type { PlanChange, PlanCheck } from './plan-command.ts';
import { withoutControls } from '../review/frame.ts';

/** A file; `-` is standard input. */
interface InFile {
  file: string;
}

export async function checkPlan(options: PlanCheck & InFile, io: Io): Promise<ExitCode> {
  const plan = parsePlan(await readPlan(options, io));
  const code = plan.problems.length === 0 ? EXIT.ok : EXIT.failure;
  if (options.json === true) outJson(io, toJson(plan));
  else if (options.graph === true) printGraph(plan, io);
  else printPlan(plan, options.file, io);
  return code;
}

/** Others rely on these names. What is not written in the plan is left out. */
function toJson(plan: Plan): object {
  const { title, goal, tasks, verification, problems } = plan;
  return {
    valid: problems.length === 0,
    errors: problems,
    title,
    goal,
    tasks: tasks.map(toJsonTask),
    claimable: claimable(plan).map(({ number }) => number),
    verification: verification.map(({ text, isTicked, line }) => ({ text, isTicked, line })),
  };
}

function toJsonTask(task: PlanTask): object {
  const { number, title, status, statusReason, assignee, dependencies, estimate, line } = task;
  return {
    number,
    title,
    status,
    ...(statusReason === '' ? {} : { statusReason }),
    ...(assignee === '' ? {} : { assignee }),
    dependencies,
    files: task.files.map(({ path: file, note }) => ({
      path: file,
      ...(note === '' ? {} : { note }),
    })),
    ...(estimate === '' ? {} : { estimate }),
    description: task.description,
    line,
  };
}

function printGraph({ tasks }: Plan, io: Io): void {
  const graph = renderGraph(tasks);
  if (graph === '') io.err('There are too many tasks, or none, for a graph.\n');
  else io.out(`${graph}\n`);
}

function printPlan({ title, tasks, problems }: Plan, file: string, io: Io): void {
  const paint = createPaint(io);
  io.out(`${paint.bold(withoutControls(title) || 'A plan without a title')}\n`);
  for (const line of renderTwin(tasks)) io.out(`  ${withoutControls(line)}\n`);
  for (const { line, code, message } of problems)
    io.err(`${withoutControls(file)}:${line}  ${paint.red(code)}  ${withoutControls(message)}\n`);
  if (problems.length === 0)
    io.out(paint.green(`${tasks.length} task${tasks.length === 1 ? '' : 's'}, nothing wrong\n`));
}

/** RefusedError `plan-invalid`, `status-refused`; ConfigError `task-unknown`, `status-unknown`, `nothing-to-set`. */
export async function changePlan(options: PlanChange & InFile, io: Io): Promise<ExitCode> {
  const plan = parsePlan(await readPlan(options, io));
  const [problem] = plan.problems;
  if (problem !== undefined)
    throw new RefusedError({
      code: 'plan-invalid',
      message: `${options.file}:${problem.line} ${problem.message}`,
      details: `quorum plan check ${options.file} lists all that is wrong.`,
    });
  const task = findTask(plan, options.task);
  const body = editPlan(plan, toEdits(task, options));
  const isChanged = body !== plan.source;
  if (options.write === true) {
    if (options.file === '-')
      throw usageError('nothing-to-write', 'Standard input cannot be written to. Name a file.');
    if (isChanged) await writeFile(path.resolve(io.cwd, options.file), body);
  }
  if (options.json === true) outJson(io, { ok: true, changed: isChanged, task: task.number, body });
  // The body as it is, without a line end of our own behind it.
  else if (options.write !== true) io.out(body);
  return EXIT.ok;
}

function findTask({ tasks }: Plan, written: string): PlanTask {
  const task = tasks.find(
    ({ number }) => String(number) === written.replace(/^(?:task\s*)?#?/i, ''),
  );
  if (task !== undefined) return task;
  const known = tasks.map(({ number }) => number).join(', ');
  throw usageError('task-unknown', `There is no Task ${written}. This plan has ${known}.`);
}

function toEdits(task: PlanTask, { status, reason, assignee, force }: PlanChange): PlanEdit[] {
  if (status === undefined && assignee === undefined)
    throw usageError('nothing-to-set', 'Nothing is to be set. Name --status, --assignee or both.');
  return [
    ...(status === undefined
      ? []
      : [
          {
            kind: 'status' as const,
            task: task.number,
            ...toStatus(task, { written: status, reason, isForced: force === true }),
          },
        ]),
    ...(assignee === undefined ? [] : [{ kind: 'assignee' as const, task: task.number, assignee }]),
  ];
}

function toStatus(
  task: PlanTask,
  { written, reason, isForced }: { written: string; reason: string | undefined; isForced: boolean },
): { status: TaskStatus; reason?: string } {
  const read = readStatus(written);
  if (read === undefined || written.trim() === '')
    throw usageError(
      'status-unknown',
      `\`${written}\` is no status. Use pending, claimed, in_progress, completed or blocked.`,
    );
  if (!mayWord(task.status, read.status) && !isForced)
    throw new RefusedError({
      code: 'status-refused',
      message: `Task ${task.number} is ${task.status}; ${read.status} does not follow it.`,
      details: 'Take the steps in between, or add --force.',
    });
  const why = reason ?? read.reason;
  return { status: read.status, ...(why === '' ? {} : { reason: why }) };
}

async function readPlan({ file }: InFile, io: Io): Promise<string> {
  if (file === '-') return io.readStdin();
  try {
    return await readFile(path.resolve(io.cwd, file), 'utf8');
  } catch {
    throw usageError('file-missing', `${file} cannot be read. Name a file with a plan's body.`);
  }
}
