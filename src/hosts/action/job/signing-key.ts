/** Records of tasks are signed. Without a key of the repository anybody could make the signature. */
import { RefusedError } from '../../../domain/event/errors.ts';
import type { TaskFailure } from '../../../domain/actions/task-work.ts';
import type { Env } from '../../environment/env-file.ts';
import { filled } from '../../environment/host-settings.ts';

/** Why no task may go on in this job; undefined where the key is set. */
export function findNoKey(env: Env): TaskFailure | undefined {
  if (filled(env['QUORUM_ENCRYPTION_KEY']) !== undefined) return undefined;
  return {
    code: 'signing-key-missing',
    message:
      'Tasks need a key that signs their records. Set the secret `QUORUM_ENCRYPTION_KEY` to any long random text, under _Settings_, _Secrets and variables_, _Actions_, and pass it to this workflow.',
  };
}

/** @throws RefusedError `signing-key-missing` */
export function requireKey(env: Env): void {
  const missing = findNoKey(env);
  if (missing !== undefined)
    throw new RefusedError({
      ...missing,
      message: `Nothing was written. ${missing.message}`,
    });
}
