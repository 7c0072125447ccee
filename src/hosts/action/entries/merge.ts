/** Entry of `action/merge`. */
import { runAction } from '../run-action.ts';
import { MERGE_STEPS } from '../merge/merge-steps.ts';

await runAction('merge', MERGE_STEPS);
