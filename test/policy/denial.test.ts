/** What a person reads who may not run a command: what is missing, and who has it. */
import { describe, expect, test } from 'vitest';
import type { RefusalCode } from '../../src/policy/authorise.ts';
import { renderDenial, type DenialContext } from '../../src/policy/denial.ts';

type Over = Partial<DenialContext['access']> & { owner?: string; isPublic?: boolean };

function denial({ owner, isPublic = false, ...over }: Over): string | undefined {
  const access = {
    allowed: false,
    code: 'permission',
    held: 'read',
    needed: 'write',
    ...over,
  } as const;
  return renderDenial({ command: 'plan', access, owner, isPublic });
}

describe('a refusal', () => {
  test.each<[string, Over, string]>([
    [
      'of a role that is too low',
      {},
      'it needs `write` permission and you have `read`; somebody with `write` permission can',
    ],
    [
      'where an owner can be asked',
      { owner: 'tom' },
      'it needs `write` permission and you have `read`; `tom` or somebody with `write` permission can',
    ],
    [
      'of a stranger in private',
      { held: 'none' },
      'it needs `write` permission and you have none; somebody with `write` permission can',
    ],
    [
      'of a command that needs nothing',
      { needed: 'none' },
      'it needs none permission and you have `read`; somebody with none permission can',
    ],
    [
      'of somebody who is not listed',
      { code: 'not-listed', owner: 'tom', needed: 'admin' },
      'only the people and teams under `access` in the configuration may; `tom` or somebody with `admin` permission can',
    ],
    ['of what only people may', { code: 'person-only' }, 'only a person can give it'],
    [
      'where GitHub did not say',
      { code: 'role-unknown' },
      'GitHub did not say which permission you have; try again in a minute',
    ],
    [
      'of an account that is not certain',
      { code: 'identity' },
      'GitHub did not identify your account',
    ],
  ])('%s', (_, ...[over, words]) => {
    expect(denial(over)).toBe(`\`/pm plan\` was not run: ${words}.`);
  });

  test.each<RefusalCode>(['own-output', 'bot', 'foreign-app'])(
    'of an automated account has no words: %s',
    (code) => {
      expect([denial({ code }), denial({ code, held: 'admin' })]).toEqual([undefined, undefined]);
    },
  );

  test('of a stranger in public has no words, and of everybody else it has', () => {
    expect(denial({ held: 'none', isPublic: true })).toBeUndefined();
    expect(denial({ held: 'none', code: 'person-only', isPublic: true })).toBeUndefined();
    expect(denial({ held: 'read', isPublic: true })).toContain('was not run');
    expect(denial({ held: 'none', isPublic: false })).toContain('was not run');
  });
});
