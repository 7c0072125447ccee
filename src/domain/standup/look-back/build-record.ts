/** Makes a run's record of what a plan and its tasks keep. What was not recorded is named, never guessed. */
import { parseDiff } from '../../diff/parse-diff.ts';
import { GATE_NAMES, GATES, type GateReceipt } from '../../gates/receipt.ts';
import type { Plan } from '../../plan/plan.ts';
import type { TaskState } from '../../plan/task-state.ts';
import type { LedgerFinding } from '../../review/review.ts';
import { sumCost, type ModelCall } from '../../run/ledger.ts';
import type { TaskChange, TaskRun } from '../../task/task.ts';
import type {
  RecordGate,
  RecordOutcome,
  RecordOverruled,
  RecordStep,
  RecordTask,
  RecordTest,
  RecordTodo,
  StandupRecord,
} from './record.ts';
import { readTestTimes } from './test-times.ts';

/** A task at its end: its last attempt, and what is known of those before. */
export interface TaskHistory {
  run: TaskRun;
  state: TaskState;
  /** All that gates said in every attempt, oldest first; without it, of the last head alone. */
  receipts?: readonly GateReceipt[];
  /** Every change that was made, oldest first; without it, the last one alone. */
  changes?: readonly TaskChange[];
  /** Models' calls of earlier attempts. */
  calls?: readonly ModelCall[];
  /** All findings of its pull request. */
  findings?: readonly LedgerFinding[];
  /** What was left through `note`. */
  notes?: readonly string[];
  /** ISO 8601. */
  endedAt?: string;
}

export interface RecordInput {
  run: string;
  /** Number of its issue. */
  thread: number;
  outcome: RecordOutcome;
  request: string;
  plan?: Pick<Plan, 'source' | 'title' | 'tasks'>;
  /** Handle of the persona that made the plan. */
  planner?: string;
  tasks: readonly TaskHistory[];
  /** What was said where no task was worked on. */
  reviews?: readonly RecordStep[];
  /** Calls that belong to no task: planning, reviews. */
  calls?: readonly ModelCall[];
}

/** Pure: the same input gives the same record. */
export function buildRecord(input: RecordInput): StandupRecord {
  const histories = input.tasks.toSorted((a, b) => numberOf(a) - numberOf(b));
  const tasks = histories.map((history) => toTask(history, input));
  const steps = [...planSteps(input), ...(input.reviews ?? []), ...histories.flatMap(stepsOf)];
  const calls = [...(input.calls ?? []), ...histories.flatMap(callsOf)];
  return {
    run: input.run,
    thread: input.thread,
    outcome: input.outcome,
    request: input.request,
    planText: input.plan?.source ?? '',
    steps,
    tasks,
    gates: histories.flatMap(gatesOf),
    tests: histories.flatMap(testsOf),
    questions: histories.flatMap((history) =>
      (history.run.exchanges ?? []).map((exchange) => ({
        task: numberOf(history),
        persona: history.run.order.persona,
        ...exchange,
      })),
    ),
    overruled: histories.flatMap(overruledOf),
    todos: histories.flatMap(todosOf),
    notes: histories.flatMap((history) =>
      (history.notes ?? []).map((text) => ({ task: numberOf(history), text })),
    ),
    files: filesOf(tasks),
    fixCycles: tasks.reduce((sum, { fixCycles }) => sum + fixCycles, 0),
    cost: sumCost(calls),
    team: [...new Set(steps.map(({ persona }) => persona))],
    unknown: histories.flatMap(unknownOf),
  };
}

function numberOf({ run }: TaskHistory): number {
  return run.order.ref.task;
}

function callsOf({ run, calls = [] }: TaskHistory): ModelCall[] {
  return [...calls, ...run.calls];
}

/** Each receipt once: what is in the log may be in the state as well. */
function receiptsOf({ run, receipts }: TaskHistory): GateReceipt[] {
  const all = [...(receipts ?? []), ...run.receipts];
  return [...new Map(all.map((receipt) => [receipt.signature, receipt])).values()];
}

function changesOf({ run, changes }: TaskHistory): TaskChange[] {
  if (changes !== undefined) return [...changes];
  return run.change === undefined ? [] : [run.change];
}

function planSteps({ plan, planner }: RecordInput): RecordStep[] {
  if (plan === undefined || planner === undefined) return [];
  const list = plan.tasks.map(({ number, title }) => `${number}. ${title}`);
  return [{ title: plan.title, persona: planner, kind: 'plan', result: list.join('\n') }];
}

function stepsOf(history: TaskHistory): RecordStep[] {
  const { run, state } = history;
  const { order, review } = run;
  const task = numberOf(history);
  const own: RecordStep = {
    task,
    title: order.title,
    persona: order.persona,
    kind: 'task',
    result: resultOf(history),
    state,
  };
  const voices = (review?.voices ?? []).map(({ handle, vote }): RecordStep => {
    const asks = vote === 'CHANGES' ? (review?.asks ?? []).map((ask) => `- ${ask}`) : [];
    const result = [vote === undefined ? 'No vote.' : `Voted ${vote}.`, ...asks].join('\n');
    return { task, title: `Review of ${order.title}`, persona: handle, kind: 'review', result };
  });
  return [own, ...voices];
}

function resultOf({ run, state }: TaskHistory): string {
  const { change, notes, phase } = run;
  const decisions = (change?.decisions ?? []).map((each) => `- ${each}`);
  const reason = phase.kind === 'closing' ? (phase.reason ?? '') : (notes.at(-1) ?? '');
  return [
    change?.summary ?? '',
    decisions.length === 0 ? '' : `Decided:\n${decisions.join('\n')}`,
    state === 'completed' ? '' : reason,
  ]
    .filter((part) => part !== '')
    .join('\n\n');
}

