/** What every index of memory promises: finds by files and terms, by persona, at one head, and leaves nothing when erased. */
import * as fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { IndexedEntry, MemoryQuery } from '../../src/ports/memory-index.ts';
import type { Store } from '../../src/ports/store.ts';
import { distractors, lessonId, readQueries, relevantEntries } from '../bench/retrieval/proof.ts';
import { verifies } from '../verifies.ts';

export interface MemoryPlace {
  open: () => Promise<Store>;
  /** All that is kept, in every table and file, as one text. */
  dump: () => Promise<string>;
  remove: () => Promise<void>;
}

function entry(id: string, more: Partial<IndexedEntry> = {}): IndexedEntry {
  return { id, persona: 'team', text: 'Nothing of interest', words: [], paths: [], ...more };
}

function ask(more: Partial<MemoryQuery> = {}): MemoryQuery {
  return {
    repository: 7,
    head: 'h1',
    persona: 'reviewer',
    paths: [],
    terms: [],
    limit: 5,
    ...more,
  };
}

/** What breaks out of SQL, FTS5 and tsquery where a text is not told from the language. */
const HOSTILE = [
  `'; DROP TABLE memory_entries; --`,
  '" OR "',
  'tokens:*',
  'NEAR(a b, 2)',
  'a & !b | (c <-> d):*',
  `\\' \\\\ "" ''`,
  '^start AND NOT end*',
  '\u0000\uD800 ‮ ﷽',
  '%_$1 $$ {{ }}',
  '合并冲突 マージ слияние',
];
const hostileText = fc.oneof(
  fc.constantFrom(...HOSTILE),
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc
    .array(fc.constantFrom(...HOSTILE, 'cache', 'route'), { maxLength: 4 })
    .map((all) => all.join(' ')),
);

export function memoryIndexContract(newPlace: () => Promise<MemoryPlace>): void {
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

  describeFinding(() => store);
  describeLimits(() => store);
  describeHeads(() => store);
  describeHostile(() => store);
  describeVectors(() => store);
  describeNeighbours({ store: () => store, dump: () => place.dump() });

  verifies(
    'MEM-07: erasing one repository',
    'a repository is erased with every term, and others keep theirs',
    async () => {
      const canary = 'zanzibarcanary';
      const all = Array.from({ length: 250 }, (_, at) =>
        entry(`e${at}`, {
          text: `Guard the ${canary} ${at}`,
          words: [canary],
          paths: [`${canary}/${at}.ts`],
        }),
      );
      await store.memory.put(21, 'h1', all);
      await store.memory.put(22, 'h1', [entry('kept', { text: 'Guard the keptcanary' })]);
      const target = { kind: 'repository', repositoryId: 21 } as const;
      expect(await store.erasure.count(target)).toMatchObject({ memory: 250 });
      let exported = 0;
      for await (const { table } of store.erasure.rows(target))
        if (table === 'memory') exported += 1;
      expect(exported).toBe(250);
      expect(await store.erasure.erase(target)).toMatchObject({ memory: 250 });
      await store.erasure.compact();
      expect(await store.memory.find(ask({ repository: 21, terms: [canary] }))).toBeUndefined();
      expect(await store.memory.find(ask({ repository: 22, terms: ['keptcanary'] }))).toEqual([
        'kept',
      ]);
      const left = await place.dump();
      expect(left).not.toContain(canary);
      expect(left).toContain('keptcanary');
      expect(await store.erasure.erase(target)).not.toHaveProperty('memory');
    },
  );
}

/** Three that lie next to one another in the index, so long that what tells its pages apart is of the one between them, too. */
function describeNeighbours(at: { store: () => Store; dump: () => Promise<string> }): void {
  const many = (word: string) =>
    Array.from({ length: 1_000 }, (_, n) => entry(`${n}`, { text: `${word}${n}` }));
  const put = async (first: number, words: readonly string[]) => {
    for (const [n, word] of words.entries())
      await at.store().memory.put(first + n, 'h1', many(word));
  };

  verifies(
    'MEM-07: erasing one repository',
    'no term is left of a repository that is erased between two others and compacted after more puts',
    async () => {
      await put(61, ['aardvark', 'marmot', 'zebra']);
      await at.store().erasure.erase({ kind: 'repository', repositoryId: 62 });
      for (let n = 0; n < 5; n += 1)
        await at
          .store()
          .memory.put(63, `more ${n}`, [...many('zebra'), entry('more', { text: `antelope${n}` })]);
      await at.store().erasure.compact();
      const left = await at.dump();
      expect(left.includes('marmot')).toBe(false);
      expect(left).toContain('aardvark');
      const found = await at
        .store()
        .memory.find(ask({ repository: 63, head: 'more 4', terms: ['zebra413', 'antelope4'] }));
      expect(found?.toSorted()).toEqual(['413', 'more']);
    },
  );

  test('notes that went with a new head are compacted without a term that is left', async () => {
    await put(71, ['alpaca', 'meerkat', 'zebu']);
    await at.store().memory.put(72, 'h2', [entry('kept', { text: 'Guard the burrow' })]);
    await at.store().erasure.compact();
    const left = await at.dump();
    expect(left.includes('meerkat')).toBe(false);
    expect(left).toContain('alpaca');
    const found = at.store().memory.find(ask({ repository: 72, head: 'h2', terms: ['burrow'] }));
    expect(await found).toEqual(['kept']);
  });
}

