/** What can start a run. Each is a kind of run; `KindState` says what it keeps. */

/** Runs that personas join, by what their files say. */
export const JOINED_TRIGGERS = [
  'pr_review',
  'build_failure',
  'prd_kickoff',
  'code_watch',
  'issue_review',
  'chat_message',
] as const;
export const COUNCIL_TRIGGERS = [
  ...JOINED_TRIGGERS,
  'reflection',
  'role_memory',
  'consolidation',
  'standup',
] as const;
export type CouncilTrigger = (typeof COUNCIL_TRIGGERS)[number];
