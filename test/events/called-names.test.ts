/** Names that a comment calls, each with the words before it left out one by one. */
import { expect, test } from 'vitest';
import { nameDigest } from '../../src/domain/persona/digest.ts';
import { toCommentAddress } from '../../src/events/may-address.ts';

const called = (body: string) =>
  toCommentAddress({ place: 'thread', body, updatedAt: 'T', appId: undefined, isByBot: false })
    ?.called;

test('a name of up to three words is known behind a greeting, and a longer one is ignored', () => {
  expect(called('Morning Ada May Lane, could you look?')).toEqual(
    ['Morning Ada May Lane', 'Ada May Lane', 'May Lane', 'Lane'].map(nameDigest),
  );
  expect(called('Morning Ada May Lane Poe, could you look?')).toBeUndefined();
});

test('the first eight calls count, each name once', () => {
  const names = ['Ada', 'Ben', 'Cas', 'Dot', 'Eli', 'Fay', 'Gus', 'Hal', 'Ivo'];
  const lines = (all: readonly string[]) => all.map((name) => `${name}, look.`).join('\n');
  expect(called(lines(names))).toEqual(names.slice(0, 8).map(nameDigest));
  expect(called(lines(['Ada', 'Ada']))).toEqual([nameDigest('Ada')]);
});

test.each(['Maya could you look?', 'Quorum, look.', 'hello @maya'])(
  '%j addresses the team, so that no name is looked up',
  (body) => {
    const found = toCommentAddress({
      place: 'thread',
      body,
      updatedAt: 'T',
      appId: undefined,
      isByBot: false,
    });
    expect(found).toBeDefined();
    expect(found).not.toHaveProperty('called');
  },
);
