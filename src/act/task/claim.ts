/** Claims a task: its dependencies are done, the lease is taken, and the plan's body says so; in that order (TG-4). */
import type { EffectData } from '../../domain/event/effect.ts';
import { handsIn } from '../../domain/plan/body/body-versions.ts';
import { editPlan } from '../../domain/plan/body/edit-plan.ts';
import type { LeaseEnd } from '../../domain/plan/lease.ts';
import { parsePlan } from '../../domain/plan/body/parse-plan.ts';
import { isOfTask, taskDigest } from '../../domain/plan/plan-digest.ts';
import type { Plan, PlanTask } from '../../domain/plan/plan.ts';
import type { ClaimResult } from '../../domain/task/task-effects.ts';
import { hasPermission, type Permission } from '../../domain/run/thread-ref.ts';
import type { IssueView } from '../../domain/run/view.ts';
import type { RepositoryFacts } from '../../ports/github/github-reader.ts';
import type { WorkSession } from '../../ports/github/work.ts';
import type { LeasePlace } from '../../ports/github/leases.ts';
import { releaseLease, takeLease, type Taken } from './lease/take-lease.ts';
import type { ActPorts, Performed } from '../ports.ts';
import { leasePlace, workAt, requireCodingRuntime } from './coder/coding-runtime.ts';

type Claim = Extract<EffectData, { kind: 'claim' }>;

export async function claimTask(data: Claim, ports: ActPorts): Promise<Performed<'claim'>> {
  const session = workAt(ports, data.thread);
  const result = await claim(data, session, ports);
  return { effectKind: 'claim', result, githubCalls: session.counts };
}

async function claim(data: Claim, session: WorkSession, ports: ActPorts): Promise<ClaimResult> {
  const seen = seenBefore(ports) ?? (await read(data, session));
  const plan = parsePlan(seen.issue.body);
  const refusal = refusalReason(data, seen, plan);
  if (refusal !== undefined) return refusal;
  const place = leasePlace({ ...data, leaseAt: data.lease }, seen.repository.headSha);
  const { taken, end } = await take(data, { session, ports, place });
  if (taken.outcome === 'ended') return showEnd(data, taken.end, session);
  if (taken.outcome === 'held') {
    const isElsewhere = !taken.by.startsWith(`${requireCodingRuntime(ports).instance}/`);
    const reason = `held by ${taken.by}`;
    return { outcome: 'held', reason, ...(isElsewhere ? { isElsewhere } : {}) };
  }
  const { lease } = taken;
  const written = await session.plans.editBody(data.thread, (body) => writeClaim(body, data));
  if (written.outcome === 'refused') {
    // What it was before is true again: a block that a text of a moment ago did not show.
    await releaseLease(session, place, { ...lease, ...(end && { end }) });
    return { outcome: 'edited', reason: 'it was changed while it was being claimed' };
  }
  const { defaultBranch, headSha } = seen.repository;
  const base = { branch: defaultBranch, sha: headSha };
  return {
    outcome: 'claimed',
    lease,
    base,
    accountHost: ports.github.accountHost,
    text: textOf(plan, data),
    nonce: ports.random.id(),
  };
}

function textOf(plan: Plan, data: Claim): Extract<ClaimResult, { outcome: 'claimed' }>['text'] {
  const { title = '', description = '', files = [] } = findTask(plan, data.task) ?? {};
  return {
    title,
    description,
    files: files.map(({ path, note }) => ({ path, note })),
    plan: plan.title,
    goal: plan.goal,
    context: plan.context,
  };
}

/** Where a task was blocked, only since somebody took that back. */
async function take(
  data: Claim,
  { session, ports, place }: { session: WorkSession; ports: ActPorts; place: LeasePlace },
): Promise<{ taken: Taken; end?: LeaseEnd }> {
  const { thread, task, digest, lease } = data;
  const holder = `${requireCodingRuntime(ports).instance}/${data.holder}`;
  const wanted = { issue: thread.number, task, holder, digest, lastsMs: lease.lastsMs };
  const leasing = { leases: session.leases, clock: ports.clock };
  const taken = await takeLease(leasing, place, wanted);
  if (taken.outcome !== 'ended' || !(await isFreed(data, taken.end, session))) return { taken };
  const { end } = taken;
  return { taken: await takeLease(leasing, place, { ...wanted, isFreed: true }), end };
}

/** Whether somebody took a block back since: a text that was only covered by an older one says nothing. */
async function isFreed({ thread, task }: Claim, end: LeaseEnd, { plans }: WorkSession) {
  if (end.status !== 'blocked') return false;
  return handsIn(await plans.history(thread)).get(task)?.from === 'blocked';
}

