/** Reads a request of either protocol into a scripted call. */
import type { IncomingHttpHeaders } from 'node:http';
import type { Protocol, ScriptedCall } from './script.ts';

type Json = Record<string, unknown>;

export interface RawCall {
  n: number;
  protocol: Protocol;
  headers: IncomingHttpHeaders;
  body: Json;
}

/** Tolerates missing parts: what a real server would refuse is refused by {@link findRefusal}. */
export function readCall(raw: RawCall): ScriptedCall {
  const { body, protocol } = raw;
  const all = asList(body['messages']);
  const spoken = all.filter((m) => !isSystem(m));
  const since = spoken.slice(spoken.findLastIndex((m) => m['role'] === 'assistant') + 1);
  const lastUser = spoken.findLast((m) => m['role'] === 'user');
  const schema = readSchema(body);
  return {
    n: raw.n,
    protocol,
    model: asText(body['model']),
    system:
      protocol === 'anthropic'
        ? toContentText(body['system'])
        : all
            .filter(isSystem)
            .map((m) => toContentText(m['content']))
            .join('\n\n'),
    messages: spoken.map((m) => ({ role: String(m['role']), text: toContentText(m['content']) })),
    toolNames: asList(body['tools']).map((tool) =>
      asText(tool['name'] ?? asRecord(tool['function'])['name']),
    ),
    toolResults: since.flatMap((m) => readResults(m)),
    lastText: toContentText(lastUser?.['content']),
    turn: spoken.filter((m) => m['role'] === 'assistant').length,
    schema,
    wantsJson: schema !== undefined || asRecord(body['response_format'])['type'] === 'json_object',
    isStream: body['stream'] === true,
    headers: raw.headers,
    body,
    wasDropped: false,
  };
}

function isSystem(message: Json): boolean {
  return message['role'] === 'system' || message['role'] === 'developer';
}

/** Why a real server would answer 400; undefined when it would not. */
export function findRefusal(call: ScriptedCall): string | undefined {
  if (call.model === '') return 'model: field required';
  if (call.messages.length === 0) return 'messages: at least one message is required';
  if (call.protocol === 'openai') return undefined;
  if (typeof call.body['max_tokens'] !== 'number') return 'max_tokens: field required';
  if ('temperature' in call.body) return 'temperature is not supported for this model';
  const marks = JSON.stringify(call.body).split('"cache_control"').length - 1;
  if (marks > 4) return `A maximum of 4 blocks with cache_control may be provided. Found ${marks}.`;
  return findLooseObject(call.schema, 'output_config.format.schema');
}

/** Structured output wants every object closed, on Anthropic as in OpenAI's strict mode. */
function findLooseObject(schema: unknown, path: string): string | undefined {
  if (Array.isArray(schema))
    return firstOf(schema.map((s, i) => findLooseObject(s, `${path}.${i}`)));
  const node = asRecord(schema);
  if (node['type'] === 'object' && node['additionalProperties'] !== false)
    return `${path}: for object types, additionalProperties must be explicitly set to false`;
  return firstOf(Object.entries(node).map(([k, s]) => findLooseObject(s, `${path}.${k}`)));
}

function firstOf(found: (string | undefined)[]): string | undefined {
  return found.find((item) => item !== undefined);
}

function readSchema(body: Json): Json | undefined {
  const own = asRecord(asRecord(body['output_config'])['format'])['schema'];
  const chat = asRecord(asRecord(body['response_format'])['json_schema'])['schema'];
  const schema = own ?? chat;
  return schema === undefined ? undefined : asRecord(schema);
}

function readResults(message: Json): ScriptedCall['toolResults'] {
  if (message['role'] === 'tool') {
    const text = toContentText(message['content']);
    return [{ id: String(message['tool_call_id']), text, isError: text.startsWith('Error: ') }];
  }
  return asList(message['content'])
    .filter((block) => block['type'] === 'tool_result')
    .map((block) => ({
      id: String(block['tool_use_id']),
      text: toContentText(block['content']),
      isError: block['is_error'] === true,
    }));
}

/** Text of a string, or of the text blocks in a list. */
export function toContentText(content: unknown): string {
  if (typeof content === 'string') return content;
  return asList(content)
    .filter((block) => typeof block['text'] === 'string')
    .map((block) => String(block['text']))
    .join('\n\n');
}

export function asList(value: unknown): Json[] {
  return Array.isArray(value) ? value.filter(isRecord) : [];
}

export function asRecord(value: unknown): Json {
  return isRecord(value) ? value : {};
}

function isRecord(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function asText(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
