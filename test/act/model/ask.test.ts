/**
 * Asking one voice: what the provider must write, what is read of it, and how much is reserved for
 * it.
 */
import { describe, expect, onTestFinished, test } from 'vitest';
import { askPersona } from '../../../src/act/model/ask-persona.ts';
import type { ActPorts } from '../../../src/act/ports.ts';
import { openSqliteStore } from '../../../src/adapters/store/sqlite/open-sqlite.ts';
import type { Effect, EffectData } from '../../../src/domain/event/effect.ts';
import { TransientError } from '../../../src/domain/event/errors.ts';
import { NO_USAGE, type ModelCall } from '../../../src/domain/run/ledger.ts';
import { MODEL_AGAIN, withCalls, type ModelRequest } from '../../../src/ports/model.ts';
import { createFastClock, createPlainRandom } from '../../contract/fast-clock.ts';
import { aPosition, aVerdict, aView } from '../../helpers/an-issue.ts';
import { ANA, play, THREAD } from '../../helpers/play.ts';

type Ask = Extract<EffectData, { kind: 'ask' }>;

/** As a run would ask it, but for what it shares with others. */
function anAsk(over: Partial<Ask>): Effect & { data: Ask } {
  const played = play({
    look: () => aView(),
    ask: (ask) => (ask.purpose === 'verdict' ? aVerdict() : aPosition({ line: ask.persona })),
  });
  played.send({ kind: 'labeled', thread: THREAD, actor: ANA, label: 'deliberate' });
  const effect = played.effects.find(({ data }) => data.kind === 'ask');
  if (effect?.data.kind !== 'ask') throw new Error('nobody was asked');
  const { cache: _cache, hasOneForm: _form, ...data } = effect.data;
  return { ...effect, data: { ...data, ...over } };
}

async function answered(over: Partial<Ask>, answer: unknown) {
  const clock = createFastClock();
  const store = await openSqliteStore({ memory: true, clock });
  const requests: ModelRequest[] = [];
  const known: { isCached: boolean }[] = [];
  const ports = {
    store,
    clock,
    random: createPlainRandom(),
    model: {
      name: 'given',
      generate: (request: ModelRequest) => {
        requests.push(request);
        const call = { provider: 'p', pool: 'p', model: 'm', usage: NO_USAGE, costUsd: 0 };
        return Promise.resolve({
          text: JSON.stringify(answer),
          toolCalls: [],
          finishReason: 'stop' as const,
          calls: [{ ...call, latencyMs: 1, outcome: 'ok' as const, retries: 0 }],
        });
      },
    },
    estimateUsd: (_request: ModelRequest, facts: { isCached: boolean }) => {
      known.push(facts);
      return 0.01;
    },
  };
  try {
    const effect = anAsk(over);
    // Nothing else of the ports is used to ask.
    const { result } = await askPersona(effect, effect.data, {
      ports: ports as unknown as ActPorts,
      waits: undefined,
    });
    return { value: result.value, request: requests[0], known };
  } finally {
    await store.close();
  }
}

function propertiesOf(request: ModelRequest | undefined): string[] {
  return Object.keys(request?.output?.schema['properties'] ?? {});
}

describe('a form for both questions', () => {
  const position = aPosition({ line: 'small' });

  test('is asked for where position and verdict share a prompt, and read by its part', async () => {
    const { value, request } = await answered(
      { hasOneForm: true, purpose: 'position' },
      { position, verdict: null },
    );
    expect(propertiesOf(request)).toEqual(['position', 'verdict']);
    expect(value).toEqual(position);
    const verdict = aVerdict();
    const said = await answered(
      { hasOneForm: true, purpose: 'verdict' },
      { position: null, verdict },
    );
    expect(propertiesOf(said.request)).toEqual(['position', 'verdict']);
    expect(said.value).toEqual(verdict);
  });

  test('a model that leaves out what is around its answer has answered all the same', async () => {
    expect((await answered({ hasOneForm: true }, position)).value).toEqual(position);
  });

  test('is not asked for where they are asked of different models', async () => {
    const { request, value } = await answered({}, position);
    expect(propertiesOf(request)).toContain('vote');
    expect(value).toEqual(position);
  });
});

describe('what is shared', () => {
  const position = aPosition();

  test('ends with a mark where somebody else reads it, and is reserved as read where somebody wrote it', async () => {
    const marksOf = (request: ModelRequest | undefined): boolean[] =>
      request?.system.map(({ cache }) => cache === true) ?? [];
    const first = await answered({ cache: 'write' }, position);
    expect(marksOf(first.request).filter(Boolean)).toHaveLength(1);
    // The soul behind it is nobody else's.
    expect(marksOf(first.request).at(-1)).toBe(false);
    expect(first.known).toEqual([{ isCached: false }]);
    expect((await answered({ cache: 'read' }, position)).known).toEqual([{ isCached: true }]);
  });

  test('carries no mark where nobody else reads it: a write costs more than plain input', async () => {
    const { request } = await answered({}, position);
    expect(request?.system.some(({ cache }) => cache === true)).toBe(false);
  });
});

describe('a question that the queue asks again', () => {
  const call = (costUsd: number): ModelCall => ({
    provider: 'p',
    pool: 'p',
    model: 'm',
    usage: NO_USAGE,
    costUsd,
    latencyMs: 1,
    outcome: 'ok',
    retries: 0,
  });

  test('says how often it was tried, and every try stays in the ledger', async () => {
    const clock = createFastClock();
    const store = await openSqliteStore({ memory: true, clock });
    onTestFinished(() => store.close());
    const tries: (number | undefined)[] = [];
    const again = new TransientError({ code: MODEL_AGAIN, message: 'busy', retryAfterMs: 500 });
    const generate = ({ earlierTries }: ModelRequest) => {
      tries.push(earlierTries);
      if (tries.length === 1) throw withCalls(again, [call(0.02)]);
      const text = JSON.stringify(aPosition());
      return { text, toolCalls: [], finishReason: 'stop', calls: [call(0.03)] };
    };
    const model = { name: 'given', generate: async (request: ModelRequest) => generate(request) };
    const ports = { store, clock, random: createPlainRandom(), model, estimateUsd: () => 0.01 };
    const effect = anAsk({});
    const asking = { ports: ports as unknown as ActPorts, waits: undefined };
    await expect(askPersona(effect, effect.data, asking)).rejects.toBe(again);
    const waits = { code: MODEL_AGAIN, since: clock.now(), times: 1 };
    await askPersona(effect, effect.data, { ...asking, waits });
    expect(tries).toEqual([0, 1]);
    const { usd, calls } = await store.records.spent({ key: effect.key });
    expect([usd.toFixed(2), calls]).toEqual(['0.05', 2]);
  });
});