function describeVectors(store: () => Store): void {
  const of = { repository: 41, model: 'embed 1' };
  const a = entry('a', { text: 'Guard the cache' });
  const b = entry('b', { text: 'Sort the rows' });
  const kept = async (entries: readonly IndexedEntry[], from = of) =>
    Object.fromEntries(await store().memory.vectors(from, entries));

  test('vectors stay with their entries, by model and repository, and a search is the same', async () => {
    await store().memory.put(41, 'h1', [a, b]);
    await store().memory.put(42, 'h1', [a]);
    expect(await kept([a, b])).toEqual({});
    await store().memory.keepVectors(of, [
      { entry: a, vector: 'AAE=' },
      { entry: b, vector: 'BBE=' },
      { entry: entry('gone'), vector: 'CCE=' },
    ]);
    expect(await kept([a, b])).toEqual({ a: 'AAE=', b: 'BBE=' });
    expect(await kept([b])).toEqual({ b: 'BBE=' });
    expect(await kept([a, b], { ...of, model: 'embed 2' })).toEqual({});
    expect(await kept([a], { ...of, repository: 42 })).toEqual({});
    const found = await store().memory.find(ask({ repository: 41, terms: ['cache'] }));
    expect(found).toEqual(['a']);
  });

  test('a vector is gone with the text that it was made of, and stays with one that did not change', async () => {
    const changed = { ...a, text: 'Guard the other cache' };
    await store().memory.keepVectors(of, [{ entry: b, vector: 'BBE=' }]);
    await store().memory.put(41, 'h2', [changed, b]);
    expect(await kept([a])).toEqual({});
    expect(await kept([changed, b])).toEqual({ b: 'BBE=' });
    // One that was made of the text before is passed over.
    await store().memory.keepVectors(of, [{ entry: a, vector: 'AAE=' }]);
    expect(await kept([changed])).toEqual({});
    await store().erasure.erase({ kind: 'repository', repositoryId: 41 });
    expect(await kept([b])).toEqual({});
  });
}

function describeFinding(store: () => Store): void {
  test('finds for the proof what the figures claim', async () => {
    const queries = readQueries();
    await store().memory.put(99, 'proof', [
      ...distractors(queries, 1_000),
      ...relevantEntries(queries),
    ]);
    let found = 0;
    for (const query of queries) {
      const ids = await store().memory.find({ ...query, repository: 99, head: 'proof', limit: 5 });
      const hits = query.lessons.filter((_, at) => ids?.includes(lessonId(query, at)));
      found += hits.length / query.lessons.length;
    }
    expect(found / queries.length).toBeGreaterThan(0.9);
  });

  test('entries that cite a file at hand come before those of its folder, and these before others', async () => {
    await store().memory.put(1, 'h1', [
      entry('other', { paths: ['docs/cache.md'] }),
      entry('folder', { paths: ['src/cache/evict.ts'] }),
      entry('file', { paths: ['src/cache/store.ts'] }),
    ]);
    const found = await store().memory.find(ask({ repository: 1, paths: ['src/cache/store.ts'] }));
    expect(found).toEqual(['file', 'folder']);
  });

  test('identifiers are found by the whole and by their parts, in text and in search words', async () => {
    await store().memory.put(2, 'h1', [
      entry('whole', { text: 'Only mergePath joins prefixes' }),
      entry('word', { words: ['merge'] }),
      entry('none', { text: 'Nothing alike' }),
    ]);
    const found = await store().memory.find(
      ask({ repository: 2, terms: ['const x = mergePath(a)'] }),
    );
    expect(found).toEqual(['whole', 'word']);
  });

  test('finds what is of the persona or the team, and nothing of others', async () => {
    const text = 'Rotate the signing keyring';
    await store().memory.put(3, 'h1', [
      entry('mine', { text, persona: 'reviewer' }),
      entry('all', { text }),
      entry('theirs', { text, persona: 'security' }),
    ]);
    const query = ask({ repository: 3, terms: ['keyring'] });
    expect(await store().memory.find(query)).toEqual(['all', 'mine']);
    expect(await store().memory.find({ ...query, persona: 'security' })).toEqual(['all', 'theirs']);
    expect(await store().memory.find({ ...query, persona: 'team' })).toEqual(['all']);
    expect(await store().memory.find({ ...query, limit: 1 })).toEqual(['all']);
    expect(await store().memory.find({ ...query, limit: 0 })).toEqual([]);
  });

  verifies('MEM-07: search', 'finds nothing of another repository', async () => {
    await store().memory.put(4, 'h1', [entry('a', { text: 'The gateway secret' })]);
    await store().memory.put(44, 'h1', [entry('b', { text: 'The gateway secret' })]);
    expect(await store().memory.find(ask({ repository: 4, terms: ['gateway'] }))).toEqual(['a']);
  });
}

