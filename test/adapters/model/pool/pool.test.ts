/** The pool over real adapters and scripted servers. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { trusted } from '../../../../src/domain/prompt/prompt-text.ts';
import type { PoolNotice } from '../../../../src/adapters/model/pool/pool-health.ts';
import type { PoolOptions } from '../../../../src/adapters/model/pool/pool-state.ts';
import { createPool } from '../../../../src/adapters/model/pool/create-pool.ts';
import type { Script } from '../../../../src/emulator/model-server/script.ts';
import {
  startModelServer,
  type ModelServer,
} from '../../../../src/emulator/model-server/start-model-server.ts';
import { TransientError } from '../../../../src/domain/event/errors.ts';
import { NO_USAGE } from '../../../../src/domain/run/ledger.ts';
import { callsOf, type Model } from '../../../../src/ports/model.ts';
import { verifies } from '../../../verifies.ts';
import { createFastClock, createPlainRandom } from '../../../contract/fast-clock.ts';
import { ask, failureOf, modelContract } from '../../../contract/model.ts';
import { waitUntil } from '../../../helpers/wait-until.ts';

const KEY = ['some', 'test', 'key'].join('-');
const clock = createFastClock();

/** Stands for the offline model: always there, always the same. */
const offline: Model = {
  name: 'offline',
  generate(request) {
    request.signal?.throwIfAborted();
    const call = {
      provider: 'offline',
      pool: 'offline',
      model: request.model,
      usage: NO_USAGE,
      costUsd: 0,
      latencyMs: 0,
      outcome: 'ok' as const,
      retries: 0,
    };
    return Promise.resolve({ text: 'offline', toolCalls: [], finishReason: 'stop', calls: [call] });
  },
};

let server: ModelServer;
let notices: PoolNotice[];
beforeAll(async () => {
  server = await startModelServer({ clock });
});
beforeEach(() => {
  server.calls.length = 0;
  notices = [];
});
afterAll(() => server.close());

function makePool(more: Partial<PoolOptions> = {}) {
  return createPool({
    entries: {},
    aliases: {},
    env: { ANTHROPIC_API_KEY: KEY, ANTHROPIC_BASE_URL: server.url },
    offline,
    clock,
    random: createPlainRandom(),
    retry: { tries: 1, totalWaitMs: 0, firstWaitMs: 0 },
    onNotice: (notice) => notices.push(notice),
    ...more,
  });
}

/** Fails for the named provider models, answers for the others with their name. */
function failing(models: readonly string[], status = 503): Script {
  return (call) =>
    models.includes(call.model) ? { fault: { kind: 'status', status } } : call.model;
}

/** A pool as seen by someone who always asks the same alias. */
function asModel(pool: Model): Model {
  return { name: 'standard', generate: (r) => pool.generate({ ...r, model: 'standard' }) };
}

async function poolOf(pool: Model, model: string): Promise<string | undefined> {
  return (await pool.generate(ask('x', { model }))).calls.at(-1)?.pool;
}

async function openBreaker(pool: Model, model: string): Promise<void> {
  for (let i = 0; i < 2; i += 1) await failureOf(pool.generate(ask('x', { model })));
  await pool.generate(ask('x', { model }));
}

modelContract('pool without keys', () => asModel(makePool({ env: {} })));
modelContract('pool with a key', () => {
  server.setScript((call) => call.lastText);
  return asModel(makePool());
});

