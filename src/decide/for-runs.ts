/** Hands an event to every open run of a thread, and adds up what they decide. */
import { ignore, toIgnored, type Outcome } from './run/outcome.ts';
import { createStep, type Decision, ignored } from './run/decision.ts';
import {
  isDiscussionContext,
  isOpen,
  type DiscussionContext,
  type RunContext,
  type ThreadContext,
} from './run/thread-context.ts';
import { toRunContext } from './kinds/run-kinds.ts';

export function toDecision(context: RunContext, outcome: Outcome): Decision {
  return {
    state: context.state,
    effects: context.step.effects,
    events: context.step.events,
    ...toIgnored(outcome),
  };
}

export function joinDecisions(first: Decision, then: Decision): Decision {
  const effects = [...first.effects, ...then.effects];
  return { state: then.state, effects, events: [...first.events, ...then.events] };
}

/** A standalone run is no discussion: neither words nor the thread's end move it. */
export function ifDiscussion(
  context: RunContext,
  take: (context: DiscussionContext) => Outcome,
): Outcome {
  return isDiscussionContext(context) ? take(context) : ignore('a standalone run is no discussion');
}

/** Lets every run that is not over have a look at the event. */
export function forRuns(
  { state, event, now }: ThreadContext,
  take: (context: RunContext) => Outcome,
): Decision {
  const open = Object.values(state.runs).filter((run) => isOpen(run));
  if (open.length === 0) return ignored(state, 'nothing is being discussed here');
  const decisions = open.map((run) => {
    const context = toRunContext(state, run, createStep(event.key, run, now));
    return toDecision(context, take(context));
  });
  const reasons = decisions.map((each) => each.ignored);
  const all = {
    state,
    effects: decisions.flatMap((each) => each.effects),
    events: decisions.flatMap((each) => each.events),
  };
  const first = reasons.every((reason) => reason !== undefined) ? reasons[0] : undefined;
  return first === undefined ? all : { ...all, ignored: first };
}
