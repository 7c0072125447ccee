/** Which settings change something today. Files may hold the others: they are checked, and said to have no effect. */

/** Sections and keys that nothing reads yet; what lies below one of them is meant as well. */
export const WITHOUT_EFFECT: readonly string[] = [
  'access.identities.telegram',
  'board.agents',
  'board.consultation',
  'board.meetings',
  'budget.weeklyPost',
  'channels.slack.voiceProbability',
  'channels.telegram',
  'coder.mcp',
  'council.chatPauseSeconds',
  'council.linkHosts',
  'council.secondVoice.chat',
  'labels.board',
  'labels.board:content',
  'labels.board:critic',
  'labels.board:finance',
  'labels.board:general',
  'labels.board:research',
  'labels.board:strategy',
  'labels.keep-open',
  'labels.memo',
  'models.embedding',
  'models.image',
  'models.speech',
  'models.transcription',
  'plans.conflicts',
  'plans.synthesise',
  'standup.adaptivePlan',
  'standup.liveMessages',
  'standup.voice',
  'sweeps.awareness',
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
