/** A repository that was deleted: which reports bring it back. */
import { expect, test } from 'vitest';
import { decideRepository } from '../../src/decide/repository.ts';
import type { Event } from '../../src/domain/event/event.ts';
import type { Trigger } from '../../src/domain/event/trigger.ts';

const repository = { installationId: 7, repositoryId: 1, owner: 'acme', repo: 'tidy' };
const now = Date.parse('2026-11-23T12:00:00.000Z');

type Action = Extract<Trigger, { kind: 'repository' }>['action'];

function told(state: unknown, action: Action, at: string): unknown {
  const trigger = { kind: 'repository', action, repository } as const;
  const key = 'repository:1';
  const event: Event = { id: at, key, version: 1, at, data: { kind: 'trigger', trigger } };
  return decideRepository(state, event, { now }).state;
}

test('a report from before its deletion does not bring a repository back, a later one does', () => {
  const gone = told(undefined, 'deleted', '2026-11-23T10:00:00.000Z');
  expect(told(gone, 'present', '2026-11-23T09:59:59.000Z')).toMatchObject({ isGone: true });
  expect(told(gone, 'present', '2026-11-23T10:00:01.000Z')).toMatchObject({ isGone: false });
});

test('one that an older version recorded as deleted is present again with any report', () => {
  const at = '2026-11-23T10:00:00.000Z';
  const older = { ...(told(undefined, 'archived', at) as object), isGone: true };
  expect(told(older, 'present', at)).toMatchObject({ isGone: false });
});
