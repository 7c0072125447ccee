/** Writes that arrive together share a transaction, and none of them pays for another. */
import { describe, expect, it } from 'vitest';
import { WriteBatch } from '../../../src/adapters/store/postgres/jobs/write-batch.ts';
import { ConflictError } from '../../../src/domain/event/errors.ts';
import { storeDown } from '../../../src/adapters/store/failures.ts';

/** Records each transaction; a batch that holds an item of `failures` fails. */
function record(failures: Readonly<Record<string, Error>> = {}) {
  const transactions: string[][] = [];
  const gate = { open: Promise.resolve() };
  const batch = new WriteBatch<string, string>(async (items) => {
    transactions.push([...items]);
    await gate.open;
    const failure = items.map((item) => failures[item]).find((each) => each !== undefined);
    if (failure !== undefined) throw failure;
    return items.map((item) => item.toUpperCase());
  });
  return { batch, transactions, gate };
}

const moved = new ConflictError({ code: 'state-moved', message: 'The state moved.' });

describe('a batch of writes', () => {
  it('writes what arrives at the same moment in one transaction, each with its own result', async () => {
    const { batch, transactions } = record();
    const all = await Promise.all(['a', 'b', 'c'].map((item) => batch.add(item)));
    expect(all).toEqual(['A', 'B', 'C']);
    expect(transactions).toEqual([['a', 'b', 'c']]);
  });

  it('fills the next transaction while two are being written', async () => {
    const { batch, transactions, gate } = record();
    const opened = Promise.withResolvers<void>();
    gate.open = opened.promise;
    const results: Promise<string>[] = [];
    for (const item of ['a', 'b', 'c', 'd']) {
      results.push(batch.add(item));
      await new Promise((resolve) => setImmediate(resolve));
    }
    opened.resolve();
    expect(await Promise.all(results)).toEqual(['A', 'B', 'C', 'D']);
    expect(transactions).toEqual([['a'], ['b'], ['c', 'd']]);
  });

  it('writes the others without the one that cannot be written', async () => {
    const { batch, transactions } = record({ b: moved });
    const all = await Promise.allSettled(['a', 'b', 'c'].map((item) => batch.add(item)));
    expect(all).toEqual([
      { status: 'fulfilled', value: 'A' },
      { status: 'rejected', reason: moved },
      { status: 'fulfilled', value: 'C' },
    ]);
    expect(transactions).toEqual([['a', 'b', 'c'], ['a'], ['b'], ['c']]);
  });

  it('does not try each alone while the database is away', async () => {
    const { batch, transactions } = record({ b: storeDown('it is away') });
    const all = await Promise.allSettled(['a', 'b', 'c'].map((item) => batch.add(item)));
    expect(all.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected']);
    expect(transactions).toHaveLength(1);
  });
});
