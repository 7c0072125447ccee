/** What every model promises, and what every model behind HTTP promises about the wire. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { generateObject } from '../../src/act/model/generate-object.ts';
import { defineTool, runToolLoop } from '../../src/act/model/run-tool-loop.ts';
import {
  ConfigError,
  InvalidOutputError,
  RefusedError,
  TransientError,
} from '../../src/domain/event/errors.ts';
import { trusted } from '../../src/domain/prompt/prompt-text.ts';
import type { Clock } from '../../src/ports/clock.ts';
import { callsOf, type Model, type ModelRequest } from '../../src/ports/model.ts';
import type { Fault, Script } from '../../src/emulator/model-server/script.ts';
import {
  startModelServer,
  type ModelServer,
} from '../../src/emulator/model-server/start-model-server.ts';
import { verifies } from '../verifies.ts';
import { createFastClock, type FastClock } from './fast-clock.ts';
import { waitUntil } from '../helpers/wait-until.ts';

/** Half an hour of the fast clock: a guard against a hang, never reached. */
const PATIENT_MS = 30 * 60 * 1000;

export function ask(text: string, more: Partial<ModelRequest> = {}): ModelRequest {
  return {
    model: 'any',
    system: [{ text: trusted('You are brief.') }],
    messages: [{ role: 'user', content: [{ text: trusted(text) }] }],
    maxOutputTokens: 500,
    timeoutMs: PATIENT_MS,
    ...more,
  };
}

/** The error that a promise ends with; fails when it does not. */
export async function failureOf(promise: Promise<unknown>): Promise<Error> {
  const outcome = await promise.then(
    () => undefined,
    (error: unknown) => error,
  );
  if (outcome instanceof Error) return outcome;
  throw new Error('expected a failure, there was none');
}

/** What any `Model` promises, a pool and an offline one included. */
export function modelContract(name: string, make: () => Promise<Model> | Model): void {
  describe(`${name} as a model`, () => {
    let model: Model;
    beforeAll(async () => {
      model = await make();
    });

    verifies('CB-13', 'records the call that answered', async () => {
      const answer = await model.generate(ask('Say hello.'));
      const call = answer.calls.at(-1);
      expect(call?.outcome).toBe('ok');
      expect(call?.pool).not.toBe('');
      expect(call?.latencyMs).toBeGreaterThanOrEqual(0);
      expect(call?.usage.inputTokens).toBeGreaterThanOrEqual(0);
      expect(answer.finishReason).toBe('stop');
    });

    test('does not answer a question that is aborted already', async () => {
      const error = await failureOf(model.generate(ask('x', { signal: AbortSignal.abort() })));
      expect(error.name).toBe('AbortError');
    });

    test('keeps calls that run at the same time apart', async () => {
      const answers = await Promise.all([1, 2, 3].map((n) => model.generate(ask(`Question ${n}`))));
      expect(answers.map((answer) => answer.calls.length)).toEqual([1, 1, 1]);
    });
  });
}

export interface Wire {
  server: ModelServer;
  clock: Clock;
  apiKey: string;
}

export interface WireOptions {
  protocol: 'anthropic' | 'openai';
  make: (wire: Wire) => Model;
  /** False where the server is asked for JSON by words only. */
  hasSchema: boolean;
}

const Point = z.object({ x: z.number(), label: z.string().optional() });

