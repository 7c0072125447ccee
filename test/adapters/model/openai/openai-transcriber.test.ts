/** Transcription over the wire: what is sent, what counts as an answer, and what an error costs and shows. */
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { createOpenAiClient } from '../../../../src/adapters/model/openai/openai-model.ts';
import { createOpenAiTranscriber } from '../../../../src/adapters/model/openai/openai-transcriber.ts';
import { systemClock } from '../../../../src/adapters/system/system-clock.ts';
import {
  startModelServer,
  type ModelServer,
} from '../../../../src/emulator/model-server/start-model-server.ts';
import { openTranscriber } from '../../../../src/hosts/host-parts.ts';
import { callsOf } from '../../../../src/ports/model.ts';
import type { Transcriber } from '../../../../src/ports/model/transcriber.ts';
import { aFolder } from '../../../helpers/a-folder.ts';

const KEY = ['a', 'key'].join('-');
const PRICE = { input: 6, output: 10, cacheWrite: 0, cacheRead: 0 };
const NOTE = { bytes: new TextEncoder().encode('sound'), name: 'recording.m4a', seconds: 30 };

let server: ModelServer;
beforeEach(async () => {
  server = await startModelServer({ clock: systemClock, apiKey: KEY });
  onTestFinished(() => server.close());
});

function open(apiKey = KEY): Transcriber {
  const client = createOpenAiClient({ apiKey, baseUrl: `${server.url}/v1` });
  const about = {
    name: 'ears',
    model: 'gpt-4o-transcribe',
    price: PRICE,
    provider: 'openai',
  } as const;
  return createOpenAiTranscriber(client, { ...about, clock: systemClock });
}

async function failureOf(transcriber = open(), timeoutMs = 2_000): Promise<Error> {
  return transcriber.transcribe(NOTE, { timeoutMs }).then(
    () => expect.unreachable(),
    (error: unknown) => error as Error,
  );
}

describe('a recording', () => {
  test('is sent once, and gives its text with what it cost', async () => {
    server.setTranscripts(() => ({
      text: ' Add a dark mode.\n',
      usage: { input: 1_000, output: 100 },
    }));
    const { text, call } = await open().transcribe(NOTE, { timeoutMs: 2_000 });
    expect(text).toBe('Add a dark mode.');
    expect(call).toMatchObject({ pool: 'ears', model: 'gpt-4o-transcribe', outcome: 'ok' });
    expect(call.costUsd).toBeCloseTo(0.007);
    expect(server.transcriptions).toEqual([
      { model: 'gpt-4o-transcribe', fileName: 'recording.m4a', bytes: NOTE.bytes },
    ]);
  });

  test('of a model that is billed by the minute has an unknown cost, never none', async () => {
    server.setTranscripts(() => ({ text: 'hello' }));
    expect((await open().transcribe(NOTE, { timeoutMs: 2_000 })).call.costUsd).toBeUndefined();
  });

  test('is estimated by its length', () => {
    expect(open().estimateUsd({ seconds: 60 })).toBeCloseTo(0.0102);
  });
});

test.each([-1, 1.5, 'many', null, 1e300])('a count of %j tokens is not believed', async (input) => {
  server.setTranscripts(() => ({ text: 'hello', usage: { input: input as number, output: 1 } }));
  const { call } = await open().transcribe(NOTE, { timeoutMs: 2_000 });
  expect(call).toMatchObject({ costUsd: undefined, usage: { inputTokens: 0, outputTokens: 0 } });
});

describe('a failure', () => {
  test.each([
    [429, 'model-rate-limited', true],
    [500, 'model-overloaded', true],
    [400, 'model-request-rejected', false],
  ])(
    'with status %i is in our own words, and repeated by nobody here',
    async (status, code, retryable) => {
      server.setTranscripts(() => ({ fault: { kind: 'status', status, message: `no ${KEY}` } }));
      const error = await failureOf();
      expect(error).toMatchObject({ code, retryable });
      expect(callsOf(error)).toMatchObject([{ outcome: 'error', costUsd: 0 }]);
      expect(server.transcriptions).toHaveLength(1);
      expect(JSON.stringify([error.message, error])).not.toContain(KEY);
    },
  );

  test('is a key that is not accepted, an answer without text, and one that never comes', async () => {
    expect(await failureOf(open('other'))).toMatchObject({ code: 'model-unauthorised' });
    server.setTranscripts(() => ({ text: 7 }));
    expect(await failureOf()).toMatchObject({ code: 'model-invalid-output' });
    server.setTranscripts(() => ({ fault: { kind: 'hang' } }));
    const late = await failureOf(open(), 200);
    expect(late).toMatchObject({ retryable: true });
    // It was sent, so it may be billed.
    expect(callsOf(late)).toMatchObject([{ outcome: 'error', costUsd: undefined }]);
  });
});

describe('the transcription model of a host', () => {
  const MODELS =
    'transcription: ears\nears:\n  provider: openai\n  model: gpt-4o-transcribe\n  price: { input: 6, output: 10 }\n';

  function opened(text: string, env: Record<string, string> = {}) {
    const file = path.join(aFolder('models'), 'models.yml');
    writeFileSync(file, text);
    const warned: unknown[] = [];
    const log = { warn: (fields: unknown) => void warned.push(fields) };
    const transcriber = openTranscriber({
      env: { QUORUM_MODELS: file, ...env },
      clock: systemClock,
      log: log as never,
    });
    return { transcriber, warned };
  }

  test('is what the file of models names', () => {
    const { transcriber, warned } = opened(MODELS, { OPENAI_API_KEY: KEY });
    expect([transcriber?.model, warned]).toEqual(['gpt-4o-transcribe', []]);
  });

  test('needs a price, because what is not counted could pass every cap', () => {
    const { transcriber, warned } = opened(MODELS.replace(/^ *price.*\n/m, ''), {
      OPENAI_API_KEY: KEY,
    });
    expect(transcriber).toBeUndefined();
    expect(warned).toMatchObject([{ missing: expect.stringContaining('price') as string }]);
  });

  test('is undefined without a name in the file, and nobody is warned', () => {
    const { transcriber, warned } = opened('standard: offline\n', { OPENAI_API_KEY: KEY });
    expect([transcriber, warned]).toEqual([undefined, []]);
  });

  test.each([
    ['without a key', MODELS, {}],
    ['of a provider without it', MODELS.replace('openai', 'anthropic'), { ANTHROPIC_API_KEY: KEY }],
    ['that is not in the file', 'transcription: other\n', {}],
  ])('is undefined %s, and the log says so', (_, text, env) => {
    const { transcriber, warned } = opened(text, env);
    expect(transcriber).toBeUndefined();
    expect(warned).toHaveLength(1);
  });
});
