/** A small task for a coder. */
import type { CoderTask } from '../../../src/domain/task/coder.ts';

export function aTask(more: Partial<CoderTask> = {}): CoderTask {
  return {
    run: 'run-1',
    attempt: 1,
    prompt: 'Change a.txt.',
    guide: '',
    diff: undefined,
    model: undefined,
    limits: { turns: 10, minutes: 5, usd: 2 },
    ...more,
  };
}
