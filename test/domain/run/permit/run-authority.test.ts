/** What a terminal waives, and what no authority does. */
import { describe, expect, test } from 'vitest';
import { ALLOWED, forbid } from '../../../../src/domain/run/permit/permit.ts';
import {
  checkRun,
  RUN_CONDITIONS,
  waives,
  type RunAuthority,
  type RunCheck,
} from '../../../../src/domain/run/permit/run-authority.ts';

const TERMINAL: RunAuthority = { kind: 'terminal', waives: ['role', 'draft'] };
const CHECKS: RunCheck[] = [
  [false, 'it is archived', 'archived'],
  [true, 'it is a draft', 'draft'],
  [true, 'it needs a role', 'role'],
  [true, 'it was reviewed already'],
];

describe('a terminal', () => {
  test('waives what it names, and nothing else', () => {
    expect(RUN_CONDITIONS.filter((each) => waives(TERMINAL, each))).toEqual(['draft', 'role']);
  });

  test('cannot waive a reason without a condition', () => {
    expect(checkRun(CHECKS, TERMINAL)).toEqual(forbid('it was reviewed already'));
    const all: RunAuthority = { kind: 'terminal', waives: RUN_CONDITIONS };
    expect(checkRun(CHECKS, all)).toEqual(forbid('it was reviewed already'));
  });
});

describe('a role', () => {
  test.each([undefined, { kind: 'role' } as const])('waives nothing (%o)', (authority) => {
    expect(RUN_CONDITIONS.filter((each) => waives(authority, each))).toEqual([]);
    expect(checkRun(CHECKS, authority)).toEqual(forbid('it is a draft'));
  });

  test('lets through what nothing applies to', () => {
    expect(checkRun([[false, 'never', 'lock']], undefined)).toEqual(ALLOWED);
  });
});
