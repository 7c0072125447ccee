/** A deliberation on an issue: one live comment, labels for the outcome, reactions on the issue. */
import { isDeliberation, type DiscussionRun } from '../../../domain/run/state/run-record.ts';
import type { VerdictWord } from '../../../domain/run/council.ts';
import type { EffectData } from '../../../domain/event/effect.ts';
import type { Reaction } from '../../../domain/event/effect-values.ts';
import { DEFAULT_LABELS, LABEL_LOOKS, type Label } from '../../../domain/repository/labels.ts';
import { emitEffect } from '../../run/decision.ts';
import { writeLane, type DiscussionContext, type RunKind } from '../../run/thread-context.ts';
import { discussion, type Discussion } from '../../discussion/discussion.ts';
import { onView } from '../../discussion/on-view.ts';
import { showProgress } from '../../discussion/progress.ts';
import { labelName } from '../../run/run-settings.ts';

type IssueTrigger = 'issue_review' | 'prd_kickoff' | 'chat_message';

function deliberation(own: { name: string; label?: string }): RunKind<IssueTrigger> {
  return discussion({ ...own, ...DELIBERATION });
}

const DELIBERATION: Omit<Discussion<IssueTrigger, 'look'>, 'name' | 'label'> = {
  read: 'look',
  onRead: onView,
  look: ({ thread, actor, author }) => ({
    kind: 'look',
    thread,
    actor: { id: actor.id, login: actor.login },
    ...(author === undefined ? {} : { author }),
  }),
  acknowledge: ({ run: { thread }, step }) => {
    emitEffect(step, { kind: 'react', thread, add: 'eyes' }, { lane: writeLane(thread) });
  },
  show: showProgress,
  end: (context) => {
    showProgress(context);
    if (context.run.status === 'closed') retract(context);
    else setOutcome(context);
  },
};

export const ISSUE_REVIEW = deliberation({
  name: 'Discussion',
  label: DEFAULT_LABELS.deliberate,
});
export const KICK_OFF = deliberation({ name: 'Kick-off', label: DEFAULT_LABELS.prd });
export const CHAT = deliberation({ name: 'Chat' });

function retract({ run: { thread }, step }: DiscussionContext): void {
  const lane = { lane: writeLane(thread) };
  emitEffect(step, { kind: 'react', thread, add: 'confused', remove: 'eyes' }, lane);
}

interface Outcome {
  label: Label | undefined;
  /** None while a person has the floor: the eyes stay on until it is over. */
  reaction: Reaction | undefined;
}

/** What each verdict does to the issue (NW-8, NW-9). */
const OUTCOMES: Readonly<Record<VerdictWord, Outcome>> = {
  READY: { label: 'ready', reaction: 'rocket' },
  APPROVE: { label: 'ready', reaction: 'rocket' },
  DRAFT: { label: 'draft', reaction: '+1' },
  CHANGES: { label: 'changes-requested', reaction: '+1' },
  CLOSE: { label: undefined, reaction: '+1' },
  HUMAN: { label: 'needs-human', reaction: undefined },
};
const OUTCOME_LABELS: readonly Label[] = ['ready', 'draft', 'needs-human', 'changes-requested'];

function setOutcome({ run, step }: DiscussionContext): void {
  const { thread, verdict } = run;
  if (verdict === undefined) return;
  const outcome = OUTCOMES[verdict.verdict];
  const lane = { lane: writeLane(thread) };
  emitEffect(step, labelChange(run, outcome.label), lane);
  if (verdict.verdict === 'CLOSE') {
    const reason = verdict.closeReason === 'duplicate' ? 'duplicate' : 'not_planned';
    emitEffect(step, { kind: 'close', thread, reason }, lane);
  }
  if (outcome.reaction !== undefined)
    emitEffect(step, { kind: 'react', thread, add: outcome.reaction, remove: 'eyes' }, lane);
}

function labelChange(run: DiscussionRun, outcome: Label | undefined): EffectData {
  const { thread, settings } = run;
  const gone = OUTCOME_LABELS.filter((label) => label !== outcome).map((label) =>
    labelName(settings, label),
  );
  // The trigger comes off when the run is over, so that it can be put on again; a blocked run keeps it.
  const trigger = run.status === 'consensus' && !run.isRequested ? [run.label] : [];
  const add =
    outcome === undefined ? [] : [{ name: labelName(settings, outcome), ...LABEL_LOOKS[outcome] }];
  const has = isDeliberation(run) && run.labels !== undefined ? { has: run.labels } : {};
  return { kind: 'labels', thread, add, remove: [...trigger, ...gone], ...has };
}
