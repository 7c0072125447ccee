/** The tasks of a plan as people see them: a Mermaid graph, and the same in words for who cannot see it (TG-3). */
import { TASK_STATUSES, type PlanTask, type TaskStatus } from './plan.ts';

/** Fill, line and text; the text's contrast to its fill is at least 4.5:1 on light and dark pages alike. */
const COLOURS: Readonly<Record<TaskStatus, string>> = {
  pending: 'fill:#f6f8fa,stroke:#6e7781,color:#1f2328',
  claimed: 'fill:#ddf4ff,stroke:#0969da,color:#1f2328',
  in_progress: 'fill:#fff8c5,stroke:#9a6700,color:#1f2328',
  completed: 'fill:#dafbe1,stroke:#1a7f37,color:#1f2328',
  blocked: 'fill:#ffebe9,stroke:#cf222e,color:#1f2328',
};

/** Mermaid draws no more (its `maxEdges`); the words alone are for larger plans. */
const MAX_EDGES = 500;
const MAX_NODES = 200;
const LONGEST_LABEL = 48;

/** A fenced Mermaid block; the empty string when the plan is too large to be drawn. */
export function renderGraph(tasks: readonly PlanTask[]): string {
  const edges = tasks.flatMap(({ number, dependencies }) =>
    dependencies.map((other) => `  t${other} --> t${number}`),
  );
  if (tasks.length === 0 || tasks.length > MAX_NODES || edges.length > MAX_EDGES) return '';
  const nodes = tasks.map(
    ({ number, title, status }) => `  t${number}["${number} · ${label(title)}"]:::${status}`,
  );
  const used = TASK_STATUSES.filter((word) => tasks.some(({ status }) => status === word));
  const classes = used.map((word) => `  classDef ${word} ${COLOURS[word]}`);
  return ['```mermaid', 'flowchart LR', ...nodes, ...edges, ...classes, '```'].join('\n');
}

/** Whatever could end a label or mean something to Mermaid is written by its number. */
function label(title: string): string {
  const text = title.length > LONGEST_LABEL ? `${title.slice(0, LONGEST_LABEL - 1)}…` : title;
  return Array.from(text, (letter) =>
    /[\p{L}\p{N} .,…]/u.test(letter) ? letter : `#${letter.codePointAt(0) ?? 63};`,
  ).join('');
}

/** One line a task: number, status in words, title, and what it waits for. */
export function renderTwin(tasks: readonly PlanTask[]): string[] {
  const status = new Map(tasks.map((task) => [task.number, task.status]));
  return tasks.map(({ number, title, status: own, statusReason, dependencies }) => {
    const open = dependencies.filter((other) => status.get(other) !== 'completed');
    const waits = open.length === 0 || own === 'completed' ? '' : `, waits for ${open.join(', ')}`;
    const why = statusReason === '' ? '' : `: ${statusReason}`;
    return `${number} · ${title} (${own.replace('_', ' ')}${why}${waits})`;
  });
}
