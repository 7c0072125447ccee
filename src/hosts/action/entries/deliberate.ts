/** Entry of `action/deliberate`. */
import { runAction } from '../run-action.ts';
import { THREAD_STEPS } from '../steps/thread-steps.ts';

await runAction('deliberate', THREAD_STEPS);
