/** How long each step of a path took: printed for people, never asserted. */
import { onTestFinished } from 'vitest';

export interface Times {
  /** Says that a step has ended. */
  ended(step: string): void;
}

/** Prints a line at the end of the test: `path look: clone 1.2 s, demo 60.1 s; 61.3 s in all`. */
export function printTimes(path: string): Times {
  const start = performance.now();
  let last = start;
  const steps: string[] = [];
  onTestFinished(() => {
    console.log(`path ${path}: ${steps.join(', ')}; ${seconds(last - start)} in all`);
  });
  return {
    ended: (step) => {
      const now = performance.now();
      steps.push(`${step} ${seconds(now - last)}`);
      last = now;
    },
  };
}

function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(1)} s`;
}
