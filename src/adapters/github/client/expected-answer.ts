/** What a success must contain before anything rests on it: each operation states its media type and its shape. */
import { TransientError } from '../../../domain/event/errors.ts';
import type { Operation } from '../rest-operations.ts';
import type { Answer } from '../github-answer.ts';

/**
 * An answer as its operation states it.
 *
 * @throws TransientError `unexpected-answer`
 */
export function parseAnswer<T>(operation: Operation<T>, answer: Answer): Answer<T> {
  const parsed = operation.answer.safeParse(answer.data);
  if (parsed.success) return { ...answer, data: parsed.data };
  throw unexpectedAnswer(operation.route, 'it does not have the documented form', parsed.error);
}

/**
 * Whether a success has a body of the media type that was asked for. A proxy may answer in GitHub's place with a page,
 * and Octokit hands over a JSON body that was cut as text.
 *
 * @throws TransientError `unexpected-answer`
 */
export function assertMediaType(answer: Answer, route: string, accept: string | undefined): void {
  const { data, headers } = answer;
  if (!hasBody(answer)) return;
  const type = headers['content-type'] ?? '';
  const format = accept === undefined ? 'json' : accept.slice(accept.lastIndexOf('.') + 1);
  const isRead = accept === undefined ? typeof data === 'object' && data !== null : true;
  if (isRead && type.includes(format)) return;
  const found = type === '' ? 'no media type' : type;
  throw unexpectedAnswer(route, `expected ${format}, got ${isRead ? found : 'another body'}`);
}

/** Only a success is read, and some successes say all with their status. */
function hasBody({ status, data }: Answer): boolean {
  if (status === 200) return true;
  return status > 200 && status < 300 && status !== 204 && status !== 205 && data !== '';
}

/** A success that cannot be used. It is asked for again, and never counts as read. */
export function unexpectedAnswer(route: string, why: string, cause?: unknown): TransientError {
  return new TransientError({
    code: 'unexpected-answer',
    message: `GitHub's answer to ${route} is not what was asked for: ${why}.`,
    details:
      'A proxy may have answered in the place of GitHub. The request is repeated; check what is between Quorum and GitHub when it goes on.',
    cause,
  });
}
