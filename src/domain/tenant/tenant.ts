/** Whose work something is: the queue shares its slots between installations. */
import type { EffectData } from '../event/effect.ts';
import type { EventData } from '../event/event.ts';

/** The group of everything whose installation is unknown, such as the clock's ticks; GitHub's ids begin at 1. */
export const NO_INSTALLATION = 0;

/**
 * The installation that an event or effect names. Undefined where it names none: results and timers do not, and
 * belong to the installation of the work that they follow from.
 */
export function installationOf(data: EventData | EffectData): number | undefined {
  if ('order' in data) return data.order.ref.plan.installationId;
  return (
    idIn(data) ??
    idIn(field(data, 'trigger')) ??
    idIn(field(data, 'wanted')) ??
    idIn(field(data, 'part'))
  );
}

/** Its own id, or that of the thread or repository that it is about. */
function idIn(value: unknown): number | undefined {
  for (const place of [value, field(value, 'thread'), field(value, 'repository')]) {
    const id = field(place, 'installationId');
    if (typeof id === 'number') return id;
  }
  return undefined;
}

function field(value: unknown, name: string): unknown {
  if (typeof value !== 'object' || value === null) return undefined;
  const found: unknown = Reflect.get(value, name);
  return found;
}
