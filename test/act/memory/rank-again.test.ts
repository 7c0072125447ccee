/** Memory that is ordered by meaning: what is asked, kept and paid for, and what happens without an answer. */
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { isRankedAgain, rankAgain } from '../../../src/act/memory/rank-again.ts';
import type { ActPorts } from '../../../src/act/ports.ts';
import { openSqliteStore } from '../../../src/adapters/store/sqlite/open-sqlite.ts';
import { systemClock } from '../../../src/adapters/system/system-clock.ts';
import { defaultConfig } from '../../../src/domain/config/config.ts';
import { RefusedError } from '../../../src/domain/event/errors.ts';
import type { MemoryEntry } from '../../../src/domain/memory/memory-entry.ts';
import { NO_USAGE, type ModelCall } from '../../../src/domain/run/ledger.ts';
import { threadKey } from '../../../src/domain/run/thread-ref.ts';
import type { IndexedEntry } from '../../../src/ports/memory-index.ts';
import { withCalls } from '../../../src/ports/model.ts';
import { THREAD } from '../../helpers/play.ts';

const IDS = ['a', 'b', 'c'];
const CALL: ModelCall = {
  provider: 'openai',
  pool: 'small',
  model: 'embed-1',
  usage: { ...NO_USAGE, inputTokens: 30 },
  costUsd: 0.001,
  latencyMs: 5,
  outcome: 'ok',
  retries: 0,
};

const entry = (id: string, text = `Lesson ${id}`): MemoryEntry =>
  ({ id, persona: 'maya', text, words: ['word'], refs: [] }) as unknown as MemoryEntry;
const toIndexed = ({ id, persona, text, words }: MemoryEntry): IndexedEntry => ({
  id,
  persona,
  text,
  words,
  paths: [],
});

/** The nearer to the end of `IDS`, the closer to what is asked. */
function vectorOf(text: string): number[] {
  const at = IDS.findIndex((id) => text.startsWith(`Lesson ${id}`));
  return at === -1 ? [1, 0] : [at + 1, IDS.length - at - 1];
}

interface Playing {
  fails?: Error;
  estimate?: number;
  isOn?: boolean;
  /** The process ends while the model works on its first request. */
  crashes?: boolean;
}

async function aRanking({ fails, estimate = 0.001, isOn = true, crashes }: Playing = {}) {
  const store = await openSqliteStore({ memory: true, clock: systemClock });
  onTestFinished(() => store.close());
  const asked: string[][] = [];
  const told: string[] = [];
  let count = 0;
  const ports = {
    store,
    clock: systemClock,
    random: { id: () => `id${(count += 1)}` },
    onUnranked: (code: string) => void told.push(code),
    embeddings: {
      model: 'embed-1',
      estimateUsd: () => estimate,
      embed: async ({ texts }: { texts: readonly string[] }) => {
        asked.push([...texts]);
        if (fails !== undefined) throw fails;
        if (crashes === true && asked.length === 1) await new Promise(() => undefined);
        return { vectors: texts.map(vectorOf), call: CALL };
      },
    },
  } as unknown as ActPorts;
  const config = defaultConfig();
  config.memory.embeddings = isOn;
  const about = { paths: ['src/a.ts'], terms: ['password=k7f3q9X2m5v8b1n4 of a reader'] };
  const put = (entries: MemoryEntry[], head: string) =>
    store.memory.put(THREAD.repositoryId, head, entries.map(toIndexed));
  const rank = async (entries: MemoryEntry[]): Promise<string[]> => {
    const found = new Map([['maya', entries]]);
    const asker = { run: 'RUN', effectId: 'RUN/2-look-pull' };
    const ask = { asker, thread: THREAD, config, about };
    const ranked = await rankAgain(ask, found, { ports, index: store.memory, toIndexed });
    return (ranked.get('maya') ?? []).map(({ id }) => id);
  };
  const spent = () => store.records.calls({ key: threadKey(THREAD), limit: 10 });
  /** What is reserved and open counts as well. */
  const booked = () => store.records.spent({ key: threadKey(THREAD) });
  return { asked, told, put, rank, spent, booked, isRanked: isRankedAgain({ config }, ports) };
}

