/**
 * Whether enough people have approved a pull request of an agent. Pure; fails closed. GitHub attaches a check to a commit,
 * not to a pull request. Two open pull requests with one head would share the answer, so both fail.
 */
import { hasPermission, type Actor, type Permission } from '../domain/run/thread-ref.ts';
import { counted } from '../domain/text/counted.ts';

/** A submitted review. */
export interface GateReview {
  by: Actor;
  /** Of the reviewer, now. */
  permission: Permission;
  state: 'approved' | 'changes-requested' | 'commented' | 'dismissed';
  /** The head that it was written for; absent when that commit is gone. */
  commitSha?: string;
  /** ISO 8601. */
  submittedAt: string;
}

export interface GatedPull {
  number: number;
  author: Actor;
  headSha: string;
  /** Oldest first. */
  reviews: readonly GateReview[];
  /** When its base branch was changed last, ISO 8601. Earlier approvals were for another target. */
  retargetedAt?: string;
}

export interface GateQuestion {
  pull: GatedPull;
  isOfAgent: boolean;
  /** The head that the job's own check is attached to. */
  checkedSha: string;
  /** How many people have to approve it. */
  needed: number;
  /** Pull requests of agents for the same plan, open or merged; none where each is counted by itself. */
  siblings: readonly GatedPull[];
  /** Other open pull requests that have the same head. */
  twins: readonly number[];
  /** What could not be read to its end, for people. */
  unread: readonly string[];
}

export interface GateVerdict {
  passed: boolean;
  /** A sentence, for people. */
  why: string;
  /** Who approved this head. */
  approvedBy: readonly Actor[];
  /** Who approved the heads of the siblings and not this one. */
  alsoBy: readonly Actor[];
}

export function judgeApprovals(question: GateQuestion): GateVerdict {
  const { pull, isOfAgent, needed, siblings } = question;
  const none = { approvedBy: [], alsoBy: [] };
  if (!isOfAgent) return { ...none, passed: true, why: 'No agent wrote this pull request.' };
  const refusal = refusalOf(question);
  if (refusal !== undefined) return { ...none, passed: false, why: refusal };
  const approvedBy = approversOf(pull, [pull.author]);
  const known = new Set(approvedBy.map(({ id }) => id));
  const others = siblings.flatMap((one) => approversOf(one, [pull.author, one.author]));
  const alsoBy = distinct(others).filter(({ id }) => !known.has(id));
  // Somebody has to have read this very change: the approvals of its siblings count only beside that.
  const count = approvedBy.length === 0 ? 0 : approvedBy.length + alsoBy.length;
  const passed = count >= needed;
  const told = `${counted(count, 'person').replace('persons', 'people')} with write access`;
  const why = passed
    ? `Approved by ${told}, and ${needed} ${needed === 1 ? 'is' : 'are'} needed.`
    : `${needed} ${needed === 1 ? 'person' : 'people'} with write access must approve the head ${pull.headSha.slice(0, 12)}; so far: ${count}.`;
  return { passed, why, approvedBy, alsoBy };
}

function refusalOf({ pull, checkedSha, twins, unread }: GateQuestion): string | undefined {
  const [missing] = unread;
  if (missing !== undefined) return `Approvals cannot be counted: ${missing}.`;
  if (checkedSha !== pull.headSha)
    return 'The pull request has a newer head. The job that runs for that head decides.';
  if (twins.length === 0) return undefined;
  const named = twins.map((number) => `#${number}`).join(', ');
  return `The same head is open in ${named} as well. Close one of them: a check on a commit cannot tell them apart.`;
}

/** People who may write and whose latest word approves this head. */
function approversOf(pull: GatedPull, authors: readonly Actor[]): Actor[] {
  const authorIds = new Set(authors.map(({ id }) => id));
  return latestWords(pull.reviews)
    .filter(
      (review) =>
        review.state === 'approved' &&
        review.commitSha === pull.headSha &&
        isForThisBase(review, pull) &&
        !review.by.isBot &&
        !authorIds.has(review.by.id) &&
        hasPermission(review.permission, 'write'),
    )
    .map(({ by }) => by);
}

/** A review of the same second may have come before the change. */
function isForThisBase({ submittedAt }: GateReview, { retargetedAt }: GatedPull): boolean {
  return retargetedAt === undefined || Date.parse(submittedAt) > Date.parse(retargetedAt);
}

/** Of each reviewer. As on GitHub, a comment takes nothing back. */
function latestWords(reviews: readonly GateReview[]): GateReview[] {
  const words = reviews.filter(({ state }) => state !== 'commented');
  return [...new Map(words.map((review) => [review.by.id, review])).values()];
}

function distinct(actors: readonly Actor[]): Actor[] {
  return [...new Map(actors.map((actor) => [actor.id, actor])).values()];
}

export interface Authorship {
  /** Undefined where the account was deleted. */
  author: Actor | undefined;
  /** Logins of the accounts that count as agents; `*` for every automated account. */
  agents: readonly string[];
  /** Whether its text ends with something in the form of a marker of Quorum. */
  hasMarker: boolean;
  /** Accounts that wrote or committed its commits. */
  committers: readonly Actor[];
  /** GitHub does not list all of its commits. */
  areCommitsCut: boolean;
}

/** Where it is not known whether an agent wrote a part of it, one did. */
export function isAgentsWork(of: Authorship): boolean {
  const { author, hasMarker, committers, areCommitsCut, agents } = of;
  const isAgent = (actor: Actor): boolean => isListed(actor, agents);
  return (
    author === undefined ||
    areCommitsCut ||
    isAgent(author) ||
    (author.isBot && hasMarker) ||
    committers.some(isAgent)
  );
}

/** An agent may work under an account of a person. */
function isListed({ login, isBot }: Actor, agents: readonly string[]): boolean {
  return agents.some((each) => (each === '*' ? isBot : each.toLowerCase() === login.toLowerCase()));
}

const TRAILER = /^Quorum-Task: (\d{1,10})\/\d{1,10}$/m;

/**
 * The plan that a commit is for, by its trailer: who approved the head approved that line, too. The text of a pull
 * request can be edited afterwards.
 */
export function planOfCommit(message: string): number | undefined {
  const [, plan] = TRAILER.exec(message.trimEnd().split(/\n\n/).at(-1) ?? '') ?? [];
  return plan === undefined ? undefined : Number(plan);
}
