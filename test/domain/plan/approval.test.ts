/** An approval is of the text that the person was shown, and of no other. */
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { doubtOf, isApproved, isBefore } from '../../../src/domain/plan/approval.ts';
import { findWriter } from '../../../src/domain/plan/body/body-versions.ts';
import { parsePlan } from '../../../src/domain/plan/body/parse-plan.ts';
import { DIGEST_DIGITS, isOfTask, planDigest } from '../../../src/domain/plan/plan-digest.ts';
import { renderDifference } from '../../../src/domain/plan/body/plan-difference.ts';
import { aPlanBody, aTask } from '../../helpers/a-plan.ts';

const A = 'a'.repeat(DIGEST_DIGITS);
const B = 'b'.repeat(DIGEST_DIGITS);
const AT = '2026-11-22T08:00:00Z';
const LATER = '2026-11-22T08:00:01Z';
const HELD = { digest: A, shown: { digest: A, at: AT }, saidAt: LATER, delivered: A };

describe('an approval without a digest', () => {
  test('holds for the text that was shown before, delivered with it, and read', () => {
    expect(doubtOf(HELD)).toBeUndefined();
  });

  test.each([
    ['changed', { digest: B }],
    ['changed', { delivered: B }],
    ['not-shown', { shown: undefined }],
    ['shown-later', { saidAt: AT }],
    ['shown-later', { saidAt: 'no time' }],
    ['not-delivered', { delivered: undefined }],
  ] as const)('is in doubt, %s, with %j', (doubt, over) => {
    expect(doubtOf({ ...HELD, ...over })).toBe(doubt);
  });
});

test('an approval that names the whole digest is bound by that, and by nothing else', () => {
  const alone = { digest: A, named: A, shown: undefined, saidAt: AT, delivered: undefined };
  expect(doubtOf(alone)).toBeUndefined();
  expect(doubtOf({ ...alone, digest: B })).toBe('another-named');
});

test('the first digits of a digest do not bind alone: a second text can be made for them', () => {
  const named = A.slice(0, 12);
  expect(doubtOf({ ...HELD, named })).toBeUndefined();
  expect(doubtOf({ ...HELD, named, shown: undefined })).toBe('not-shown');
  expect(doubtOf({ ...HELD, named: B.slice(0, 12) })).toBe('another-named');
});

test('equal seconds are not before', () => {
  expect([isBefore(AT, LATER), isBefore(AT, AT), isBefore(LATER, AT)]).toEqual([
    true,
    false,
    false,
  ]);
  expect([isBefore(undefined, AT), isBefore('x', AT)]).toEqual([false, false]);
});

test('an approval of an older version is asked for again, and a task that it began goes on', () => {
  const approval = {
    by: { id: 1, login: 'ana' },
    digest: A.slice(0, 12),
    how: 'command',
    at: AT,
  } as const;
  expect(isApproved(approval, A)).toBe(false);
  expect([isOfTask(A.slice(0, 12), A), isOfTask(B.slice(0, 12), A)]).toEqual([true, false]);
  expect([isOfTask(A, A), isOfTask(A.slice(0, 13), A), isOfTask(undefined, A)]).toEqual([
    true,
    false,
    false,
  ]);
});

describe('who wrote a plan', () => {
  const ana = { id: 1, login: 'ana', isBot: false };
  const eve = { id: 2, login: 'eve', isBot: false };
  const one = aPlanBody();
  const two = aPlanBody({ tasks: [aTask(1)] });
  const ticked = (body: string): string => body.replace('- [ ]', '- [x]');
  const versions = (...of: [string, typeof ana][]) =>
    of.map(([text, by], at) => ({ id: String(at), text, by, at }));

  test('is the person who brought its instructions in, not the last editor', () => {
    expect(findWriter(one, versions([two, eve], [one, ana]))).toEqual(ana);
    expect(findWriter(ticked(two), versions([one, ana], [two, eve], [ticked(two), ana]))).toEqual(
      eve,
    );
  });

  test('is not told by versions that end with another text, or that are cut', () => {
    expect(findWriter(one, versions([one, ana], [two, eve]))).toBeUndefined();
    const many = Array.from({ length: 20 }, (): [string, typeof ana] => [one, ana]);
    expect(findWriter(one, versions(...many))).toBeUndefined();
    expect(findWriter(one, versions(...many.slice(1)))).toEqual(ana);
  });
});

describe('the difference of two texts', () => {
  test('has the lines that went and came, and none that stayed', () => {
    const before = 'Goal\n\nRun the tests.\nStop.\n';
    expect(renderDifference(before, before.replace('the tests', 'this'))).toBe(
      '- Run the tests.\n+ Run this.',
    );
  });

  test('tells of characters that nobody sees, and keeps keys out', () => {
    const key = `ghp_${'a1B2'.repeat(9)}`;
    const difference = renderDifference('', `Run\u200B it\u202E now\nkey ${key}`);
    expect(difference).toContain('+ Run it now [2 invisible characters]');
    expect(difference).not.toContain(key);
  });

  test('is short, whatever it compares', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 3000 }), fc.string({ maxLength: 3000 }), (a, b) => {
        const lines = renderDifference(a, b).split('\n');
        expect(lines.length).toBeLessThanOrEqual(41);
        expect(Math.max(...lines.map((line) => line.length))).toBeLessThan(250);
      }),
    );
    const many = (from: number) => Array.from({ length: 3000 }, (_, n) => `${from + n}`).join('\n');
    expect(renderDifference(many(0), many(9000))).toContain('more lines');
  });
});

test('digests of plans are too long for two texts of one digest', () => {
  expect(planDigest(parsePlan(aPlanBody()))).toMatch(/^[0-9a-f]{40}$/);
});
