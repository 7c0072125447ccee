/** GitHub with the token of one job. */
import { createHash } from 'node:crypto';
import { z } from 'zod';
import { createGitHub } from '../../../adapters/github/create-github.ts';
import type { JobSignatures } from '../../../domain/github/job-signature.ts';
import { BELIEVED_BY_ID } from '../../../domain/github/marker.ts';
import { RefusedError, TransientError } from '../../../domain/event/errors.ts';
import { markerSecretFrom, filled } from '../../environment/host-settings.ts';
import type { Basics } from '../../host-parts.ts';
import type { WorkflowContext } from './workflow-context.ts';

/** All workflows of a repository write as this account. */
export const ACTIONS_LOGIN = 'github-actions[bot]';

/** `by-id`: nothing is signed, because no secret may be where a model runs, or none is set. */
export interface Believing {
  markerSecret: string;
  isRecorded: ((id: number) => boolean) | undefined;
  jobSignatures?: JobSignatures | undefined;
  /** A commit on which this job has just found no check run of a review. */
  uncheckedHead?: string | undefined;
}

/** In the agent job: what was recorded, and nothing can be signed. */
export function believeRecorded(recorded: readonly number[]): Believing {
  const known = new Set(recorded);
  return { markerSecret: BELIEVED_BY_ID, isRecorded: (id) => known.has(id) };
}

/**
 * In the apply job: signatures with `QUORUM_ENCRYPTION_KEY`, as in the App. Without it anybody could make the signature, so
 * that only what was recorded is believed.
 */
export function believeSigned(
  { env }: Basics,
  recorded: readonly number[],
  repositoryId: number,
): Believing {
  if (filled(env['QUORUM_ENCRYPTION_KEY']) !== undefined)
    return { markerSecret: markerSecretFrom(env, ''), isRecorded: undefined };
  const known = new Set(recorded);
  const open = createHash('sha256').update(`quorum actions ${repositoryId}`).digest('base64url');
  return { markerSecret: open, isRecorded: (id) => known.has(id) };
}

export function openWorkflowGitHub(
  basics: Basics,
  { apiUrl, token }: Pick<WorkflowContext, 'apiUrl' | 'token'>,
  { markerSecret, isRecorded, jobSignatures, uncheckedHead }: Believing,
) {
  return createGitHub({
    ...basics,
    auth: { kind: 'token', token, login: ACTIONS_LOGIN },
    baseUrl: apiUrl,
    isJobToken: true,
    markerSecret,
    ...(isRecorded === undefined ? {} : { isRecorded }),
    ...(jobSignatures === undefined ? {} : { jobSignatures }),
    ...(uncheckedHead === undefined ? {} : { uncheckedHead }),
  });
}

/** For state alone: nothing is written under a marker, and nothing is believed. */
export function openUnsigned(basics: Basics, context: Pick<WorkflowContext, 'apiUrl' | 'token'>) {
  return openWorkflowGitHub(basics, context, {
    markerSecret: BELIEVED_BY_ID,
    isRecorded: () => false,
  });
}

const TIMEOUT_MS = 15_000;

/** One read that the adapter has no operation for. Undefined for 404. */
export async function readOnce<T extends z.ZodType>(
  { apiUrl, token }: Pick<WorkflowContext, 'apiUrl' | 'token'>,
  path: string,
  schema: T,
): Promise<z.infer<T> | undefined> {
  const answer = await fetch(`${apiUrl}${path}`, {
    headers: {
      authorization: `Bearer ${token}`,
      accept: 'application/vnd.github+json',
      'user-agent': 'quorum',
    },
    signal: AbortSignal.timeout(TIMEOUT_MS),
  });
  if (answer.status === 404) return undefined;
  if (answer.ok) return schema.parse(await answer.json());
  const said = `GitHub answered ${answer.status} for ${path.split('?')[0]}.`;
  if (answer.status === 401 || (answer.status === 403 && !isLimited(answer)))
    throw new RefusedError({
      code: 'github-forbidden',
      message: `${said} Check the permissions of this job.`,
    });
  throw new TransientError({ code: 'github-unavailable', message: said });
}

const PER_PAGE = 100;
const MOST_PAGES = 10;

/** A list to its end, or its first thousand. */
export async function readPages<T extends z.ZodType>(
  context: Pick<WorkflowContext, 'apiUrl' | 'token'>,
  path: string,
  item: T,
): Promise<{ found: z.infer<T>[]; isCut: boolean }> {
  const found: z.infer<T>[] = [];
  for (let page = 1; page <= MOST_PAGES; page += 1) {
    const query = `${path.includes('?') ? '&' : '?'}per_page=${PER_PAGE}&page=${page}`;
    const listed = (await readOnce(context, `${path}${query}`, z.array(item))) ?? [];
    found.push(...listed);
    if (listed.length < PER_PAGE) return { found, isCut: false };
  }
  return { found, isCut: true };
}

function isLimited(answer: Response): boolean {
  return answer.headers.get('x-ratelimit-remaining') === '0' || answer.headers.has('retry-after');
}
