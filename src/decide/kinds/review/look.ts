/** What a review does with a fresh view of the pull request: settle, stop, start over when the head moved, or go on. */
import { ALLOWED, forbid, type Permit } from '../../../domain/run/permit/permit.ts';
import { HANDLED, ignore, type Outcome } from '../../run/outcome.ts';
import type { Run } from '../../../domain/run/state/run-record.ts';
import type { LookFor } from '../../../domain/run/state/run-base.ts';
import { requiredPermission } from '../../../domain/config/config.ts';
import type { Diff } from '../../../domain/diff/diff.ts';
import { hunkLinesOf } from '../../../domain/review/comment-place.ts';
import { lowestTrust, trustOf } from '../../../domain/prompt/quarantine.ts';
import { notesOf } from '../../../domain/memory/recall/recalled.ts';
import { parseDiff } from '../../../domain/diff/parse-diff.ts';
import { isAtLeast } from '../../../domain/review/finding.ts';
import { mutedOf } from '../../../domain/review/precision.ts';
import { squeeze } from '../../../domain/review/refutation.ts';
import type { PullLookResult } from '../../../domain/event/result.ts';
import { checkRun, waives, type RunCheck } from '../../../domain/run/permit/run-authority.ts';
import { redactSecrets } from '../../../domain/secrets/secret-text.ts';
import { hasPermission } from '../../../domain/run/thread-ref.ts';
import {
  EMPTY_LEDGER,
  readInPart,
  type FindingsLedger,
  type PullView,
  type ReviewState,
} from '../../../domain/review/review.ts';
import { beginRun, gatherRound } from '../../discussion/gather.ts';
import { askLead } from '../../discussion/verdict/lead.ts';
import { brokenSettings } from '../../discussion/on-view.ts';
import { acceptAnswer } from '../../discussion/accept-answer.ts';
import { cancelRun, postReminder, onRecheck } from '../../discussion/listen-to-people.ts';
import { lookFor } from '../../discussion/start-run.ts';
import type { Sight } from '../../discussion/rounds.ts';
import { isHeldBack, labelName, readSettings } from '../../run/run-settings.ts';
import { emitTimer } from '../../run/decision.ts';
import { reviewPrompt } from './prompt.ts';
import type { RunContext } from '../../run/thread-context.ts';
import { toEvidence } from './evidence.ts';
import { hiddenIn } from './hidden.ts';
import { recordJudgements } from './ledger/record-judgements.ts';
import { openFindings, reconcileLedger } from './ledger/reconcile-ledger.ts';
import { applyRefutations, reopenRefuted } from './ledger/refute.ts';
import { shownTexts, type ShownTexts } from './parts/shown-text.ts';
import { planParts, unseenBy, withoutIgnored } from './parts/plan-parts.ts';
import { signalsOf } from '../../../rules/change/scan-change.ts';
import { leaveHead } from './show-review.ts';
import { makeRoomForReview } from '../../discussion/rivals.ts';

/** Takes a view of the pull request. */
export function onPull(
  context: RunContext<'pr_review'>,
  { effectId, result }: { effectId: string; result: PullLookResult },
): Outcome {
  const { run } = context;
  if (run.recheck === effectId) return onRecheck(context, mayGoOn(run, result));
  if (run.phase.kind !== 'looking' || run.phase.effectId !== effectId)
    return ignore('a later look replaced this one');
  const { next } = run.phase;
  note(run, result);
  const permit = mayContinue(run, result);
  // Once the check says that a review is going on, it also says how that ended.
  if (permit.kind === 'refused')
    return cancelRun(context, permit.reason, { quietly: run.review === undefined });
  const broken = brokenSettings(result.view);
  // What the owner wants of a review is not known: none is guessed, and the check says what to fix.
  if (broken !== undefined)
    return cancelRun(context, `${broken}. Comment \`/pm review\` after that`);
  const room = makeRoomForReview(context, next, result.view);
  if (room.kind === 'refused') return ignore(room.reason);
  if (next === 'start' && mustSettle(context, result.view)) return HANDLED;
  return advanceRun(context, next, result);
}

function advanceRun(
  context: RunContext<'pr_review'>,
  next: LookFor,
  result: PullLookResult,
): Outcome {
  const { run } = context;
  const { pull, ...view } = result.view;
  const hasMoved = run.review !== undefined && run.review.headSha !== pull.headSha;
  if (hasMoved) leaveHead(context);
  else if (next === 'reminder') return postReminder(context);
  const mustAnswer = next === 'answer' && !hasMoved;
  const answered = mustAnswer ? acceptAnswer(run, { ...view, issue: pull }) : ALLOWED;
  if (answered.kind === 'refused') return ignore(answered.reason);
  const isBeginning = next === 'start' || hasMoved;
  const sight = read(context, result, isBeginning);
  if (isBeginning) beginRun(context, sight);
  else if (next === 'round') gatherRound(context, sight);
  else askLead(context, sight);
  return HANDLED;
}

