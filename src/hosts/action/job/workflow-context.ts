/** What the runner tells a job: the event, the repository, the run, and the token of this job. */
import { readFileSync, statSync } from 'node:fs';
import { z } from 'zod';
import { ConfigError } from '../../../domain/event/errors.ts';
import type { RepositoryRef } from '../../../domain/run/thread-ref.ts';
import type { Env } from '../../environment/env-file.ts';
import { readApiUrl } from '../../environment/host-settings.ts';

export interface WorkflowContext {
  event: string;
  payload: unknown;
  repository: RepositoryRef;
  sender: { id: number; login: string; isBot: boolean };
  defaultBranch: string;
  workflowRun: string;
  attempt: number;
  apiUrl: string;
  token: string;
}

/** Webhooks of GitHub have at most 25 MB. */
const MAX_EVENT_BYTES = 25_000_000;

const Account = z.object({ id: z.number(), login: z.string(), type: z.string().optional() });
const Payload = z.looseObject({
  repository: z.object({
    id: z.number(),
    name: z.string(),
    owner: z.object({ login: z.string() }),
    default_branch: z.string(),
  }),
  sender: Account,
});

/** A schedule has no payload that GitHub describes: the runner tells these itself. It runs on the default branch. */
const Scheduled = z.object({
  GITHUB_REPOSITORY: z.string().regex(/^[\w.-]{1,100}\/[\w.-]{1,100}$/),
  GITHUB_REPOSITORY_ID: z.string().regex(/^\d{1,15}$/),
  GITHUB_REF_NAME: z.string().min(1),
});
/** A schedule has no person who asks, so no role counts. */
const NOBODY = { id: 0, login: 'github-actions[bot]', type: 'Bot' };

/** @throws ConfigError `action-event-unusable` | `action-token-missing` */
export function readWorkflowContext(env: Env, token: string): WorkflowContext {
  const { payload, repository, sender } = readEvent(env);
  const workflowRun = env['GITHUB_RUN_ID'] ?? '';
  if (!/^\d{1,20}$/.test(workflowRun)) throw unusable('GITHUB_RUN_ID is not set');
  if (token === '')
    throw new ConfigError({
      code: 'action-token-missing',
      message: 'The input `github-token` is empty. Pass the token of the job.',
    });
  return {
    event: env['GITHUB_EVENT_NAME'] ?? '',
    payload,
    repository: {
      installationId: 0,
      repositoryId: repository.id,
      owner: repository.owner.login,
      repo: repository.name,
    },
    sender: { id: sender.id, login: sender.login, isBot: sender.type === 'Bot' },
    defaultBranch: repository.default_branch,
    workflowRun,
    attempt: Number(env['GITHUB_RUN_ATTEMPT'] ?? '1') || 1,
    apiUrl: readApiUrl(env),
    token,
  };
}

function readEvent(env: Env): z.infer<typeof Payload> & { payload: unknown } {
  const file = env['GITHUB_EVENT_PATH'] ?? '';
  const size = statSync(file, { throwIfNoEntry: false })?.size;
  if (size === undefined) throw unusable('GITHUB_EVENT_PATH names no file');
  if (size > MAX_EVENT_BYTES) throw unusable('the event is over 25 MB');
  try {
    const payload: unknown = JSON.parse(readFileSync(file, 'utf8'));
    if (env['GITHUB_EVENT_NAME'] === 'schedule') return { ...readScheduled(env), payload };
    return { ...Payload.parse(payload), payload };
  } catch (error) {
    throw unusable('the event names no repository and sender', error);
  }
}

function readScheduled(env: Env): z.infer<typeof Payload> {
  const told = Scheduled.parse(env);
  const [owner = '', name = ''] = told.GITHUB_REPOSITORY.split('/');
  return {
    repository: {
      id: Number(told.GITHUB_REPOSITORY_ID),
      name,
      owner: { login: owner },
      default_branch: told.GITHUB_REF_NAME,
    },
    sender: NOBODY,
  };
}

function unusable(why: string, cause?: unknown): ConfigError {
  return new ConfigError({
    code: 'action-event-unusable',
    message: `This does not run as a job of a workflow: ${why}.`,
    ...(cause === undefined ? {} : { cause }),
  });
}
