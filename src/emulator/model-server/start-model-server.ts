/**
 * A model server on loopback that speaks Anthropic Messages, OpenAI Chat Completions and transcriptions, and answers by
 * script.
 */
import { text } from 'node:stream/consumers';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { Clock } from '../../ports/clock.ts';
import { createImplicitCache } from './implicit-cache.ts';
import { createPromptCache, type PromptCount } from './prompt-cache.ts';
import { asRecord, findRefusal, readCall } from './read-call.ts';
import { toReply } from './scripted-reply.ts';
import {
  echo,
  type Protocol,
  type Script,
  type ScriptedAnswer,
  type ScriptedCall,
} from './script.ts';
import { sendAnswer, sendError, sendJson } from './send-answer.ts';
import {
  answerTranscription,
  type TranscriptionCall,
  type TranscriptScript,
} from './transcriptions.ts';

export interface ModelServerOptions {
  clock: Clock;
  /** 0, the default, takes a free one. */
  port?: number;
  /** Decides every answer; says what was said when absent. */
  script?: Script;
  /** `provider` counts cache tokens as each provider would; `off` counts everything as plain input. */
  cache?: 'provider' | 'off';
  /** Shortest prompt that Anthropic's cache keeps; 1,024 for most models. */
  minCacheTokens?: number;
  /** The only key that is let in; any key when absent. No key at all is always a 401. */
  apiKey?: string;
}

export interface ModelServer {
  /** Base URL for Anthropic's SDK; OpenAI's wants `${url}/v1`. */
  url: string;
  /** Everything that asked for an answer, in order. */
  calls: ScriptedCall[];
  /** Recordings that were sent, in order. */
  transcriptions: TranscriptionCall[];
  /** Requests by path, for those that are no calls too. */
  requests: { method: string; path: string }[];
  /** Answers by another script from now on. */
  setScript(script: Script): void;
  /** What recordings say from now on; nothing until then. */
  setTranscripts(script: TranscriptScript): void;
  close(): Promise<void>;
}

interface State {
  calls: ScriptedCall[];
  script: Script;
  transcriptions: TranscriptionCall[];
  transcripts: TranscriptScript;
  apiKey: string | undefined;
  clock: Clock;
  count: (call: ScriptedCall) => PromptCount;
  closing: AbortController;
}

/** Starts to listen on 127.0.0.1. */
export async function startModelServer(options: ModelServerOptions): Promise<ModelServer> {
  const state: State = {
    calls: [],
    script: options.script ?? echo,
    transcriptions: [],
    transcripts: () => ({}),
    apiKey: options.apiKey,
    clock: options.clock,
    count: createCounter(options),
    closing: new AbortController(),
  };
  const requests: ModelServer['requests'] = [];
  const server = createServer((req, res) => {
    const path = (req.url ?? '/').split('?')[0] ?? '/';
    requests.push({ method: req.method ?? '', path });
    route(state, { req, res, path }).catch((error: unknown) => {
      if (!res.headersSent)
        sendJson(res, { status: 500, body: { error: { message: String(error) } } });
      else res.destroy();
    });
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(options.port ?? 0, '127.0.0.1', resolve);
  });
  const address = server.address();
  const port = typeof address === 'object' ? address?.port : undefined;
  return {
    url: `http://127.0.0.1:${port}`,
    calls: state.calls,
    transcriptions: state.transcriptions,
    requests,
    setScript: (script) => {
      state.script = script;
    },
    setTranscripts: (script) => {
      state.transcripts = script;
    },
    close: () => {
      state.closing.abort();
      server.closeAllConnections();
      return new Promise((resolve) => {
        server.close(() => resolve());
      });
    },
  };
}

function createCounter(options: ModelServerOptions): (call: ScriptedCall) => PromptCount {
  const marked = createPromptCache(options.clock, options.minCacheTokens ?? 1024);
  const implicit = createImplicitCache(options.clock);
  return (call) => {
    const count = (call.protocol === 'anthropic' ? marked : implicit).count(call);
    if (options.cache !== 'off') return count;
    const input = count.input + count.cacheRead + count.cacheWrite;
    return { input, cacheRead: 0, cacheWrite: 0, store: () => undefined };
  };
}

