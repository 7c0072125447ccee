/** What is wrong between the tasks of a plan: numbers twice, dependencies on nothing, circles. */
import type { PlanProblem, PlanTask } from './plan.ts';

export function findPlanProblems(tasks: readonly PlanTask[]): PlanProblem[] {
  if (tasks.length === 0)
    return [
      {
        code: 'no-tasks',
        line: 1,
        message: 'There is no task. Add one below `## Tasks`: `### Task 1: What to do`.',
      },
    ];
  return [...findDuplicates(tasks), ...findUnknown(tasks), ...findCycles(tasks)];
}

function findDuplicates(tasks: readonly PlanTask[]): PlanProblem[] {
  const first = new Map<number, PlanTask>();
  return tasks.flatMap((task): PlanProblem[] => {
    const earlier = first.get(task.number);
    if (earlier === undefined) {
      first.set(task.number, task);
      return [];
    }
    const message = `There is a Task ${task.number} on line ${earlier.line} already. Give this one a number of its own.`;
    return [{ code: 'duplicate-task', line: task.line, message }];
  });
}

function dependencyLine(task: PlanTask): number {
  return task.fields.dependencies?.line ?? task.line;
}

function findUnknown(tasks: readonly PlanTask[]): PlanProblem[] {
  const known = new Set(tasks.map(({ number }) => number));
  return tasks.flatMap((task) =>
    task.dependencies
      .filter((number) => !known.has(number))
      .map((number): PlanProblem => {
        const message = `Task ${task.number} depends on Task ${number}, which is not in this plan.`;
        return { code: 'unknown-dependency', line: dependencyLine(task), message };
      }),
  );
}

/** One problem for each circle, at the first of its tasks. */
function findCycles(tasks: readonly PlanTask[]): PlanProblem[] {
  const byNumber = new Map(tasks.map((task) => [task.number, task]));
  const done = new Set<number>();
  const problems: PlanProblem[] = [];
  for (const { number } of tasks) {
    const circle = findCircle(number, byNumber, done);
    const task = circle === undefined ? undefined : byNumber.get(Math.min(...circle));
    if (circle === undefined || task === undefined) continue;
    const way = [...circle, circle[0]].join(' → ');
    const message = `Tasks wait for each other in a circle: ${way}. Take one of these dependencies away.`;
    problems.push({ code: 'cycle', line: dependencyLine(task), message });
  }
  return problems;
}

/** Walks dependencies depth first, without recursion: a plan may be one chain of a thousand tasks. */
function findCircle(
  start: number,
  tasks: ReadonlyMap<number, PlanTask>,
  done: Set<number>,
): number[] | undefined {
  const path: { number: number; next: number }[] = done.has(start)
    ? []
    : [{ number: start, next: 0 }];
  const onPath = new Set(path.map(({ number }) => number));
  for (let top = path.at(-1); top !== undefined; top = path.at(-1)) {
    const to = tasks.get(top.number)?.dependencies[top.next];
    top.next += 1;
    if (to === undefined) {
      done.add(top.number);
      onPath.delete(top.number);
      path.pop();
    } else if (onPath.has(to)) {
      for (const { number } of path) done.add(number);
      const numbers = path.map(({ number }) => number);
      return numbers.slice(numbers.indexOf(to));
    } else if (!done.has(to)) {
      path.push({ number: to, next: 0 });
      onPath.add(to);
    }
  }
  return undefined;
}
