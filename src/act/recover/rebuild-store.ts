/**
 * After the store was lost: reads the open plans from GitHub again, and frees what nobody works on any more (DUR-08).
 */
import { EVENT_VERSION } from '../../domain/event/event.ts';
import { DEFAULT_LABELS } from '../../domain/repository/labels.ts';
import type { Lease } from '../../domain/plan/lease.ts';
import { parsePlan } from '../../domain/plan/body/parse-plan.ts';
import { pullNamedBy, type TaskStatus } from '../../domain/plan/plan.ts';
import { taskKey } from '../../domain/task/task.ts';
import { threadKey, type RepositoryRef, type ThreadRef } from '../../domain/run/thread-ref.ts';
import { isRecord } from '../../domain/config/yaml.ts';
import { configOf } from './read-config.ts';
import { releaseLease } from '../task/lease/take-lease.ts';
import type { ActPorts } from '../ports.ts';
import type { ReadSettings } from '../settings/read-settings.ts';
import { settingsNow } from '../read/survey.ts';
import { leasePlace, workAt } from '../task/coder/coding-runtime.ts';

export interface RebuiltPlan {
  repository: string;
  issue: number;
  tasks: RebuiltTask[];
}

export interface RebuiltTask {
  task: number;
  status: TaskStatus;
  /** Of its pull request, where the plan names one. */
  pull?: number;
  /** A hold of an attempt that this installation of Quorum does not know any more. */
  lost?: { ref: string; holder: string };
}

interface Rebuilding {
  ports: ActPorts;
  readSettings: ReadSettings;
  /** Nothing is changed. */
  isDry: boolean;
}

const MINUTE_MS = 60_000;

/** Gives back the holds of lost attempts, and has each open plan read again: what its pull requests need is found there. */
export async function rebuildStore(rebuilding: Rebuilding): Promise<RebuiltPlan[]> {
  const { app } = rebuilding.ports.github;
  const plans: RebuiltPlan[] = [];
  for (const { installationId, isSuspended } of await app.installations()) {
    if (isSuspended) continue;
    for (const ref of await app.repositories(installationId))
      for (const thread of await openPlans(ref, rebuilding))
        plans.push(await rebuildPlan(thread, rebuilding));
  }
  return plans;
}

/** By the name that the repository gave to the label. */
export async function openPlans(
  ref: RepositoryRef,
  at: Pick<Rebuilding, 'ports' | 'readSettings'>,
): Promise<ThreadRef[]> {
  const config = await configOf(ref, at);
  const label = config?.labels.plan ?? DEFAULT_LABELS.plan;
  const found = await at.ports.github.app.labelled(ref, [label]);
  return found.map(({ thread }) => thread);
}

async function rebuildPlan(thread: ThreadRef, rebuilding: Rebuilding): Promise<RebuiltPlan> {
  const { ports, readSettings, isDry } = rebuilding;
  const session = workAt(ports, thread);
  const { config, body } = await settingsNow(thread, session, { readSettings });
  const { leaseNamespace: namespace, leaseMinutes } = config.plans;
  const leaseAt = { namespace, lastsMs: leaseMinutes * MINUTE_MS };
  const tasks: RebuiltTask[] = [];
  for (const found of parsePlan(await body()).tasks) {
    const { number: task, status } = found;
    const pull = pullNamedBy(found);
    const place = leasePlace({ thread, task, leaseAt }, '');
    const lease = (await session.leases.read(place))?.lease;
    const isLost = lease !== undefined && (await isOfNobody({ thread, task, lease }, ports));
    if (isLost && !isDry) await releaseLease(session, place, lease);
    tasks.push({
      task,
      status,
      ...(pull === undefined ? {} : { pull }),
      ...(isLost ? { lost: { ref: place.ref, holder: lease.holder } } : {}),
    });
  }
  if (!isDry) await readAgain(thread, ports);
  return { repository: `${thread.owner}/${thread.repo}`, issue: thread.number, tasks };
}

/** Ours by its instance, and of no attempt that the store knows: others' holds are theirs. */
async function isOfNobody(
  { thread, task, lease }: { thread: ThreadRef; task: number; lease: Lease },
  { store, codingRuntime }: ActPorts,
): Promise<boolean> {
  if (lease.isReleased || codingRuntime === undefined) return false;
  const [instance, run] = lease.holder.split('/');
  if (instance !== codingRuntime.instance) return false;
  const state = (await store.load(taskKey({ plan: thread, task })))?.state;
  const known = isRecord(state) ? state['run'] : undefined;
  return !isRecord(known) || known['id'] !== run;
}

async function readAgain(thread: ThreadRef, { store, clock, random }: ActPorts): Promise<void> {
  const actor = { id: 0, login: 'quorum', isBot: true };
  await store.append([
    {
      id: `rebuild:${threadKey(thread)}:${random.id()}`,
      key: threadKey(thread),
      version: EVENT_VERSION,
      at: new Date(clock.now()).toISOString(),
      data: {
        kind: 'trigger',
        trigger: { kind: 'requested', by: 'cli', thread, actor, label: 'plan', meaning: 'plan' },
      },
    },
  ]);
}
