import { expect, test } from 'vitest';
import { runningWith } from './running-with.ts';
import { waitUntil } from './wait-until.ts';

test('looks again until it is so', async () => {
  let looks = 0;
  await waitUntil(() => {
    looks += 1;
    return looks > 2;
  });
  expect(looks).toBe(3);
});

test('fails with what it waited for, also where a look itself never ends', async () => {
  const mark = 'no process has this mark';
  await expect(waitUntil(() => runningWith(mark).length > 999, 30)).rejects.toThrow(
    'After 0.03 s this is still not so: runningWith(mark).length > 999',
  );
  const never = new Promise<boolean>(() => undefined);
  await expect(waitUntil(() => never, 30)).rejects.toThrow('this is still not so: never');
});

test('fails at once where a look fails', async () => {
  await expect(waitUntil(() => Promise.reject(new Error('no answer')))).rejects.toThrow(
    'no answer',
  );
});
