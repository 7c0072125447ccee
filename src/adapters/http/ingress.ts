/** The door for GitHub's webhooks: cap, signature, parse, durable insert, answer. No work is done here. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Delivery, Receipt } from '../../domain/github/delivery.ts';
import { toFailure } from '../../domain/event/errors.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Log } from '../../ports/log.ts';
import { answerJson, answerProblem, refuseUnread } from './http-answers.ts';
import type { Problem } from './http-answers.ts';
import { readRequestBody } from './body.ts';
import type { BodyBudget } from './body.ts';
import { parseJsonBytes } from './json.ts';
import { PROBLEMS } from './http-problems.ts';
import { isSignatureLike, isSigned } from './signature.ts';
import { createTimeLimit, type Within } from './time-limit.ts';

/** GitHub delivers nothing larger (docs.github.com, "Webhook events and payloads": 25 MB). */
const MAX_PAYLOAD_BYTES = 25 * 1024 * 1024;

/** GitHub gives up after 10 s. When the store has not answered after this long, GitHub gets an error instead. */
const STORE_DEADLINE_MS = 8_000;
/** Four of the largest bodies at once; anyone may send those, signed or not. */
const MAX_HELD_BYTES = 4 * MAX_PAYLOAD_BYTES;
const LINGER_MS = 500;

export interface Ingress {
  /** Stores what a delivery means. Resolves once it is durable. */
  receive: (delivery: Delivery) => Promise<Receipt>;
  /** The secrets that are live now: one, or two while one replaces the other. None: not configured yet. */
  secrets: () => readonly string[];
  clock: Clock;
  log: Log;
  /** Told of every request: `queued`, `duplicate`, `ignored`, or the code of the problem. */
  observe?: (outcome: string, ms: number) => void;
}

/** Serves one request to the webhook's path. Resolves when it was answered; never rejects. */
export type Door = (req: IncomingMessage, res: ServerResponse) => Promise<void>;

/** The door with what it keeps for itself. */
interface Open extends Ingress {
  budget: BodyBudget;
  within: Within;
}

interface Request {
  event: string;
  deliveryId: string;
  signature: string;
}

const EVENT_NAME = /^\w{1,64}$/;
/** A GUID from GitHub; other senders' ids are as harmless when they look like this. */
const DELIVERY_ID = /^[\w.-]{8,100}$/;

/** Opens the door. */
export function createIngress(ingress: Ingress): Door {
  const open: Open = {
    ...ingress,
    budget: { limit: MAX_HELD_BYTES, held: 0 },
    within: createTimeLimit(
      ingress.clock,
      STORE_DEADLINE_MS,
      `the store did not answer in ${STORE_DEADLINE_MS} ms`,
    ),
  };
  return async (req, res) => {
    const startedAt = ingress.clock.now();
    const outcome = await serve(open, req, res).catch((error: unknown) => {
      ingress.log.error({ err: error }, 'webhook ingress failed');
      if (!res.headersSent) answerProblem(res, PROBLEMS.internal);
      return PROBLEMS.internal.code;
    });
    ingress.observe?.(outcome, ingress.clock.now() - startedAt);
  };
}

async function serve(ingress: Open, req: IncomingMessage, res: ServerResponse): Promise<string> {
  const secrets = ingress.secrets();
  const request = readHead(req, secrets.length > 0);
  if ('status' in request) return refuse(req, res, request);
  const body = await readRequestBody(req, MAX_PAYLOAD_BYTES, ingress.budget);
  if (body.kind === 'aborted') return 'aborted';
  if (body.kind !== 'read')
    return refuse(req, res, body.kind === 'busy' ? PROBLEMS.busy : PROBLEMS.tooLarge);
  if (!isSigned(body.bytes, request.signature, secrets)) {
    ingress.log.debug({ delivery: request.deliveryId }, 'webhook refused: wrong signature');
    return refuse(req, res, PROBLEMS.signature);
  }
  const json = parseJsonBytes(body.bytes);
  if (json === undefined) return refuse(req, res, PROBLEMS.malformed);
  return admit(ingress, res, { ...request, payload: json.value });
}

/** Everything that can be known before the body: a sender who is wrong about this is not listened to. */
function readHead(req: IncomingMessage, isConfigured: boolean): Request | Problem {
  const { headers } = req;
  if (req.method !== 'POST') return PROBLEMS.method;
  if (!isConfigured) return PROBLEMS.notConfigured;
  if (!isPlainJson(headers['content-type'], headers['content-encoding'])) return PROBLEMS.mediaType;
  const event = toOne(headers['x-github-event']);
  const deliveryId = toOne(headers['x-github-delivery']);
  if (!EVENT_NAME.test(event) || !DELIVERY_ID.test(deliveryId)) return PROBLEMS.header;
  const signature = toOne(headers['x-hub-signature-256']);
  return isSignatureLike(signature) ? { event, deliveryId, signature } : PROBLEMS.signature;
}

function toOne(header: string | string[] | undefined): string {
  return typeof header === 'string' ? header : '';
}

function isPlainJson(type: string | undefined, encoding: string | undefined): boolean {
  if (encoding !== undefined && encoding !== 'identity') return false;
  return /^application\/json\s*(;|$)/i.test(type ?? '');
}

function refuse(req: IncomingMessage, res: ServerResponse, problem: Problem): string {
  refuseUnread(req, res, { problem, lingerMs: LINGER_MS });
  return problem.code;
}

async function admit(
  ingress: Open,
  res: ServerResponse,
  request: Request & { payload: unknown },
): Promise<string> {
  const { clock, log } = ingress;
  const { event, deliveryId, payload } = request;
  const at = new Date(clock.now()).toISOString();
  const stored = ingress.receive({ event, deliveryId, payload, at });
  const receipt = await ingress.within(stored).catch((error: unknown) => {
    log.error({ delivery: deliveryId, failure: toFailure(error) }, 'webhook not written down');
    return undefined;
  });
  if (receipt === undefined) {
    answerProblem(res, PROBLEMS.store);
    return PROBLEMS.store.code;
  }
  const { status } = receipt;
  answerJson(res, 202, JSON.stringify(receipt));
  const level = status === 'queued' ? 'info' : 'debug';
  log[level]({ delivery: deliveryId, event, status }, 'webhook');
  return status;
}
