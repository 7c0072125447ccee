/** Which runs left their traces on a thread, and which of them this store does not know. */
import { LIVE } from '../domain/github/marker.ts';
import type { RunTrace } from '../domain/run/run-trace.ts';
import { threadName, type ThreadRef } from '../domain/run/thread-ref.ts';
import type { CommentView } from '../domain/run/view.ts';
import type { OwnCheck } from '../ports/github/pulls.ts';
import type { ActPorts } from './ports.ts';

/** The newest count; older runs are over. */
const MAX_TRACES = 20;

/** Of discussions, by their live comments. */
export function tracesIn(comments: readonly CommentView[]): RunTrace[] {
  return comments.flatMap(({ id, updatedAt, marker }): RunTrace[] => {
    if (marker?.kind !== 'run' || marker.key !== LIVE) return [];
    return [{ run: marker.run, id, stage: marker.stage ?? 'active', movedAt: updatedAt }];
  });
}

/** Of reviews, by their check runs on the head. */
export function tracesOf(checks: readonly OwnCheck[]): RunTrace[] {
  return checks.map(({ id, run, isEnded, startedAt = '' }) => ({
    run,
    id,
    stage: isEnded ? 'ended' : 'active',
    movedAt: startedAt,
  }));
}

/** Asks the store alone. */
export async function markForeign(
  all: readonly RunTrace[],
  { store, log }: Pick<ActPorts, 'store' | 'log'>,
  thread: ThreadRef,
): Promise<RunTrace[]> {
  const traces: RunTrace[] = [];
  for (const trace of all.slice(-MAX_TRACES)) {
    const isKnown = (await store.records.effects({ run: trace.run, limit: 1 })).length > 0;
    traces.push(isKnown ? trace : { ...trace, isForeign: true });
    if (!isKnown && trace.stage === 'active')
      log?.warn(
        { thread: threadName(thread), run: trace.run },
        'run of another instance found on a thread',
      );
  }
  return traces;
}