/** TG-4: the lease is what is true; a text in which its end was covered shows it again. */
async function showEnd(
  { thread, task, digest }: Claim,
  { status, reason }: LeaseEnd,
  { plans }: WorkSession,
): Promise<ClaimResult> {
  await plans.editBody(thread, (body) => {
    const plan = parsePlan(body);
    const found = findTask(plan, task);
    if (found?.status !== 'pending' || !isOfTask(digest, taskDigest(found))) return undefined;
    return editPlan(plan, [{ kind: 'status', task, status, reason }]);
  });
  return { outcome: 'not-ready', reason: `it is ${status} already` };
}

interface Seen {
  repository: Pick<RepositoryFacts, 'defaultBranch' | 'headSha'>;
  issue: Pick<IssueView['issue'], 'body' | 'state' | 'isLocked'>;
  /** The present permission of the person who approved. */
  permission: Permission;
}

/** Longer than one try takes: what is tried again looks again. */
const FRESH_MS = 30_000;

function seenBefore({ codingRuntime, clock }: ActPorts): Seen | undefined {
  const { view, at = 0 } = codingRuntime?.known?.plan ?? {};
  if (view === undefined || clock.now() - at > FRESH_MS) return undefined;
  return { ...view, permission: view.actorPermission ?? 'none' };
}

/** In one call where the server can. */
async function read({ thread, approvedBy }: Claim, session: WorkSession): Promise<Seen> {
  const survey = await session.survey.issue(thread, {
    people: [approvedBy],
    files: [],
    folder: '.github/quorum/personas',
    foreign: undefined,
    maxBytes: 1,
    comments: 1,
    pastIssues: 1,
  });
  const known = survey?.permissions.get(approvedBy.id);
  const permission =
    known === undefined || known === 'none'
      ? await session.read.permission(thread, approvedBy)
      : known;
  if (survey !== undefined)
    return { repository: survey.repository, issue: survey.issue, permission };
  const [repository, issue] = await Promise.all([
    session.read.repository(thread),
    session.read.issue(thread),
  ]);
  return { repository, issue, permission };
}

function findTask(plan: Plan, number: number): PlanTask | undefined {
  return plan.problems.length > 0 ? undefined : plan.tasks.find((task) => task.number === number);
}

/** The first thing that forbids the claim, from what GitHub says now. */
function refusalReason(
  data: Claim,
  { issue, permission, repository }: Seen,
  plan: Plan,
): Exclude<ClaimResult, { outcome: 'claimed' }> | undefined {
  const task = findTask(plan, data.task);
  if (!hasPermission(permission, 'write'))
    return {
      outcome: 'not-allowed',
      reason: `${data.approvedBy.login}, who said yes, does not have the write role any more`,
    };
  if (issue.state === 'closed' || issue.isLocked || repository.headSha === '')
    return { outcome: 'not-ready', reason: 'the plan is closed' };
  if (task === undefined || !isOfTask(data.digest, taskDigest(task)))
    return { outcome: 'edited', reason: 'its text was changed after the approval' };
  if (task.status !== 'pending' && !isOwnClaim(task, data))
    return { outcome: 'not-ready', reason: `it is ${task.status.replace('_', ' ')} already` };
  const open = openDependencies(plan, task);
  if (open.length > 0) return { outcome: 'not-ready', reason: `it waits for ${open.join(', ')}` };
  return undefined;
}

function openDependencies({ tasks }: Plan, { dependencies }: PlanTask): number[] {
  const done = new Set(tasks.filter((one) => one.status === 'completed').map((one) => one.number));
  return dependencies.filter((other) => !done.has(other));
}

/** After a crash between the claim and its record, the body says so already. */
function isOwnClaim({ status, assignee }: PlanTask, { persona }: Claim): boolean {
  return status === 'claimed' && assignee === persona;
}

/** Undefined when the text is not the one any more that was approved, or somebody else was faster. */
function writeClaim(body: string, data: Claim): string | undefined {
  const plan = parsePlan(body);
  const task = findTask(plan, data.task);
  if (task === undefined || !isOfTask(data.digest, taskDigest(task))) return undefined;
  if (isOwnClaim(task, data)) return body;
  if (task.status !== 'pending' || openDependencies(plan, task).length > 0) return undefined;
  return editPlan(plan, [
    { kind: 'status', task: data.task, status: 'claimed' },
    { kind: 'assignee', task: data.task, assignee: data.persona },
  ]);
}
