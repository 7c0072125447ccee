/** No kind of effect is left out of the chains that are killed. */
import { expect, test } from 'vitest';
import { EFFECTS } from '../../../src/act/effects.ts';
import type { EffectKind } from '../../../src/domain/event/effect.ts';
import { PLAN_CHAINS } from '../../helpers/kill-chains/plan-chains.ts';
import { REVIEW_CHAINS } from '../../helpers/kill-chains/review-chains.ts';
import { STANDUP_CHAINS } from '../../helpers/kill-chains/standup-chains.ts';
import { TASK_CHAINS } from '../../helpers/kill-chains/task-chains.ts';
import { THREAD_CHAINS } from '../../helpers/kill-chains/thread-chains.ts';

/** Those of a deliberation: test/scenario/kill-points.test.ts. `announce`: test/scenario/announcements.test.ts. */
const ELSEWHERE: readonly EffectKind[] = [
  // test/scenario/announcements.test.ts, test/scenario/chat-kill.test.ts, test/scenario/chat-voice.test.ts
  'announce',
  'look-chat',
  'chat-reply',
  'chat-react',
  'transcribe',
  'look',
  'ask',
  'react',
  'comment',
  'labels',
  'close',
  'check',
];

const CHAINS = [
  ...REVIEW_CHAINS,
  ...THREAD_CHAINS,
  ...PLAN_CHAINS,
  ...TASK_CHAINS,
  ...STANDUP_CHAINS,
];

test('every kind of effect is killed around', () => {
  const covered = [...ELSEWHERE, ...CHAINS.flatMap((chain) => chain.kinds)];
  expect([...new Set<string>(covered)].toSorted()).toEqual(Object.keys(EFFECTS).toSorted());
});
