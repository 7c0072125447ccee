/** Labels ask: for a discussion, a plan, a search of the code; a repository may have renamed them. */
import { COUNCIL_TRIGGERS, type CouncilTrigger } from '../domain/run/run-trigger.ts';
import { DEFAULT_LABELS } from '../domain/repository/labels.ts';
import type { DeliveredPlan } from '../domain/plan/approval.ts';
import type { Labeller } from '../domain/plan/plan-view.ts';
import type { NamedLabel } from '../domain/event/result.ts';
import type { Actor } from '../domain/run/thread-ref.ts';
import type { Trigger } from '../domain/event/trigger.ts';
import { startRun } from './discussion/start-run.ts';
import { createStep, ignored, emitEffect, type Decision } from './run/decision.ts';
import { readPlanAgain } from './plan/check-plan.ts';
import { planByLabel } from './plan/planning/start-planning.ts';
import type { ThreadContext } from './run/thread-context.ts';
import { runKindOf } from './kinds/run-kinds.ts';

/** Which run each of the council's labels starts on an issue. */
const LABEL_TRIGGERS: ReadonlyMap<string, CouncilTrigger> = new Map(
  COUNCIL_TRIGGERS.flatMap((trigger) => {
    const { label } = runKindOf({ trigger });
    return label === undefined ? [] : [[label, trigger]];
  }),
);

interface Start {
  trigger: Extract<Trigger, { kind: 'labeled' | 'requested' | 'opened' }>;
  labels: string[];
}

/** Starts what a label asks for, if it is one of Quorum's labels. Otherwise the repository's configuration decides. */
export function startFor(context: ThreadContext, start: Start): Decision {
  const { state } = context;
  const meaning = start.trigger.kind === 'requested' ? start.trigger.meaning : undefined;
  if (meaning === 'code-watch') return startWatch(context, start.trigger);
  if (meaning === 'plan-me' || start.labels.includes(DEFAULT_LABELS['plan-me']))
    return planByLabel(context, start.trigger, planMeOf(start));
  const isOurs = (name: string): boolean => LABEL_TRIGGERS.has(meaning ?? name);
  if (meaning === 'plan' || start.labels.includes(DEFAULT_LABELS.plan))
    return readPlanAgain(context, start.trigger.thread, whoMadeIt(start.trigger));
  const label = start.labels.find(isOurs);
  const kind = label === undefined ? undefined : LABEL_TRIGGERS.get(meaning ?? label);
  if (label !== undefined && kind !== undefined)
    return startRun(state, {
      ...context,
      trigger: start.trigger,
      kind,
      label,
      runKind: runKindOf({ trigger: kind }),
    });
  const custom = start.labels.at(0);
  if (custom === undefined) return ignored(state, 'opened without a label');
  return resolveLabel(context, start);
}

/** As the repository calls it. */
function planMeOf({ trigger, labels }: Start): string {
  const isNamed = trigger.kind === 'requested' && trigger.meaning === 'plan-me';
  return (isNamed ? labels.at(0) : undefined) ?? DEFAULT_LABELS['plan-me'];
}

/** A pass that finds a plan again approves nothing, and neither does an automated account's label. */
function whoMadeIt(trigger: Start['trigger']): Labeller | undefined {
  return trigger.kind === 'requested' ? undefined : labellerOf(trigger.actor, trigger.plan);
}

function labellerOf({ id, login, isBot }: Actor, plan?: DeliveredPlan): Labeller | undefined {
  return isBot ? undefined : { id, login, ...(plan === undefined ? {} : { plan }) };
}

function startWatch(context: ThreadContext, trigger: Start['trigger']): Decision {
  const kind = 'code_watch';
  const path = trigger.kind === 'requested' ? trigger.path : undefined;
  const request = {
    trigger,
    kind,
    label: kind,
    runKind: runKindOf({ trigger: kind }),
  } as const;
  return startRun(context.state, {
    ...context,
    ...request,
    ...(path === undefined ? {} : { path }),
  });
}

/** A repository may have renamed the labels; only its configuration knows. */
function resolveLabel({ state, event, now }: ThreadContext, { trigger, labels }: Start): Decision {
  const step = createStep(event.key, { id: `label:${event.id}`, step: 0 }, now);
  const { thread, actor } = trigger;
  const plan = trigger.kind === 'requested' ? undefined : trigger.plan;
  for (const label of labels)
    emitEffect(step, { kind: 'name-label', thread, label, actor, ...(plan && { plan }) });
  return { state, effects: step.effects, events: [] };
}

/** What the repository means by a label that Quorum does not define. */
export function onLabelResolved(context: ThreadContext, named: NamedLabel): Decision {
  const { state } = context;
  if (named.meaning === 'plan')
    return readPlanAgain(context, named.thread, labellerOf(named.actor, named.plan));
  if (named.meaning === 'plan-me') return planByLabel(context, named, named.label);
  const kind = named.meaning === undefined ? undefined : LABEL_TRIGGERS.get(named.meaning);
  if (kind === undefined) return ignored(state, `the label \`${named.label}\` asks for nothing`);
  const trigger = {
    kind: 'labeled' as const,
    thread: named.thread,
    actor: named.actor,
    label: named.label,
  };
  return startRun(state, {
    ...context,
    trigger,
    kind,
    label: named.label,
    runKind: runKindOf({ trigger: kind }),
  });
}
