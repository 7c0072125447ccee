/** Whom the team asks where nobody is named. */
import * as fc from 'fast-check';
import { expect } from 'vitest';
import { chooseReviewer } from '../../src/policy/reviewer.ts';
import { PLAN } from '../helpers/a-task.ts';
import { verifies } from '../verifies.ts';

const requester = { id: 1 };
const people = fc.uniqueArray(
  fc.record({
    id: fc.integer({ min: 1, max: 50 }),
    login: fc.constant('somebody'),
    isBot: fc.boolean(),
  }),
  { selector: ({ id }) => id },
);

verifies('TG-6', 'one person is chosen, never who asked for the work, and each in turn', () => {
  fc.assert(
    fc.property(people, (writers) => {
      const able = writers.filter(({ id, isBot }) => !isBot && id !== requester.id);
      const chosen = able.map((_, n) =>
        chooseReviewer(writers, { task: { plan: PLAN, task: n }, requester }),
      );
      expect(new Set(chosen)).toEqual(new Set(able));
      const turned = writers.toReversed();
      const first = { task: { plan: PLAN, task: 0 }, requester };
      expect(chooseReviewer(turned, first)).toEqual(chosen[0]);
    }),
  );
});
