/** A task while it is worked on: from a claim to a merged pull request, or to the reason why not. */
import { createHash } from 'node:crypto';
import type { GateReceipt } from '../gates/receipt.ts';
import type { VerdictWord } from '../run/council.ts';
import type { ModelCall, Spent } from '../run/ledger.ts';
import type { Lease } from '../plan/lease.ts';
import type { SessionLimits } from '../plan/sessions.ts';
import type { TaskState } from '../plan/task-state.ts';
import type { AskedSession, Exchange } from './exchange.ts';
import { toRepositoryRef, type ThreadRef } from '../run/thread-ref.ts';

/** A task of a plan: its issue and its number in it. */
export interface TaskRef {
  plan: ThreadRef;
  task: number;
}

/** What the keys of all tasks begin with. */
export const TASK_KEYS = 'task:';

/** What the keys of one plan's tasks begin with. */
export function taskKeysOf(plan: Pick<ThreadRef, 'repositoryId' | 'number'>): string {
  return `${TASK_KEYS}${plan.repositoryId}/${plan.number}-`;
}

/** The stream that a task's events share. */
export function taskKey({ plan, task }: TaskRef): string {
  return `${taskKeysOf(plan)}${task}`;
}

const LONGEST_SLUG = 40;

/** `quorum/task-<issue>-<n>-<slug>` (spec 13). The slug says nothing to anybody but people. */
export function taskBranch({ plan, task }: TaskRef, title: string): string {
  const slug = title
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .slice(0, LONGEST_SLUG)
    .replaceAll(/^-+|(?<!-)-+$/g, '');
  return `quorum/task-${plan.number}-${task}-${slug === '' ? 'work' : slug}`;
}

/** How often it went back to the coder: each time has its own folder, and its own second in its commit. */
export function roundsOf({
  refinements,
  conflicts = 0,
}: Pick<TaskRun, 'refinements' | 'conflicts'>): number {
  return refinements + conflicts;
}

/** A short name for folders and sessions, unique for a run and its attempt. */
export function attemptName(run: string, attempt: number): string {
  return createHash('sha256').update(`${run}/${attempt}`).digest('hex').slice(0, 20);
}

/** What the task says, as it was approved. */
export interface TaskText {
  title: string;
  description: string;
  files: { path: string; note: string }[];
  /** The plan's title, goal and context, for the coder. */
  plan: string;
  goal: string;
  context: string;
}

/** The approval that work rests on: whose, and of which text. */
export interface TaskOrder {
  ref: TaskRef;
  title: string;
  /** Of the task's text. */
  digest: string;
  approvedBy: { id: number; login: string };
  /** Handle of the persona that works on it. */
  persona: string;
  /** Why that persona, for people; absent in older orders. */
  why?: string;
  /** Failed attempts until a person is asked (`plans.maxAttempts`). */
  maxAttempts?: number;
  /** Where claims are held here, and for how long without being renewed. */
  lease: { namespace: string; lastsMs: number };
  /** Of the Coder, in an hour; absent in older orders. */
  sessions?: SessionLimits;
  /** Branch with the journal of the plan; absent where none is written, and in older orders. */
  journal?: string;
}

export interface TaskPull {
  number: number;
  url: string;
}

export function threadOfPull(plan: ThreadRef, { number }: Pick<TaskPull, 'number'>): ThreadRef {
  return { ...toRepositoryRef(plan), number };
}

/** A person's word about a pull request, bound to the head that it was said of. */
export interface PullWord {
  by: { id: number; login: string };
  headSha: string;
  at: string;
}

/** The text of a pull request in its parts, as it was written for the present head. */
export interface PullText {
  /** Of the change: its summary, its files, what was decided, what is left to do. */
  change: string;
  /** Lines of lists. */
  participants: string[];
  cost: string[];
  /** Where it comes from. */
  source: string;
}

/** A pull request with its text. */
export interface EarlierPull {
  pull?: TaskPull;
  /** As it was published last. Absent in older ones: their text stays as it is at the end. */
  pullText?: PullText;
}

