/** The words and forms in which a run is decided. */
import {
  CHANGE_VERDICTS,
  ChangeForm,
  ChangePosition,
  ChangeVerdict,
  ISSUE_VERDICTS,
  IssueForm,
  IssuePosition,
  IssueVerdict,
} from './council.ts';
import type { TeamTrigger } from './state/kind-state.ts';

/** What a run of each trigger decides: whether an issue is ready, or whether something is to be approved or changed. */
export const QUESTIONS: { readonly [K in TeamTrigger]: 'issue' | 'change' } = {
  issue_review: 'issue',
  pr_review: 'change',
  build_failure: 'change',
  prd_kickoff: 'change',
  code_watch: 'change',
  chat_message: 'change',
  reflection: 'change',
  role_memory: 'change',
  consolidation: 'change',
  standup: 'change',
};

/** The words and forms of both questions. */
const BALLOTS = {
  issue: {
    words: ISSUE_VERDICTS,
    position: IssuePosition,
    verdict: IssueVerdict,
    form: IssueForm,
  },
  change: {
    words: CHANGE_VERDICTS,
    position: ChangePosition,
    verdict: ChangeVerdict,
    form: ChangeForm,
  },
} as const;

/** The words and forms in which a run of a trigger is decided. */
export function ballotOf({ trigger }: { trigger: TeamTrigger }) {
  return BALLOTS[QUESTIONS[trigger]];
}
