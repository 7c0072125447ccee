/** Creates a check run, and the suite that it belongs to where GitHub has not opened one. */
import { RefusedError } from '../../../domain/event/errors.ts';
import type { SessionContext } from '../bound.ts';
import type { Params } from '../github-answer.ts';
import { CREATE_CHECK_RUN, CREATE_CHECK_SUITE } from '../rest-operations.ts';
import type { Place } from '../repository-locator.ts';

const CREATED = 201;

/**
 * Sends the check run once, or twice where its commit had no suite. GitHub opens none where a repository has switched
 * that off. Its documentation does not say whether it then accepts a check run.
 *
 * @throws what the line throws
 */
export async function createCheckRun(
  bound: SessionContext,
  place: Place,
  run: Params & { head_sha: string },
): Promise<{ id: number; node_id?: string | undefined }> {
  const send = async () => (await bound.calls.send(CREATE_CHECK_RUN, { ...place, ...run })).data;
  try {
    return await send();
  } catch (error) {
    const isInvalid = error instanceof RefusedError && error.code === 'github-invalid';
    if (!isInvalid || !(await openSuite(bound, place, run.head_sha))) throw error;
    return send();
  }
}

/** Whether the commit had no suite before: then that was the reason. */
async function openSuite(bound: SessionContext, place: Place, headSha: string): Promise<boolean> {
  const wanted = { ...place, head_sha: headSha };
  const { status } = await bound.calls.send(CREATE_CHECK_SUITE, wanted);
  return status === CREATED;
}
