/** Entry of `action/sweep`. */
import { runAction } from '../run-action.ts';
import { SWEEP_STEPS } from '../sweep/sweep-steps.ts';

await runAction('sweep', SWEEP_STEPS);
