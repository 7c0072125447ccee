/** What a thread and its repository spent. */
import { taskKeysOf } from '../../../domain/task/task.ts';
import type { Spending } from '../../../domain/run/talk.ts';
import { threadKey, type ThreadRef } from '../../../domain/run/thread-ref.ts';
import { DAY_MS } from '../../model/host-money.ts';
import type { ActPorts } from '../../ports.ts';

export async function readSpending(thread: ThreadRef, { store, clock }: ActPorts) {
  const { repositoryId } = thread;
  const since = (days: number): string => new Date(clock.now() - days * DAY_MS).toISOString();
  const [own, tasks, day, month] = await Promise.all([
    store.records.spent({ key: threadKey(thread) }),
    store.records.spent({ keyStart: taskKeysOf(thread) }),
    store.records.spent({ repositoryId, since: since(1) }),
    store.records.spent({ repositoryId, since: since(30) }),
  ]);
  return { thread: addSpending(own, tasks), day, month } satisfies Record<string, Spending>;
}

/** A plan costs what its tasks cost. */
function addSpending(a: Spending, b: Spending): Spending {
  return {
    usd: a.usd + b.usd,
    unknownCalls: a.unknownCalls + b.unknownCalls,
    calls: a.calls + b.calls,
  };
}