function toTask(history: TaskHistory, { plan }: RecordInput): RecordTask {
  const { run, state, endedAt } = history;
  const number = numberOf(history);
  const planned = plan?.tasks.find((task) => task.number === number);
  const files = planned?.files ?? run.text?.files ?? [];
  const elapsedMs =
    endedAt === undefined ? Number.NaN : Date.parse(endedAt) - Date.parse(run.startedAt);
  return {
    task: number,
    title: run.order.title,
    persona: run.order.persona,
    state,
    attempts: run.attempt,
    fixCycles: run.refinements + Math.max(0, run.attempt - 1),
    estimate: planned?.estimate ?? '',
    workMs:
      callsOf(history).reduce((sum, { latencyMs }) => sum + latencyMs, 0) +
      receiptsOf(history).reduce((sum, { durationMs = 0 }) => sum + durationMs, 0),
    ...(elapsedMs >= 0 ? { elapsedMs } : {}),
    planned: files.map(({ path }) => path),
    touched: [...new Set(changesOf(history).flatMap(({ paths }) => paths))].toSorted(),
  };
}

function gatesOf(history: TaskHistory): RecordGate[] {
  const receipts = receiptsOf(history);
  return GATES.flatMap((gate): RecordGate[] => {
    const own = receipts.filter((receipt) => receipt.gate === gate);
    if (own.length === 0) return [];
    const failed = own.filter(({ result }) => result !== 'passed');
    return [
      {
        task: numberOf(history),
        gate,
        name: GATE_NAMES[gate],
        attempts: own.length,
        failed: failed.length,
        passed: own.at(-1)?.result === 'passed',
        ms: own.reduce((sum, { durationMs = 0 }) => sum + durationMs, 0),
        why: failed.at(-1)?.sentence ?? '',
      },
    ];
  });
}

const MAX_TESTS = 20;

function testsOf(history: TaskHistory): RecordTest[] {
  const last = receiptsOf(history).findLast(({ gate }) => gate === '2');
  const gateMs = last?.durationMs;
  if (gateMs === undefined) return [];
  return readTestTimes(last?.log ?? '')
    .slice(0, MAX_TESTS)
    .map(({ name, ms }) => ({ task: numberOf(history), name, ms, gateMs }));
}

/** People merged a head of which the team's review wanted changes, or dismissed what it found. */
function overruledOf(history: TaskHistory): RecordOverruled[] {
  const { run, state, findings = [] } = history;
  const { review, approved, mergeWanted } = run;
  const task = numberOf(history);
  const word = [mergeWanted, approved].find((each) => each?.headSha === review?.headSha);
  const isOverruled = state === 'completed' && review?.verdict === 'CHANGES' && word !== undefined;
  const voices = (review?.voices ?? []).filter(({ vote }) => vote === 'CHANGES');
  return [
    ...(isOverruled
      ? [
          {
            task,
            voices: voices.map(({ handle }) => handle),
            by: word.by.login,
            what: review?.asks[0] ?? '',
            why: '',
          },
        ]
      : []),
    ...findings.filter(isDismissed).map(({ finding, settledBy = '', why = '' }) => ({
      task,
      voices: finding.personas,
      by: settledBy,
      what: finding.title,
      why,
      path: finding.path,
      ...(finding.side === 'RIGHT' && finding.scope === 'line' ? { line: finding.line } : {}),
    })),
  ];
}

/** Small findings are dismissed every day; that overrules nobody. */
function isDismissed({ status, finding }: LedgerFinding): boolean {
  return status === 'dismissed' && finding.severity !== 'low' && finding.severity !== 'info';
}

/** In capitals, at the beginning of a comment: in a sentence or a text it is a word like any other. */
const TODO = /(?:\/\/|\/\*|#|--|<!--|;|^\s{0,40}\*)\s{0,3}(?:TODO|FIXME|XXX|HACK)\b/;
const MAX_TODO = 200;

function todosOf(history: TaskHistory): RecordTodo[] {
  const found = changesOf(history).flatMap(({ patch }) =>
    parseDiff(patch).files.flatMap(({ path, hunks }) =>
      hunks.flatMap(({ lines }) =>
        lines.flatMap((line) =>
          line.kind === 'added' && TODO.test(line.text)
            ? [
                {
                  path,
                  line: line.newLine,
                  text: line.text.trim().slice(0, MAX_TODO).toWellFormed(),
                },
              ]
            : [],
        ),
      ),
    ),
  );
  // The same line in two rounds is one thing left.
  const unique = new Map(found.map((todo) => [`${todo.path}\n${todo.text}`, todo]));
  const { persona } = history.run.order;
  return [...unique.values()].map((todo) => ({ task: numberOf(history), persona, ...todo }));
}

function filesOf(tasks: readonly RecordTask[]): StandupRecord['files'] {
  const files = new Map<string, number[]>();
  for (const { task, touched } of tasks)
    for (const path of touched) files.set(path, [...(files.get(path) ?? []), task]);
  return [...files]
    .map(([path, by]) => ({ path, tasks: by }))
    .toSorted((a, b) => b.tasks.length - a.tasks.length || (a.path < b.path ? -1 : 1));
}

function unknownOf(history: TaskHistory): string[] {
  const { run, receipts, changes } = history;
  const task = numberOf(history);
  const isRepeated = run.attempt > 1 || run.refinements > 0;
  return [
    ...(isRepeated && receipts === undefined
      ? [`what the gates said of earlier heads of task ${task}`]
      : []),
    ...(isRepeated && changes === undefined ? [`earlier changes of task ${task}`] : []),
    ...(run.attempt > 1 && history.calls === undefined
      ? [`what earlier attempts of task ${task} cost`]
      : []),
  ];
}
