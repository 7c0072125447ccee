/**
 * Which tasks of a plan a job may take as completed. The author of an issue may write any status into it, and no digest covers
 * a status. So the text alone proves nothing: a signed record of the merge does, or a person who may write.
 */
import { handsIn, MAX_VERSIONS, type BodyVersion } from '../plan/body/body-versions.ts';
import { editPlan } from '../plan/body/edit-plan.ts';
import { parsePlan } from '../plan/body/parse-plan.ts';
import { isOfTask, taskDigest } from '../plan/plan-digest.ts';
import type { Plan, PlanTask } from '../plan/plan.ts';
import type { PlanView } from '../plan/plan-view.ts';
import type { Actor } from '../run/thread-ref.ts';
import type { TaskStream } from '../task/task.ts';

/** What people read of a task that is said to be completed, and is not taken as that. */
export const UNPROVEN =
  'its text says `completed`, but no record shows a merge, and nobody with the write role is known to have written it';

/**
 * Tasks that the text calls completed and that no record of a merge proves.
 *
 * @param streams - signed records of the tasks of this plan
 */
export function findUnproven({ tasks }: Plan, streams: readonly TaskStream[]): PlanTask[] {
  return tasks.filter(
    (task) => task.status === 'completed' && !streams.some((stream) => isMerged(stream, task)),
  );
}

function isMerged({ run }: TaskStream, task: PlanTask): boolean {
  if (run?.mergeSha === undefined || run.order.ref.task !== task.number) return false;
  return isOfTask(run.order.digest, taskDigest(task));
}

/**
 * The person who gave each of these tasks its present status, as far as the history tells. Bots are left out: they may have
 * written again what somebody else wrote before.
 *
 * @param versions - oldest first, with the present one; empty where the text was never edited
 */
export function findWhoSaid(
  tasks: readonly PlanTask[],
  { author, lastEditedAt }: Pick<PlanView['issue'], 'author' | 'lastEditedAt'>,
  versions: readonly BodyVersion[],
): Map<number, Actor> {
  const said = tasks.flatMap((task): [number, Actor][] => {
    const by = lastEditedAt === null ? author : findWriterOf(task, versions);
    return by === undefined || by.isBot ? [] : [[task.number, by]];
  });
  return new Map(said);
}

/**
 * Two ways to find the writer have to agree. One compares each version with the version before it. The other also takes older
 * versions as its origin, and an author could prepare one of those for the edit of somebody else.
 */
function findWriterOf(task: PlanTask, versions: readonly BodyVersion[]): Actor | undefined {
  const words = versions.map(({ text }) =>
    wordsOf(parsePlan(text).tasks.find(({ number }) => number === task.number)),
  );
  const now = wordsOf(task);
  const other = words.findLastIndex((each) => each !== now);
  const isWhole = versions.length < MAX_VERSIONS;
  const writer = versions[other + 1]?.by;
  const hand = handsIn(versions).get(task.number)?.by ?? (isWhole ? versions[0]?.by : undefined);
  return hand?.id === writer?.id ? writer : undefined;
}

function wordsOf(task: PlanTask | undefined): string {
  return JSON.stringify([task?.status, task?.statusReason, task?.assignee]);
}

/** The text as a job takes it: nothing begins after these tasks, and the plan does not end. */
export function holdTasks(body: string, numbers: ReadonlySet<number>): string {
  if (numbers.size === 0) return body;
  const edits = [...numbers].map(
    (task) => ({ kind: 'status', task, status: 'blocked', reason: UNPROVEN }) as const,
  );
  return editPlan(parsePlan(body), edits);
}
