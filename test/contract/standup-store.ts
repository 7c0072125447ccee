/** What every store promises of standups: kept once a run, listed by page, values changed without a lost update, erased for good. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { changeValue, readValue } from '../../src/act/standup/change-value.ts';
import { acceptTension, raiseTension } from '../../src/domain/tension/move-tension.ts';
import type { Store } from '../../src/ports/store.ts';
import { anInsight as insight, aStandup as standup } from '../helpers/a-kept-standup.ts';
import { verifies } from '../verifies.ts';
import type { MemoryPlace } from './memory-index.ts';

const AT = '2026-11-20T10:00:00.000Z';

export function standupStoreContract(newPlace: () => Promise<MemoryPlace>): void {
  let place: MemoryPlace;
  let store: Store;
  beforeAll(async () => {
    place = await newPlace();
    store = await place.open();
  });
  afterAll(async () => {
    await store.close();
    await place.remove();
  });

  describeKeeping(() => store);
  describeLists(() => store);
  describeValues(() => store);
  describeErasing(
    () => store,
    () => place,
  );

  test('keeps standups and values after it is closed', async () => {
    await store.standups.save(
      standup({ repository: 70, run: 'r70', insights: [insight('Kept', { run: 'r70' })] }),
    );
    const value = { level: 'strict', answers: 4, noTension: 1 } as const;
    await changeValue(store.standups, { repository: 70, name: 'strictness' }, () => value);
    await store.close();
    store = await place.open();
    expect(await store.standups.insights({ run: 'r70', limit: 5 })).toMatchObject({ total: 1 });
    expect(await readValue(store.standups, 70, 'strictness')).toEqual(value);
  });
}

const DAY_MS = 24 * 3_600_000;

function describeKeeping(store: () => Store): void {
  test('a standup and its insights go after 365 days, and no earlier', async () => {
    for (const [run, days] of [
      ['a364', 364],
      ['a366', 366],
    ] as const) {
      const at = new Date(Date.now() - days * DAY_MS).toISOString();
      const insights = [insight(`Said ${days} days ago`, { run })];
      await store().standups.save(standup({ repository: 71, run, at, insights }));
    }
    expect(await store().erasure.expire()).toBe(2);
    const of = { repositories: [71], limit: 10 };
    expect((await store().standups.standups(of)).map(({ run }) => run)).toEqual(['a364']);
    expect((await store().standups.insights(of)).insights.map(({ run }) => run)).toEqual(['a364']);
    expect(await store().erasure.expire()).toBe(0);
  });

  verifies('LS-7: kept', 'keeps a standup once, whatever a repetition says', async () => {
    const first = standup({
      insights: [
        insight('The retry has no limit', {
          to: 'dev',
          refs: [{ path: 'src/a.ts', line: 3 }],
        }),
        insight('', { from: 'priya', costUsd: undefined }),
      ],
    });
    expect(await store().standups.save(first)).toBe('saved');
    expect(await store().standups.save({ ...first, insights: [insight('Other')] })).toBe('known');
    const page = await store().standups.insights({ repositories: [1], limit: 10 });
    expect(page).toEqual({
      insights: first.insights.map((each) => ({ ...each, repository: 1, at: AT })),
      total: 2,
      noTension: 1,
    });
    const { insights: _, ...entry } = first;
    expect(await store().standups.standups({ run: 'r1', limit: 5 })).toEqual([
      { ...entry, thumbs: { up: 0, down: 0 } },
    ]);
  });

  test('keeps one of two that come at once', async () => {
    const twice = standup({ repository: 2, run: 'r2', insights: [insight('Once', { run: 'r2' })] });
    const outcomes = await Promise.all([
      store().standups.save(twice),
      store().standups.save(twice),
    ]);
    expect(outcomes.toSorted()).toEqual(['known', 'saved']);
    expect((await store().standups.insights({ run: 'r2', limit: 5 })).total).toBe(1);
  });

  test('keeps what breaks out of SQL and text columns as it is', async () => {
    const hostile = `'; DROP TABLE insights; -- \u0000 \uD800 ‮ %_$1 合并`;
    await store().standups.save(
      standup({
        repository: 3,
        name: `O'Hara/x"y`,
        run: 'r3',
        insights: [insight(hostile, { run: 'r3', refs: [{ path: hostile }] })],
      }),
    );
    const { insights } = await store().standups.insights({ run: 'r3', limit: 5 });
    expect(insights[0]).toMatchObject({ message: hostile, refs: [{ path: hostile }] });
    expect(await store().standups.repositories(`o'hara/X"Y`)).toEqual([3]);
  });

  test('refuses a repository without an id', async () => {
    for (const repository of [0, -1, 1.5, Number.NaN])
      await expect(async () => store().standups.save(standup({ repository }))).rejects.toThrow(
        RangeError,
      );
  });

  test('the reactions to a standup are replaced; those of an unknown run are dropped', async () => {
    await store().standups.save(standup({ repository: 4, run: 'r4' }));
    await store().standups.rate({ repository: 4, run: 'r4' }, { up: 2, down: 1 });
    await store().standups.rate({ repository: 4, run: 'r4' }, { up: 1, down: 0 });
    await store().standups.rate({ repository: 4, run: 'unknown' }, { up: 9, down: 9 });
    const entries = await store().standups.standups({ repositories: [4], limit: 5 });
    expect(entries.map(({ thumbs }) => thumbs)).toEqual([{ up: 1, down: 0 }]);
  });
}

function describeLists(store: () => Store): void {
  test('lists newest first in pages that have each insight once, also while others come', async () => {
    for (const n of [1, 2, 3, 4, 5]) {
      const run = `page-${n}`;
      const insights = [insight(`First ${n}`, { run }), insight(`Second ${n}`, { run })];
      await store().standups.save(standup({ repository: 10, run, insights }));
    }
    const seen: string[] = [];
    for (let before: number | undefined; ;) {
      const page = await store().standups.insights({
        repositories: [10],
        limit: 3,
        ...(before !== undefined && { before }),
      });
      seen.push(...page.insights.map(({ message }) => message));
      if (before === undefined)
        await store().standups.save(
          standup({
            repository: 10,
            run: 'page-6',
            insights: [insight('First 6', { run: 'page-6' })],
          }),
        );
      before = page.next;
      if (before === undefined) break;
    }
    expect(seen).toEqual([5, 4, 3, 2, 1].flatMap((n) => [`First ${n}`, `Second ${n}`]));
  });

  test('filters by repository, run and type, and counts the whole of the filter', async () => {
    await store().standups.save(
      standup({
        repository: 11,
        run: 'f1',
        insights: [
          insight('A', { run: 'f1', type: 'drift' }),
          insight('B', { run: 'f1' }),
          insight('', { run: 'f1', from: 'dev' }),
        ],
      }),
    );
    await store().standups.save(
      standup({
        repository: 12,
        run: 'f2',
        insights: [insight('C', { run: 'f2', type: 'drift' })],
      }),
    );
    const of = async (filter: object): Promise<unknown[]> => {
      const page = await store().standups.insights({ limit: 1, ...filter });
      return [page.insights.map(({ message }) => message), page.total, page.noTension];
    };
    expect(await of({ repositories: [11] })).toEqual([['A'], 3, 1]);
    expect(await of({ repositories: [11], type: 'drift' })).toEqual([['A'], 1, 0]);
    expect(await of({ repositories: [11, 12], type: 'drift' })).toEqual([['C'], 2, 0]);
    expect(await of({ run: 'f1', type: 'none' })).toEqual([[''], 1, 1]);
    expect(await of({ repositories: [] })).toEqual([[], 0, 0]);
  });
}

function describeValues(store: () => Store): void {
  test('a value is replaced only in the version that was read', async () => {
    const valueOf = (answers: number) => ({ level: 'even' as const, answers, noTension: 0 });
    const replace = (expected: number, answers: number): Promise<boolean> =>
      store().standups.replace(20, 'strictness', { expected, value: valueOf(answers) });
    expect(await store().standups.load(20, 'strictness')).toBeUndefined();
    expect(await replace(1, 1)).toBe(false);
    expect(await replace(0, 1)).toBe(true);
    expect(await replace(0, 2)).toBe(false);
    expect(await replace(1, 3)).toBe(true);
    expect(await replace(1, 4)).toBe(false);
    expect(await store().standups.load(20, 'strictness')).toEqual({
      version: 2,
      value: valueOf(3),
    });
    expect(await store().standups.load(20, 'tensions')).toBeUndefined();
  });

  test('twelve changes at once are all made', async () => {
    const raise = (n: number) =>
      changeValue(store().standups, { repository: 21, name: 'tensions' }, (book) => {
        const said = insight(`Matter number${n} alpha${n}`, { refs: [{ path: `src/${n}.ts` }] });
        return raiseTension(book, said, { at: AT, viewed: {} }).book;
      });
    await Promise.all(Array.from({ length: 12 }, (_, n) => raise(n)));
    const book = await readValue(store().standups, 21, 'tensions');
    expect(book.tensions.map(({ number }) => number)).toEqual(
      Array.from({ length: 12 }, (_, n) => n + 1),
    );
  });
}

function describeErasing(store: () => Store, place: () => MemoryPlace): void {
  test('a repository is erased with its standups and values, and others keep theirs', async () => {
    const keep = async (repository: number, word: string): Promise<void> => {
      const run = `e${repository}`;
      await store().standups.save(
        standup({ repository, name: `o/${word}`, run, insights: [insight(word, { run })] }),
      );
      await changeValue(store().standups, { repository, name: 'tensions' }, (book) => {
        return raiseTension(book, insight(word, { run }), { at: AT, viewed: {} }).book;
      });
    };
    await keep(30, 'goldencanary');
    await keep(31, 'othercanary');
    const target = { kind: 'repository', repositoryId: 30 } as const;
    expect(await store().erasure.count(target)).toMatchObject({ standups: 3 });
    const exported = new Set<string>();
    for await (const { table } of store().erasure.rows(target)) exported.add(table);
    expect([...exported].toSorted()).toEqual(['insights', 'repository_values', 'standups']);
    expect(await store().erasure.erase(target)).toMatchObject({ standups: 3 });
    await store().erasure.compact();
    const left = await place().dump();
    expect(left).not.toContain('goldencanary');
    expect(left).toContain('othercanary');
    expect(await store().erasure.erase(target)).not.toHaveProperty('standups');
  });

  test('a person is erased from tensions and messages, and what they are about stays', async () => {
    const run = 'e40';
    const said = insight('As @leavinglogin said, the retry has no limit', { run });
    await store().standups.save(standup({ repository: 40, run, insights: [said] }));
    await changeValue(store().standups, { repository: 40, name: 'tensions' }, (book) => {
      const raised = raiseTension(book, said, { at: AT, viewed: {} });
      const moved = acceptTension(raised.book, raised.tension.number, {
        by: 'leavinglogin',
        at: AT,
      });
      return moved.isMoved ? moved.book : book;
    });
    const target = { kind: 'user', id: 4040, logins: ['leavinglogin'] } as const;
    expect(await store().erasure.erase({ ...target, logins: [...target.logins] })).toMatchObject({
      standups: 2,
    });
    await store().erasure.compact();
    expect(await place().dump()).not.toContain('leavinglogin');
    const { tensions } = await readValue(store().standups, 40, 'tensions');
    expect(tensions).toMatchObject([{ number: 1, state: 'accepted' }]);
  });

  test('a thread that was deleted takes its standups and what only they said', async () => {
    const keep = (run: string, thread: number, message: string) =>
      store().standups.save(
        standup({ repository: 50, run, thread, insights: [insight(message, { run })] }),
      );
    await keep('e50', 5, 'threadcanary here');
    await keep('e51', 6, 'elsewhere stays');
    await changeValue(store().standups, { repository: 50, name: 'tensions' }, (book) => {
      const once = insight('threadcanary here', { run: 'e50' });
      const other = insight('elsewhere stays', { run: 'e51' });
      const raised = raiseTension(book, once, { at: AT, viewed: {} });
      return raiseTension(raised.book, other, { at: AT, viewed: {} }).book;
    });
    await store().erasure.erase({ kind: 'thread', repositoryId: 50, number: 5 });
    await store().erasure.compact();
    expect(await place().dump()).not.toContain('threadcanary');
    const { insights } = await store().standups.insights({ repositories: [50], limit: 5 });
    expect(insights.map(({ message }) => message)).toEqual(['elsewhere stays']);
    const { tensions } = await readValue(store().standups, 50, 'tensions');
    expect(tensions.map(({ message }) => message)).toEqual(['[erased]', 'elsewhere stays']);
  });
}
