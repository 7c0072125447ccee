/** Who works on a plan's tasks, and who wrote what its text says of them. */
import { handsIn } from '../../domain/plan/body/body-versions.ts';
import { type HeldLease } from '../../domain/plan/lease.ts';
import { isHeld } from '../../policy/decide-lease.ts';
import { parsePlan } from '../../domain/plan/body/parse-plan.ts';
import { isOfTask, taskDigest } from '../../domain/plan/plan-digest.ts';
import { pullNamedBy, type PlanTask } from '../../domain/plan/plan.ts';
import type { PersonsWord, PlanView, TaskWords } from '../../domain/plan/plan-view.ts';
import type { ThreadRef } from '../../domain/run/thread-ref.ts';
import type { WorkSession } from '../../ports/github/work.ts';
import type { ActPorts } from '../ports.ts';
import { leasePlace, workAt } from './coder/coding-runtime.ts';

const MINUTE_MS = 60_000;

type Unheld = NonNullable<PlanView['unheld']>[number];

interface Looking {
  thread: ThreadRef;
  view: PlanView;
}

/** What a persona is said to work on, without a lease that still holds and without an open or merged pull request. */
export async function findUnheld(
  { thread, view, held }: Looking & { held: readonly number[] },
  ports: ActPorts,
): Promise<{ unheld: Unheld[]; hasOthers: boolean }> {
  const handles = new Set(view.personas.map(({ handle }) => handle));
  const said = parsePlan(view.issue.body).tasks.filter(
    ({ number, status, assignee }) =>
      (status === 'claimed' || status === 'in_progress') &&
      handles.has(assignee) &&
      !held.includes(number),
  );
  const unheld: Unheld[] = [];
  if (said.length === 0) return { unheld, hasOthers: false };
  const session = workAt(ports, thread);
  const { leaseNamespace: namespace, leaseMinutes } = view.config.plans;
  const leaseAt = { namespace, lastsMs: leaseMinutes * MINUTE_MS };
  let hasOthers = false;
  for (const task of said) {
    const place = leasePlace({ thread, task: task.number, leaseAt }, view.repository.headSha);
    const kept = await session.leases.read(place);
    if (isHeld(kept, ports.clock.now())) hasOthers ||= isForeign(kept, ports);
    else {
      const found = await unheldReason({ thread, task, kept }, { session, ports });
      if (found !== undefined) unheld.push(found);
    }
  }
  return { unheld, hasOthers };
}

function isForeign(kept: HeldLease | undefined, { codingRuntime }: ActPorts): boolean {
  return kept?.lease?.holder.startsWith(`${codingRuntime?.instance ?? ''}/`) !== true;
}

interface Asked {
  thread: ThreadRef;
  task: PlanTask;
  kept: HeldLease | undefined;
}

async function unheldReason(asked: Asked, at: Asking): Promise<Unheld | undefined> {
  const { task, kept } = asked;
  const { end, digest } = kept?.lease ?? {};
  const isSame = isOfTask(digest, taskDigest(task));
  if (end !== undefined && isSame) return { task: task.number, end };
  // Its number, or what it says, was another one's when it was held.
  const isOfAnother = digest !== undefined && !isSame;
  return isOfAnother || (await isWithoutPull(asked, at)) ? { task: task.number } : undefined;
}

interface Asking {
  session: WorkSession;
  ports: ActPorts;
}

/** Whether no pull request stands for it, or one that this installation held, and knows nothing of: its store is lost (DUR-08). */
async function isWithoutPull({ thread, task, kept }: Asked, { session, ports }: Asking) {
  const number = pullNamedBy(task);
  if (number === undefined) return true;
  const facts = await session.tasks.mergeFacts({ ...thread, number });
  if (facts.isMerged || facts.state === 'closed') return !facts.isMerged;
  return !isForeign(kept, ports);
}

/** Who changed the words of tasks that do not say what was expected: people only, with the role that they have now. */
export async function findHands(
  { thread, view, expected }: Looking & { expected: readonly TaskWords[] },
  session: WorkSession,
): Promise<PersonsWord[]> {
  const tasks = new Map(parsePlan(view.issue.body).tasks.map((task) => [task.number, task]));
  const others = expected.filter(({ task, status, assignee }) => {
    const found = tasks.get(task);
    if (found === undefined) return false;
    return found.status !== status || (assignee !== undefined && found.assignee !== assignee);
  });
  if (others.length === 0) return [];
  const hands = handsIn(await session.plans.history(thread));
  const words: PersonsWord[] = [];
  for (const { task } of others) {
    const hand = hands.get(task);
    if (hand === undefined || hand.by.isBot) continue;
    const { id, login } = hand.by;
    const permission = await session.read.permission(thread, { id, login });
    words.push({
      task,
      by: { id, login },
      permission,
      ...(hand.from === undefined ? {} : { from: hand.from }),
    });
  }
  return words;
}
