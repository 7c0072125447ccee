/** Entry of `action/memory`. */
import { memoryJob } from '../memory/memory-job.ts';
import { runAction } from '../run-action.ts';

await runAction('memory', { run: memoryJob });