/** The head moved while the previous one was being discussed or waited for a person: looks at the new one. */
export function followPush(context: RunContext<'pr_review'>): Outcome {
  leaveHead(context);
  context.run.hasSettled = false;
  lookFor(context, 'start');
  return HANDLED;
}

/** What the run keeps of every look. */
function note(
  run: Run<'pr_review'>,
  { view, nonce, githubCalls, unchangedRuns }: PullLookResult,
): void {
  const owner = view.pull.author.isBot ? run.actor.login : view.pull.author.login;
  run.githubCalls += githubCalls;
  run.unchangedRuns = unchangedRuns;
  run.settings = readSettings(view.config, { owner, asker: run.actor, unchangedRuns });
  run.headSha = view.pull.headSha;
  if (view.repository.host !== undefined) run.host = view.repository.host;
  run.author = { id: view.pull.author.id, login: view.pull.author.login };
  run.trust = lowestTrust([
    trustOf(view.pull.authorPermission),
    ...view.comments
      .filter(({ author }) => author.id !== view.self.id)
      .map(({ permission }) => trustOf(permission)),
  ]);
  run.nonce ??= nonce;
}

function mayGoOn(run: Run<'pr_review'>, result: PullLookResult): Permit {
  const permit = mayContinue(run, result);
  const broken = brokenSettings(result.view);
  return permit.kind === 'refused' || broken === undefined ? permit : forbid(broken);
}

/** The first thing that forbids a review, or makes it pointless. */
function mayContinue(run: Run<'pr_review'>, { view, stopped }: PullLookResult): Permit {
  const { pull, repository, config } = view;
  const skip = labelName(run.settings, 'quorum:skip');
  const needed = requiredPermission(config.access, 'review', 'spend');
  const checks: RunCheck[] = [
    [stopped !== undefined, stopped ?? ''],
    [!config.enabled, 'Quorum is switched off here (`enabled: false`)', 'enabled'],
    [repository.isArchived, 'the repository is archived', 'archived'],
    [pull.state === 'closed', 'the pull request was closed', 'state'],
    [pull.isLocked, 'the conversation is locked', 'lock'],
    [pull.isDraft && !run.isRequested && !config.review.drafts, 'it is a draft', 'draft'],
    [isHeldBack(run, pull.labels), 'it is on hold', 'labels'],
    // Pull requests into the memory branch hold notes, not code. A person decides on them.
    [!run.isRequested && pull.baseRef === config.memory.branch, 'it only changes memory'],
    // Somebody asked by a command; a role can be taken away in between (CMD-02).
    [
      run.isRequested && !hasPermission(view.actorPermission, needed),
      `@${run.actor.login} needs the ${needed} role to start a review and has ${view.actorPermission}`,
      'role',
    ],
    [pull.labels.includes(skip), `the label \`${skip}\` keeps the team out`, 'labels'],
    [!run.isRequested && pull.headSha === run.reviewedSha, 'this head was reviewed already'],
  ];
  return checkRun(checks, run.authority);
}

/** Pushes come in bursts: the last of them is reviewed. */
function mustSettle({ run, step }: RunContext<'pr_review'>, view: PullView): boolean {
  const waitMs = view.config.review.settleSeconds * 1000;
  const isWaived = run.isRequested || waives(run.authority, 'settle');
  if (run.hasSettled || isWaived || waitMs === 0) return false;
  run.hasSettled = true;
  run.phase = { kind: 'listening', timer: emitTimer(step, 'settle', waitMs), next: 'start' };
  return true;
}

