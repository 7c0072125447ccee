/** Entry of `action/code`. */
import { CODE_STEPS } from '../code/code-steps.ts';
import { runAction } from '../run-action.ts';

await runAction('code', CODE_STEPS);
