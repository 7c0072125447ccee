/** Turns an answer that is not a success into one of our errors. */
import type { ErrorCode } from '../../../domain/event/error-codes.ts';
import {
  ConfigError,
  ConflictError,
  RefusedError,
  TransientError,
  type QuorumError,
} from '../../../domain/event/errors.ts';
import { sayWorkflowRefusal } from '../../../domain/repository/workflow-guard.ts';
import { z } from 'zod';
import type { Answer } from '../github-answer.ts';

const CLASSES = {
  config: ConfigError,
  conflict: ConflictError,
  refused: RefusedError,
  transient: TransientError,
};

interface Row {
  kind: keyof typeof CLASSES;
  code: ErrorCode;
  fix: string;
  /** GitHub's servers lag behind each other: one may not know yet what another has just been told. */
  isEventuallyConsistent?: boolean;
}

const MOVED: Row = {
  kind: 'refused',
  code: 'github-moved',
  fix: 'It was moved or transferred; nothing is written to the new place.',
};
const GONE: Row = {
  kind: 'refused',
  code: 'github-not-found',
  fix: 'It was deleted, or the App may not see it: check that the App is installed on this repository.',
};
const NOT_FOUND: Row = { ...GONE, isEventuallyConsistent: true };
const INVALID: Row = {
  kind: 'refused',
  code: 'github-invalid',
  fix: 'GitHub does not accept these values.',
};

const BY_STATUS: Record<number, Row> = {
  400: INVALID,
  401: {
    kind: 'config',
    code: 'github-unauthorised',
    fix: 'Check APP_ID and PRIVATE_KEY, or GITHUB_TOKEN.',
  },
  403: {
    kind: 'refused',
    code: 'github-forbidden',
    fix: 'Accept the permissions of the App on its installation page.',
    isEventuallyConsistent: true,
  },
  404: NOT_FOUND,
  408: { kind: 'transient', code: 'github-unavailable', fix: 'It is tried again.' },
  409: {
    kind: 'conflict',
    code: 'github-conflict',
    fix: 'It changed meanwhile, or the repository is empty.',
  },
  410: GONE,
  422: { ...INVALID, isEventuallyConsistent: true },
  423: {
    kind: 'refused',
    code: 'github-locked',
    fix: 'Unlock it, or let somebody else write there.',
  },
  451: {
    kind: 'refused',
    code: 'github-forbidden',
    fix: 'GitHub blocks access to this repository.',
  },
};

const UNAVAILABLE: Row = {
  kind: 'transient',
  code: 'github-unavailable',
  fix: 'It is tried again; see the status page of your GitHub.',
};

/** The error for a status outside 2xx and 304, limits left aside. */
export function toError(answer: Answer, route: string): QuorumError {
  const refusal = sayWorkflowRefusal(messageOf(answer.data) ?? '');
  if (refusal !== undefined) return toWorkflowsRefused(refusal, answer);
  const row = rowOf(answer.status);
  const init = {
    code: row.code,
    message: `GitHub answered ${answer.status} to ${route}.`,
    details: [row.fix, ...facts(answer)].join('\n'),
    isEventuallyConsistent: row.isEventuallyConsistent === true,
  };
  return new CLASSES[row.kind](init);
}

function toWorkflowsRefused(message: string, answer: Answer): RefusedError {
  const details = facts(answer).join('\n');
  return new RefusedError({ code: 'workflows-refused', message, details });
}

/** Whether the thing asked for is not there (any more). */
export function isNotFound(error: unknown): boolean {
  return error instanceof RefusedError && error.code === 'github-not-found';
}

/** Makes a change; whether there is nothing to change any more. */
export async function isMissing(change: () => Promise<unknown>): Promise<boolean> {
  try {
    await change();
    return false;
  } catch (error) {
    if (isNotFound(error)) return true;
    throw error;
  }
}

/** Whether the answer may be another one in a moment, without anybody changing anything. */
export function isEventuallyConsistent(error: unknown): boolean {
  return (
    error instanceof ConflictError ||
    (error instanceof RefusedError && error.isEventuallyConsistent)
  );
}

const PASSING = new Set<ErrorCode>([
  'github-unreachable',
  'github-unavailable',
  'unexpected-answer',
]);

/** Whether the same read may be asked again at once: no answer, a wrong one or a server error, never a limit. */
export function isPassing(error: unknown): boolean {
  return error instanceof TransientError && PASSING.has(error.code);
}

/** 422: a read sends no values that could be wrong, so one of GitHub's servers does not know yet what others do. */
export function isDoubtful(error: unknown): boolean {
  return (
    error instanceof RefusedError && error.code === INVALID.code && error.isEventuallyConsistent
  );
}

function rowOf(status: number): Row {
  const row = BY_STATUS[status];
  if (row !== undefined) return row;
  if (status >= 500) return UNAVAILABLE;
  return status < 400 ? MOVED : INVALID;
}

const SAID = 'GitHub said: ';

/** GitHub's own words in an error made here, else its message. */
export function githubMessageOf(error: QuorumError): string {
  const line = error.details?.split('\n').find((one) => one.startsWith(SAID));
  return line?.slice(SAID.length) ?? error.message;
}

/** GitHub's own words and ids, for debugging. */
function facts(answer: Answer): string[] {
  const said = messageOf(answer.data);
  const errors = errorsOf(answer.data);
  const needed = answer.headers['x-accepted-github-permissions'];
  const id = answer.headers['x-github-request-id'];
  return [
    ...(said === undefined ? [] : [`${SAID}${said.slice(0, 300).replaceAll('\n', ' ')}`]),
    ...(errors.length === 0 ? [] : [`Errors: ${errors.join('; ').slice(0, 300)}`]),
    ...(needed === undefined ? [] : [`Needed permissions: ${needed}`]),
    ...(id === undefined ? [] : [`Request id: ${id}`]),
  ];
}

function messageOf(data: unknown): string | undefined {
  return z.object({ message: z.string() }).safeParse(data).data?.message;
}

/** Beside "Validation Failed": what is wrong, where GitHub says it in words. */
function errorsOf(data: unknown): string[] {
  const { errors = [] } = z.object({ errors: z.array(z.unknown()) }).safeParse(data).data ?? {};
  return errors.flatMap((one) => messageOf(one)?.replaceAll('\n', ' ') ?? []);
}
