/** The thread of a follow-up issue: when it ends, its tension does, and the standup that raised it tells so. */
import type { EventData } from '../../../domain/event/event.ts';
import type { Trigger } from '../../../domain/event/trigger.ts';
import { ofKind, type Run } from '../../../domain/run/state/run-record.ts';
import { threadKey } from '../../../domain/run/thread-ref.ts';
import { createStep, emitEffect, emitEvent, ignored, type Decision } from '../../run/decision.ts';
import { toIgnored } from '../../run/outcome.ts';
import type { RunKind, ThreadContext } from '../../run/thread-context.ts';
import { readBoxes, showEnd } from './follow-boxes.ts';
import { onWeekShown } from './start-weekly.ts';

type Told<K extends string> = Extract<EventData, { kind: K }>;

/** Handles a thread's events about standups and tensions; undefined for all others. */
export function onStandupEvent(
  context: ThreadContext,
  data: EventData,
  kind: RunKind<'standup'>,
): Decision | undefined {
  if (data.kind === 'followed-up') return onFollowedUp(context, data);
  if (data.kind === 'tension-told') return onTensionTold(context, data, kind);
  if (data.kind === 'week-shown') return onWeekShown(context, data, kind);
  if (data.kind !== 'trigger' || data.trigger.kind !== 'own-comment-edited') return undefined;
  return onOwnCommentEdited(context, data.trigger, kind);
}

/** What this issue is for. */
function onFollowedUp(
  { state }: ThreadContext,
  { tension, standup }: Told<'followed-up'>,
): Decision {
  state.followUp = { tension, standup };
  return { state, effects: [], events: [] };
}

/** Undefined for a thread that is no follow-up, and for what does not end one. */
export function endFollowUpThread(
  { state, event, now }: ThreadContext,
  { how, thread, actor }: Extract<Trigger, { kind: 'ended' }>,
): Decision | undefined {
  if (state.followUp === undefined || how === 'locked') return undefined;
  const step = createStep(event.key, { id: `follow-up:${event.id}`, step: 0 }, now);
  emitEffect(
    step,
    {
      kind: 'end-follow-up',
      thread,
      by: actor.login,
      ...(how === 'closed' ? {} : { isDeleted: true as const }),
    },
    { lane: `tensions:${thread.repositoryId}` },
  );
  return { state, effects: step.effects, events: step.events };
}

/** The standup's thread shows how it ended. */
export function onFollowUpEnded(
  { state, event, now }: ThreadContext,
  { result, effectId }: Extract<Told<'done'>, { effectKind: 'end-follow-up' }>,
): Decision {
  const { tension } = result;
  const { followUp } = state;
  if (tension === undefined || followUp === undefined) return ignored(state, 'its tension goes on');
  const step = createStep(event.key, { id: effectId, step: 0 }, now);
  emitEvent(
    step,
    { kind: 'tension-told', run: effectId, tension },
    { key: threadKey(followUp.standup), suffix: `ended-${tension.number}` },
  );
  return { state, effects: [], events: step.events };
}

/** In the comment of the newest standup here that raised it. */
function onTensionTold(
  context: ThreadContext,
  { tension }: Told<'tension-told'>,
  kind: RunKind<'standup'>,
): Decision {
  const run = standupsIn(context).findLast(({ shown }) =>
    shown?.insights.some(({ id }) => tension.insights.includes(id)),
  );
  return withRun(context, { run, kind }, (runContext) => showEnd(runContext, tension));
}

/** Reads the boxes when a person edited the comment of a standup. */
function onOwnCommentEdited(
  context: ThreadContext,
  { commentId, actor }: Extract<Trigger, { kind: 'own-comment-edited' }>,
  kind: RunKind<'standup'>,
): Decision {
  const run = standupsIn(context).find((each) => each.commentId === commentId);
  return withRun(context, { run, kind }, (runContext) => readBoxes(runContext, actor));
}

function standupsIn({ state }: ThreadContext): Run<'standup'>[] {
  return Object.values(state.runs).flatMap((run) => ofKind(run, 'standup') ?? []);
}

function withRun(
  { state, event, now }: ThreadContext,
  { run, kind }: { run: Run<'standup'> | undefined; kind: RunKind<'standup'> },
  take: (context: Parameters<typeof readBoxes>[0]) => ReturnType<typeof readBoxes>,
): Decision {
  if (run === undefined) return ignored(state, 'no standup of this thread has it');
  const step = createStep(event.key, run, now);
  const outcome = take({ state, run, step, kind });
  return { state, effects: step.effects, events: step.events, ...toIgnored(outcome) };
}
