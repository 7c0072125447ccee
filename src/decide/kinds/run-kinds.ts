/** Every kind of run. A trigger without an entry does not compile. */
import { DEFAULT_LABELS } from '../../domain/repository/labels.ts';
import type { DiscussionTrigger } from '../../domain/run/state/kind-state.ts';
import type { Run } from '../../domain/run/state/run-record.ts';
import type { CouncilTrigger } from '../../domain/run/run-trigger.ts';
import { discussion } from '../discussion/discussion.ts';
import { onView } from '../discussion/on-view.ts';
import type { Step } from '../run/decision.ts';
import type { RunContext, RunKind, ThreadState } from '../run/thread-context.ts';
import { onBuild } from './build/look.ts';
import { BUILD_STRATEGY } from './build/strategy.ts';
import { WATCH_STRATEGY } from './code-watch/strategy.ts';
import { onWatch } from './code-watch/on-watch.ts';
import { ISSUE_STRATEGY } from './deliberation/strategy.ts';
import { onPosted } from './review/heads.ts';
import { onPull } from './review/look.ts';
import { REVIEW_STRATEGY } from './review/strategy.ts';

function deliberation(own: { name: string; label?: string }): RunKind<DiscussionTrigger> {
  return discussion({ ...own, strategy: ISSUE_STRATEGY, read: 'look', onRead: onView });
}

export const RUN_KINDS: { readonly [K in CouncilTrigger]: RunKind<K> } = {
  issue_review: deliberation({ name: 'Discussion', label: DEFAULT_LABELS.deliberate }),
  prd_kickoff: deliberation({ name: 'Kick-off', label: DEFAULT_LABELS.prd }),
  chat_message: deliberation({ name: 'Chat' }),
  pr_review: discussion({
    name: 'Review',
    strategy: REVIEW_STRATEGY,
    read: 'look-pull',
    onRead: onPull,
    onOwnResult: (context, data) =>
      data.kind !== 'timer' && data.effectKind === 'review' ? onPosted(context, data) : undefined,
  }),
  build_failure: discussion({
    name: 'Look at a failed build',
    strategy: BUILD_STRATEGY,
    read: 'look-build',
    onRead: onBuild,
  }),
  code_watch: { name: 'Code watch', strategy: WATCH_STRATEGY, onResult: onWatch },
};

/** The kind of a run. A kind takes its own runs only: give it no other. */
export function runKindOf({ trigger }: Pick<Run, 'trigger'>): RunKind {
  return RUN_KINDS[trigger];
}

export function toRunContext(state: ThreadState, run: Run, step: Step): RunContext {
  return { state, run, step, strategy: runKindOf(run).strategy };
}
