/** Records what a model was asked and answered, without secrets, and replays it without a network. */
import type { ErrorCode } from '../../../domain/event/error-codes.ts';
import { createHash } from 'node:crypto';
import {
  ConfigError,
  InvalidOutputError,
  QuorumError,
  RefusedError,
  TransientError,
  type ErrorInit,
} from '../../../domain/event/errors.ts';
import type { ModelCall } from '../../../domain/run/ledger.ts';
import { redactSecrets } from '../../../domain/secrets/secret-text.ts';
import {
  callsOf,
  withCalls,
  type Model,
  type ModelAnswer,
  type ModelRequest,
} from '../../../ports/model.ts';

/** One line of a recording. */
export interface Recorded {
  v: 1;
  /** Hash of the request as recorded here. */
  key: string;
  request: RecordedRequest;
  answer?: ModelAnswer;
  error?: RecordedError;
}

type RecordedRequest = Omit<
  ModelRequest,
  'signal' | 'onStart' | 'timeoutMs' | 'maxWaitMs' | 'earlierTries' | 'installation'
>;

interface RecordedError {
  type: 'config' | 'transient' | 'refused' | 'invalid' | 'other';
  code: ErrorCode;
  message: string;
  retryAfterMs?: number | undefined;
  calls: readonly ModelCall[];
}

export interface RecorderOptions {
  model: Model;
  /** Takes one line without its end. */
  append: (line: string) => void | Promise<void>;
  /** Values that must not be written, beside what looks like a credential. */
  secrets: readonly string[];
}

/** A model that writes down each question with its answer or error, and otherwise changes nothing. */
export function createRecorder(options: RecorderOptions): Model {
  const { model, append, secrets } = options;
  const write = async (request: ModelRequest, outcome: Partial<Recorded>): Promise<void> => {
    const clean = scrub({ request: toRecorded(request), ...outcome }, secrets);
    await append(JSON.stringify({ v: 1, key: hashRequest(clean.request), ...clean }));
  };
  return {
    name: model.name,
    async generate(request) {
      try {
        const answer = await model.generate(request);
        await write(request, { answer });
        return answer;
      } catch (error) {
        await write(request, { error: toRecordedError(error) });
        throw error;
      }
    },
  };
}

export interface ReplayOptions {
  /** Lines of a recording; empty ones are skipped. */
  lines: Iterable<string>;
  /** The same values as when it was recorded, where they are still known. */
  secrets?: readonly string[];
}

/**
 * Answers from a recording. The same question asked again gets the answers in their order, then the last one.
 * Throws ConfigError `model-not-recorded` for a question that was never asked.
 */
export function createReplay(options: ReplayOptions): Model {
  const queues = new Map<string, Recorded[]>();
  for (const line of options.lines) {
    if (line.trim() === '') continue;
    const entry = parseLine(line);
    queues.set(entry.key, [...(queues.get(entry.key) ?? []), entry]);
  }
  return {
    name: 'recorded',
    async generate(request) {
      const key = hashRequest(
        scrub({ request: toRecorded(request) }, options.secrets ?? []).request,
      );
      const queue = queues.get(key) ?? [];
      const entry = queue.length > 1 ? queue.shift() : queue[0];
      if (entry === undefined) throw toNotRecorded(request, key);
      request.signal?.throwIfAborted();
      if (entry.error !== undefined) throw toThrown(entry.error);
      if (entry.answer === undefined) throw toNotRecorded(request, key);
      request.onStart?.();
      return Promise.resolve(entry.answer);
    },
  };
}

/** Hash of everything that shapes an answer; time limits, signals and who asks do not. */
export function hashRequest(request: RecordedRequest): string {
  return createHash('sha256')
    .update(JSON.stringify(sortKeys(request)))
    .digest('hex');
}

function toRecorded(request: ModelRequest): RecordedRequest {
  const { signal: _signal, onStart: _onStart, timeoutMs: _timeoutMs, ...shaping } = request;
  const { maxWaitMs: _patienceMs, earlierTries: _earlierTries, ...timeless } = shaping;
  const { installation: _installation, ...rest } = timeless;
  return rest;
}

function sortKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortKeys);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).filter(([, item]) => item !== undefined);
  return Object.fromEntries(
    entries.toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([k, v]) => [k, sortKeys(v)]),
  );
}

/** Replaces secrets in every string, in each way that they are commonly written. */
function scrub<T>(value: T, secrets: readonly string[]): T {
  const needles = secrets.filter((s) => s.length >= 6).flatMap(toEncodings);
  return mapStrings(value, (text) =>
    redactSecrets(
      needles.reduce((kept, needle) => kept.replaceAll(needle, '(secret removed)'), text),
    ),
  );
}

function toEncodings(secret: string): string[] {
  const bytes = Buffer.from(secret, 'utf8');
  const plain = bytes.toString('base64');
  return [
    secret,
    // As it appears inside text that is JSON itself.
    JSON.stringify(secret).slice(1, -1),
    encodeURIComponent(secret),
    plain,
    plain.replace(/(?<!=)=+$/, ''),
    bytes.toString('base64url'),
    bytes.toString('hex'),
  ];
}

function mapStrings<T>(value: T, map: (text: string) => string): T;
function mapStrings(value: unknown, map: (text: string) => string): unknown {
  if (typeof value === 'string') return map(value);
  if (Array.isArray(value)) return value.map((item: unknown) => mapStrings(item, map));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([k, v]) => [map(k), mapStrings(v, map)]));
}

function parseLine(line: string): Recorded {
  try {
    const value: unknown = JSON.parse(line);
    if (isRecorded(value)) return value;
  } catch {
    // Told below, like a line of another kind.
  }
  throw new ConfigError({
    code: 'model-recording-unreadable',
    message: 'A line of the recording cannot be read.',
    details: 'Record the run again with this version.',
  });
}

function isRecorded(value: unknown): value is Recorded {
  if (typeof value !== 'object' || value === null) return false;
  return 'v' in value && value.v === 1 && 'key' in value && typeof value.key === 'string';
}

function toRecordedError(error: unknown): RecordedError {
  const base = {
    calls: callsOf(error),
    message: error instanceof Error ? error.message : String(error),
  };
  if (!(error instanceof QuorumError)) return { type: 'other', code: 'bug', ...base };
  if (error instanceof TransientError)
    return { type: 'transient', code: error.code, retryAfterMs: error.retryAfterMs, ...base };
  return { type: typeOf(error), code: error.code, ...base };
}

function typeOf(error: QuorumError): RecordedError['type'] {
  if (error instanceof ConfigError) return 'config';
  if (error instanceof RefusedError) return 'refused';
  return error instanceof InvalidOutputError ? 'invalid' : 'other';
}

const THROWN: Readonly<Record<RecordedError['type'], (init: ErrorInit) => Error>> = {
  config: (init) => new ConfigError(init),
  transient: (init) => new TransientError(init),
  refused: (init) => new RefusedError(init),
  invalid: (init) => new InvalidOutputError(init),
  other: (init) => new Error(init.message),
};

function toThrown(error: RecordedError): Error {
  const { type, code, message, calls, retryAfterMs } = error;
  const thrown =
    type === 'transient'
      ? new TransientError({ code, message, retryAfterMs })
      : THROWN[type]({ code, message });
  return withCalls(thrown, calls);
}

function toNotRecorded(request: ModelRequest, key: string): ConfigError {
  return new ConfigError({
    code: 'model-not-recorded',
    message: `The recording has no answer to this question to ${request.model} (${key.slice(0, 12)}).`,
    details: 'The prompt, model or tools changed since it was recorded: record the run again.',
  });
}