interface Request {
  req: IncomingMessage;
  res: ServerResponse;
  path: string;
}

async function route(state: State, request: Request): Promise<void> {
  const { req, res, path } = request;
  if (req.method === 'HEAD') {
    res.writeHead(200).end();
    return;
  }
  const protocol: Protocol = path.startsWith('/v1/messages') ? 'anthropic' : 'openai';
  if (!isLetIn(state, req)) {
    await text(req);
    return refuseKey(res, protocol);
  }
  if (req.method === 'POST' && path === '/v1/audio/transcriptions')
    return answerTranscription(request, {
      script: state.transcripts,
      calls: state.transcriptions,
    });
  return routeJson(state, request, protocol);
}

async function routeJson(state: State, request: Request, protocol: Protocol): Promise<void> {
  const { req, res, path } = request;
  const body = await readBody(req);
  if (req.method === 'POST' && path === '/v1/messages/count_tokens')
    return sendCount(request, body);
  if (req.method === 'POST' && (path === '/v1/messages' || path === '/v1/chat/completions'))
    return answerCall(state, request, { protocol, body });
  if (req.method === 'GET' && path === '/v1/models') return sendModels(res);
  sendError(res, protocol, { kind: 'status', status: 404, message: `no route for ${path}` });
}

function refuseKey(res: ServerResponse, protocol: Protocol): void {
  sendError(res, protocol, {
    kind: 'status',
    status: 401,
    ...(protocol === 'openai' && { type: 'invalid_request_error', code: 'invalid_api_key' }),
    message: 'invalid API key',
  });
}

function isLetIn(state: State, req: IncomingMessage): boolean {
  const header = req.headers['x-api-key'] ?? req.headers.authorization?.replace(/^Bearer /, '');
  const key = typeof header === 'string' ? header : '';
  return key !== '' && (state.apiKey === undefined || state.apiKey === key);
}

async function answerCall(
  state: State,
  request: Request,
  input: { protocol: Protocol; body: Record<string, unknown> },
): Promise<void> {
  const { req, res } = request;
  const call = readCall({ n: state.calls.length, headers: req.headers, ...input });
  state.calls.push(call);
  const left = new AbortController();
  res.on('close', () => {
    if (!res.writableFinished) call.wasDropped = true;
    left.abort();
  });
  const refusal = findRefusal(call);
  if (refusal !== undefined)
    return sendError(res, call.protocol, { kind: 'status', status: 400, message: refusal });
  const gone = AbortSignal.any([left.signal, state.closing.signal]);
  // Looked up when the question comes, kept when the answer begins: like the real one.
  const count = state.count(call);
  const reply = await state.script(call);
  const answer: ScriptedAnswer = typeof reply === 'string' ? { text: reply } : reply;
  try {
    if (answer.delayMs !== undefined) await state.clock.sleep(answer.delayMs, gone);
    const whole = toReply(call, answer, count);
    if (whole.usage !== undefined) call.usage = whole.usage;
    const onFirstByte = (): void => count.store();
    await sendAnswer({ call, answer, res, clock: state.clock, gone, onFirstByte }, whole);
  } catch (error) {
    // The client went away in the middle: nobody is left to tell.
    if (!gone.aborted) throw error;
  }
}

function sendCount(request: Request, body: Record<string, unknown>): void {
  const { stream: _stream, max_tokens: _max, ...prompt } = body;
  const tokens = Math.ceil(JSON.stringify(prompt).length / 4);
  sendJson(request.res, { status: 200, body: { input_tokens: tokens } });
}

function sendModels(res: ServerResponse): void {
  const model = {
    id: 'scripted',
    object: 'model',
    type: 'model',
    display_name: 'Scripted',
    created: 0,
    created_at: '2026-01-01T00:00:00Z',
    owned_by: 'emulator',
  };
  sendJson(res, { status: 200, body: { object: 'list', data: [model], has_more: false } });
}

async function readBody(req: IncomingMessage): Promise<Record<string, unknown>> {
  try {
    return asRecord(JSON.parse(await text(req)));
  } catch {
    return {};
  }
}
