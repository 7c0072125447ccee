/** The PM's thinking: what it reads is noted, an answer that cannot be used is asked for once more, every call counts. */
import { describe, expect, onTestFinished, test } from 'vitest';
import { proposePlan } from '../../../src/act/model/propose.ts';
import type { ActPorts } from '../../../src/act/ports.ts';
import { createBaseReader } from '../../../src/adapters/git/base-reader.ts';
import { openSqliteStore } from '../../../src/adapters/store/sqlite/open-sqlite.ts';
import { defaultConfig } from '../../../src/domain/config/config.ts';
import { TransientError } from '../../../src/domain/event/errors.ts';
import type { Effect, EffectData } from '../../../src/domain/event/effect.ts';
import { trusted } from '../../../src/domain/prompt/prompt-text.ts';
import { pmCaps } from '../../../src/domain/run/caps.ts';
import { NO_USAGE } from '../../../src/domain/run/ledger.ts';
import { callsOf, type ModelAnswer, type ModelRequest } from '../../../src/ports/model.ts';
import { createFastClock, createPlainRandom } from '../../contract/fast-clock.ts';
import { failureOf } from '../../contract/model.ts';
import { THREAD } from '../../helpers/play.ts';
import { gitFolder } from '../../hosts/cli/git-folder.ts';

type Propose = Extract<EffectData, { kind: 'propose' }>;
type Given = Partial<ModelAnswer> | Error;

const QUESTION = '{"kind":"questions","questions":["Which format?"]}';
const CALL = { provider: 'p', pool: 'p', model: 'm', usage: NO_USAGE, costUsd: 0.01 };

/** Lets the PM think on the one commit of a folder, or without one; the model's answers are given in their order. */
async function propose(given: readonly Given[], { hasCode = false } = {}) {
  const clock = createFastClock();
  const store = await openSqliteStore({ memory: true, clock });
  onTestFinished(() => store.close());
  const requests: ModelRequest[] = [];
  const { dir, git } = gitFolder({ 'src/a.ts': 'export const a = 1;\n' });
  const sha = git('rev-parse', 'HEAD').trim();
  const ports = {
    store,
    clock,
    random: createPlainRandom(),
    estimateUsd: () => 0.01,
    github: { at: () => ({ counts: { calls: 3 } }) },
    codingRuntime: { git: { read: () => Promise.resolve(createBaseReader(`${dir}/.git`, sha)) } },
    model: {
      name: 'given',
      generate: (request: ModelRequest) => {
        const next = given[requests.length];
        requests.push(request);
        if (next === undefined) throw new Error('asked too often');
        if (next instanceof Error) return Promise.reject(next);
        const calls = [{ ...CALL, latencyMs: 1, outcome: 'ok' as const, retries: 0 }];
        const rest = { text: '', toolCalls: [], finishReason: 'stop' as const, calls };
        return Promise.resolve({ ...rest, ...next });
      },
    },
  } as unknown as ActPorts;
  const data: Propose = {
    kind: 'propose',
    thread: THREAD,
    sha: hasCode ? sha : '',
    model: 'smart',
    prompt: { shared: [trusted('Shared.')], own: [trusted('Own.')], task: trusted('Plan it.') },
    nonce: 'b7d2f8a1c3e4f5a6b7c8',
    brief: {} as Propose['brief'],
    caps: pmCaps(defaultConfig()),
  };
  const effect = { id: 'e1', key: 'thread:7/1', run: 'r1', data } as unknown as Effect;
  const done = proposePlan(effect, data, { ports, waits: undefined });
  return { done, requests };
}

const textsOf = ({ messages }: ModelRequest): string[] =>
  messages.map((message) =>
    'text' in message ? message.text : message.role === 'user' ? JSON.stringify(message) : '',
  );

describe('a proposal', () => {
  test('is read from the first answer that fits', async () => {
    const { done, requests } = await propose([{ text: `Here you are: ${QUESTION}` }]);
    const { result, githubCalls } = await done;
    expect(result.word).toMatchObject({ kind: 'questions', questions: ['Which format?'] });
    expect(result.looked).toEqual([]);
    expect(result.calls).toHaveLength(1);
    expect(githubCalls).toEqual({ calls: 3 });
    expect(requests).toHaveLength(1);
    expect(requests[0]).toMatchObject({
      model: 'smart',
      installation: THREAD.installationId,
      system: [{ text: 'Shared.' }, { text: 'Own.' }],
      maxOutputTokens: 8_000,
    });
    const timeoutMs = requests[0]?.timeoutMs ?? 0;
    expect(timeoutMs).toBeLessThanOrEqual(300_000);
    expect(timeoutMs).toBeGreaterThan(290_000);
    expect(requests[0]?.tools ?? []).toEqual([]);
  });

  test('notes what was looked at, by tool and argument', async () => {
    const call = { id: 't1', name: 'read_file', args: { path: 'src/a.ts' } };
    const { done, requests } = await propose(
      [{ toolCalls: [call], finishReason: 'tool-calls' }, { text: QUESTION }],
      { hasCode: true },
    );
    const { result } = await done;
    expect(result.looked).toEqual(['read_file {"path":"src/a.ts"}']);
    expect(result.calls).toHaveLength(2);
    expect(requests[0]?.tools?.map(({ name }) => name)).toContain('read_file');
    expect(JSON.stringify(requests[1]?.messages.at(-1))).toContain('export const a = 1;');
  });

  test.each<[string, { text: string; said?: string; problem: RegExp }]>([
    ['no JSON', { text: 'I would rather talk.', problem: /it is no JSON/ }],
    ['nothing', { text: '  ', said: '(nothing)', problem: /it is no JSON/ }],
    ['another shape', { text: '{"kind":"poem"}', problem: /kind: Invalid option/ }],
    ['a plan without one', { text: '{"kind":"plan"}', problem: /answer: there is no plan/ }],
  ])('of %s is asked for once more, with what is wrong', async (_, { text, said, problem }) => {
    const { done, requests } = await propose([{ text }, { text: QUESTION }]);
    const { result } = await done;
    expect(result.word.kind).toBe('questions');
    expect(result.calls).toHaveLength(2);
    const [first, second, third] = textsOf(requests[1] ?? expect.fail());
    expect(first).toBe(textsOf(requests[0] ?? expect.fail())[0]);
    expect(second).toBe(said ?? text);
    expect(third).toMatch(problem);
    expect(third).toContain('Answer again with the corrected JSON and nothing else.');
  });

  test('keeps the calls of the first answer where the second one fails', async () => {
    const down = new TransientError({ code: 'model-overloaded', message: 'down' });
    const { done } = await propose([{ text: 'no' }, down]);
    const error = await failureOf(done);
    expect(error).toBe(down);
    expect(callsOf(error)).toHaveLength(1);
  });
});
