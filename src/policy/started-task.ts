/** Whether a task may begin that no person started: only where a person approved this very text, once for each start. */
import { isApproved, type Approval } from '../domain/plan/approval.ts';
import { parsePlan } from '../domain/plan/body/parse-plan.ts';
import { isOfTask, planDigest, taskDigest } from '../domain/plan/plan-digest.ts';
import type { Plan, PlanTask } from '../domain/plan/plan.ts';
import { forbid, type Refusal } from '../domain/run/permit/permit.ts';

/** What a signed record says of the plan and of the task. */
export interface StartRecord {
  approval: Approval | undefined;
  started: { digest: string; at: string } | undefined;
}

export interface StartAsked {
  /** Undefined where no apply job with this key kept the plan. */
  record: StartRecord | undefined;
  /** The plan's text as it is now, with what is believed of its statuses. */
  body: string;
  task: number;
  /** When the last attempt at the task began, as its record says, ISO 8601. */
  lastAt: string | undefined;
  /** Milliseconds since the epoch. */
  now: number;
}

/** A workflow that waited for longer has to be started again. */
const LAPSES_MS = 24 * 3_600_000;

export type StartPermit = { kind: 'allowed'; by: Approval['by'] } | Refusal;

export function permitStart({ record, body, task, lastAt, now }: StartAsked): StartPermit {
  if (record?.approval === undefined) return forbid('no approval of this plan is on record');
  const { approval, started } = record;
  const plan = parsePlan(body);
  const found = plan.tasks.find(({ number }) => number === task);
  if (plan.problems.length > 0 || found === undefined)
    return forbid(`the plan has no task ${task} that can be read`);
  if (!isApproved(approval, planDigest(plan)))
    return forbid('the plan was changed after its approval');
  if (started === undefined || !isOfTask(started.digest, taskDigest(found)))
    return forbid(`task ${task} was not started under the approval`);
  const waitsFor = openDependency(plan, found);
  if (waitsFor !== undefined)
    return forbid(`task ${task} depends on task ${waitsFor}, which is not done`);
  if (now - Date.parse(started.at) > LAPSES_MS)
    return forbid(`task ${task} was started more than a day ago`);
  if (lastAt !== undefined && Date.parse(lastAt) >= Date.parse(started.at))
    return forbid(`task ${task} has begun since it was started`);
  return { kind: 'allowed', by: approval.by };
}

function openDependency({ tasks }: Plan, { dependencies }: PlanTask): number | undefined {
  const done = new Set(
    tasks.filter(({ status }) => status === 'completed').map(({ number }) => number),
  );
  return dependencies.find((number) => !done.has(number));
}
