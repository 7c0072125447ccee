/** Plays the model of Claude Code in the demonstration: it answers each task with the edits that do it. */
import type { Script, ScriptedAnswer, ScriptedCall } from '../emulator/model-server/script.ts';
import { NEW_TASKS, type NewTask } from './project/new-plan.ts';

/** The edits are real: the command line reads, writes and runs what the script says, in its sandbox. */
export const codeByScript: Script = (call) => {
  const task = NEW_TASKS.find(({ title }) => asksFor(call, title));
  if (task === undefined) return 'There is nothing to do.';
  const steps = stepsOf(task);
  return steps[call.turn] ?? done(task);
};

/** By the heading of its prompt: the history that comes along names the tasks that were merged before. */
function asksFor({ messages }: ScriptedCall, title: string): boolean {
  return messages.some(({ role, text }) => role === 'user' && text.includes(`### ${title}\n`));
}

function stepsOf({ edits }: NewTask): ScriptedAnswer[] {
  const changed = edits.edit ?? [];
  const reads = [...new Set(changed.map(([path]) => path))].map((path) => ({
    name: 'Read',
    args: { file_path: path },
  }));
  const writes = Object.entries(edits.write ?? {}).map(([path, content]) => ({
    name: 'Write',
    args: { file_path: path, content },
  }));
  const replaced = changed.map(([path, from, to]) => ({
    name: 'Edit',
    args: { file_path: path, old_string: from, new_string: to },
  }));
  return [[...reads, ...writes], replaced]
    .filter((calls) => calls.length > 0)
    .map((toolCalls) => ({ toolCalls }));
}

function done({ summary, decisions }: NewTask): ScriptedAnswer {
  return {
    toolCalls: [{ name: 'StructuredOutput', args: { result: 'done', summary, decisions } }],
  };
}
