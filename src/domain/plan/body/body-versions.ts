/**
 * The edits that a plan's body went through. GitHub compares nothing when a text is written, so a version may have
 * covered others that its writer never saw. What each one meant to change follows from the version that it differs from
 * least.
 */
import type { Actor } from '../../run/thread-ref.ts';
import { editPlan, type PlanEdit } from './edit-plan.ts';
import { parsePlan } from './parse-plan.ts';
import { planDigest } from '../plan-digest.ts';
import type { Plan, PlanTask, TaskStatus } from '../plan.ts';

/** The whole text after one edit. */
export interface BodyVersion {
  id: string;
  text: string;
  by: Actor;
  /** Milliseconds since the epoch. */
  at: number;
}

/** Edits that are looked back upon. */
export const MAX_VERSIONS = 20;

/** Who last wrote a task's present words, and what they replaced. */
export interface Hand {
  by: Actor;
  from: TaskStatus | undefined;
}

interface Read {
  plan: Plan;
  tasks: ReadonlyMap<number, PlanTask>;
  /** Lines of all but the words of tasks that change while they are worked on. */
  rest: ReadonlySet<string>;
}

/**
 * The body with no edit lost. Each task has the last words that somebody gave it. All other text is the last changed.
 *
 * @param versions - after `base`, oldest first
 * @param ours - ids of the caller's own; their changes are left out
 */
export function mergeBodies(
  base: string,
  versions: readonly BodyVersion[],
  ours: ReadonlySet<string>,
): string {
  let text = readText(base);
  const words = new Map(text.tasks);
  const seen = [text];
  for (const { id, text: source } of versions) {
    const version = readText(source);
    const parent = parentOf(version, seen);
    seen.push(version);
    if (ours.has(id)) continue;
    if (restApart(version, parent) > 0) text = version;
    for (const [number, task] of version.tasks)
      if (!isSame(task, parent.tasks.get(number))) words.set(number, task);
  }
  const edits = text.plan.tasks.flatMap((task) => toEdits(task, words.get(task.number)));
  return text.plan.problems.length > 0 ? text.plan.source : editPlan(text.plan, edits);
}

/** By task; of those whose words nobody changed in these versions (oldest first) nothing is known. */
export function handsIn(versions: readonly BodyVersion[]): Map<number, Hand> {
  const hands = new Map<number, Hand>();
  const seen: Read[] = [];
  for (const { text, by } of versions) {
    const version = readText(text);
    const parent = parentOf(version, seen);
    seen.push(version);
    for (const [number, task] of version.tasks) {
      const before = parent.tasks.get(number);
      if (!isSame(task, before)) hands.set(number, { by, from: before?.status });
    }
  }
  return hands;
}

/**
 * Who gave the text its present instructions. Approvals ignore all later changes.
 *
 * @param versions - oldest first, with the present one
 * @returns undefined where the last version differs, or none shows it
 */
export function findWriter(body: string, versions: readonly BodyVersion[]): Actor | undefined {
  const digest = planDigest(parsePlan(body));
  const digests = versions.map(({ text }) => planDigest(parsePlan(text)));
  if (digests.at(-1) !== digest) return undefined;
  const other = digests.findLastIndex((each) => each !== digest);
  const isWhole = versions.length < MAX_VERSIONS;
  return other === -1 && !isWhole ? undefined : versions[other + 1]?.by;
}

function readText(text: string): Read {
  const plan = parsePlan(text);
  const tasks = new Map(plan.tasks.map((task) => [task.number, task]));
  return { plan, tasks, rest: restOf(plan) };
}

function restOf({ source, tasks }: Plan): ReadonlySet<string> {
  let rest = '';
  let from = 0;
  for (const start of tasks.flatMap(wordStarts).toSorted((a, b) => a - b)) {
    rest += source.slice(from, start);
    const eol = /[\r\n]|$/.exec(source.slice(start))?.index ?? 0;
    from = start + eol;
  }
  const lines = `${rest}${source.slice(from)}`.split(/[\r\n]+/);
  return new Set(lines.map((line) => line.trim()).filter((line) => line !== ''));
}

/** Where the lines begin that say a task's status and assignee. */
function wordStarts({ fields: { status, assignee } }: PlanTask): number[] {
  return [status, assignee].flatMap((place) => (place === undefined ? [] : [place.whole.start]));
}

/**
 * A version that equals an earlier one was made from a different one, because nobody writes the text that is already
 * there. Of equally close ones, the latest.
 */
function parentOf(version: Read, earlier: readonly Read[]): Read {
  let best = earlier.at(-1) ?? version;
  let least = Infinity;
  for (const other of earlier.toReversed()) {
    const apart = distance(version, other);
    if (apart > 0 && apart < least) [best, least] = [other, apart];
  }
  return best;
}

/** Lines and tasks that the one has otherwise than the other. */
function distance(a: Read, b: Read): number {
  const numbers = new Set([...a.tasks.keys(), ...b.tasks.keys()]);
  const changed = [...numbers].filter((one) => !isSame(a.tasks.get(one), b.tasks.get(one)));
  return restApart(a, b) + changed.length;
}

function restApart(a: Read, b: Read): number {
  return (
    [...a.rest].filter((line) => !b.rest.has(line)).length +
    [...b.rest].filter((line) => !a.rest.has(line)).length
  );
}

type Words = Pick<PlanTask, 'status' | 'statusReason' | 'assignee'>;

function isSame(a: Words | undefined, b: Words | undefined): boolean {
  if (a === undefined || b === undefined) return a === b;
  return a.status === b.status && a.statusReason === b.statusReason && a.assignee === b.assignee;
}

function toEdits(task: PlanTask, words: Words | undefined): PlanEdit[] {
  if (words === undefined || isSame(task, words)) return [];
  const { status, statusReason: reason, assignee } = words;
  return [
    { kind: 'status', task: task.number, status, reason },
    { kind: 'assignee', task: task.number, assignee },
  ];
}
