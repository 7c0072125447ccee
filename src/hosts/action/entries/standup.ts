/** Entry of `action/standup`. */
import { runAction } from '../run-action.ts';
import { STANDUP_STEPS } from '../standup/standup-steps.ts';

await runAction('standup', STANDUP_STEPS);
