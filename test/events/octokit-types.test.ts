/** What octokit's library says GitHub sends is what our schemas and names expect. */
import {
  emitterEventNames,
  type EmitterWebhookEvent,
  type EmitterWebhookEventName,
} from '@octokit/webhooks';
import { describe, expect, expectTypeOf, test } from 'vitest';
import type { z } from 'zod';
import { BUILD_TRIGGERS } from '../../src/events/build-triggers.ts';
import type { MergeGroupPayload, ReviewPayload } from '../../src/events/payload.ts';
import { PLACE_TRIGGERS } from '../../src/events/place-triggers.ts';
import { THREAD_TRIGGERS } from '../../src/events/thread-triggers.ts';

type Payload<N extends EmitterWebhookEventName> = EmitterWebhookEvent<N>['payload'];

const HANDLED = [...THREAD_TRIGGERS, ...PLACE_TRIGGERS, ...BUILD_TRIGGERS].map(([name]) => name);

test('every event that is handled has one of GitHub’s names', () => {
  const known: readonly string[] = emitterEventNames;
  expect(HANDLED.length).toBeGreaterThan(30);
  expect(HANDLED.filter((name) => !known.includes(name))).toEqual([]);
});

describe('the payload types of the library fit the schemas', () => {
  test('of reviews and merge groups', () => {
    expectTypeOf<Payload<'pull_request_review.submitted'>>().toExtend<
      z.input<typeof ReviewPayload>
    >();
    expectTypeOf<Payload<'merge_group.checks_requested'>>().toExtend<
      z.input<typeof MergeGroupPayload>
    >();
  });
});
