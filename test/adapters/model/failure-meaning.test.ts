/** What real error bodies of providers mean for the model that they come from. */
import type { ErrorCode } from '../../../src/domain/event/error-codes.ts';
import { afterAll, beforeAll, describe, expect } from 'vitest';
import {
  createAnthropicClient,
  createAnthropicModel,
} from '../../../src/adapters/model/anthropic/anthropic-model.ts';
import { findBlame, type Blame } from '../../../src/adapters/model/failure-meaning.ts';
import {
  createCompatibleModel,
  createOpenAiClient,
  createOpenAiModel,
} from '../../../src/adapters/model/openai/openai-model.ts';
import type { Fault } from '../../../src/emulator/model-server/script.ts';
import {
  startModelServer,
  type ModelServer,
} from '../../../src/emulator/model-server/start-model-server.ts';
import type { Model } from '../../../src/ports/model.ts';
import { createFastClock, createPlainRandom } from '../../contract/fast-clock.ts';
import { ask, failureOf } from '../../contract/model.ts';
import { verifies } from '../../verifies.ts';

type Maker = 'anthropic' | 'openai' | 'compatible';
type Row = [what: string, from: Maker, fault: Fault, code: ErrorCode, blame: Blame];

const anthropic = (status: number, type: string, message: string): Fault => ({
  kind: 'status',
  status,
  body: { type: 'error', error: { type, message }, request_id: 'req_011CSHoEeqs5C35K2UUqR7Fy' },
});

const chat = (status: number, error: Record<string, unknown>): Fault => ({
  kind: 'status',
  status,
  body: { error: { type: null, param: null, code: null, ...error } },
});

const INVALID = 'invalid_request_error';

