/** Which settings change something today. Files may hold the others: they are checked, and said to have no effect. */

/** Sections and keys that nothing reads yet; what lies below one of them is meant as well. */
export const WITHOUT_EFFECT: readonly string[] = [
  'access.identities',
  'board.agents',
  'board.consultation',
  'board.meetings',
  'budget.standup',
  'budget.weeklyPost',
  'channels',
  'coder.mcp',
  'council.chatPauseSeconds',
  'council.linkHosts',
  'council.secondVoice',
  'models.embedding',
  'models.image',
  'models.speech',
  'models.transcription',
  'plans.conflicts',
  'plans.synthesise',
  'quietHours',
  'roadmap.milestones',
  'standup',
  'sweeps.awareness',
  'sweeps.codeWatch',
  'sweeps.commitments',
  'sweeps.engagement',
  'sweeps.exitOnNewVersion',
  'sweeps.expression',
  'sweeps.heartbeat',
  'sweeps.planAwareness',
  'sweeps.proactive',
  'sweeps.reflection',
  'sweeps.selfImprovement',
  'sweeps.sessionRefresh',
  'sweeps.slicing',
  'sweeps.versionCheck',
];

/** Whether a setting, by its dotted key, changes something. */
export function hasEffect(key: string): boolean {
  return !WITHOUT_EFFECT.some((each) => key === each || key.startsWith(`${each}.`));
}
