/** Entry of `action/command`. */
import { runAction } from '../run-action.ts';
import { THREAD_STEPS } from '../steps/thread-steps.ts';

await runAction('command', THREAD_STEPS);