/** As the servers write them, by what they are about. */
const ROWS: Row[] = [
  // The request itself.
  [
    'Anthropic’s content filter',
    'anthropic',
    { kind: 'content-filter' },
    'model-content-refused',
    'request',
  ],
  [
    'OpenAI’s content filter',
    'openai',
    { kind: 'content-filter' },
    'model-content-refused',
    'request',
  ],
  [
    'Azure OpenAI’s content filter',
    'compatible',
    chat(400, {
      message:
        "The response was filtered due to the prompt triggering Azure OpenAI's content management policy. Please modify your prompt and retry.",
      param: 'prompt',
      code: 'content_filter',
      status: 400,
      innererror: {
        code: 'ResponsibleAIPolicyViolation',
        content_filter_result: { hate: { filtered: true, severity: 'high' } },
      },
    }),
    'model-content-refused',
    'request',
  ],
  [
    'Kimi’s content filter',
    'compatible',
    chat(400, {
      message: 'The request was rejected because it was considered high risk',
      type: 'content_filter',
    }),
    'model-content-refused',
    'request',
  ],
  [
    'DeepSeek’s content filter',
    'compatible',
    chat(400, { message: 'Content Exists Risk', type: INVALID, code: INVALID }),
    'model-content-refused',
    'request',
  ],
  [
    'Qwen’s content filter',
    'compatible',
    chat(400, {
      message: 'Input data may contain inappropriate content.',
      type: 'data_inspection_failed',
      code: 'data_inspection_failed',
    }),
    'model-content-refused',
    'request',
  ],
  [
    'OpenRouter’s moderation',
    'compatible',
    {
      kind: 'status',
      status: 403,
      body: {
        error: {
          code: 403,
          message:
            'anthropic/claude requires moderation on OpenRouter. Your input was flagged for "violence".',
          metadata: { reasons: ['violence'] },
        },
      },
    },
    'model-content-refused',
    'request',
  ],
  [
    'a prompt too long for Claude',
    'anthropic',
    anthropic(400, INVALID, 'prompt is too long: 210317 tokens > 200000 maximum'),
    'model-request-too-large',
    'request',
  ],
  [
    'a body too large for Anthropic',
    'anthropic',
    anthropic(413, 'request_too_large', 'Request exceeds the maximum size'),
    'model-request-too-large',
    'request',
  ],
  [
    'a prompt too long for OpenAI',
    'openai',
    chat(400, {
      message: "This model's maximum context length is 128000 tokens.",
      type: INVALID,
      param: 'messages',
      code: 'context_length_exceeded',
    }),
    'model-request-too-large',
    'request',
  ],
  [
    'a prompt too long for vLLM',
    'compatible',
    chat(400, {
      message:
        "This model's maximum context length is 4096 tokens. However, you requested 9000 tokens.",
      type: 'BadRequestError',
      code: 400,
    }),
    'model-request-too-large',
    'request',
  ],
  [
    'a prompt too long for llama.cpp',
    'compatible',
    chat(400, {
      message: 'the request exceeds the available context size',
      type: 'exceed_context_size_error',
      code: 400,
    }),
    'model-request-too-large',
    'request',
  ],
  [
    'one request above OpenAI’s tokens a minute',
    'openai',
    chat(429, {
      message:
        'Request too large for gpt-5 in organization org-x on tokens per min (TPM): Limit 30000, Requested 41237.',
      type: 'tokens',
      code: 'rate_limit_exceeded',
    }),
    'model-request-too-large',
    'request',
  ],
  [
    'one answer above OpenRouter’s credits',
    'compatible',
    {
      kind: 'status',
      status: 402,
      body: {
        error: {
          code: 402,
          message:
            'This request requires more credits, or fewer max_tokens. You requested up to 8000 tokens, but can only afford 5000.',
        },
      },
    },
    'model-request-too-large',
    'request',
  ],
  [
    'an invalid request at Anthropic',
    'anthropic',
    anthropic(400, INVALID, 'messages.0.content: Field required'),
    'model-request-rejected',
    'request',
  ],
  [
    'an invalid request at OpenAI',
    'openai',
    chat(400, {
      message: "Invalid schema for response_format 'answer'",
      type: INVALID,
      param: 'response_format',
    }),
    'model-request-rejected',
    'request',
  ],
  [
    'output of Groq that is no JSON',
    'compatible',
    chat(400, {
      message: 'Failed to generate JSON. Please adjust your prompt.',
      type: INVALID,
      code: 'json_validate_failed',
      failed_generation: '{"a":',
    }),
    'model-request-rejected',
    'request',
  ],
  [
    'what FastAPI cannot validate',
    'compatible',
    { kind: 'status', status: 422, body: { detail: [{ msg: 'Field required' }] } },
    'model-request-rejected',
    'request',
  ],
  [
    'a feature that no endpoint of OpenRouter has',
    'compatible',
    {
      kind: 'status',
      status: 404,
      body: { error: { code: 404, message: 'No endpoints found that support tool use.' } },
    },
    'model-request-rejected',
    'request',
  ],
  [
    'the page of a firewall',
    'anthropic',
    { kind: 'html', status: 403 },
    'model-request-blocked',
    'request',
  ],
  [
    'the page of a firewall',
    'openai',
    { kind: 'html', status: 403 },
    'model-request-blocked',
    'request',
  ],
  // Too much at once.
  [
    'Anthropic’s rate limit',
    'anthropic',
    anthropic(429, 'rate_limit_error', 'This request would exceed your organization’s rate limit'),
    'model-rate-limited',
    'load',
  ],
  [
    'OpenAI’s rate limit',
    'openai',
    chat(429, {
      message: 'Rate limit reached for gpt-5',
      type: 'requests',
      code: 'rate_limit_exceeded',
    }),
    'model-rate-limited',
    'load',
  ],
  // The model.
  [
    'Anthropic overloaded',
    'anthropic',
    anthropic(529, 'overloaded_error', 'Overloaded'),
    'model-overloaded',
    'model',
  ],
  [
    'Anthropic failing',
    'anthropic',
    anthropic(500, 'api_error', 'Internal server error'),
    'model-overloaded',
    'model',
  ],
  [
    'OpenAI failing',
    'openai',
    chat(500, { message: 'The server had an error', type: 'server_error' }),
    'model-overloaded',
    'model',
  ],
  [
    'a failing server that speaks of filters',
    'compatible',
    chat(500, { message: 'blocked by content filtering policy' }),
    'model-overloaded',
    'model',
  ],
  ['a gateway', 'compatible', { kind: 'html', status: 502 }, 'model-overloaded', 'model'],
  ['a connection that is reset', 'anthropic', { kind: 'reset' }, 'model-unreachable', 'model'],
  ['a stream that is cut', 'openai', { kind: 'cut', afterEvents: 2 }, 'model-stream-cut', 'model'],
  ['a sign-in page', 'openai', { kind: 'html', status: 200 }, 'model-invalid-protocol', 'model'],
  // The operator of the host.
  [
    'Anthropic’s bad key',
    'anthropic',
    anthropic(401, 'authentication_error', 'invalid x-api-key'),
    'model-unauthorised',
    'key',
  ],
  [
    'OpenAI’s bad key',
    'openai',
    chat(401, { message: 'Incorrect API key provided', type: INVALID, code: 'invalid_api_key' }),
    'model-unauthorised',
    'key',
  ],
  [
    'Anthropic’s credits',
    'anthropic',
    anthropic(
      400,
      INVALID,
      'Your credit balance is too low to access the Anthropic API. Please go to Plans & Billing to upgrade or purchase credits.',
    ),
    'model-credits',
    'key',
  ],
  [
    'OpenAI’s credits',
    'openai',
    chat(429, {
      message: 'You exceeded your current quota',
      type: 'insufficient_quota',
      code: 'insufficient_quota',
    }),
    'model-credits',
    'key',
  ],
  [
    'a key that Anthropic does not allow this',
    'anthropic',
    anthropic(403, 'permission_error', 'Your API key does not have permission'),
    'model-forbidden',
    'key',
  ],
  [
    'a region that OpenAI does not serve',
    'openai',
    chat(403, {
      message: 'Country, region, or territory not supported',
      type: 'request_forbidden',
      code: 'unsupported_country_region_territory',
    }),
    'model-forbidden',
    'key',
  ],
  [
    'a model that Anthropic does not know',
    'anthropic',
    anthropic(404, 'not_found_error', 'model: claude-9'),
    'model-unknown',
    'entry',
  ],
  [
    'a model that OpenAI does not know',
    'openai',
    chat(404, {
      message: 'The model `gpt-9` does not exist or you do not have access to it.',
      type: INVALID,
      code: 'model_not_found',
    }),
    'model-unknown',
    'entry',
  ],
  [
    'a model that a project may not use',
    'openai',
    chat(403, {
      message: 'Project `proj_x` does not have access to model `gpt-5`',
      type: INVALID,
      code: 'model_not_found',
    }),
    'model-unknown',
    'entry',
  ],
];

