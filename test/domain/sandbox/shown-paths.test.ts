/** Which paths a sandbox may show. */
import path from 'node:path';
import { array, assert, constantFrom, property, record } from 'fast-check';
import { describe, expect, test } from 'vitest';
import { hiddenReason } from '../../../src/domain/sandbox/shown-paths.ts';

const guarded = {
  homes: ['/srv/ann', '/var/lib/quorum'],
  own: [
    { path: '/data/quorum', is: 'the data directory (`QUORUM_DATA`)' },
    { path: '/etc/quorum/key.pem', is: 'the private key (`PRIVATE_KEY_PATH`)' },
  ],
};

describe('a sandbox does not show', () => {
  test.each([
    ['/', 'is the whole file system'],
    ['/srv/ann', 'is a home folder'],
    ['/home/somebody', 'is a home folder'],
    ['/srv', 'contains home folders (/srv/ann)'],
    ['/home', 'contains home folders (/home)'],
    ['/data', 'contains the data directory (`QUORUM_DATA`), /data/quorum'],
    ['/data/quorum', 'is the data directory (`QUORUM_DATA`)'],
    ['/etc/quorum', 'contains the private key (`PRIVATE_KEY_PATH`), /etc/quorum/key.pem'],
    ['/etc/quorum/key.pem', 'is the private key (`PRIVATE_KEY_PATH`)'],
  ])('%s, which %s', (shown, why) => {
    expect(hiddenReason(shown, guarded)).toBe(why);
  });
});

test.each([
  '/srv/ann/bin/node',
  '/srv/ann/.nvm/versions/node/v24.0.0/lib/node_modules/npm',
  '/home/somebody/bin/node',
  '/root/.volta/tools/image/node/24.0.0/bin/node',
  '/data/quorum/work/trees/1',
  '/srv/anna',
  '/opt/node',
])('it shows %s', (shown) => {
  expect(hiddenReason(shown, guarded)).toBeUndefined();
});

const folder = array(constantFrom('a', 'b', 'ab', 'c.d'), { minLength: 1, maxLength: 4 }).map(
  (names) => `/${names.join('/')}`,
);

test('whatever the machine is like, what is shown has no home and nothing of Quorum’s in it', () => {
  const machine = record({ shown: folder, homes: array(folder), own: array(folder) });
  assert(
    property(machine, ({ shown, homes, own }) => {
      const why = hiddenReason(shown, {
        homes,
        own: own.map((each) => ({ path: each, is: 'own' })),
      });
      const isInside = (each: string): boolean => !path.relative(shown, each).startsWith('..');
      expect(why !== undefined).toBe([...homes, ...own].some(isInside));
    }),
  );
});

test('where a folder is refused, each one around it is refused too', () => {
  assert(
    property(folder, array(folder), (shown, homes) => {
      if (hiddenReason(shown, { homes, own: [] }) === undefined) return;
      expect(hiddenReason(path.dirname(shown), { homes, own: [] })).toBeDefined();
    }),
  );
});
