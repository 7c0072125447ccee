/** Plays the stream of a kept task in one job, from its record and what is new. */
import { openSqliteStore } from '../../../adapters/store/sqlite/open-sqlite.ts';
import type { KeptTask } from '../../../domain/actions/kept/kept-tasks.ts';
import type { PullNews } from '../../../domain/event/event.ts';
import type { EffectKind } from '../../../domain/event/effect.ts';
import type { Basics } from '../../host-parts.ts';
import type { Believing, openWorkflowGitHub } from '../job/workflow-github.ts';
import type { WorkflowContext } from '../job/workflow-context.ts';
import { playTask, type Known, type TaskPlayed } from '../task/play-task.ts';
import { openTaskPerform, type TaskPower } from '../task/task-ports.ts';

export interface KeptPlay {
  basics: Basics;
  context: WorkflowContext;
  github: ReturnType<typeof openWorkflowGitHub>;
  believing: Believing;
  claim: string;
  news: PullNews;
  known: readonly Known[];
  carriesOut: readonly EffectKind[];
  power: TaskPower;
  /** Whether an earlier attempt can have written nothing yet. */
  isFirst: boolean;
  timeoutMs: number;
}

export async function playKept({ stream }: KeptTask, play: KeptPlay): Promise<TaskPlayed> {
  const { basics, context, github, believing, power, news, ...how } = play;
  const { repository } = context;
  const { markerSecret } = believing;
  const order = stream.run?.order;
  if (order === undefined) throw new Error('A kept task has no run');
  const store = await openSqliteStore({ memory: true, clock: basics.clock });
  try {
    return await playTask({
      basics,
      store,
      order,
      going: { stream, news },
      claim: how.claim,
      at: new Date(basics.clock.now()).toISOString(),
      known: how.known,
      carriesOut: how.carriesOut,
      perform: await openTaskPerform({ basics, github, store, repository, markerSecret, power }),
      isFirst: how.isFirst,
      timeoutMs: how.timeoutMs,
    });
  } finally {
    await store.close();
  }
}
