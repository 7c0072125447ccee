/** Lends the analysers of whole repositories to effects: one search at a time, and other work between two steps. */
import { setImmediate as othersFirst } from 'node:timers/promises';
import { searchInSteps } from '../decide/watch/search.ts';
import type { SearchCode, WatchedCode, WatchFindings } from '../domain/watch.ts';

/** A search holds every line of a repository several times over: a second one waits for its end. */
export function createCodeSearch(): SearchCode {
  let last: Promise<unknown> = Promise.resolve();
  return (code, limit) => {
    const own = last.then(() => search(code, limit));
    last = own.catch(() => undefined);
    return own;
  };
}

async function search(code: WatchedCode, limit: number): Promise<WatchFindings> {
  const steps = searchInSteps(code, limit);
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
    await othersFirst();
  }
}
