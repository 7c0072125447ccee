/** How each kind of effect is carried out. A kind without an entry does not compile. */
import type { EffectKind } from '../domain/event/effect.ts';
import { askPersona } from './model/ask-persona.ts';
import type { DataOf, EffectContext } from './effect-context.ts';
import { announce } from './channel/announce.ts';
import { reactInChat, replyInChat } from './channel/chat-writes.ts';
import { lookAtChat } from './channel/look-chat.ts';
import { transcribe } from './channel/transcribe.ts';
import { lookAtWeek } from './digest/look-week.ts';
import { erase } from './erase.ts';
import { lookAtBuild } from './read/look-build.ts';
import { lookAtCode } from './read/look-code.ts';
import { lookAtComment } from './read/comment/look-comment.ts';
import { lookAtFeedback } from './read/look-feedback.ts';
import { lookAtPlan } from './read/look-plan.ts';
import { lookAtPull } from './read/pull/look-pull.ts';
import { lookAtRest } from './read/look-rest.ts';
import { lookAtMemory } from './memory/look-memory.ts';
import { remember } from './memory/remember.ts';
import { writeJournal } from './memory/write-journal.ts';
import { lookAtConsolidation } from './memory/look-consolidation.ts';
import { openConsolidation } from './memory/open-consolidation.ts';
import { lookAtRoles } from './memory/look-roles.ts';
import { openRoles } from './memory/open-roles.ts';
import { endFollowUpIssue } from './standup/end-follow-up.ts';
import { lookAtStandup } from './standup/look-standup.ts';
import { lookAtTicks } from './standup/look-ticks.ts';
import { moveTensions } from './standup/move-tensions.ts';
import { settleStandup } from './standup/settle-standup.ts';
import { nameLabel } from './settings/name-label.ts';
import type { ActPorts, Performed } from './ports.ts';
import { proposePlan } from './model/propose.ts';
import { reconcile } from './recover/reconcile.ts';
import { setSuitePreferences } from './settings/suite-preferences.ts';
import { claimTask } from './task/claim.ts';
import { codeTask } from './task/coder/code-task.ts';
import { describePull } from './task/describe-pull.ts';
import { dropBranch } from './task/drop-branch.ts';
import { lookAtMerge, mergePull } from './task/merge-pull.ts';
import { editPlanBody } from './task/plan-edit.ts';
import { publishTask } from './task/publish.ts';
import { releaseClaim } from './task/release.ts';
import { reportGroup } from './task/report-group.ts';
import { testHead } from './task/test-head.ts';
import { retestMerge, verifyTask } from './task/verify.ts';
import { foldReviews, writeReply, writeReview, writeReviewCheck } from './write/review-writes.ts';
import {
  closeThread,
  writeChecks,
  writeComment,
  writeIssue,
  writeLabels,
  writeReaction,
} from './write/thread-writes.ts';

export interface EffectEntry<K extends EffectKind> {
  perform: (data: DataOf<K>, context: EffectContext) => Promise<Performed<K>>;
  /** Whether it changes anything on GitHub, or erases what is kept: a dry run leaves it out. */
  writes: boolean;
  /** LOOP-09: whether it is carried out in a paused repository; `if-marked` where the effect says `evenPaused`. */
  whilePaused: 'always' | 'if-marked' | 'never';
}

type Act<K extends EffectKind> = EffectEntry<K>['perform'];
type WhilePaused = EffectEntry<EffectKind>['whilePaused'];

function reading<K extends EffectKind>(
  perform: Act<K>,
  whilePaused: WhilePaused = 'never',
): EffectEntry<K> {
  return { perform, writes: false, whilePaused };
}

function writing<K extends EffectKind>(
  perform: Act<K>,
  whilePaused: WhilePaused = 'never',
): EffectEntry<K> {
  return { perform, writes: true, whilePaused };
}

/** An act that needs nothing but the ports. */
function withPorts<K extends EffectKind>(
  act: (data: DataOf<K>, ports: ActPorts) => Promise<Performed<K>>,
): Act<K> {
  return (data, { ports }) => act(data, ports);
}

export const EFFECTS: { readonly [K in EffectKind]: EffectEntry<K> } = {
  // What is read. People's commands are read and answered in a paused repository too.
  look: reading((data, { look, run, effectId }) => look(data, { run, effectId })),
  'look-comment': reading(lookAtComment, 'always'),
  'look-pull': reading(lookAtPull),
  'look-build': reading(lookAtBuild),
  'look-plan': reading(lookAtPlan),
  'look-rest': reading(lookAtRest),
  'look-feedback': reading(withPorts(lookAtFeedback)),
  'look-code': reading(lookAtCode),
  'look-week': reading(lookAtWeek),
  'look-memory': reading(lookAtMemory),
  'look-roles': reading(lookAtRoles),
  'look-consolidation': reading(lookAtConsolidation),
  'look-standup': reading(lookAtStandup),
  'look-ticks': reading(lookAtTicks),
  'look-merge': reading(lookAtMerge),
  'name-label': reading(nameLabel),

  // What models and coders are asked for.
  ask: reading((data, { effect, ports, waits }) => askPersona(effect, data, { ports, waits })),
  propose: reading((data, { effect, ports, waits }) => proposePlan(effect, data, { ports, waits })),
  // These renew the lease while they last.
  code: writing(codeTask),
  verify: writing(verifyTask),
  retest: reading(retestMerge),

  // What is written on threads and commits.
  comment: writing(writeComment, 'if-marked'),
  reply: writing(writeReply, 'if-marked'),
  labels: writing(writeLabels, 'if-marked'),
  react: writing(writeReaction, 'if-marked'),
  issue: writing(writeIssue),
  close: writing(closeThread),
  check: writing(writeChecks),
  review: writing(writeReview),
  'review-check': writing(writeReviewCheck),
  fold: writing(foldReviews),
  remember: writing(remember),
  'write-journal': writing(writeJournal),
  'open-roles': writing(openRoles),
  'open-consolidation': writing(openConsolidation),

  // Announcements outside GitHub.
  announce: writing(announce),
  // What is kept of standups is written to the store alone.
  'settle-standup': writing(settleStandup),
  'move-tensions': writing(moveTensions),
  'end-follow-up': writing(endFollowUpIssue),
  'look-chat': reading(lookAtChat, 'always'),
  transcribe: reading(transcribe),
  'chat-reply': writing(replyInChat, 'always'),
  'chat-react': writing(reactInChat, 'always'),

  // What is written for a task.
  claim: writing(withPorts(claimTask)),
  publish: writing(publishTask),
  'report-group': writing(reportGroup, 'if-marked'),
  'test-head': writing(testHead),
  merge: writing(mergePull),
  'plan-edit': writing(withPorts(editPlanBody)),
  release: writing(withPorts(releaseClaim)),
  'drop-branch': writing(withPorts(dropBranch)),
  describe: writing(withPorts(describePull)),

  // What is of no one repository, so that no pause holds it up.
  erase: writing(withPorts(erase), 'always'),
  'suite-preferences': writing(withPorts(setSuitePreferences), 'always'),
  reconcile: writing(reconcile, 'always'),
};
