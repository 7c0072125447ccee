/** Everything that a coder learns about its task. */
import type { PromptText } from '../../../domain/prompt/prompt-text.ts';
import type { TaskRun, TaskText } from '../../../domain/task/task.ts';
import { coderPrompt } from './coder-prompt.ts';
import { renderExchange } from './coder-questions.ts';

export function taskTextOf({ id, text }: TaskRun): TaskText {
  if (text === undefined) throw new Error(`task run ${id} has no text`);
  return text;
}

/** The approved task instructs; the plan around it and what was said of earlier attempts are data. */
export function promptFor(run: TaskRun, from: string): PromptText {
  const { order, branch, nonce, notes } = run;
  const { plan, task } = order.ref;
  const text = taskTextOf(run);
  const files = text.files.map(
    ({ path, note }) => `- \`${path}\`${note === '' ? '' : ` - ${note}`}`,
  );
  const around = [
    { source: "the plan's goal", text: text.goal },
    { source: "the plan's context", text: text.context },
    ...notes.map((note) => ({ source: 'an earlier attempt, or its review', text: note })),
    ...(run.exchanges ?? []).map((each) => ({
      source: 'a question of an earlier session, and its answer',
      text: renderExchange(each),
    })),
  ];
  return coderPrompt({
    repository: `${plan.owner}/${plan.repo}`,
    branch,
    baseSha: from,
    plan: { number: plan.number, title: text.plan },
    task: {
      number: task,
      title: text.title,
      text:
        files.length === 0
          ? text.description
          : `Files:\n\n${files.join('\n')}\n\n${text.description}`,
    },
    excerpts: [],
    notes: [],
    outside: around.flatMap((each) =>
      each.text === '' ? [] : [{ ...each, trust: 'stranger' as const }],
    ),
    changes:
      run.partial === undefined
        ? []
        : [{ source: 'an earlier attempt, as far as it came', text: run.partial }],
    nonce: nonce ?? run.id,
  });
}