/** Of what is common only the newest entries are read. More share it here than are read, and more are read than ranked. */
function describeLimits(store: () => Store): void {
  const many = (count: number, more: (at: number) => Partial<IndexedEntry>): IndexedEntry[] =>
    Array.from({ length: count }, (_, at) => entry(`many${at}`, more(at)));
  const find = (repository: number, more: Partial<MemoryQuery>) =>
    store().memory.find(ask({ repository, limit: 400, ...more }));

  test('of what the team has much of, a newer entry of the persona is read and an older one is not', async () => {
    const text = 'Renew the lease';
    await store().memory.put(51, 'h1', [
      entry('old', { text: 'Renew the lease of a wombat', persona: 'reviewer' }),
      // More share this term than are ranked: the old one is ranked only where its common term was read.
      ...many(310, () => ({ text: 'Mind the wombat' })).map((each) => ({
        ...each,
        id: `wombat ${each.id}`,
      })),
      ...many(3_100, () => ({ text })),
      entry('new', { text, persona: 'reviewer' }),
    ]);
    expect(await find(51, { terms: ['lease'] })).toContain('new');
    expect(await find(51, { terms: ['lease', 'wombat'] })).not.toContain('old');
  });

  test('what one folder has much of keeps no newer entry of another from being read', async () => {
    await store().memory.put(52, 'h1', [
      ...many(1_100, () => ({ paths: ['src/a/old.ts'] })),
      entry('other', { paths: ['src/b/old.ts'] }),
    ]);
    for (const paths of [
      ['src/a/x.ts', 'src/b/x.ts'],
      ['src/b/x.ts', 'src/a/x.ts'],
    ])
      expect(await find(52, { paths })).toContain('other');
  });

  test('of very many folders at hand those of most files are looked for', async () => {
    await store().memory.put(54, 'h1', [entry('busy', { paths: ['busy/old.ts'] })]);
    const lonely = Array.from({ length: 1_000 }, (_, at) => `lonely${at}/deep/x.ts`);
    const busy = ['busy/a.ts', 'busy/b.ts'];
    expect(await find(54, { paths: [...lonely, ...busy] })).toEqual(['busy']);
    expect(await find(54, { paths: [...lonely, 'busy/a.ts'] })).toEqual([]);
  });

  test('an entry that cites four files at hand is read once', async () => {
    const four = ['a', 'b', 'c', 'd'].map((name) => `src/${name}.ts`);
    await store().memory.put(53, 'h1', [
      entry('old', { paths: ['src/e.ts'] }),
      ...many(300, () => ({ paths: four })),
      entry('new', { paths: ['src/e.ts'] }),
    ]);
    const found = await find(53, { paths: [...four, 'src/e.ts'] });
    expect(found).toContain('new');
    expect(found).not.toContain('old');
  });
}

