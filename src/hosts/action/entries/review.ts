/** Entry of `action/review`. */
import { runAction } from '../run-action.ts';
import { THREAD_STEPS } from '../steps/thread-steps.ts';

await runAction('review', THREAD_STEPS);
