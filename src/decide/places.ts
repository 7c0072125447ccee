/** The repository gives its places to its plans; they hear it as an event. */
import type { Event, EventData } from '../domain/event.ts';
import { derivedId } from '../domain/ids.ts';
import { sharePlaces } from '../domain/plan/places.ts';
import type { RepositoryState } from '../domain/repository.ts';
import { threadKey } from '../domain/thread.ts';
import { createStep, ignored, say, type Decision } from './decision.ts';

export function takePlacesWanted(
  { state, event, now }: { state: RepositoryState; event: Event; now: number },
  { run: plan, wanted }: Extract<EventData, { kind: 'places-wanted' }>,
): Decision {
  const shared = sharePlaces(state.plansAtWork ?? {}, { ...wanted, plan }, now);
  if (shared === undefined) return ignored(state, 'the plan has said more since');
  const step = createStep(event.key, { id: derivedId(`places ${event.id}`, now), step: 0 }, now);
  for (const { thread, plan: run, said, places } of shared.told)
    say(
      step,
      { kind: 'places-given', run, said, places },
      { key: threadKey(thread), suffix: `to-${thread.number}` },
    );
  return { state: { ...state, plansAtWork: shared.plans }, effects: [], events: step.events };
}
