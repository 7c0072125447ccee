/** What an event of a workflow has to do with a plan, and which workflow starts its tasks. */
import { describe, expect, test } from 'vitest';
import { isOfPlan } from '../../src/hosts/action/steps/is-of-plan.ts';
import type { ThreadTrigger } from '../../src/hosts/action/steps/find-trigger.ts';
import { chooseTaskWorkflow } from '../../src/hosts/action/plan/start-workflow.ts';
import { toCommentAddress } from '../../src/events/may-address.ts';
import { PLAN } from '../helpers/a-task.ts';

const actor = { id: 7, login: 'ana', isBot: false };
const at = { thread: PLAN, actor };

function said(body: string, over: object = {}): boolean {
  const words = { place: 'thread', body, updatedAt: '', appId: undefined, isByBot: false } as const;
  const address = toCommentAddress(words);
  const trigger: ThreadTrigger = {
    ...at,
    kind: 'commented',
    commentId: 9,
    isByBot: false,
    ...(address && { address }),
  };
  const issue = { body: '', labels: [{ name: 'plan' }], ...over };
  return isOfPlan({ payload: { issue, comment: { body } } }, trigger);
}

describe('a comment is about a plan', () => {
  test('when it approves or rejects one, in a command or in one word', () => {
    expect(['/pm approve', '/pm reject too large', 'yes', 'LGTM!'].map((one) => said(one))).toEqual(
      [true, true, true, true],
    );
  });

  test('and not for other commands and words, or in other places', () => {
    expect(['/pm status', '`/pm approve`', 'no', 'thanks'].map((one) => said(one))).toEqual([
      false,
      false,
      false,
      false,
    ]);
    expect(said('/pm approve', { labels: [{ name: 'bug' }] })).toBe(false);
    expect(said('/pm approve', { pull_request: {} })).toBe(false);
  });
});

test('an event of an issue is about a plan with its label, whatever a repository calls it', () => {
  const payload = { issue: { body: '', labels: [{ name: 'roadmap' }] } };
  const edited: ThreadTrigger = { ...at, kind: 'edited' };
  const labeled: ThreadTrigger = { ...at, kind: 'labeled', label: 'roadmap' };
  expect([isOfPlan({ payload }, edited), isOfPlan({ payload }, edited, 'roadmap')]).toEqual([
    false,
    true,
  ]);
  expect(isOfPlan({ payload }, labeled, 'roadmap')).toBe(true);
  expect(isOfPlan({ payload }, { ...labeled, label: 'bug' }, 'roadmap')).toBe(false);
  expect(isOfPlan({ payload }, { ...at, kind: 'ended', how: 'closed' }, 'roadmap')).toBe(false);
});

describe('the workflow that starts a task', () => {
  const calls = 'on: { workflow_dispatch: {} }\n# uses: a/q/.github/workflows/quorum-task.yml@v0';
  const file = (name: string, text: string) => ({ path: `.github/workflows/${name}`, text });

  test('has the usual name, or calls the reusable workflow', () => {
    expect(chooseTaskWorkflow([file('a.yml', calls), file('quorum-task.yml', calls)])).toBe(
      'quorum-task.yml',
    );
    expect(chooseTaskWorkflow([file('a.yml', calls)])).toBe('a.yml');
  });

  test('is not one that a person cannot start, or that does something else', () => {
    const called = file('quorum-task.yml', 'on: { workflow_call: {} }');
    expect(chooseTaskWorkflow([called, file('b.yml', 'on: workflow_dispatch')])).toBeUndefined();
  });
});
