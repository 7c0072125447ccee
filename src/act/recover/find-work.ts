/** Finds our pull requests that a plan names and that this store does not know: an earlier store was lost (DUR-08). */
import type { Config } from '../../domain/config/config.ts';
import { parseMarker, pullScope } from '../../domain/github/marker.ts';
import { parsePlan } from '../../domain/plan/body/parse-plan.ts';
import { pullNamedBy, type PlanTask } from '../../domain/plan/plan.ts';
import type { PlanView } from '../../domain/plan/plan-view.ts';
import {
  attemptIn,
  decisionsIn,
  summaryIn,
  type FoundCommit,
  type FoundWork,
} from '../../domain/task/found.ts';
import {
  handleOfCheck,
  namesOfSuccess,
  provesGates,
  REVIEW_CHECK,
} from '../../domain/task/check-names.ts';
import { taskKey } from '../../domain/task/task.ts';
import { toRepositoryRef, type ThreadRef } from '../../domain/run/thread-ref.ts';
import type { MergeFacts } from '../../ports/github/work.ts';
import type { ActPorts } from '../ports.ts';
import { workAt, requireCodingRuntime } from '../task/coder/coding-runtime.ts';

interface Looking {
  thread: ThreadRef;
  view: PlanView;
}

export async function findWork({ thread, view }: Looking, ports: ActPorts): Promise<FoundWork[]> {
  const handles = new Set(view.personas.map(({ handle }) => handle));
  const found: FoundWork[] = [];
  for (const task of parsePlan(view.issue.body).tasks) {
    const number = pullNamedBy(task);
    const isBegun = task.status === 'in_progress' || task.status === 'completed';
    if (number === undefined || !isBegun || !handles.has(task.assignee)) continue;
    const pull = { ...toRepositoryRef(thread), number };
    const one = await findOne({ thread, view, task, pull }, ports);
    if (one !== undefined) found.push(one);
  }
  return found;
}

interface Candidate extends Looking {
  task: PlanTask;
  pull: ThreadRef;
}

async function findOne(
  { thread, view, task, pull }: Candidate,
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
  const checks = await session.work.ownChecks(pull, headSha);
  if (!provesGates(checks)) return undefined;
  const said = namesOfSuccess(checks);
  const commit = await commitAt(thread, { facts, body }, ports);
  if (commit === undefined) return undefined;
  return { ...about, commit, ...reviewIn(said, view.config.review) };
}

/**
 * The checks show what the team said of this head. Without the check of a persona that has to agree, it is reviewed
 * again.
 */
function reviewIn(
  said: ReadonlySet<string>,
  { requiredPersonas }: Config['review'],
): Pick<FoundWork, 'isReviewed' | 'voices'> {
  const handles = [...said].flatMap((name) => handleOfCheck(name) ?? []);
  const isReviewed =
    said.has(REVIEW_CHECK) && requiredPersonas.every((handle) => handles.includes(handle));
  const voices = handles.map((handle) => ({ handle, vote: 'APPROVE' as const }));
  return isReviewed ? { isReviewed, voices } : { isReviewed };
}

async function commitAt(
  thread: ThreadRef,
  { facts, body }: { facts: MergeFacts; body: string },
  ports: ActPorts,
): Promise<FoundCommit | undefined> {
  const reader = await requireCodingRuntime(ports).git.read(toRepositoryRef(thread), facts.headSha);
  const commit = await reader.history?.commit();
  if (commit === undefined) return undefined;
  const { from, patch, paths, message, at } = commit;
  const [summary, decisions] = [summaryIn(message), decisionsIn(body)];
  return { change: { from, patch, paths, summary, decisions }, at };
}
