/** Every kind of run. A trigger without an entry does not compile. */
import type { Run } from '../../domain/run/state/run-record.ts';
import type { CouncilTrigger } from '../../domain/run/run-trigger.ts';
import type { Step } from '../run/decision.ts';
import type { RunContext, RunKind, ThreadState } from '../run/thread-context.ts';
import { BUILD_FAILURE } from './build/kind.ts';
import { CODE_WATCH } from './code-watch/kind.ts';
import { CONSOLIDATION } from './consolidation/kind.ts';
import { CHAT, ISSUE_REVIEW, KICK_OFF } from './deliberation/kind.ts';
import { REFLECTION } from './reflection/kind.ts';
import { ROLE_MEMORY } from './role-memory/kind.ts';
import { STANDUP } from './standup/kind.ts';
import { PR_REVIEW } from './review/kind.ts';

export const RUN_KINDS: { readonly [K in CouncilTrigger]: RunKind<K> } = {
  issue_review: ISSUE_REVIEW,
  prd_kickoff: KICK_OFF,
  chat_message: CHAT,
  pr_review: PR_REVIEW,
  build_failure: BUILD_FAILURE,
  code_watch: CODE_WATCH,
  reflection: REFLECTION,
  role_memory: ROLE_MEMORY,
  consolidation: CONSOLIDATION,
  standup: STANDUP,
};

/** The kind of a run. A kind takes its own runs only: give it no other. */
export function runKindOf({ trigger }: Pick<Run, 'trigger'>): RunKind {
  return RUN_KINDS[trigger];
}

export function toRunContext(state: ThreadState, run: Run, step: Step): RunContext {
  return { state, run, step, kind: runKindOf(run) };
}
