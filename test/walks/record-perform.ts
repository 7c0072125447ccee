/** What wraps `createPerform` while scenarios are recorded: each effect gets ports of its own, whose calls are written down. */
import type { Perform } from '../../src/act/perform.ts';
import type { ActPorts } from '../../src/act/ports.ts';
import { asStored } from './walk.ts';
import { createRecording, current, recordPorts, shapeOf } from './record-tape.ts';
import { writeLine } from './recording.ts';
import { toPlain } from './plain.ts';
import type { Ending } from './tape.ts';

export function recordPerform(real: (ports: ActPorts) => Perform): (ports: ActPorts) => Perform {
  return (ports) => recordedOn(ports, real);
}

function recordedOn(ports: ActPorts, real: (ports: ActPorts) => Perform): Perform {
  const openedAt = ports.clock.now();
  const { caches: _, ...rest } = ports;
  const { load, append, records, erasure, standups } = ports.store;
  // A store has more than these members, but effects use no others.
  const store = {
    load: load.bind(ports.store),
    append: append.bind(ports.store),
    records,
    erasure,
    standups,
  };
  const lent = { ...rest, store };
  const ownPorts = recordPorts(lent);
  const shape = shapeOf(lent);
  return async (effect, attempt) => {
    const recording = createRecording(openedAt);
    // What a process remembers would be missing on the tape: each effect begins with nothing.
    const perform = current.run(recording, () => real(ownPorts));
    recording.now = ports.clock.now();
    const kept = { effect: asStored(effect), attempt: { ...attempt } };
    const write = (ending: Ending): void => {
      for (const end of recording.atEnd) end();
      const { now, random, calls } = recording;
      const tape = { openedAt, now, random, ports: shape, ...kept, calls, ending };
      writeLine('tapes', tape);
    };
    try {
      const performed = await current.run(recording, () => perform(effect, attempt));
      write({ returned: toPlain(performed) });
      return performed;
    } catch (error) {
      write({ threw: toPlain(error) });
      throw error;
    }
  };
}