describe('what is in the pool', () => {
  verifies('NW-16', 'is offline for every alias when there is no key at all', async () => {
    const pool = makePool({ env: {} });
    expect(new Set(Object.values(pool.describe().aliases))).toEqual(new Set(['offline']));
    expect(await poolOf(pool, 'strong')).toBe('offline');
    expect(await poolOf(pool, 'image')).toBe('offline');
  });

  test('has models and aliases of its own for each key', () => {
    const both = makePool({ env: { ANTHROPIC_API_KEY: KEY, OPENAI_API_KEY: KEY } }).describe();
    expect(both.members.map((m) => m.name)).toEqual([
      'haiku',
      'sonnet',
      'opus',
      'luna',
      'terra',
      'sol',
      'offline',
    ]);
    expect(both.aliases).toMatchObject({ cheap: 'haiku', strong: 'opus', image: 'offline' });
    expect(both.members.every((m) => m.price !== undefined)).toBe(true);
    const second = makePool({ env: { OPENAI_API_KEY: KEY } }).describe();
    expect(second.aliases).toMatchObject({ cheap: 'luna', standard: 'terra', strong: 'sol' });
  });

  test('takes configured models, prices and aliases before its own', () => {
    const pool = makePool({
      entries: {
        haiku: { provider: 'anthropic', model: 'claude-test', price: { input: 1, output: 2 } },
        local: { provider: 'openai-compatible', model: 'qwen', baseUrl: 'http://127.0.0.1:9/v1' },
        kimi: {
          provider: 'openai-compatible',
          model: 'k2',
          baseUrl: 'http://x.test',
          keyEnv: 'KIMI',
        },
      },
      aliases: { cheap: 'local', strong: 'kimi' },
    });
    const { members, aliases } = pool.describe();
    expect(members[0]).toMatchObject({ model: 'claude-test', price: { input: 1, cacheRead: 1 } });
    expect(aliases['cheap']).toBe('local');
    // Its key is not set, so nobody is sent there.
    expect(aliases['strong']).toBe('offline');
    const kimi = members.find((m) => m.name === 'kimi');
    expect(kimi).toMatchObject({ state: 'missing', reason: 'KIMI is not set', price: undefined });
    expect(pool.has('kimi')).toBe(true);
    expect(pool.resolve('cheap')).toBe('local');
    expect(pool.has('nobody')).toBe(false);
  });

  test('never shows a key', () => {
    expect(JSON.stringify(makePool().describe())).not.toContain(KEY);
  });

  test('lets `standard` answer for a name that is not in it', async () => {
    const answer = await makePool().generate(ask('x', { model: 'hiaku' }));
    expect(answer.calls.at(-1)).toMatchObject({ pool: makePool().resolve('standard') });
  });

  test('lets the tier of a persona answer for a name that is not in it, where it is known', async () => {
    server.setScript((call) => call.model);
    const pool = makePool();
    const answers = ['cheap', 'strong', 'nonsense'].map(async (tier) => {
      const answer = await pool.generate(ask('x', { model: 'kimi', tier }));
      return answer.calls.at(-1)?.pool;
    });
    expect(await Promise.all(answers)).toEqual(['haiku', 'opus', 'sonnet']);
    const request = { ...ask('x'.repeat(3000), { model: 'kimi' }), tier: 'strong' };
    const strong = ask('x'.repeat(3000), { model: 'strong' });
    expect(pool.estimateUsd(request)).toBe(pool.estimateUsd(strong));
  });

  test('estimates at the price of the model that is asked, and knows no price of strangers', () => {
    const entries = {
      local: { provider: 'openai-compatible' as const, model: 'm', baseUrl: 'http://127.0.0.1:9' },
    };
    const pool = makePool({ entries });
    const cheap = pool.estimateUsd(ask('x'.repeat(3000), { model: 'cheap' })) ?? 0;
    const strong = pool.estimateUsd(ask('x'.repeat(3000), { model: 'strong' })) ?? 0;
    expect(strong / cheap).toBeCloseTo(40, 5);
    expect(pool.estimateUsd(ask('x', { model: 'local' }))).toBeUndefined();
    expect(pool.estimateUsd(ask('x', { model: 'offline' }))).toBe(0);
  });
});