/** Reads the change: what code finds, what is new of it, and what the voices will be shown. */
function read(
  context: RunContext<'pr_review'>,
  result: PullLookResult,
  isBeginning: boolean,
): Sight {
  const { run, state } = context;
  const { view, tally, memory, nonce: newest } = result;
  const nonce = run.nonce ?? newest;
  const diff = parseDiff(view.diff);
  const { review, delta } = findIn(result, diff, state.ledger);
  const { muteBelow: below, muteAfter: after } = view.config.review;
  run.review = { ...review, muted: mutedOf(tally ?? {}, { below, after }) };
  const hearing = { replies: view.replies, authorId: view.pull.author.id, isMerged: false };
  recordJudgements({ ...context, thread: run.thread }, review.ledger.findings, hearing);
  // Of a re-review only what came since is judged again.
  const judged = withoutIgnored(view, delta ?? diff);
  settleRefuted(run, run.review, judged);
  const paths = judged.files.map((file) => file.path);
  const hidden = hiddenIn(view, judged);
  if (hidden !== undefined) run.review.hidden = hidden;
  if (view.isQueueUnheard === true) run.review.isQueueUnheard = true;
  run.lookedAt = {
    files: paths,
    pastIssues: [],
    notRead: review.notRead,
    hidden: hidden?.count ?? 0,
    ...(memory && {
      notes: notesOf(
        memory,
        view.personas.map(({ handle }) => handle),
      ),
    }),
  };
  run.heardCommentId = Math.max(run.heardCommentId, ...view.comments.map((each) => each.id), 0);
  const evidence = toEvidence(view, judged, run.review);
  if (isBeginning) planParts(run, result, { judged, evidence });
  run.review.unseen = unseenBy(run, judged);
  const topic = (view.delta ?? view).diff.slice(0, MAX_TOPIC);
  return {
    personas: view.personas,
    aliases: view.config.models.aliases,
    topic: { text: `${view.pull.title}\n${topic}`, paths },
    evidence,
    memory,
    prompt: ({ part: at, ...question }) => {
      const part =
        at === undefined || run.reading === undefined ? {} : { part: { ...run.reading, at } };
      return reviewPrompt({ run, view, diff: judged, nonce, memory, ...question, ...part });
    },
  };
}

/** Counts what the team refuted so far; of what was said before, the ledger knows. */
function settleRefuted(run: Run<'pr_review'>, review: ReviewState, judged: Diff): void {
  const before = new Set(openFindings(review.ledger).map(({ finding }) => finding.fingerprint));
  review.ledger = applyRefutations(review.ledger, run, () => shownTexts(judged, run.reading));
  review.settled.push(
    ...review.ledger.findings.filter(
      ({ status, finding }) => status === 'refuted' && before.has(finding.fingerprint),
    ),
  );
}

/** Looks through the whole change, and brings what is known of it up to date. */
function findIn(
  { view, scan }: PullLookResult,
  diff: Diff,
  before: FindingsLedger | undefined,
): { review: ReviewState; delta: Diff | undefined } {
  const { review: settings } = view.config;
  const delta = view.delta === undefined ? undefined : parseDiff(view.delta.diff);
  const found = signalsOf(scan === undefined ? { view } : { view, scan }, diff);
  const notRead = [...view.notRead, ...found.notRead];
  const texts = (): ShownTexts => {
    const { head, base } = shownTexts(diff, undefined);
    return { base, head: [...head, ...view.head.map(({ text }) => squeeze(redactSecrets(text)))] };
  };
  const known = reopenRefuted(before ?? EMPTY_LEDGER, { delta, texts });
  const { ledger, fresh, settled } = reconcileLedger(known, {
    headSha: view.pull.headSha,
    findings: found.findings.filter(({ severity }) => isAtLeast(severity, settings.minSeverity)),
    delta,
    unread: found.isUnread
      ? 'all'
      : new Set(notRead.flatMap((line) => UNREAD.exec(line)?.[1] ?? [])),
    readInPart: readInPart(notRead),
    replies: view.replies,
  });
  const review: ReviewState = {
    headSha: view.pull.headSha,
    since: view.delta?.since,
    fresh,
    settled,
    hunks: diff.files.flatMap(hunkLinesOf),
    unfolded: { conversations: unfolded(view), texts: view.openTexts },
    ledger,
    labels: view.pull.labels,
    settings: {
      maxComments: Math.min(settings.maxComments, MAX_COMMENTS),
      minSeverity: settings.minSeverity,
      event: settings.event === 'request-changes' ? 'REQUEST_CHANGES' : 'COMMENT',
    },
    notRead,
    isCut: view.isCut || found.isUnread,
  };
  return { review, delta };
}

function unfolded({ replies }: PullView): Record<string, string> {
  const open = replies.filter(({ isResolved, isHidden }) => !isResolved && !isHidden);
  return Object.fromEntries(
    open.flatMap(({ key, threadId }) => (threadId === undefined ? [] : [[key, threadId]])),
  );
}

/** How the view names a file that could not be read. */
const UNREAD = /^(.+): (?:too large|not read)\b/s;
/** Spec 03: at most so many comments in one review. */
const MAX_COMMENTS = 15;
/** Enough of a diff to tell whose matter it is. */
const MAX_TOPIC = 50_000;
