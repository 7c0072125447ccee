import { expect, test } from 'vitest';
import { createKeyLocks } from '../../../../src/adapters/github/client/key-locks.ts';

test('work of one key runs one after the other, also when some of it fails; other keys do not wait', async () => {
  const locks = createKeyLocks();
  const order: string[] = [];
  const work = (name: string) => async (): Promise<void> => {
    order.push(`${name} begins`);
    await Promise.resolve();
    order.push(`${name} ends`);
    if (name === 'first') throw new Error('it failed');
  };
  const first = locks.use('a', work('first'));
  const second = locks.use('a', work('second'));
  const other = locks.use('b', work('other'));
  await expect(first).rejects.toThrow('it failed');
  await Promise.all([second, other]);
  await locks.use('a', work('third'));
  const ofA = order.filter((step) => !step.startsWith('other'));
  expect(ofA).toEqual(
    ['first', 'second', 'third'].flatMap((name) => [`${name} begins`, `${name} ends`]),
  );
  expect(order.indexOf('other begins')).toBeLessThan(order.indexOf('second begins'));
});
