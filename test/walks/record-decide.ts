/** What wraps `decide` while scenarios are recorded: it decides the same, and writes it down. */
import { createHash } from 'node:crypto';
import { writeLine } from './recording.ts';
import { asStored, toDecided, type Reduce } from './walk.ts';

/** Walks by the stream and the state that their last step left. */
const open = new Map<string, number>();
let walks = 0;

export function recordDecide(real: Reduce): Reduce {
  return (state, event, moment) => {
    const before = asStored(state);
    const decision = real(state, event, moment);
    const after = asStored(decision.state);
    const id = walkOf(event.key, before);
    if (id === undefined) return decision;
    open.set(nameOf(event.key, after), id);
    writeLine('walks', {
      walk: id,
      before: nameOf('', before),
      after: nameOf('', after),
      step: { now: moment.now, event: asStored(event), decided: toDecided(before, decision) },
    });
    return decision;
  };
}

/** Undefined for a stream whose beginning was not recorded. */
function walkOf(key: string, before: unknown): number | undefined {
  if (before !== undefined) return open.get(nameOf(key, before));
  walks += 1;
  return walks;
}

function nameOf(key: string, state: unknown): string {
  return `${key} ${createHash('sha1')
    .update(JSON.stringify(state) ?? '')
    .digest('hex')}`;
}
