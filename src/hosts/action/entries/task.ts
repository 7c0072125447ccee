/** Entry of `action/task`. */
import { runAction } from '../run-action.ts';
import { TASK_STEPS } from '../task/task-steps.ts';

await runAction('task', TASK_STEPS);
