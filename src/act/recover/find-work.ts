/** Finds pull requests of ours that a plan names and that nobody here knows of: their store was lost (DUR-08). */
import { gateCheck } from '../../domain/gates/receipt.ts';
import { parseMarker, pullScope } from '../../domain/marker.ts';
import { parsePlan } from '../../domain/plan/parse-plan.ts';
import type { PlanTask } from '../../domain/plan/plan.ts';
import type { PlanView } from '../../domain/plan/plan-view.ts';
import {
  attemptIn,
  decisionsIn,
  summaryIn,
  type FoundCommit,
  type FoundWork,
} from '../../domain/task/found.ts';
import { taskKey } from '../../domain/task/task.ts';
import { toRepositoryRef, type ThreadRef } from '../../domain/thread.ts';
import type { MergeFacts } from '../../ports/work.ts';
import type { ActPorts } from '../ports.ts';
import { workAt, workshopOf } from '../task/workshop.ts';

/** Pinned name (spec 13). */
const REVIEW_CHECK = 'quorum / review';

interface Looking {
  thread: ThreadRef;
  view: PlanView;
}

export async function findWork({ thread, view }: Looking, ports: ActPorts): Promise<FoundWork[]> {
  const handles = new Set(view.personas.map(({ handle }) => handle));
  const found: FoundWork[] = [];
  for (const task of parsePlan(view.issue.body).tasks) {
    const [, number] = /^#(\d+)$/.exec(task.statusReason) ?? [];
    const isBegun = task.status === 'in_progress' || task.status === 'completed';
    if (number === undefined || !isBegun || !handles.has(task.assignee)) continue;
    const pull = { ...toRepositoryRef(thread), number: Number(number) };
    const one = await findOne({ thread, task, pull }, ports);
    if (one !== undefined) found.push(one);
  }
  return found;
}

interface Candidate {
  thread: ThreadRef;
  task: PlanTask;
  pull: ThreadRef;
}

async function findOne(
  { thread, task, pull }: Candidate,
  ports: ActPorts,
): Promise<FoundWork | undefined> {
  const session = workAt(ports, thread);
  const { author, body } = await session.read.issue(pull);
  const self = await ports.github.app.self();
  const marker = parseMarker(body, ports.markerSecret, pullScope(thread));
  if (author.id !== self.id || marker?.key !== taskKey({ plan: thread, task: task.number }))
    return undefined;
  const facts = await session.tasks.mergeFacts(pull);
  const { headSha, mergeSha } = facts;
  const about = {
    task: task.number,
    run: marker.run,
    attempt: attemptIn(body),
    persona: task.assignee,
    // Nobody reads its address, which the next publishing tells again.
    pull: { number: pull.number, url: '' },
    headSha,
  };
  if (facts.isMerged)
    return { ...about, isReviewed: true, ...(mergeSha === undefined ? {} : { mergeSha }) };
  if (facts.state === 'closed' || task.status === 'completed') return undefined;
  // Somebody's own push is never made again as ours: only what went through our gates is known by them.
  const isProved = await session.work.hasOurCheck(pull, { sha: headSha, name: gateCheck('4') });
  if (!isProved) return undefined;
  const commit = await commitAt(thread, { facts, body }, ports);
  if (commit === undefined) return undefined;
  const check = { sha: headSha, name: REVIEW_CHECK };
  return { ...about, commit, isReviewed: await session.work.hasOurCheck(pull, check) };
}

async function commitAt(
  thread: ThreadRef,
  { facts, body }: { facts: MergeFacts; body: string },
  ports: ActPorts,
): Promise<FoundCommit | undefined> {
  const reader = await workshopOf(ports).git.read(toRepositoryRef(thread), facts.headSha);
  const commit = await reader.history?.commit();
  if (commit === undefined) return undefined;
  const { from, patch, paths, message, at } = commit;
  const [summary, decisions] = [summaryIn(message), decisionsIn(body)];
  return { change: { from, patch, paths, summary, decisions }, at };
}