describe('breakers and fallback', () => {
  // Sharing breakers between workers through the store is not part of the pool.
  verifies(
    'CB-15',
    'opens after three failures in a row and asks the next by price meanwhile',
    async () => {
      server.setScript(failing(['claude-sonnet-5-5']));
      const pool = makePool();
      for (let i = 0; i < 2; i += 1) {
        const error = await failureOf(pool.generate(ask('x', { model: 'standard' })));
        expect(error).toBeInstanceOf(TransientError);
        expect(callsOf(error)).toMatchObject([{ pool: 'sonnet', outcome: 'error' }]);
      }
      const third = await pool.generate(ask('x', { model: 'standard' }));
      expect(third.calls.map((c) => [c.pool, c.outcome])).toEqual([
        ['sonnet', 'error'],
        ['haiku', 'ok'],
      ]);
      const asked = server.calls.length;
      const fourth = await pool.generate(ask('x', { model: 'standard' }));
      expect(fourth.calls.map((c) => c.pool)).toEqual(['haiku']);
      expect(server.calls).toHaveLength(asked + 1);
      expect(notices).toMatchObject([
        { kind: 'breaker-open', name: 'sonnet', code: 'model-overloaded' },
      ]);
      expect(pool.describe().members.find((m) => m.name === 'sonnet')?.state).toBe('open');
    },
  );

  verifies('CB-15', 'tries again once after five minutes, and closes when that works', async () => {
    server.setScript(failing(['claude-sonnet-5-5']));
    const pool = makePool();
    await openBreaker(pool, 'standard');
    clock.advance(5 * 60 * 1000);
    const gate = Promise.withResolvers<void>();
    server.calls.length = 0;
    server.setScript(async (call) => {
      if (call.model === 'claude-sonnet-5-5') await gate.promise;
      return call.model;
    });
    const trial = poolOf(pool, 'standard');
    await waitUntil(() => server.calls.length === 1);
    expect(await poolOf(pool, 'standard')).toBe('haiku');
    gate.resolve();
    expect(await trial).toBe('sonnet');
    expect(await poolOf(pool, 'standard')).toBe('sonnet');
    expect(notices.map((n) => n.kind)).toEqual(['breaker-open', 'breaker-closed']);
  });

  verifies('CB-15', 'opens again when the trial fails', async () => {
    server.setScript(failing(['claude-sonnet-5-5']));
    const pool = makePool();
    await openBreaker(pool, 'standard');
    clock.advance(5 * 60 * 1000);
    server.calls.length = 0;
    expect(await poolOf(pool, 'standard')).toBe('haiku');
    expect(server.calls.map((c) => c.model)).toEqual(['claude-sonnet-5-5', 'claude-haiku-5-5']);
    server.calls.length = 0;
    expect(await poolOf(pool, 'standard')).toBe('haiku');
    expect(server.calls.map((c) => c.model)).toEqual(['claude-haiku-5-5']);
  });

  test('does not open when a success comes between failures', async () => {
    server.setScript((call) =>
      call.n % 3 === 2 ? 'ok' : { fault: { kind: 'status', status: 500 } },
    );
    const pool = makePool();
    const outcomes: boolean[] = [];
    for (let i = 0; i < 6; i += 1) {
      const ended = pool.generate(ask('x', { model: 'cheap' }));
      outcomes.push(
        await ended.then(
          () => true,
          () => false,
        ),
      );
    }
    expect(outcomes).toEqual([false, false, true, false, false, true]);
    expect(notices).toEqual([]);
  });

  test('falls back from cheaper to dearer to unknown price to offline', async () => {
    const baseUrl = `${server.url}/v1`;
    const pool = makePool({
      entries: {
        stranger: { provider: 'openai-compatible', model: 'stranger', baseUrl },
        painter: {
          provider: 'openai-compatible',
          model: 'painter',
          baseUrl,
          price: { input: 0, output: 0 },
        },
      },
      aliases: { image: 'painter' },
    });
    server.setScript(
      failing(['claude-sonnet-5-5', 'claude-haiku-5-5', 'claude-opus-5-5', 'stranger'], 404),
    );
    const answer = await pool.generate(ask('x', { model: 'standard' }));
    expect(answer.calls.map((c) => c.pool)).toEqual([
      'sonnet',
      'haiku',
      'opus',
      'stranger',
      'offline',
    ]);
    expect(answer.text).toBe('offline');
  });

  verifies(
    'TG-22',
    'takes every model of a bad key out until the configuration changes, with one notice',
    async () => {
      server.setScript((call) =>
        call.protocol === 'anthropic' ? { fault: { kind: 'status', status: 401 } } : call.model,
      );
      const env = {
        ANTHROPIC_API_KEY: KEY,
        ANTHROPIC_BASE_URL: server.url,
        OPENAI_API_KEY: KEY,
        OPENAI_BASE_URL: `${server.url}/v1`,
      };
      const pool = makePool({ env });
      expect(await poolOf(pool, 'standard')).toBe('sol');
      clock.advance(24 * 60 * 60 * 1000);
      expect(await poolOf(pool, 'cheap')).toBe('luna');
      expect(server.calls.filter((c) => c.protocol === 'anthropic')).toHaveLength(1);
      expect(notices).toMatchObject([
        { kind: 'unusable', name: 'sonnet', code: 'model-unauthorised' },
      ]);
      const states = pool.describe().members.map((m) => `${m.name} ${m.state}`);
      expect(states.slice(0, 3)).toEqual(['haiku unusable', 'sonnet unusable', 'opus unusable']);
    },
  );

  test('takes only the model out that its provider does not know', async () => {
    server.setScript(failing(['claude-haiku-5-5'], 404));
    const pool = makePool();
    await pool.generate(ask('x', { model: 'cheap' }));
    expect(await poolOf(pool, 'standard')).toBe('sonnet');
    expect(notices).toMatchObject([{ kind: 'unusable', name: 'haiku', code: 'model-unknown' }]);
  });

  test('asks another model when one rejects the request, and keeps the first', async () => {
    server.setScript(failing(['claude-haiku-5-5'], 413));
    const pool = makePool();
    expect(await poolOf(pool, 'cheap')).toBe('sonnet');
    server.setScript((call) => call.model);
    expect(await poolOf(pool, 'cheap')).toBe('haiku');
    expect(notices).toMatchObject([
      { kind: 'request-rejected', name: 'haiku', code: 'model-request-too-large' },
    ]);
  });

  verifies(
    'CB-15',
    'never opens for faulty requests, and says which model it replaces',
    async () => {
      server.setScript((call) =>
        call.model === 'claude-haiku-5-5' ? { fault: { kind: 'content-filter' } } : call.model,
      );
      const pool = makePool();
      for (let n = 0; n < 5; n += 1) {
        const { calls } = await pool.generate(ask('x', { model: 'cheap', installation: 1 }));
        expect(calls.map((call) => call.pool)).toEqual(['haiku', 'sonnet']);
        const missed = { name: 'haiku', code: 'model-content-refused' };
        expect(calls.map((call) => call.insteadOf)).toEqual([undefined, missed]);
      }
      expect(new Set(notices.map(({ kind }) => kind))).toEqual(new Set(['request-rejected']));
      expect(notices[0]).toMatchObject({ installation: 1, name: 'haiku' });
      expect(notices[0]?.details).toContain('Output blocked by content filtering policy');
    },
  );

  verifies(
    'CB-15',
    'opens for the installation whose calls failed, and for no other one',
    async () => {
      server.setScript((call) =>
        call.lastText === 'poison' ? { fault: { kind: 'status', status: 500 } } : call.model,
      );
      const pool = makePool();
      const poison = ask('poison', { model: 'cheap', installation: 1 });
      for (let n = 0; n < 6; n += 1) await pool.generate(poison).catch(() => undefined);
      const state = (installation: number) =>
        pool.describe(installation).members.find(({ name }) => name === 'haiku')?.state;
      expect([state(1), state(2)]).toEqual(['open', 'ready']);
      const answer = await pool.generate(ask('x', { model: 'cheap', installation: 2 }));
      expect(answer.calls.map((call) => call.pool)).toEqual(['haiku']);
      const own = notices.filter(({ name }) => name === 'haiku');
      expect(own).toMatchObject([{ kind: 'breaker-open', installation: 1 }]);
    },
  );

  verifies('CB-15', 'opens for everybody when three installations saw the model fail', async () => {
    server.setScript(failing(['claude-haiku-5-5'], 529));
    const pool = makePool();
    for (const installation of [1, 2, 3])
      await pool.generate(ask('x', { model: 'cheap', installation })).catch(() => undefined);
    const { calls } = await pool.generate(ask('x', { model: 'cheap', installation: 4 }));
    expect(calls).toMatchObject([
      { pool: 'sonnet', insteadOf: { name: 'haiku', code: 'model-overloaded' } },
    ]);
    expect(notices).toMatchObject([{ kind: 'breaker-open', name: 'haiku' }]);
    expect(notices[0]).not.toHaveProperty('installation');
  });

  test('says that offline rules stand in for an alias whose model is not set up', async () => {
    const entries = {
      kimi: {
        provider: 'openai-compatible' as const,
        model: 'k2',
        baseUrl: 'http://x.test',
        keyEnv: 'KIMI',
      },
    };
    const pool = makePool({ env: {}, entries, aliases: { standard: 'kimi' } });
    const missed = { name: 'kimi', code: 'model-not-set-up' };
    for (const model of ['standard', 'kimi']) {
      const { calls } = await pool.generate(ask('x', { model }));
      expect(calls).toMatchObject([{ pool: 'offline', insteadOf: missed }]);
    }
    const { calls } = await pool.generate(ask('x', { model: 'cheap' }));
    expect(calls[0]).not.toHaveProperty('insteadOf');
  });

  verifies(
    'CB-15',
    'sends a call away that finds no turn, and counts it against no model',
    async () => {
      const gate = Promise.withResolvers<string>();
      server.setScript((call) => (call.lastText === 'slow' ? gate.promise : call.model));
      const entries = {
        haiku: { provider: 'anthropic' as const, model: 'claude-haiku-5-5', concurrency: 1 },
      };
      const pool = makePool({ entries });
      const slow = pool.generate(ask('slow', { model: 'cheap', installation: 1 }));
      await waitUntil(() => server.calls.length === 1);
      for (let n = 0; n < 4; n += 1) {
        const error = await failureOf(pool.generate(ask('x', { model: 'cheap', installation: 2 })));
        expect(error).toMatchObject({ code: 'model-busy', retryable: true });
        expect(callsOf(error)).toEqual([]);
      }
      // A conversation that has begun waits for its turn: the queue would begin it again.
      const spoken = ask('and now?', { model: 'cheap', installation: 2 });
      spoken.messages.unshift({ role: 'assistant', text: 'Well.' });
      spoken.messages.unshift({ role: 'user', content: [{ text: trusted('So?') }] });
      const patient = pool.generate(spoken);
      gate.resolve('done');
      expect((await slow).text).toBe('done');
      expect((await patient).text).toBe('claude-haiku-5-5');
      expect(notices).toEqual([]);
    },
  );

  test('does not count an aborted call against its model', async () => {
    server.setScript(() => ({ fault: { kind: 'hang' } }));
    const pool = makePool();
    for (let i = 0; i < 4; i += 1) {
      const controller = new AbortController();
      const ended = failureOf(
        pool.generate(ask('x', { model: 'cheap', signal: controller.signal })),
      );
      await waitUntil(() => server.calls.length === i + 1);
      controller.abort();
      expect((await ended).name).toBe('AbortError');
    }
    expect(notices).toEqual([]);
  });
});

