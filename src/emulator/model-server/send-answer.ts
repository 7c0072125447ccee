/** Sends replies and faults over HTTP. */
import type { ServerResponse } from 'node:http';
import type { Clock } from '../../ports/clock.ts';
import { toMessageBody, toMessageError, toMessageEvents } from './anthropic-words.ts';
import { toCompletionBody, toCompletionError, toCompletionEvents } from './chat-words.ts';
import { asRecord } from './read-call.ts';
import type { Reply, StreamEvent } from './scripted-reply.ts';
import type { Fault, Protocol, ScriptedAnswer, ScriptedCall } from './script.ts';

export interface Exchange {
  call: ScriptedCall;
  answer: ScriptedAnswer;
  res: ServerResponse;
  clock: Clock;
  /** Aborted when the client goes away or the server closes. */
  gone: AbortSignal;
  /** Called when the first byte of a good answer goes out. */
  onFirstByte: () => void;
}

const PAGE = '<!doctype html><title>Sign in</title><p>Please sign in to continue.</p>';

/** Sends an answer, or what its fault makes of it. */
export async function sendAnswer(exchange: Exchange, reply: Reply): Promise<void> {
  const { fault } = exchange.answer;
  if (fault !== undefined && sendWholeFault(exchange, fault)) return;
  exchange.onFirstByte();
  if (exchange.call.isStream) await sendStream(exchange, reply);
  else sendWhole(exchange, reply);
}

type FaultOf<K extends Fault['kind']> = Extract<Fault, { kind: K }>;

/** Faults that replace the whole answer. */
const WHOLE_FAULTS: {
  [K in Fault['kind']]?: (exchange: Exchange, fault: FaultOf<K>) => void;
} = {
  status: ({ res, call }, fault) => sendError(res, call.protocol, fault),
  'content-filter': ({ res, call }) =>
    sendError(res, call.protocol, CONTENT_FILTERED[call.protocol]),
  hang: () => undefined,
  reset: ({ res }) => void res.destroy(),
  html: ({ res }, fault) =>
    void res.writeHead(fault.status, { 'content-type': 'text/html' }).end(PAGE),
  empty: ({ res }) => void res.writeHead(200, { 'content-type': 'application/json' }).end(),
  garbage: ({ res, call }) => {
    const type = call.isStream ? 'text/event-stream' : 'application/json';
    res.writeHead(200, { 'content-type': type });
    res.end(call.isStream ? 'event: message_start\ndata: {"type": "mess\n\n' : '{"id": "msg');
  },
};

/** What api.anthropic.com and api.openai.com answer when a filter stops a prompt or its answer. */
const CONTENT_FILTERED: Readonly<Record<Protocol, FaultOf<'status'>>> = {
  anthropic: {
    kind: 'status',
    status: 400,
    type: 'invalid_request_error',
    message: 'Output blocked by content filtering policy',
  },
  openai: {
    kind: 'status',
    status: 400,
    type: 'invalid_request_error',
    code: 'invalid_prompt',
    message:
      'Invalid prompt: your prompt was flagged as potentially violating our usage policy. Please try again with a different prompt: https://platform.openai.com/docs/guides/reasoning#advice-on-prompting',
  },
};

/** False without a fault, or when the fault lies inside the answer. */
function sendWholeFault<K extends Fault['kind']>(exchange: Exchange, fault: FaultOf<K>): boolean {
  const send: ((e: Exchange, f: FaultOf<K>) => void) | undefined = WHOLE_FAULTS[fault.kind];
  send?.(exchange, fault);
  return send !== undefined;
}

/** An error in the words of its protocol. */
export function sendError(
  res: ServerResponse,
  protocol: Protocol,
  fault: Extract<Fault, { kind: 'status' }>,
): void {
  const message = fault.message ?? 'scripted error';
  const usual =
    protocol === 'anthropic'
      ? toMessageError(fault.status, fault.type, message)
      : toCompletionError(fault.status, message, fault);
  const body = fault.body ?? usual;
  sendJson(res, { status: fault.status, body, headers: fault.headers ?? {} });
}

export function sendJson(
  res: ServerResponse,
  out: { status: number; body: unknown; headers?: Record<string, string> },
): void {
  res.writeHead(out.status, {
    'content-type': 'application/json',
    'request-id': 'req_scripted',
    ...out.headers,
  });
  res.end(JSON.stringify(out.body));
}

function sendWhole(exchange: Exchange, reply: Reply): void {
  const { res, call, answer } = exchange;
  const body = call.protocol === 'anthropic' ? toMessageBody(reply) : toCompletionBody(reply);
  if (answer.fault?.kind !== 'cut') return sendJson(res, { status: 200, body });
  const text = JSON.stringify(body);
  res.writeHead(200, { 'content-type': 'application/json', 'content-length': text.length });
  res.write(text.slice(0, text.length / 2), () => res.destroy());
}

async function sendStream(exchange: Exchange, reply: Reply): Promise<void> {
  const { res, call, answer, clock, gone } = exchange;
  const events = toEvents(call, reply);
  const fault = answer.fault;
  const kept =
    fault !== undefined && 'afterEvents' in fault ? events.slice(0, fault.afterEvents) : events;
  res.writeHead(200, { 'content-type': 'text/event-stream', 'request-id': 'req_scripted' });
  for (const event of kept) {
    if (gone.aborted) return;
    await writeEvent(res, event);
    if (answer.tokenDelayMs !== undefined) await clock.sleep(answer.tokenDelayMs, gone);
  }
  if (fault?.kind === 'cut') {
    res.destroy();
    return;
  }
  if (fault?.kind === 'stream-error')
    await writeEvent(res, toErrorEvent(call.protocol, fault.type));
  res.end();
}

function toEvents(call: ScriptedCall, reply: Reply): StreamEvent[] {
  if (call.protocol === 'anthropic') return toMessageEvents(reply);
  const withUsage = asRecord(call.body['stream_options'])['include_usage'] === true;
  return toCompletionEvents(reply, withUsage);
}

function toErrorEvent(protocol: Protocol, type: string): StreamEvent {
  const words = 'scripted error in the stream';
  if (protocol === 'anthropic') return { name: 'error', data: toMessageError(500, type, words) };
  return { data: toCompletionError(0, words, { type }) };
}

function writeEvent(res: ServerResponse, event: StreamEvent): Promise<void> {
  const name = event.name === undefined ? '' : `event: ${event.name}\n`;
  const data = typeof event.data === 'string' ? event.data : JSON.stringify(event.data);
  return new Promise((resolve) => {
    // A client that went away is seen through `gone`; the write itself then does nothing.
    res.write(`${name}data: ${data}\n\n`, () => resolve());
  });
}