/** Texts and titles that Quorum sent. */
export interface SentTexts {
  /** Oldest first. */
  digests: string[];
  /** Anything else that GitHub shows is a person's. */
  isComplete?: true;
}

/** What one persona said of a reviewed head: its vote, or nothing. */
export interface ReviewVoice {
  handle: string;
  vote?: VerdictWord;
}

export type TaskPhase =
  | { kind: 'claiming' | 'coding' | 'verifying' | 'merging'; effectId: string }
  /** The gates passed for a head that the branch does not have yet. */
  | { kind: 'publishing'; effectId: string; headSha?: string }
  /** The repository is asked for a session of the Coder: the same `ask` again, when the timer is due. */
  | { kind: 'asking'; ask?: number; timer?: string }
  /** The pull request is open: reviews and people come to it. */
  | { kind: 'reviewing'; looking?: string; timer?: string }
  /** It is over; its lines in the plan are written, then the plan gets the result. */
  | { kind: 'closing'; effectId: string; state: TaskState; reason?: string }
  /** `looking`: whether what was shut is open again. */
  | { kind: 'ended'; looking?: string };

/** Why a change has no copy of the journal although the repository wants one. */
export type CopyLeftOut = 'place' | 'size' | 'credential';

/** One change on top of the last: each becomes a commit of its own. */
export interface TaskChange {
  /** What it was made on. */
  from: string;
  patch: string;
  summary: string;
  decisions: string[];
  paths: string[];
  /** Path of the copy of the journal that Quorum itself put into the patch. */
  journal?: string;
  /** Why there is no such copy, where one was wanted. */
  copyLeftOut?: CopyLeftOut;
}

/** What one attempt is: its order, how far it came, and what it spent. */
interface TaskAttempt {
  id: string;
  step: number;
  order: TaskOrder;
  /** From 1, over all runs of the task. */
  attempt: number;
  /** Changed by `enter` alone. */
  readonly phase: TaskPhase;
  branch: string;
  startedAt: string;
  text?: TaskText;
  /** Delimits other people's words in the coder's prompt. */
  nonce?: string;
  /** Host in accounts' noreply addresses; github.com when absent. */
  accountHost?: string;
  lease?: Lease;
  calls: ModelCall[];
  /** Calls before those, of earlier attempts or jobs. */
  spent?: Spent;
  notes: string[];
  /** Somebody ended it: what is still carried out stops as soon as it looks. */
  cancelled?: { by: string; why: string };
  /** Given back, and not to be begun before this moment (ISO 8601). */
  waitsUntil?: string;
}

/** What the Coder changed, on which base, and what the gates say of it. */
interface TaskWork {
  base?: { branch: string; sha: string };
  /** The commit that the coder started from last. */
  from?: string;
  change?: TaskChange;
  headSha?: string;
  /** Of the present head, in the order of the gates. */
  receipts: GateReceipt[];
  /** Check runs that were written before, by name and head. */
  written?: string[];
  /** A gate could not say whether the tests pass. */
  lacksTests?: true;
  /** The end of what was printed where a gate stopped this attempt. */
  log?: string;
  /** What an attempt had changed when its time was up, as a patch: shown to the next one, and to nobody else. */
  partial?: string;
  /** How often a review sent it back to the coder. */
  refinements: number;
  /** How often it was made again because of a conflict; older records count reviews and conflicts together. */
  conflicts?: number;
  /** How often it was brought onto a base that has other workflow files. */
  rebuilds?: number;
  /** Head that conflicted with the base, while the whole change is made again. */
  remade?: string;
}