verifies('CB-15', 'a call with tries left counts against no model', async () => {
  server.setScript(() => ({ fault: { kind: 'status', status: 503 } }));
  const retry = { tries: 3, totalWaitMs: 20_000, firstWaitMs: 500 };
  const pool = makePool({ retry });
  const once = (earlierTries: number) =>
    failureOf(pool.generate(ask('x', { model: 'standard', installation: 1, earlierTries })));
  for (let n = 0; n < 5; n += 1) expect(await once(0)).toMatchObject({ code: 'model-again' });
  expect(notices).toEqual([]);
  for (let n = 0; n < 3; n += 1) await once(2).catch(() => undefined);
  expect(notices).toMatchObject([{ kind: 'breaker-open', installation: 1 }]);
});

describe('a warm cache', () => {
  const shared = { text: trusted('rules, repository and diff '.repeat(2000)), cache: true };
  const persona = (n: number) =>
    ask(`I am persona ${n}.`, {
      model: 'standard',
      system: [shared, { text: trusted(`Soul ${n}`) }],
    });

  // What an earlier test cached is forgotten.
  beforeEach(() => clock.advance(10 * 60 * 1000));

  test('lets the first call begin before the others with the same beginning start', async () => {
    const gate = Promise.withResolvers<void>();
    server.setScript(async (call) => {
      await gate.promise;
      return call.lastText;
    });
    const pool = makePool();
    const all = Promise.all([1, 2, 3, 4].map((n) => pool.generate(persona(n))));
    const other = pool.generate(
      ask('x', { model: 'standard', system: [{ text: trusted('o'), cache: true }] }),
    );
    await waitUntil(() => server.calls.length === 2);
    // Two connections: either may arrive first.
    const texts = server.calls.map((c) => c.lastText).toSorted();
    expect(texts).toEqual(['I am persona 1.', 'x']);
    gate.resolve();
    await Promise.all([all, other]);
    expect(server.calls).toHaveLength(5);
    expect(server.calls.slice(2).every((c) => (c.usage?.cacheRead ?? 0) > 10_000)).toBe(true);
  });

  test('lets the next one go first when the first fails', async () => {
    server.setScript((call) => (call.n === 0 ? { fault: { kind: 'status', status: 500 } } : 'ok'));
    const pool = makePool();
    const ended = await Promise.allSettled([1, 2, 3].map((n) => pool.generate(persona(n))));
    expect(ended.map((e) => e.status)).toEqual(['rejected', 'fulfilled', 'fulfilled']);
    const writes = server.calls.map((c) => c.usage?.cacheWrite ?? 0).filter((n) => n > 0);
    expect(writes).toHaveLength(2);
  });

  verifies('LOOP-06', 'lets the queue wait for the first one, for 30 s at most', async () => {
    const gate = Promise.withResolvers<void>();
    server.setScript(async (call) => {
      if (call.n === 0) await gate.promise;
      return 'ok';
    });
    const pool = makePool();
    const first = pool.generate({ ...persona(1), earlierTries: 0 });
    await waitUntil(() => server.calls.length === 1);
    clock.slept.length = 0;
    const second = { ...persona(2), earlierTries: 0 };
    const busy = await failureOf(pool.generate(second));
    expect(busy).toMatchObject({ code: 'model-busy', retryAfterMs: 1_000 });
    expect(Math.max(...clock.slept.filter((ms) => ms < second.timeoutMs))).toBeLessThanOrEqual(300);
    clock.advance(31_000);
    expect((await pool.generate(second)).text).toBe('ok');
    gate.resolve();
    await first;
    expect(notices).toEqual([]);
  });

  test('does not wait for ever for the first one', async () => {
    server.setScript((call) => (call.n === 0 ? { fault: { kind: 'hang' } } : 'ok'));
    const pool = makePool();
    const controller = new AbortController();
    const first = failureOf(pool.generate({ ...persona(1), signal: controller.signal }));
    await waitUntil(() => server.calls.length === 1);
    expect((await pool.generate(persona(2))).text).toBe('ok');
    controller.abort();
    await first;
  });

  test('stops waiting when aborted', async () => {
    server.setScript(() => ({ fault: { kind: 'hang' } }));
    const pool = makePool();
    const controller = new AbortController();
    const { signal } = controller;
    const both = [1, 2].map((n) => failureOf(pool.generate({ ...persona(n), signal })));
    await waitUntil(() => server.calls.length === 1);
    controller.abort();
    expect((await Promise.all(both)).map((e) => e.name)).toEqual(['AbortError', 'AbortError']);
    expect(server.calls).toHaveLength(1);
  });

  test('costs four callers of one beginning at most 1.6 times the input of one', async () => {
    // Anthropic's multipliers: a write costs 1.25 of plain input, a read 0.1.
    const price = { input: 1, output: 0, cacheWrite: 1.25, cacheRead: 0.1 };
    const entries = { sonnet: { provider: 'anthropic' as const, model: 'claude-test', price } };
    const costOf = async (count: number): Promise<number> => {
      const own = await startModelServer({ clock, script: () => ({ text: 'ok', delayMs: 200 }) });
      const env = { ANTHROPIC_API_KEY: KEY, ANTHROPIC_BASE_URL: own.url };
      const pool = makePool({ entries, env });
      const personas = Array.from({ length: count }, (_, n) => pool.generate(persona(n)));
      const answers = await Promise.all(personas);
      await own.close();
      return answers.flatMap((a) => a.calls).reduce((sum, c) => sum + (c.costUsd ?? NaN), 0);
    };
    const [one, four] = [await costOf(1), await costOf(4)];
    expect(four / one).toBeGreaterThan(1);
    expect(four / one).toBeLessThanOrEqual(1.6);
  });
});
