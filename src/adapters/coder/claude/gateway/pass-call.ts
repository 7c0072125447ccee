/** A request for a message: checked, reserved, passed on, and settled by what it used. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { CallOutcome } from '../../../../domain/run/ledger.ts';
import { readRequest, type AllowedRequest } from './allowed-request.ts';
import type { CallEnd, Meter, OpenCall, Refusal, TokenBound } from './meter.ts';
import { sendMessagesError } from './gateway-answers.ts';
import { boundByCount, boundTokens } from './token-bound.ts';
import { countUpstream, passOn, type Passed, type Passing, type Upstream } from './pass-on.ts';
import { createUsageReader, type UsageReader } from './usage.ts';

export interface Messages extends Upstream {
  meter: Meter;
}

interface Exchange {
  req: IncomingMessage;
  res: ServerResponse;
  body: unknown;
}

/** 32,000 tokens at 40 a second. */
const MAX_CALL_MS = 900_000;
const MAX_COUNT_MS = 30_000;
/** For a client that has too much under way. */
const RETRY_SECONDS = 5;

export async function passCall(messages: Messages, exchange: Exchange): Promise<void> {
  const { req, res } = exchange;
  const request = allowedFor(messages, exchange);
  if (request === undefined) return;
  if (request.maxTokens === undefined) return refuse(res, 'The request has no `max_tokens`.');
  const { body, isStream, maxTokens } = request;
  const passing: Passing = { req, res, body, path: '/v1/messages', limitMs: MAX_CALL_MS };
  const call = await beginCall(messages, passing, boundTokens(body, maxTokens));
  if (!('end' in call)) return refuseFor(res, call);
  const reader = createUsageReader(isStream);
  let passed: Passed = 'refused';
  try {
    await call.reserved;
    passed = await passOn(messages, passing, reader.push);
  } finally {
    call.end(endOf(passed, reader, res));
  }
}

/** Reserves by the bytes of the request; where that is too much, by the provider's own count. */
async function beginCall(
  messages: Messages,
  passing: Passing,
  bound: TokenBound,
): Promise<OpenCall | Refusal> {
  const { meter, stop } = messages;
  if (stop.aborted) return { by: 'turns', why: 'the run was stopped' };
  const call = meter.begin(bound);
  if ('end' in call || call.by !== 'money') return call;
  const endCount = meter.beginCount();
  if (typeof endCount !== 'function') return endCount;
  const counted = await countUpstream(messages, { ...passing, limitMs: MAX_COUNT_MS });
  endCount();
  return counted === undefined ? call : meter.begin(boundByCount(counted, bound));
}

/** Counting tokens is free, and no call of a model. */
export async function passCount(messages: Messages, exchange: Exchange): Promise<void> {
  const { req, res } = exchange;
  const request = allowedFor(messages, exchange);
  if (request === undefined) return;
  const end = messages.meter.beginCount();
  if (typeof end !== 'function') return refuseFor(res, end);
  const path = '/v1/messages/count_tokens';
  try {
    await passOn(messages, { req, res, body: request.body, path, limitMs: MAX_COUNT_MS }, () => {});
  } finally {
    end();
  }
}

function allowedFor({ model }: Messages, { req, res, body }: Exchange): AllowedRequest | undefined {
  const betas = req.headers['anthropic-beta'];
  const request = readRequest(body, { model: model.id, betas: betas?.toString() });
  if (!('refused' in request)) return request;
  refuse(res, request.refused);
  return undefined;
}

function endOf(passed: Passed, reader: UsageReader, res: ServerResponse): CallEnd {
  const isFinal = passed === 'whole' && reader.isFinal();
  const known = passed === 'refused' ? 'none' : isFinal ? 'final' : 'partial';
  return { outcome: outcomeOf(passed, reader, res), usage: reader.usage(), known };
}

function outcomeOf(passed: Passed, reader: UsageReader, res: ServerResponse): CallOutcome {
  if (passed === 'refused') return 'error';
  if (res.destroyed && !res.writableFinished) return 'aborted';
  if (passed === 'cut' || !reader.isWhole()) return 'error';
  return reader.isRefused() ? 'refused' : 'ok';
}

function refuseFor(res: ServerResponse, { by, why }: Refusal): void {
  if (by !== 'busy') return refuse(res, `No further call: ${why}.`);
  const headers = { 'retry-after': `${RETRY_SECONDS}` };
  sendMessagesError(res, {
    status: 429,
    type: 'rate_limit_error',
    message: `Wait: ${why}.`,
    headers,
  });
}

/** 403 is what the CLI does not try again. */
function refuse(res: ServerResponse, message: string): void {
  sendMessagesError(res, { status: 403, type: 'permission_error', message });
}