/** The pull request, and what the team and people say of its head. */
interface TaskReview extends EarlierPull {
  /** What the pull request may show. */
  sent?: SentTexts;
  /** In older ones: the text that it was given at its end. */
  endText?: string;
  /** Of an earlier attempt, until this one opens its own. */
  earlier?: EarlierPull;
  /** How often that was wanted. */
  describes?: number;
  /** The settings switched the journal off since the order: the text names none. */
  isJournalOff?: true;
  /** Logins of the people who agreed to the head, or said something of it, as the last look showed them. */
  heard?: { headSha: string; approvedBy?: string; reviewers: string[] };
  /** Somebody closed the pull request: the attempt goes on when it is reopened. */
  isShut?: true;
  /** What the team's review said of which head. */
  review?: {
    headSha: string;
    verdict: string;
    asks: string[];
    voices?: ReviewVoice[];
    /** Serious findings of rules that nobody has settled. */
    open?: string[];
  };
  /** Checks of single gates and personas that the base branch or the configuration asks for by name. */
  ownRequired?: string[];
  /** Whose votes the check runs show, and of which head. */
  shownVoices?: string;
  /** The head that people were asked to approve, and what it still needs for that; nothing once `by` approved it. */
  awaits?: { headSha: string; missing: string[]; by?: string };
  /** The newest one. */
  approved?: PullWord;
  /** Words about the same head, one of each person, whose place a newer one took: they count as well. */
  approvals?: PullWord[];
  mergeWanted?: PullWord;
  /** Logins of people who were asked for their review: each has to approve. */
  reviewers?: string[];
  /** Slugs of code-owning teams that GitHub does not let the App ask. */
  refusedTeams?: string[];
  /** Whom an earlier attempt asked for a review, and who has asked for the work since: not waited for any more. */
  excused?: string;
}

/** What became of merging it, and what it still waits for. */
interface TaskMerge {
  /** The base's tip on which the merge's result was tested last, and how that went. */
  retested?: {
    baseSha: string;
    headSha: string;
    passed: boolean;
    sentence: string;
    /** Older ones were not kept: it is tested again. */
    receipt?: GateReceipt;
  };
  /** How often in a row GitHub refused its merge because the base was modified at the same moment. */
  races?: number;
  /** How often in a row its merge was refused or failed: it is tried ever more rarely. */
  refusals?: number;
  /** The App cannot report on the merge queue's commits: its owner has not accepted the events yet. */
  isQueueUnheard?: true;
  /** The head that was put into the repository's merge queue. */
  queued?: string;
  mergeSha?: string;
  /** What the last look said is missing, so that it is reported once, and how many looks said so. */
  missing?: string[];
  looks?: number;
  /** What the plan says only a person can bring on. */
  stuck?: string;
}

/** What the Coder asked people, and what they answered. */
interface TaskQuestions {
  question?: { question: string; options: string[]; tried: string };
  /** The session that asked, while a person is waited for. */
  asked?: AskedSession;
  /** The session that is taken up first, with what a person answered. */
  resume?: AskedSession & { answer: string };
  /** What was asked and answered, oldest first. */
  exchanges?: Exchange[];
}

/** One attempt at a task. It is stored flat. */
export interface TaskRun extends TaskAttempt, TaskWork, TaskReview, TaskMerge, TaskQuestions {}

/** Everything that is kept of a task. */
export interface TaskStream {
  v: 1;
  run?: TaskRun;
  /** Heads that we gave its branch, oldest first: these alone may be replaced there. */
  heads?: string[];
  /** Attempts that failed, since a person last let it be tried again. */
  failures: number;
  /** A person accepts that this task has no tests (gate 2). */
  acceptsNoTests?: { id: number; login: string };
  /** What a person answered to the question that the last attempt ended with. */
  answer?: { by: { id: number; login: string }; text: string };
}

/** What a task tells its plan. */
export interface TaskNews {
  task: number;
  state: TaskState;
  persona: string;
  attempt: number;
  /** It waits for a person's answer. */
  asks?: true;
  /** It waits for a person's word that it may go on although nothing was tested. */
  lacksTests?: true;
  /** For people; why it is not going on, or what it waits for. */
  reason?: string;
  pull?: TaskPull;
  mergeSha?: string;
  /** The end of what was printed where a gate stopped it; no keys in it, and still what a stranger's code printed. */
  log?: string;
  /** Nobody begins it again by themselves before this moment, ISO 8601. */
  waitsUntil?: string;
  /** The hold that what it says rests on, and the text that it was taken for. */
  holds?: { lease: Lease; leaseAt: TaskOrder['lease']; digest: string };
  /** Another installation of Quorum holds it. */
  isElsewhere?: true;
  /** ISO 8601. */
  at: string;
}
