/** What the apply jobs of plans share: who is asked for what, and what is done with an effect. */
import type { Perform } from '../../../act/perform.ts';
import type { Performed } from '../../../act/ports.ts';
import { openSqliteStore } from '../../../adapters/store/sqlite/open-sqlite.ts';
import type { EffectKind } from '../../../domain/event/effect.ts';
import type { Trigger } from '../../../domain/event/trigger.ts';
import type { PlanView } from '../../../domain/plan/plan-view.ts';
import { DEFAULT_LABELS } from '../../../domain/repository/labels.ts';
import { threadKey, type ThreadRef } from '../../../domain/run/thread-ref.ts';
import type { JobSignatures } from '../../../domain/github/job-signature.ts';
import type { Store } from '../../../ports/store.ts';
import type { Basics } from '../../host-parts.ts';
import { believeSigned, openWorkflowGitHub } from '../job/workflow-github.ts';
import type { WorkflowContext } from '../job/workflow-context.ts';
import { openTaskPerform } from '../task/task-ports.ts';

export interface AdvancingPlan {
  basics: Basics;
  context: WorkflowContext;
  recorded: readonly number[];
  thread: ThreadRef;
  /** Key of the claim that this job works under. */
  claim: string;
  /** ISO 8601. */
  at: string;
  trigger: Trigger;
  /** Whether an earlier attempt can have written nothing yet. */
  isFirst: boolean;
  /** Of the job, where the repository has no key. */
  jobSignatures?: JobSignatures | undefined;
}

export interface AdvancedPlan {
  /** Ids of what was written, to be believed later. */
  ids: number[];
  written: number;
  /** For people: what was started, and what was not. */
  told: string[];
}

/** GitHub with this job's token, and the secret that signs. */
export interface PlanPlace {
  github: ReturnType<typeof openWorkflowGitHub>;
  secret: string;
}

const READS: ReadonlySet<EffectKind> = new Set<EffectKind>([
  'look',
  'look-comment',
  'look-plan',
  'name-label',
  'propose',
]);

/** GitHub as this job may write to it. */
export function openPlanPlace({
  basics,
  context,
  recorded,
  jobSignatures,
}: AdvancingPlan): PlanPlace {
  const known = believeSigned(basics, recorded, context.repository.repositoryId);
  const github = openWorkflowGitHub(basics, context, { ...known, jobSignatures });
  return { github, secret: known.markerSecret };
}

export async function withPlanPerform<T>(
  { basics, context: { repository } }: AdvancingPlan,
  { github, secret: markerSecret }: PlanPlace,
  act: (perform: Perform, store: Store) => Promise<T>,
): Promise<T> {
  const store = await openSqliteStore({ memory: true, clock: basics.clock });
  try {
    const ports = { basics, github, store, repository, markerSecret, power: 'writes' } as const;
    return await act(await openTaskPerform(ports), store);
  } finally {
    await store.close();
  }
}

export async function readPlanView(
  thread: ThreadRef,
  at: string,
  perform: Perform,
): Promise<{ view: PlanView; isPlan: boolean }> {
  const key = threadKey(thread);
  const data = { kind: 'look-plan', thread } as const;
  const looked = await perform({ id: 'look', key, run: 'look', at, data }, { isFirst: false });
  if (looked.effectKind !== 'look-plan') throw new Error('A look brought something else');
  const { result: view } = looked;
  const label = view.config.labels.plan ?? DEFAULT_LABELS.plan;
  return { view, isPlan: view.issue.labels.includes(label) };
}

/** What an earlier attempt of this job may have written is looked for. */
export function performOnce(
  perform: Perform,
  { isFirst }: Pick<AdvancingPlan, 'isFirst'>,
): Perform {
  return (effect, attempt) => {
    const isAlone = attempt.isFirst && isFirst;
    return perform(effect, { ...attempt, isFirst: isAlone, isUntouched: isAlone });
  };
}

export function summarisePlan(done: readonly Performed[], told: string[]): AdvancedPlan {
  const writes = done.filter(({ effectKind }) => !READS.has(effectKind));
  return { ids: writes.flatMap(idOf), written: writes.length, told };
}

/** Ids of texts that are believed later where nothing is signed. */
function idOf({ effectKind, result }: Performed): number[] {
  if (effectKind === 'comment' || effectKind === 'reply') return result.id === 0 ? [] : [result.id];
  if (effectKind === 'issue') return result.outcome === 'full' ? [] : [result.number];
  return [];
}