describe('rankAgain', () => {
  test('brings what is closest in meaning forward, and keeps the vectors with the entries', async () => {
    const { asked, put, rank, told } = await aRanking();
    const entries = IDS.map((id) => entry(id));
    await put(entries, 'h1');
    expect(await rank(entries)).toEqual(['a', 'c', 'b']);
    expect(asked[0]?.slice(1)).toEqual(['Lesson a word', 'Lesson b word', 'Lesson c word']);
    await rank(entries);
    expect(asked[1]).toHaveLength(1);
    const changed = [entry('a'), entry('b', 'Lesson c, said otherwise'), entry('c')];
    await put(changed, 'h2');
    await rank(changed);
    expect(asked[2]?.slice(1)).toEqual(['Lesson c, said otherwise word']);
    expect(told).toEqual([]);
  });

  test('asks for the vectors of 24 entries at a time, and for the others in later looks', async () => {
    const { asked, put, rank } = await aRanking();
    const entries = Array.from({ length: 30 }, (_, n) => entry(`n${n}`));
    await put(entries, 'h1');
    expect(await rank(entries)).toHaveLength(30);
    await rank(entries);
    await rank(entries);
    expect(asked.map((texts) => texts.length - 1)).toEqual([24, 6, 0]);
  });

  test('sends no credential of the matter at hand', async () => {
    const { asked, rank } = await aRanking();
    await rank(IDS.map((id) => entry(id)));
    expect(asked[0]?.[0]).toBe('src/a.ts\npassword=(credential removed) of a reader');
  });

  test('writes each request into the ledger of the thread', async () => {
    const { rank, spent } = await aRanking();
    await rank(IDS.map((id) => entry(id)));
    expect(await spent()).toMatchObject([{ role: 'embeddings', costUsd: 0.001, model: 'embed-1' }]);
  });

  test('books once what a crash left reserved: the repeated look takes it over', async () => {
    const { asked, rank, spent, booked } = await aRanking({ crashes: true, estimate: 0.5 });
    const entries = IDS.map((id) => entry(id));
    void rank(entries);
    await vi.waitFor(() => expect(asked).toHaveLength(1));
    expect(await booked()).toMatchObject({ usd: 0.5, calls: 1 });
    expect(await rank(entries)).toEqual(['a', 'c', 'b']);
    expect(await booked()).toMatchObject({ usd: 0.001, calls: 1 });
    expect(await spent()).toMatchObject([{ run: 'RUN' }]);
  });

  test('keeps the order of words where the model fails, counts it, and pays for what was used', async () => {
    const fails = withCalls(new RefusedError({ code: 'model-refused', message: 'no' }), [
      { ...CALL, outcome: 'error' },
    ]);
    const { rank, told, spent } = await aRanking({ fails });
    expect(await rank(IDS.map((id) => entry(id)))).toEqual(IDS);
    expect(told).toEqual(['model-refused']);
    expect(await spent()).toMatchObject([{ outcome: 'error' }]);
  });

  test('asks nothing where a cap of the repository would be passed', async () => {
    const { rank, told, asked, spent } = await aRanking({ estimate: 1_000 });
    expect(await rank(IDS.map((id) => entry(id)))).toEqual(IDS);
    expect([asked, told]).toEqual([[], ['budget-thread']]);
    expect(await spent()).toEqual([]);
  });

  test.each([
    ['it is switched off', { isOn: false }, IDS],
    ['there is nothing to choose from', {}, ['a']],
  ])('asks nothing where %s', async (_, playing, ids) => {
    const { rank, asked, isRanked } = await aRanking(playing);
    expect(await rank(ids.map((id) => entry(id)))).toEqual(ids);
    expect(asked).toEqual([]);
    expect(isRanked).toBe(ids.length === 1);
  });
});
