/** What people deleted on GitHub is wanted to be erased, whatever the thread was about. */
import { expect, test } from 'vitest';
import { decideThread } from '../../src/decide/thread.ts';
import type { Event } from '../../src/domain/event/event.ts';
import type { Trigger } from '../../src/domain/event/trigger.ts';

const NOW = Date.parse('2026-11-24T10:00:00Z');
const thread = { installationId: 1, repositoryId: 7, owner: 'acme', repo: 'tidy', number: 3 };
const actor = { id: 5, login: 'ana', isBot: false };

function told(trigger: Trigger): Event {
  const at = new Date(NOW).toISOString();
  return { id: 'd1', key: 'thread:7/3', version: 1, at, data: { kind: 'trigger', trigger } };
}

test.each<[Trigger, object]>([
  [
    { kind: 'comment-deleted', thread, actor, commentId: 9 },
    { kind: 'comment', repositoryId: 7, number: 3, commentId: 9 },
  ],
  [
    { kind: 'ended', thread, actor, how: 'deleted' },
    { kind: 'thread', repositoryId: 7, number: 3 },
  ],
])('%j', (trigger, target) => {
  const { effects, ignored } = decideThread(undefined, told(trigger), { now: NOW });
  expect(ignored).toBeUndefined();
  expect(effects.map(({ data }) => data)).toEqual([{ kind: 'erase', target }]);
  expect(decideThread(undefined, told(trigger), { now: NOW }).effects).toEqual(effects);
});

test('a thread that was only closed is not erased', () => {
  const trigger = { kind: 'ended', thread, actor, how: 'closed' } as const;
  const { effects } = decideThread(undefined, told(trigger), { now: NOW });
  expect(effects.filter(({ data }) => data.kind === 'erase')).toEqual([]);
});
