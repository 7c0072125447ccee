/** Who may take the fence down on a machine: its owner and the repository's, together. */
import { expect, test } from 'vitest';
import { sandboxOf } from '../../src/hosts/workshop.ts';
import { verifies } from '../verifies.ts';

verifies('EXE-06', 'one word alone takes no fence down', () => {
  const words = ['on', 'off'] as const;
  const seen = [undefined, ...words].flatMap((host) =>
    words.map((sandbox) => [host, sandbox, sandboxOf({ QUORUM_SANDBOX: host }, { sandbox })]),
  );
  expect(seen.filter(([, , effective]) => effective === 'off')).toEqual([['off', 'off', 'off']]);
  expect(seen).toHaveLength(6);
});

test('a word that is none is refused, and keeps nobody without a fence', () => {
  expect(() => sandboxOf({ QUORUM_SANDBOX: 'no' }, { sandbox: 'off' })).toThrow(
    'QUORUM_SANDBOX is no; on and off are possible.',
  );
});
