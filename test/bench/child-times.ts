/** When programs of a kind were running, so that their time can be taken off: those that this process starts. */
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { ChildProcess } from 'node:child_process';

export interface ChildTimes {
  /** Milliseconds of a span (since the epoch) in which at least one of them ran. */
  within(from: number, to: number): number;
  stop(): void;
}

type Span = readonly [from: number, to: number];

/** `counts` is asked with the whole command line, program first. */
export function watchChildren(counts: (args: readonly string[]) => boolean): ChildTimes {
  const spans: Span[] = [];
  const hear = (message: unknown): void => {
    const from = Date.now();
    const { process: child } = message as { process: ChildProcess };
    child.once('exit', () => {
      if (counts(child.spawnargs)) spans.push([from, Date.now()]);
    });
  };
  subscribe('child_process', hear);
  return {
    within: (from, to) => {
      let end = from;
      let sum = 0;
      for (const [start, stop] of spans.toSorted(([a], [b]) => a - b)) {
        const begin = Math.max(start, end);
        end = Math.max(end, Math.min(stop, to));
        sum += Math.max(0, end - begin);
      }
      return sum;
    },
    stop: () => void unsubscribe('child_process', hear),
  };
}
