/** Structured output and the tool loop over a model whose answers are given one by one. */
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { generateObject } from '../../../src/act/model/generate-object.ts';
import { clipBytes, defineTool, runToolLoop } from '../../../src/act/model/run-tool-loop.ts';
import { toOutputSchema } from '../../../src/act/model/output-schema.ts';
import {
  InvalidOutputError,
  RefusedError,
  TransientError,
} from '../../../src/domain/event/errors.ts';
import { trusted } from '../../../src/domain/prompt/prompt-text.ts';
import { NO_USAGE, type ModelCall } from '../../../src/domain/run/ledger.ts';
import {
  callsOf,
  withCalls,
  type Model,
  type ModelAnswer,
  type ModelRequest,
} from '../../../src/ports/model.ts';
import { createFastClock } from '../../contract/fast-clock.ts';
import { ask, failureOf } from '../../contract/model.ts';
import { verifies } from '../../verifies.ts';

function callOf(n: number): ModelCall {
  const names = { provider: 'p', pool: `call-${n}`, model: 'm' };
  return { ...names, usage: NO_USAGE, costUsd: 0.01, latencyMs: 1, outcome: 'ok', retries: 0 };
}

type Given = Partial<ModelAnswer> | Error;

/** Gives the answers in their order, and keeps the requests. */
function modelOf(...given: Given[]): Model & { requests: ModelRequest[] } {
  const requests: ModelRequest[] = [];
  return {
    name: 'given',
    requests,
    generate(request) {
      const next = given[requests.length];
      requests.push(request);
      const calls = [callOf(requests.length)];
      if (next instanceof Error) return Promise.reject(withCalls(next, calls));
      if (next === undefined) throw new Error('asked too often');
      return Promise.resolve({ text: '', toolCalls: [], finishReason: 'stop', calls, ...next });
    },
  };
}

const Finding = z.object({ title: z.string().min(3), line: z.int().optional() });
const clock = createFastClock();

describe('generateObject', () => {
  verifies('CB-13', 'returns the value and every call', async () => {
    const model = modelOf({ text: 'Here: {"title": "Leak", "line": 4} - done' });
    const answer = await generateObject({ model, request: ask('x'), schema: Finding });
    expect(answer).toEqual({
      value: { title: 'Leak', line: 4 },
      calls: [callOf(1)],
      wasRepaired: false,
    });
  });

  test('tells the model what is wrong and takes the second answer', async () => {
    const model = modelOf({ text: '{"title": "x"}' }, { text: '{"title": "Leak"}' });
    const request = ask('x', { evidence: { some: 'facts' } });
    const answer = await generateObject({ model, request, schema: Finding });
    expect(answer.value).toEqual({ title: 'Leak' });
    expect(answer.calls.map((c) => [c.pool, c.outcome])).toEqual([
      ['call-1', 'invalid'],
      ['call-2', 'ok'],
    ]);
    const repair = model.requests[1];
    expect(repair?.messages.slice(0, 1)).toEqual(request.messages);
    expect(repair?.messages[1]).toEqual({ role: 'assistant', text: '{"title": "x"}' });
    expect(JSON.stringify(repair?.messages[2])).toContain('title: ');
    expect(repair?.evidence).toEqual({ some: 'facts' });
  });

  test('says that a cut answer was cut, and puts words in place of an empty one', async () => {
    const model = modelOf({ text: '', finishReason: 'length' }, { text: '{"title": "Leak"}' });
    await generateObject({ model, request: ask('x'), schema: Finding });
    expect(model.requests[1]?.messages[1]).toEqual({ role: 'assistant', text: '(nothing)' });
    expect(JSON.stringify(model.requests[1]?.messages[2])).toContain('cut off');
  });

  test('fails after one repair, with both calls', async () => {
    const model = modelOf({ text: 'no' }, { text: '{}' }, { text: '{"title": "Leak"}' });
    const error = await failureOf(generateObject({ model, request: ask('x'), schema: Finding }));
    expect(error).toBeInstanceOf(InvalidOutputError);
    expect(error).toMatchObject({ code: 'model-invalid-output' });
    expect(callsOf(error).map((c) => c.outcome)).toEqual(['invalid', 'invalid']);
    expect(model.requests).toHaveLength(2);
  });

  test('keeps the calls of the first answer when the repair fails otherwise', async () => {
    const down = new TransientError({ code: 'model-overloaded', message: 'down' });
    const error = await failureOf(
      generateObject({ model: modelOf({ text: 'no' }, down), request: ask('x'), schema: Finding }),
    );
    expect(error).toBe(down);
    expect(callsOf(error).map((c) => c.pool)).toEqual(['call-1', 'call-2']);
  });

  test('does not ask again after a refusal', async () => {
    const model = modelOf({ text: 'I cannot.', finishReason: 'refusal' });
    const error = await failureOf(generateObject({ model, request: ask('x'), schema: Finding }));
    expect(error).toBeInstanceOf(RefusedError);
    expect(callsOf(error)).toHaveLength(1);
  });
});

describe('toOutputSchema', () => {
  test('closes objects at every depth, and keeps maps open', () => {
    const schema = z.object({
      list: z.array(z.object({ kind: z.literal('a') })),
      either: z.discriminatedUnion('kind', [
        z.object({ kind: z.literal('x') }),
        z.object({ kind: z.literal('y'), properties: z.string() }),
      ]),
      map: z.record(z.string(), z.number()),
    });
    const text = JSON.stringify(toOutputSchema(schema));
    expect(text.split('"additionalProperties":false')).toHaveLength(5);
    expect(text).toContain('"additionalProperties":{"type":"number"}');
  });

  test('asks for what is written, so a default may be left out', () => {
    const schema = toOutputSchema(z.object({ a: z.string().default('x'), b: z.string() }));
    expect(schema['required']).toEqual(['b']);
  });
});

