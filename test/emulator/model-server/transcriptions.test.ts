/** The double of OpenAI's transcriptions refuses what OpenAI refuses. */
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { systemClock } from '../../../src/adapters/system/system-clock.ts';
import {
  startModelServer,
  type ModelServer,
} from '../../../src/emulator/model-server/start-model-server.ts';

const KEY = ['a', 'key'].join('-');
const MB = 1024 * 1024;
let server: ModelServer;
beforeEach(async () => {
  server = await startModelServer({ clock: systemClock, apiKey: KEY });
  onTestFinished(() => server.close());
  server.setTranscripts(() => ({ text: 'hello', usage: { input: 10, output: 2 } }));
});

function aForm(change: (form: FormData) => void = () => undefined): FormData {
  const form = new FormData();
  form.set('model', 'gpt-4o-transcribe');
  form.set('file', new File(['sound'], 'note.m4a'));
  change(form);
  return form;
}

async function send(body: FormData | string, headers: Record<string, string> = {}) {
  const answer = await fetch(`${server.url}/v1/audio/transcriptions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${KEY}`, ...headers },
    body,
  });
  return { status: answer.status, body: (await answer.json()) as Record<string, unknown> };
}

test('a form with a recording and a model is answered with text and usage', async () => {
  expect(await send(aForm())).toEqual({
    status: 200,
    body: {
      text: 'hello',
      usage: {
        type: 'tokens',
        input_tokens: 10,
        input_token_details: { text_tokens: 0, audio_tokens: 10 },
        output_tokens: 2,
        total_tokens: 12,
      },
    },
  });
  expect(server.transcriptions).toEqual([
    { model: 'gpt-4o-transcribe', fileName: 'note.m4a', bytes: new TextEncoder().encode('sound') },
  ]);
});

test.each<[string, (form: FormData) => void, number]>([
  ['no model', (form) => form.delete('model'), 400],
  ['two models', (form) => form.append('model', 'b'), 400],
  ['no file', (form) => form.delete('file'), 400],
  ['text in place of a file', (form) => form.set('file', 'sound'), 400],
  ['two files', (form) => form.append('file', new File(['b'], 'b.m4a')), 400],
  ['an empty file', (form) => form.set('file', new File([], 'a.m4a')), 400],
  ['another format', (form) => form.set('file', new File(['a'], 'a.aiff')), 400],
  ['a field that there is not', (form) => form.set('voice', 'alloy'), 400],
  [
    'more than 25 MB',
    (form) => form.set('file', new File([new Uint8Array(25 * MB + 1)], 'a.mp3')),
    413,
  ],
])('%s is refused', async (_, change, status) => {
  expect((await send(aForm(change))).status).toBe(status);
  expect(server.transcriptions).toEqual([]);
});

test('a body that is no form, and a wrong key, are refused', async () => {
  const json = { 'content-type': 'application/json' };
  expect((await send('{"model":"a"}', json)).status).toBe(400);
  expect(
    (await send('no form', { 'content-type': 'multipart/form-data; boundary=x' })).status,
  ).toBe(400);
  expect((await send(aForm(), { authorization: 'Bearer other' })).status).toBe(401);
});