describe('the failure of a provider', () => {
  let server: ModelServer;
  const clock = createFastClock();
  beforeAll(async () => {
    server = await startModelServer({ clock });
  });
  afterAll(() => server.close());

  const make = (from: Maker): Model => {
    const retry = { tries: 1, totalWaitMs: 0, firstWaitMs: 0 };
    const options = {
      name: 'm',
      model: 'm',
      price: undefined,
      clock,
      random: createPlainRandom(),
      retry,
    };
    const apiKey = ['a', 'test', 'key'].join('-');
    if (from === 'anthropic')
      return createAnthropicModel(createAnthropicClient({ apiKey, baseUrl: server.url }), options);
    const client = createOpenAiClient({ apiKey, baseUrl: `${server.url}/v1` });
    return from === 'openai'
      ? createOpenAiModel(client, options)
      : createCompatibleModel(client, options);
  };

  for (const [what, from, fault, code, blame] of ROWS)
    verifies(
      ['CB-15', 'TG-22'],
      `by ${what} (${from}) is ${code}, and says this of the ${blame}`,
      async () => {
        server.setScript(() => ({ text: 'a longer answer than that', fault }));
        const error = await failureOf(make(from).generate(ask('x')));
        expect(error).toMatchObject({ code });
        expect(findBlame(error)).toBe(blame);
      },
    );

  verifies('CB-15', 'by our own abort, or by a bug, says nothing of the model', async () => {
    server.setScript(() => ({ fault: { kind: 'hang' } }));
    const aborted = make('anthropic').generate(ask('x', { signal: AbortSignal.abort() }));
    expect(findBlame(await failureOf(aborted))).toBe('request');
    expect(findBlame(new TypeError('x is not a function'))).toBe('request');
  });

  verifies('CB-15', 'inside a stream is recognized by its type and words alone', async () => {
    const inStream = async (type: string): Promise<Blame> => {
      server.setScript(() => ({
        text: 'words',
        fault: { kind: 'stream-error', afterEvents: 2, type },
      }));
      return findBlame(await failureOf(make('anthropic').generate(ask('x'))));
    };
    expect(await inStream('overloaded_error')).toBe('model');
    expect(await inStream('invalid_request_error')).toBe('request');
    expect(await inStream('rate_limit_error')).toBe('load');
  });
});
