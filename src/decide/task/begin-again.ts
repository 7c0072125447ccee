/** An attempt whose record was lost goes on from what GitHub has of it: the same name, the same commit, the same pull request. */
import type { Event } from '../../domain/event/event.ts';
import type { FoundWork } from '../../domain/task/found.ts';
import { knownCopyOf } from '../../domain/task/journal-copy.ts';
import {
  taskBranch,
  type TaskOrder,
  type TaskRun,
  type TaskStream,
} from '../../domain/task/task.ts';
import { ignored, type Decision } from '../run/decision.ts';
import { complete } from './end-attempt.ts';
import { GATES, gateCheck } from '../../domain/gates/receipt.ts';
import { GATES_CHECK, MERGE_CHECK, voiceCheck } from '../../domain/task/check-names.ts';
import { claim } from './attempt-work.ts';
import { createContext, editPlanLines } from './task-context.ts';

interface Found {
  event: Event;
  order: TaskOrder;
  found: FoundWork;
  now: number;
}

/**
 * A merged task is complete. An open one is claimed under its old name, rebuilt, and goes through the gates again
 * before it may merge.
 */
export function beginAgain(stream: TaskStream, { event, order, found, now }: Found): Decision {
  if (stream.run !== undefined) return ignored(stream, `run ${stream.run.id} is known of it`);
  const run = toRun(order, found, now);
  stream.run = run;
  stream.heads = [found.headSha];
  const context = createContext(stream, run, { event, now });
  if (found.commit === undefined) {
    editPlanLines(context, 'completed', `#${found.pull.number}`);
    complete(context, found.mergeSha);
  } else {
    editPlanLines(context, 'pending', `#${found.pull.number} was found again`);
    claim(context);
  }
  return { state: stream, effects: context.step.effects, events: context.step.events };
}

function toRun(order: TaskOrder, { run, pull, headSha, commit, ...found }: FoundWork, now: number) {
  const at = commit?.at ?? now;
  const { isReviewed, voices = [] } = found;
  const checks = [
    GATES_CHECK,
    ...GATES.map(gateCheck),
    MERGE_CHECK,
    ...voices.map(({ handle }) => voiceCheck(handle)),
  ];
  return {
    id: run,
    step: 0,
    order,
    attempt: found.attempt,
    phase: { kind: 'ended' },
    branch: taskBranch(order.ref, order.title),
    startedAt: new Date(at).toISOString(),
    receipts: [],
    headSha,
    pull,
    refinements: 0,
    calls: [],
    notes: [],
    // They stand there already: looked for before they are written again.
    written: [...checks.map((name) => `${name}@${headSha}`), 'merge'],
    ...(commit === undefined
      ? {}
      : { change: { ...commit.change, ...knownCopyOf(commit.change, order.ref) } }),
    ...(isReviewed ? { review: { headSha, verdict: 'APPROVE', asks: [], voices } } : {}),
  } satisfies TaskRun;
}