/** What a model behind HTTP promises, with the provider's real SDK against a scripted server. */
export function wireContract(name: string, options: WireOptions): void {
  describe(`${name} on the wire`, () => {
    let server: ModelServer;
    let clock: FastClock;
    let model: Model;
    const apiKey = ['key', 'of', 'a', 'test'].join('-');

    beforeAll(async () => {
      clock = createFastClock();
      server = await startModelServer({ clock, apiKey });
      model = options.make({ server, clock, apiKey });
    });
    beforeEach(() => {
      server.calls.length = 0;
      clock.slept.length = 0;
    });
    afterAll(() => server.close());
    const answerBy = (script: Script): void => server.setScript(script);
    const failBy = (fault: Fault): void =>
      answerBy(() => ({ text: 'a longer answer than that', fault }));

    verifies('CB-13', 'answers text and records usage, cost and outcome', async () => {
      answerBy((call) => `You said: ${call.lastText}`);
      const answer = await model.generate(ask('Hello there'));
      expect(answer.text).toBe('You said: Hello there');
      expect(answer.finishReason).toBe('stop');
      expect(answer.calls).toHaveLength(1);
      const [call] = answer.calls;
      expect(call).toMatchObject({ outcome: 'ok', retries: 0 });
      expect(call?.usage.inputTokens).toBe(server.calls[0]?.usage?.input);
      expect(call?.usage.outputTokens).toBe(server.calls[0]?.usage?.output);
      expect(call?.costUsd).toBeGreaterThan(0);
      expect(server.calls[0]?.system).toBe('You are brief.');
    });

    test('tells once when the answer begins', async () => {
      answerBy(() => 'word '.repeat(50));
      let starts = 0;
      await model.generate(ask('x', { onStart: () => (starts += 1) }));
      expect(starts).toBe(1);
    });

    test('asks for structured output and reads it', async () => {
      answerBy(() => ({ json: { x: 1, label: 'a' } }));
      const { value, wasRepaired } = await generateObject({
        model,
        request: ask('x'),
        schema: Point,
      });
      expect(value).toEqual({ x: 1, label: 'a' });
      expect(wasRepaired).toBe(false);
      const call = server.calls[0];
      expect(call?.wantsJson).toBe(true);
      const told = options.hasSchema ? JSON.stringify(call?.schema) : call?.lastText;
      expect(told).toContain('"additionalProperties":false');
    });

    test('repairs a structured answer once', async () => {
      answerBy((call) => (call.turn === 0 ? { json: { x: 'one' } } : { json: { x: 1 } }));
      const answer = await generateObject({ model, request: ask('x'), schema: Point });
      expect(answer.value).toEqual({ x: 1 });
      expect(answer.calls.map((call) => call.outcome)).toEqual(['invalid', 'ok']);
    });

    test('runs tools until there is an answer', async () => {
      answerBy((call) => {
        if (call.toolResults.length === 0)
          return { thinking: 'add them', toolCalls: [{ name: 'add', args: { a: 2, b: 3 } }] };
        return `It is ${call.toolResults[0]?.text}`;
      });
      const add = defineTool({
        name: 'add',
        description: 'Adds two numbers',
        args: z.object({ a: z.number(), b: z.number() }),
        run: ({ a, b }) => trusted(String(a + b)),
      });
      const answer = await runToolLoop({ model, request: ask('2 and 3?'), tools: [add], clock });
      expect(answer.text).toBe('It is 5');
      expect(answer.rounds).toBe(2);
      expect(answer.calls).toHaveLength(2);
      expect(server.calls[0]?.toolNames).toEqual(['add']);
    });

    test('reads a tool call whose arguments are no JSON as undefined', async () => {
      answerBy(() => ({ toolCalls: [{ name: 'add', args: {} }], rawArgs: '{"a": 1,' }));
      const tools = [{ name: 'add', description: '', parameters: { type: 'object' } }];
      const answer = await model.generate(ask('x', { tools }));
      expect(answer.finishReason).toBe('tool-calls');
      expect(answer.toolCalls[0]).toMatchObject({ name: 'add', args: undefined });
    });

    test('reads what was cached by an earlier call', async () => {
      answerBy(() => 'ok');
      const system = [
        { text: trusted('shared '.repeat(1500)), cache: true },
        { text: trusted('own') },
      ];
      const first = await model.generate(ask('one', { system }));
      const second = await model.generate(ask('two', { system }));
      expect(first.calls[0]?.usage.cacheReadTokens).toBe(0);
      expect(second.calls[0]?.usage.cacheReadTokens).toBeGreaterThan(2000);
      expect(second.calls[0]?.costUsd).toBeLessThan(first.calls[0]?.costUsd ?? 0);
    });

    test('ends when its time is over', async () => {
      failBy({ kind: 'hang' });
      const error = await failureOf(model.generate(ask('x', { timeoutMs: 10_000 })));
      expect(error).toBeInstanceOf(TransientError);
      expect(error).toMatchObject({ code: 'model-timeout' });
      expect(callsOf(error)).toMatchObject([{ outcome: 'timed-out', costUsd: 0 }]);
    });

    test('ends when its time is over in the middle of an answer, whose cost it cannot know', async () => {
      answerBy(() => ({ text: 'word '.repeat(100), tokenDelayMs: 60_000 }));
      const error = await failureOf(model.generate(ask('x', { timeoutMs: 100_000 })));
      expect(error).toMatchObject({ code: 'model-timeout' });
      const [call] = callsOf(error);
      expect(call?.outcome).toBe('timed-out');
      // Anthropic tells the input at the start, OpenAI tells everything at the end.
      const known = call?.costUsd === undefined ? 'nothing' : 'input';
      expect(known).toBe(options.protocol === 'openai' ? 'nothing' : 'input');
      expect(call?.costUsd ?? 1).toBeGreaterThan(0);
    });

    test('stops at once when aborted, and hangs up', async () => {
      failBy({ kind: 'hang' });
      const controller = new AbortController();
      const answer = failureOf(model.generate(ask('x', { signal: controller.signal })));
      await waitUntil(() => server.calls.length === 1);
      controller.abort();
      const error = await answer;
      expect(error.name).toBe('AbortError');
      expect(callsOf(error)).toMatchObject([{ outcome: 'aborted' }]);
      await waitUntil(() => server.calls[0]?.wasDropped === true);
    });

    test('stops waiting for a repetition when aborted', async () => {
      failBy({ kind: 'status', status: 529, headers: { 'retry-after': '19' } });
      const controller = new AbortController();
      const answer = failureOf(model.generate(ask('x', { signal: controller.signal })));
      await waitUntil(() => clock.slept.includes(19_000));
      controller.abort();
      expect((await answer).name).toBe('AbortError');
      expect(server.calls).toHaveLength(1);
    });

    const CONFIG = [
      [401, 'model-unauthorised'],
      [402, 'model-credits'],
      [403, 'model-forbidden'],
      [404, 'model-unknown'],
      [400, 'model-request-rejected'],
      [413, 'model-request-too-large'],
    ] as const;
    for (const [status, code] of CONFIG)
      verifies(
        'TG-22',
        `takes ${status} as a matter of configuration and does not repeat it`,
        async () => {
          failBy({ kind: 'status', status, message: `no, ${apiKey} will not do` });
          const error = await failureOf(model.generate(ask('x')));
          expect(error).toBeInstanceOf(ConfigError);
          expect(error).toMatchObject({ code });
          expect(server.calls).toHaveLength(1);
          expect(callsOf(error)).toMatchObject([{ outcome: 'error', retries: 0, costUsd: 0 }]);
          expect(JSON.stringify([error.message, error, String(error.cause)])).not.toContain(apiKey);
        },
      );

    for (const status of [429, 500, 502, 503, 529])
      verifies('TG-22', `repeats after ${status} and answers`, async () => {
        answerBy((call) => (call.n < 2 ? { fault: { kind: 'status', status } } : 'fine'));
        const answer = await model.generate(ask('x'));
        expect(answer.text).toBe('fine');
        expect(answer.calls).toMatchObject([{ outcome: 'ok', retries: 2 }]);
      });

    verifies('TG-22', 'gives up after three tries and says so', async () => {
      failBy({ kind: 'status', status: 503 });
      const error = await failureOf(model.generate(ask('x')));
      expect(error).toBeInstanceOf(TransientError);
      expect(error).toMatchObject({ code: 'model-overloaded' });
      expect(server.calls).toHaveLength(3);
      expect(callsOf(error)).toMatchObject([{ outcome: 'error', retries: 2 }]);
    });

    test('waits as long as Retry-After says', async () => {
      answerBy((call) =>
        call.n < 1
          ? { fault: { kind: 'status', status: 429, headers: { 'retry-after': '7' } } }
          : 'fine',
      );
      await model.generate(ask('x'));
      expect(clock.slept).toContain(7000);
    });

    test('leaves a long Retry-After to the queue', async () => {
      failBy({ kind: 'status', status: 429, headers: { 'retry-after': '120' } });
      const error = await failureOf(model.generate(ask('x')));
      expect(error).toMatchObject({ code: 'model-rate-limited', retryAfterMs: 120_000 });
      expect(server.calls).toHaveLength(1);
    });

    describe('where the queue can wait between two tries', () => {
      const once = (earlierTries: number) => failureOf(model.generate(ask('x', { earlierTries })));

      test('makes one of three tries, says when the next is due, and sleeps not at all', async () => {
        failBy({ kind: 'status', status: 429, headers: { 'retry-after': '7' } });
        for (const earlier of [0, 1]) {
          const error = await once(earlier);
          expect(error).toBeInstanceOf(TransientError);
          expect(error).toMatchObject({ code: 'model-again', retryAfterMs: 7000 });
          expect(callsOf(error)).toMatchObject([{ outcome: 'error', retries: 0 }]);
        }
        expect(await once(2)).toMatchObject({ code: 'model-rate-limited' });
        expect(server.calls).toHaveLength(3);
        expect(clock.slept).not.toContain(7000);
      });

      test('waits longer after each, and retries after an unreadable answer', async () => {
        failBy({ kind: 'garbage' });
        expect(await once(0)).toMatchObject({ code: 'model-again', retryAfterMs: 375 });
        expect(await once(1)).toMatchObject({ code: 'model-again', retryAfterMs: 750 });
        expect(await once(2)).toMatchObject({ code: 'model-invalid-protocol' });
      });

      test('waits itself in a conversation that has begun', async () => {
        answerBy((call) =>
          call.n < 1
            ? { fault: { kind: 'status', status: 429, headers: { 'retry-after': '7' } } }
            : 'fine',
        );
        const begun = ask('And now?', { earlierTries: 0 });
        begun.messages.unshift(
          { role: 'user', content: [{ text: trusted('So?') }] },
          { role: 'assistant', text: 'Well.' },
        );
        expect((await model.generate(begun)).text).toBe('fine');
        expect(clock.slept).toContain(7000);
      });
    });

    const TRANSIENT: readonly (readonly [string, Fault, string])[] = [
      ['a connection that is reset', { kind: 'reset' }, 'model-unreachable'],
      ['a stream that is cut', { kind: 'cut', afterEvents: 3 }, 'model-stream-cut'],
      ['a stream that ends too early', { kind: 'end', afterEvents: 3 }, 'model-stream-cut'],
      [
        'an error inside a stream',
        {
          kind: 'stream-error',
          afterEvents: 3,
          type: options.protocol === 'anthropic' ? 'overloaded_error' : 'server_error',
        },
        'model-overloaded',
      ],
    ];
    for (const [what, fault, code] of TRANSIENT)
      test(`repeats after ${what}, and throws away what had come`, async () => {
        answerBy((call) => (call.n === 0 ? { text: 'partial '.repeat(20), fault } : 'whole'));
        expect((await model.generate(ask('x'))).text).toBe('whole');
        server.calls.length = 0;
        failBy(fault);
        const error = await failureOf(model.generate(ask('x')));
        expect(error).toBeInstanceOf(TransientError);
        expect(error).toMatchObject({ code });
        expect(server.calls).toHaveLength(3);
      });

    const GARBAGE: readonly (readonly [string, Fault])[] = [
      ['a page of a proxy', { kind: 'html', status: 200 }],
      ['broken JSON', { kind: 'garbage' }],
      ['nothing', { kind: 'empty' }],
    ];
    for (const [what, fault] of GARBAGE)
      test(`calls ${what} an unreadable answer`, async () => {
        failBy(fault);
        const error = await failureOf(model.generate(ask('x')));
        expect(error).toBeInstanceOf(InvalidOutputError);
        expect(error).toMatchObject({ code: 'model-invalid-protocol' });
        expect(callsOf(error)).toMatchObject([{ outcome: 'invalid' }]);
      });

    test('takes a page of a proxy with a server error as a server error', async () => {
      failBy({ kind: 'html', status: 502 });
      expect(await failureOf(model.generate(ask('x')))).toMatchObject({ code: 'model-overloaded' });
    });

    test('tells a refusal and a cut answer by the finish reason', async () => {
      answerBy(() => ({ text: 'No.', finish: 'refusal' }));
      const refused = await model.generate(ask('x'));
      expect(refused).toMatchObject({ finishReason: 'refusal', calls: [{ outcome: 'refused' }] });
      answerBy(() => ({ text: 'It goes on and', finish: 'length' }));
      expect((await model.generate(ask('x'))).finishReason).toBe('length');
      answerBy(() => ({ text: 'No.', finish: 'refusal' }));
      const error = await failureOf(generateObject({ model, request: ask('x'), schema: Point }));
      expect(error).toBeInstanceOf(RefusedError);
      expect(callsOf(error)).toHaveLength(1);
    });
  });
}
