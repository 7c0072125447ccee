/** Words in a thread in which something may wait to be remembered: whose they are, and whom they are for. */
import { expect, test } from 'vitest';
import { isToProposal } from '../../../src/decide/run/answers/proposals.ts';
import { decideThread } from '../../../src/decide/thread.ts';
import type { ThreadState } from '../../../src/decide/run/thread-context.ts';
import type { CommentAddress } from '../../../src/domain/run/talk.ts';

const THREAD = { installationId: 1, repositoryId: 7, owner: 'acme', repo: 'tidy', number: 12 };
const NOW = Date.parse('2026-11-25T12:00:00Z');

const ADDRESS: CommentAddress = {
  place: 'thread',
  updatedAt: '2026-11-25T12:00:00Z',
  digest: 'x',
  isOnlyCommands: false,
  isForMemory: true,
  isForPlan: true,
};

function said(state: ThreadState, address: CommentAddress) {
  const actor = { id: 5, login: 'tom', isBot: false };
  const data = {
    kind: 'trigger' as const,
    trigger: {
      kind: 'commented' as const,
      thread: THREAD,
      actor,
      commentId: 9,
      isByBot: false,
      address,
    },
  };
  const at = new Date(NOW).toISOString();
  const event = { id: 'e', key: 'thread:7/12', version: 1, at, data };
  return decideThread(state, event, { now: NOW }).effects.map((effect) => effect.data.kind);
}

/** A thread in which a proposal waits, as far as its words matter. */
function waiting(): ThreadState {
  const run = { trigger: 'role_memory', status: 'active', phase: { kind: 'proposed', timer: '1' } };
  return JSON.parse(JSON.stringify({ v: 1, runs: { role_memory: run } })) as ThreadState;
}

test('words that only a proposal knows are read where one waits, and nowhere else', () => {
  expect(said({ v: 1, runs: {} }, ADDRESS)).toEqual([]);
  expect(said(waiting(), ADDRESS)).toEqual(['look-comment']);
});

test('a plan that waits comes first, and does not know them', () => {
  const plan = { isWaiting: true } as ThreadState['plan'];
  const state = { ...waiting(), ...(plan && { plan }) };
  expect(isToProposal(state, ADDRESS)).toBe(false);
  expect(isToProposal(waiting(), ADDRESS)).toBe(true);
});
