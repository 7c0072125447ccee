/** What people can do about what GitHub refused to a job. The advice that the App would give is another one. */
import { githubMessageOf } from '../../../adapters/github/client/github-failure.ts';
import { QuorumError } from '../../../domain/event/errors.ts';
import { cleanLogLine } from '../../../domain/text/clean-output.ts';

const MISSING_PERMISSION =
  'The token of this job may not do that. Give the job the `permissions` that docs/actions.md names, also in the workflow that calls it, then run the failed job again.';

/** Empty where there is nothing to add to the message of the error. */
export function adviseOnRefusal(error: unknown): string {
  if (!(error instanceof QuorumError)) return '';
  if (error.code === 'memory-refused') return error.details ?? '';
  if (error.code !== 'github-forbidden') return '';
  // An archived repository or a list of addresses is refused in the same way.
  const said = githubMessageOf(error);
  if (/not accessible by integration/i.test(said)) return MISSING_PERMISSION;
  return said === error.message ? '' : `GitHub said: ${cleanLogLine(said)}`;
}
