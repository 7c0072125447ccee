/** Entry of `action/announce`. */
import { announceJob } from '../announce/announce-job.ts';
import { runAction } from '../run-action.ts';

await runAction('announce', { run: announceJob });