function describeHeads(store: () => Store): void {
  test('knows one head of a repository; any other one is undefined', async () => {
    const query = ask({ repository: 5, terms: ['lease'] });
    expect(await store().memory.find(query)).toBeUndefined();
    await store().memory.put(5, 'h1', [entry('a', { text: 'Renew the lease' })]);
    expect(await store().memory.find(query)).toEqual(['a']);
    await store().memory.put(5, 'h2', []);
    expect(await store().memory.find(query)).toBeUndefined();
    expect(await store().memory.find({ ...query, head: 'h2' })).toEqual([]);
  });

  test('a new head takes what was changed, added and removed', async () => {
    await store().memory.put(6, 'h1', [
      entry('stays', { text: 'The lease of a lane' }),
      entry('changes', { text: 'The lease of a lane' }),
      entry('goes', { text: 'The lease of a lane' }),
    ]);
    await store().memory.put(6, 'h2', [
      entry('stays', { text: 'The lease of a lane' }),
      entry('changes', { text: 'The budget of a day' }),
      entry('comes', { text: 'The lease of a lane' }),
    ]);
    const of = (term: string) =>
      store().memory.find(ask({ repository: 6, head: 'h2', terms: [term] }));
    expect(await of('lease')).toEqual(['comes', 'stays']);
    expect(await of('budget')).toEqual(['changes']);
  });

  test('does nothing where the index is at that head already', async () => {
    await store().memory.put(8, 'h1', [entry('a', { text: 'Renew the lease' })]);
    await store().memory.put(8, 'h1', []);
    expect(await store().memory.find(ask({ repository: 8, terms: ['lease'] }))).toEqual(['a']);
  });

  test('of two entries with one id the last counts', async () => {
    await store().memory.put(9, 'h1', [
      entry('a', { text: 'first' }),
      entry('a', { text: 'second' }),
    ]);
    expect(await store().memory.find(ask({ repository: 9, terms: ['first'] }))).toEqual([]);
    expect(await store().memory.find(ask({ repository: 9, terms: ['second'] }))).toEqual(['a']);
  });

  test('many calls at once leave one of the heads, whole', async () => {
    const heads = ['a', 'b', 'c', 'd'];
    const listOf = (head: string) =>
      Array.from({ length: 230 }, (_, at) =>
        entry(`${head}${at % 150}x${at}`, { text: `lease ${head}` }),
      );
    await Promise.all(
      [...heads, ...heads].map((head) => store().memory.put(10, head, listOf(head))),
    );
    const found = await Promise.all(
      heads.map((head) =>
        store().memory.find(ask({ repository: 10, head, terms: ['lease'], limit: 1_000 })),
      ),
    );
    const known = found.flatMap((ids, at) => (ids === undefined ? [] : [{ ids, head: heads[at] }]));
    expect(known).toHaveLength(1);
    expect(known[0]?.ids.toSorted()).toEqual(
      listOf(known[0]?.head ?? '')
        .map(({ id }) => id)
        .toSorted(),
    );
  });

  test('refuses what is no id of a repository', async () => {
    await expect(store().memory.put(Number.NaN, 'h1', [])).rejects.toThrow(RangeError);
    await expect(store().memory.put(-1, 'h1', [])).rejects.toThrow(RangeError);
  });
}

function describeHostile(store: () => Store): void {
  test('no text breaks or steers a query', async () => {
    let n = 0;
    const entries = fc.array(
      fc.record({
        id: fc.uuid(),
        persona: fc.oneof(fc.constant('team'), hostileText),
        text: hostileText,
        words: fc.array(hostileText, { maxLength: 3 }),
        paths: fc.array(hostileText, { maxLength: 3 }),
      }),
      { maxLength: 6 },
    );
    const hidden = entry('hidden', { persona: 'security', text: 'wombat', words: ['wombat'] });
    await fc.assert(
      fc.asyncProperty(entries, fc.array(hostileText, { maxLength: 5 }), async (all, texts) => {
        n += 1;
        const head = `head ${n}`;
        await store().memory.put(11, head, [hidden, ...all]);
        const found = await store().memory.find(
          ask({
            repository: 11,
            head,
            persona: texts[0] ?? 'reviewer',
            paths: texts,
            terms: texts,
            limit: 50,
          }),
        );
        const visible = all.filter(({ persona }) => persona === 'team' || persona === texts[0]);
        const ids = new Set(visible.map(({ id }) => id));
        expect(found?.filter((id) => !ids.has(id))).toEqual([]);
      }),
      { numRuns: 60 },
    );
  });

  test('an entry is found by its own words in any script', async () => {
    const texts = [
      '合并冲突之前请先变基',
      'ветка слияния устарела',
      'マージの前に再試行',
      'Größenänderung prüfen',
    ];
    await store().memory.put(
      12,
      'h1',
      texts.map((text, at) => entry(`s${at}`, { text })),
    );
    const found = await Promise.all(
      texts.map((text) => store().memory.find(ask({ repository: 12, terms: [text], limit: 1 }))),
    );
    expect(found).toEqual(texts.map((_, at) => [`s${at}`]));
  });

  test('a query with thousands of paths and a long diff is answered', async () => {
    await store().memory.put(13, 'h1', [entry('a', { text: 'The lease', paths: ['src/a/0.ts'] })]);
    const paths = Array.from({ length: 3_000 }, (_, at) => `src/${at}/${at}.ts`);
    const terms = Array.from({ length: 20_000 }, (_, at) => `term${at.toString(36)}`);
    expect(
      await store().memory.find(ask({ repository: 13, paths: ['src/a/0.ts', ...paths], terms })),
    ).toEqual(['a']);
  });
}
