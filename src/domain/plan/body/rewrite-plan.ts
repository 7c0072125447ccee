/** Larger changes to a plan's body: tasks put before all others, and open tasks replaced. What is completed stays. */
import type { TextEdit } from '../../markdown/markdown-tree.ts';
import type { Plan, PlanTask, Span } from '../plan.ts';
import { renderTasks, type NewPlan, type NewTask } from './render-plan.ts';

const BETWEEN = '\n\n---\n\n';
/** Our own last line of an issue's text; it is no part of a task. */
const MARKER = /(?<!\s)\s*<!-- quorum:[^]*$/;

/** Tasks, goal and context of another plan in place of the open ones; title and everything else stay. */
export function rewriteEdits(plan: Plan, wanted: NewPlan): TextEdit[] {
  const open = plan.tasks.filter(({ status }) => status !== 'completed').map(spanIn(plan));
  const [first, ...others] = open;
  const text = renderTasks(wanted.tasks);
  const tasks =
    first === undefined
      ? append(plan, text)
      : [{ ...first, text: `${text}${first.end < plan.source.length ? BETWEEN : '\n'}` }];
  return [
    ...(['goal', 'context'] as const).flatMap((name) => sectionEdit(plan, name, wanted[name])),
    ...tasks,
    ...others.map((span) => ({ ...span, text: '' })),
  ].map((edit) => withoutDoubleRule(plan, edit));
}

/** Before the first task; its number says nothing about the order. */
export function insertEdits(plan: Plan, tasks: readonly NewTask[]): TextEdit[] {
  const start = plan.tasks[0]?.whole.start;
  if (start === undefined || tasks.length === 0) return [];
  return [{ start, end: start, text: `${renderTasks(tasks)}${BETWEEN}` }];
}

function spanIn({ source }: Plan): (task: PlanTask) => Span {
  return ({ whole: { start, end } }) => {
    const marker = MARKER.exec(source.slice(start, end))?.[0].length ?? 0;
    return { start, end: end - marker };
  };
}

function append(plan: Plan, text: string): TextEdit[] {
  const last = plan.tasks.at(-1);
  if (last === undefined) return [];
  const { end } = spanIn(plan)(last);
  return [{ start: end, end, text: `---\n\n${text}\n\n` }];
}

/** Leaves out the rule after the last task, before the next section. */
function withoutDoubleRule({ source }: Plan, edit: TextEdit): TextEdit {
  const rest = source.slice(edit.end);
  const isLast = edit.text.endsWith(BETWEEN) && /^\s*#{1,6}[ \t]+(?!.*\btask\b)/i.test(rest);
  return isLast ? { ...edit, text: `${edit.text.slice(0, -BETWEEN.length)}\n\n` } : edit;
}

function sectionEdit(plan: Plan, name: 'goal' | 'context', text: string): TextEdit[] {
  const span = plan.sections?.[name];
  if (span === undefined || text === '' || text === plan[name]) return [];
  return [{ ...span, text: `\n${text}\n\n` }];
}
