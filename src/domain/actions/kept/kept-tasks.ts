/**
 * What workflows keep of tasks whose pull requests are open: `state/tasks.json` on the memory branch, which only apply jobs
 * write. All workflows of a repository share one account, so the author
 * of a pull request proves nothing: only a record here does.
 */
import { z } from 'zod';
import type { GateReceipt } from '../../gates/receipt.ts';
import { addSpent } from '../../run/ledger.ts';
import { valueDigest } from '../../persona/digest.ts';
import {
  taskKey,
  type EarlierPull,
  type TaskRef,
  type TaskRun,
  type TaskStream,
  type TaskText,
} from '../../task/task.ts';
import {
  anObject,
  holdFirst,
  isSignature,
  parseRecords,
  signRecord,
  toStored,
} from '../signed-record.ts';

export const KEPT_TASKS_PATH = 'state/tasks.json';

const ROOM = { most: 100, mostChars: 800_000 };
const MOST_NOTES = 20;
/** Of a task, where its order does not say how many. */
const MAX_ATTEMPTS = 3;

const Kept = z.object({
  stream: anObject<TaskStream>(),
  /** When GitHub showed the head on the pull request, ISO 8601. */
  headAt: z.string().optional(),
  signature: z.string(),
});
export type KeptTask = z.infer<typeof Kept>;

const KeptTasks = z.object({ version: z.literal(1), tasks: z.record(z.string(), Kept) });
export type KeptTasks = z.infer<typeof KeptTasks>;

/** Undefined for text that is no such file, or of a newer version. */
export function parseKeptTasks(text: string | undefined): KeptTasks | undefined {
  return text === undefined ? { version: 1, tasks: {} } : parseRecords(text, KeptTasks);
}

/** The task that this pull request is of, as far as the file says so. */
export function findKeptTask({ tasks }: KeptTasks, pull: number): KeptTask | undefined {
  return Object.values(tasks).find(({ stream }) => stream.run?.pull?.number === pull);
}

/** Records of one plan. Without a secret they are taken as they are: a job that has none cannot tell who wrote them. */
export function recordsOfPlan(
  { tasks }: KeptTasks,
  plan: TaskRef['plan'],
  secret: string | undefined,
): KeptTask[] {
  const isOfPlan = (kept: KeptTask): boolean => {
    const of = kept.stream.run?.order.ref.plan;
    return of?.repositoryId === plan.repositoryId && of.number === plan.number;
  };
  return Object.values(tasks).filter(
    (kept) => isOfPlan(kept) && (secret === undefined || isKeptByUs(kept, secret)),
  );
}

/**
 * What the next attempt knows of the last one: our heads of its branch, its failures and its pull request. Undefined where
 * no apply job with this secret has worked on the task. The lease says whether somebody still works on it, so that the
 * record of an attempt that nobody ended counts as ended.
 */
export function findEarlier(kept: KeptTasks, ref: TaskRef, secret: string): TaskStream | undefined {
  const found = recordsOfPlan(kept, ref.plan, secret).find(
    ({ stream }) => stream.run?.order.ref.task === ref.task,
  );
  return found && toEarlier(found);
}

function toEarlier({ stream }: KeptTask): TaskStream {
  const { run } = stream;
  if (run === undefined) return stream;
  const { review: _, receipts: _receipts, ...rest } = run;
  // A person who starts a task that was blocked lets it be tried again.
  const isBlocked = stream.failures >= (run.order.maxAttempts ?? MAX_ATTEMPTS);
  const failures = isBlocked ? 0 : stream.failures;
  return { ...stream, failures, run: { ...rest, receipts: [], phase: { kind: 'ended' } } };
}

/**
 * What a job with the secret has checked, for one without it: that tells the same record from another one of the same
 * pull request.
 */
export function digestOfTask(kept: KeptTask): string {
  return valueDigest(kept);
}

/** Adds or replaces one task. The oldest are dropped where there are too many. */
export function keepTask(
  kept: KeptTasks,
  { stream, headAt }: Omit<KeptTask, 'signature'>,
  secret: string,
): KeptTasks {
  const bare = withoutBulk(stream);
  const { run } = bare;
  if (run === undefined) return kept;
  const one = { stream: bare, ...(headAt !== undefined && { headAt }) };
  const entry: KeptTask = { ...one, signature: sign(one, secret) };
  const tasks = { ...kept.tasks, [nameOf(run.order.ref)]: entry };
  return { version: 1, tasks: newest(tasks) };
}

/** Whether an apply job with this secret wrote it. */
export function isKeptByUs({ signature, ...kept }: KeptTask, secret: string): boolean {
  return isSignature(signature, sign(kept, secret));
}

function nameOf({ plan, task }: TaskRef): string {
  return `${plan.number}-${task}`;
}

function sign(kept: Omit<KeptTask, 'signature'>, secret: string): string {
  const ref = kept.stream.run?.order.ref;
  const scope = ref === undefined ? '' : taskKey(ref);
  return signRecord(`quorum-kept-task:v1\n${scope.length}\n${scope}`, kept, secret);
}

/** Without what a merge does not need: the change itself is on the branch, and transcripts are private. */
function withoutBulk({ v, run, heads, failures, acceptsNoTests }: TaskStream): TaskStream {
  const stream: TaskStream = {
    v,
    failures,
    ...(heads !== undefined && { heads }),
    ...(acceptsNoTests !== undefined && { acceptsNoTests }),
    ...(run !== undefined && { run: bareRun(run) }),
  };
  return toStored(stream);
}

const BULK = ['partial', 'log', 'exchanges', 'asked', 'resume', 'question'] as const;
/** Characters of the text of a pull request. */
const MAX_PULL_TEXT = 6_000;

function bareRun(run: TaskRun): TaskRun {
  const bare = { ...withoutLongText(run) };
  const spent = addSpent(run.spent, run.calls);
  for (const name of BULK) delete bare[name];
  return {
    ...bare,
    calls: [],
    ...(spent.calls > 0 && { spent }),
    ...(run.text !== undefined && { text: withoutWords(run.text) }),
    notes: run.notes.slice(-MOST_NOTES),
    receipts: run.receipts.map(withoutPrinted),
    ...(run.earlier !== undefined && { earlier: withoutLongText(run.earlier) }),
    ...(run.change !== undefined && { change: { ...run.change, patch: '' } }),
  };
}

/** A long text leaves too little room for other tasks: at its end it stays as it is. */
function withoutLongText<T extends EarlierPull>(pull: T): T {
  const bare = { ...pull };
  const isLong = JSON.stringify(pull.pullText ?? '').length > MAX_PULL_TEXT;
  if (isLong) delete bare.pullText;
  return bare;
}

/** The words are in the plan. Decisions only need to know that there are some. */
function withoutWords({ title }: TaskText): TaskText {
  return { title, description: '', files: [], plan: '', goal: '', context: '' };
}

function newest(tasks: KeptTasks['tasks']): KeptTasks['tasks'] {
  const sorted = Object.entries(tasks).toSorted(([, a], [, b]) =>
    startOf(b).localeCompare(startOf(a)),
  );
  return holdFirst(sorted, ROOM);
}

function startOf({ stream }: KeptTask): string {
  return stream.run?.startedAt ?? '';
}

/** What was printed is not signed, and proves nothing. */
function withoutPrinted(receipt: GateReceipt): GateReceipt {
  const signed = { ...receipt };
  delete signed.log;
  return signed;
}
