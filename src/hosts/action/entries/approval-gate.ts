/** Entry of `action/approval-gate`. */
import { gateJob } from '../gate/gate-job.ts';
import { runAction } from '../run-action.ts';

await runAction('approval-gate', { run: gateJob });
