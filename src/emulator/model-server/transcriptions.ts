/** `POST /v1/audio/transcriptions`, as strict as OpenAI about its form: a recording becomes the text of a script. */
import { buffer } from 'node:stream/consumers';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { sendError, sendJson } from './send-answer.ts';
import type { Fault } from './script.ts';

export interface TranscriptionCall {
  model: string;
  fileName: string;
  bytes: Uint8Array;
}

export interface ScriptedTranscript {
  text?: unknown;
  /** Of models that count tokens; others are billed by the second. */
  usage?: { input: number; output: number };
  fault?: Extract<Fault, { kind: 'status' | 'hang' }>;
}

export type TranscriptScript = (call: TranscriptionCall) => ScriptedTranscript;

const MOST_BYTES = 25 * 1024 * 1024;
const FORMATS: ReadonlySet<string> = new Set('flac m4a mp3 mp4 mpeg mpga ogg wav webm'.split(' '));
const FIELDS: ReadonlySet<string> = new Set(
  'chunking_strategy file include language model prompt response_format stream temperature'.split(
    ' ',
  ),
);

/** Answers a request and keeps it in `calls`, also where its form is refused. */
export async function answerTranscription(
  { req, res }: { req: IncomingMessage; res: ServerResponse },
  { script, calls }: { script: TranscriptScript; calls: TranscriptionCall[] },
): Promise<void> {
  const read = await readForm(req);
  if ('refusal' in read) return refuse(res, read.status, read.refusal);
  const { call } = read;
  calls.push(call);
  const { text = '', usage, fault } = script(call);
  if (fault?.kind === 'hang') return;
  if (fault !== undefined) return sendError(res, 'openai', fault);
  const used =
    usage === undefined
      ? { type: 'duration', seconds: 1 }
      : {
          type: 'tokens',
          input_tokens: usage.input,
          input_token_details: { text_tokens: 0, audio_tokens: usage.input },
          output_tokens: usage.output,
          total_tokens: usage.input + usage.output,
        };
  sendJson(res, { status: 200, body: { text, usage: used } });
}

type Read = { call: TranscriptionCall } | { status: number; refusal: string };

async function readForm(req: IncomingMessage): Promise<Read> {
  const type = req.headers['content-type'] ?? '';
  const body = await buffer(req);
  if (!/^multipart\/form-data; ?boundary=/i.test(type))
    return bad('The request must be multipart/form-data with a boundary.');
  const form = await new Response(new Uint8Array(body), { headers: { 'content-type': type } })
    .formData()
    .catch(() => undefined);
  return form === undefined ? bad('The form cannot be read.') : readFields(form);
}

async function readFields(form: FormData): Promise<Read> {
  const unknown = [...form.keys()].find((key) => !FIELDS.has(key));
  if (unknown !== undefined) return bad(`Unrecognized request argument supplied: ${unknown}`);
  const [model, ...models] = form.getAll('model');
  if (typeof model !== 'string' || model === '' || models.length > 0)
    return bad('You must provide a model parameter');
  const shape = form.get('response_format') ?? 'json';
  if (shape !== 'json') return bad('The emulator answers in the format json alone.');
  const [file, ...files] = form.getAll('file');
  if (!(file instanceof File) || files.length > 0) return bad('You must provide one file.');
  const refused = refuseFile(file);
  if (refused !== undefined) return refused;
  const bytes = new Uint8Array(await file.arrayBuffer());
  return { call: { model, fileName: file.name, bytes } };
}

function refuseFile({ name, size }: File): Read | undefined {
  if (size === 0) return bad('Audio file is too short. Minimum audio length is 0.1 seconds.');
  if (size > MOST_BYTES)
    return {
      status: 413,
      refusal: `Maximum content size limit (${MOST_BYTES}) exceeded (${size} bytes read)`,
    };
  const format = name.slice(name.lastIndexOf('.') + 1).toLowerCase();
  return FORMATS.has(format)
    ? undefined
    : bad(`Invalid file format. Supported formats: ${[...FORMATS].join(', ')}`);
}

function bad(refusal: string): Read {
  return { status: 400, refusal };
}

function refuse(res: ServerResponse, status: number, message: string): void {
  sendError(res, 'openai', { kind: 'status', status, type: 'invalid_request_error', message });
}