describe('runToolLoop', () => {
  const read = defineTool({
    name: 'read',
    description: 'Reads a file',
    args: z.object({ path: z.string() }),
    run: ({ path }) => {
      if (path === 'gone')
        throw new RefusedError({ code: 'github-not-found', message: 'no such file' });
      if (path === 'bug') throw new Error('a bug');
      return trusted(path.repeat(10));
    },
  });
  const call = (args: unknown, name = 'read', id = 'c1') => ({
    finishReason: 'tool-calls' as const,
    toolCalls: [{ id, name, args }],
  });
  const lastResults = (model: { requests: ModelRequest[] }) => {
    const last = model.requests.at(-1)?.messages.at(-1);
    return last?.role === 'tool' ? last.results : [];
  };

  test('gives results back with the turn that asked for them', async () => {
    const continuation = { provider: 'p', blocks: [1] };
    const model = modelOf(
      { ...call({ path: 'ab' }), text: 'Let me see', continuation },
      { text: 'Done' },
    );
    const answer = await runToolLoop({ model, request: ask('x'), tools: [read], clock });
    expect(answer).toMatchObject({ text: 'Done', rounds: 2, finishReason: 'stop' });
    expect(answer.calls.map((c) => c.pool)).toEqual(['call-1', 'call-2']);
    expect(answer.transcript.map((m) => m.role)).toEqual([
      'user',
      'assistant',
      'tool',
      'assistant',
    ]);
    expect(answer.transcript[1]).toMatchObject({ text: 'Let me see', continuation });
    expect(lastResults(model)).toEqual([{ id: 'c1', text: 'ab'.repeat(10) }]);
    expect(model.requests[0]?.tools).toEqual([
      { name: 'read', description: 'Reads a file', parameters: expect.anything() as unknown },
    ]);
  });

  const TOLD: readonly (readonly [string, ReturnType<typeof call>, string])[] = [
    ['arguments that do not fit', call({ path: 1 }), 'Wrong arguments: path'],
    ['arguments that are no JSON', call(undefined), 'Wrong arguments'],
    ['a tool that is not there', call({}, 'write'), 'There is no tool write; there are: read'],
    ['an expected failure', call({ path: 'gone' }), 'no such file'],
  ];
  for (const [what, turn, words] of TOLD)
    test(`tells the model about ${what}`, async () => {
      const model = modelOf(turn, { text: 'ok' });
      await runToolLoop({ model, request: ask('x'), tools: [read], clock });
      expect(lastResults(model)).toMatchObject([{ isError: true }]);
      expect(lastResults(model)[0]?.text).toContain(words);
    });

  test('ends with a bug in a tool, and keeps the calls', async () => {
    const model = modelOf(call({ path: 'bug' }));
    const error = await failureOf(runToolLoop({ model, request: ask('x'), tools: [read], clock }));
    expect(error.message).toBe('a bug');
    expect(callsOf(error)).toHaveLength(1);
  });

  test('cuts long results at a whole character', async () => {
    const model = modelOf(call({ path: '😀'.repeat(10) }), { text: 'ok' });
    await runToolLoop({ model, request: ask('x'), tools: [read], clock, maxBytes: 10 });
    expect(lastResults(model)[0]?.text).toBe('😀😀\n(392 more bytes left out)');
    expect(clipBytes('short', 10)).toBe('short');
  });

  test('asks for the answer in the last round and gives up after it', async () => {
    const turns = Array.from({ length: 3 }, () => call({ path: 'a' }));
    const model = modelOf(...turns);
    const loop = { model, request: ask('x'), tools: [read], clock, maxRounds: 3 };
    const error = await failureOf(runToolLoop(loop));
    expect(error).toMatchObject({ code: 'model-tool-loop' });
    expect(callsOf(error)).toHaveLength(3);
    expect(lastResults(model)[0]?.text).toContain('answer now');
  });

  test('shares one time limit between all rounds', async () => {
    const own = createFastClock();
    const slow = defineTool({
      name: 'read',
      description: '',
      args: z.object({ path: z.string() }),
      run: () => {
        own.advance(60_000);
        return trusted('late');
      },
    });
    const model = modelOf(call({ path: 'a' }), call({ path: 'a' }), { text: 'never' });
    const request = ask('x', { timeoutMs: 100_000 });
    const error = await failureOf(runToolLoop({ model, request, tools: [slow], clock: own }));
    expect(error).toMatchObject({ code: 'model-timeout' });
    expect(model.requests).toHaveLength(2);
    expect(model.requests[1]?.timeoutMs).toBeLessThanOrEqual(40_000);
  });

  test('stops between two tools when aborted', async () => {
    const controller = new AbortController();
    const seen: string[] = [];
    const stopper = defineTool({
      name: 'read',
      description: '',
      args: z.object({ path: z.string() }),
      run: ({ path }, signal) => {
        seen.push(path);
        controller.abort();
        return trusted(String(signal?.aborted));
      },
    });
    const toolCalls = ['a', 'b'].map((path) => ({ id: path, name: 'read', args: { path } }));
    const model = modelOf({ toolCalls, finishReason: 'tool-calls' });
    const request = ask('x', { signal: controller.signal });
    const error = await failureOf(runToolLoop({ model, request, tools: [stopper], clock }));
    expect(error.name).toBe('AbortError');
    expect(seen).toEqual(['a']);
  });
});
