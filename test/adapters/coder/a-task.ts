/** A small task for a coder. */
import { trusted } from '../../../src/domain/prompt/prompt-text.ts';
import type { CoderTask } from '../../../src/domain/task/coder-task.ts';

/** Words are given as plain text. */
export type TaskGiven = Partial<
  Omit<CoderTask, 'prompt' | 'guide' | 'resume'> & {
    prompt: string;
    guide: string;
    resume: { sessionId: string; transcript: string; answer: string };
  }
>;

export function aTask({
  prompt = 'Change a.txt.',
  guide = '',
  resume,
  ...more
}: TaskGiven = {}): CoderTask {
  return {
    run: 'run-1',
    attempt: 1,
    prompt: trusted(prompt),
    guide: trusted(guide),
    diff: undefined,
    model: undefined,
    limits: { turns: 10, minutes: 5, usd: 2 },
    ...more,
    ...(resume !== undefined && { resume: { ...resume, answer: trusted(resume.answer) } }),
  };
}
