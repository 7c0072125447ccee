/** The cache of conditional reads keeps within its bounds. */
import { describe, expect, test } from 'vitest';
import { createReadCache } from '../../../../src/adapters/github/cache/read-cache.ts';

const answer = (data: unknown) => ({ status: 200, headers: { etag: '"1"' }, data });

describe('createReadCache', () => {
  test('drops what was not used for longest when there are too many entries', () => {
    const cache = createReadCache({ entries: 2, bytes: 1e6 });
    cache.put(1, 'a', answer('a'));
    cache.put(1, 'b', answer('b'));
    cache.get(1, 'a');
    cache.put(1, 'c', answer('c'));
    expect([cache.get(1, 'a'), cache.get(1, 'b'), cache.get(1, 'c')].map(Boolean)).toEqual([
      true,
      false,
      true,
    ]);
  });

  test('keeps within its bytes and takes nothing that is larger than an eighth of them', () => {
    const cache = createReadCache({ entries: 100, bytes: 800 });
    cache.put(1, 'huge', answer('x'.repeat(200)));
    for (let n = 0; n < 20; n += 1) cache.put(1, `n${n}`, answer('y'.repeat(90)));
    const kept = Array.from({ length: 20 }, (_, n) => cache.get(1, `n${n}`)).filter(Boolean);
    expect(cache.get(1, 'huge')).toBeUndefined();
    expect(kept.length).toBe(8);
  });

  test('keeps what never changes when the ETags of an owner are of no more use', () => {
    const cache = createReadCache();
    cache.put(1, 'list', answer('one'));
    cache.put(1, 'blob', { ...answer('two'), isImmutable: true });
    cache.put(2, 'list', answer('three'));
    cache.forgetTags(1);
    const left = [cache.get(1, 'list'), cache.get(1, 'blob'), cache.get(2, 'list')];
    expect(left.map((one) => one?.data)).toEqual([undefined, 'two', 'three']);
  });

  test('forgets one owner and leaves the others', () => {
    const cache = createReadCache();
    cache.put(1, 'a', answer('one'));
    cache.put(11, 'a', answer('eleven'));
    cache.forget(1);
    expect([cache.get(1, 'a'), cache.get(11, 'a')?.data]).toEqual([undefined, 'eleven']);
  });
});
