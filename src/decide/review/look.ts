/** What a review does with a fresh view of the pull request: settle, stop, start anew when the head moved, or go on. */
import type { CouncilRun, LookFor } from '../../domain/council.ts';
import { requiredPermission } from '../../domain/config.ts';
import type { Diff, DiffFile } from '../../domain/diff/diff.ts';
import { parseDiff } from '../../domain/diff/parse-diff.ts';
import { isAtLeast } from '../../domain/finding.ts';
import { mutedOf } from '../../domain/precision.ts';
import { squeeze } from '../../domain/refutation.ts';
import type { PullLookResult } from '../../domain/result.ts';
import { redactSecrets } from '../../domain/secret-text.ts';
import { hasPermission } from '../../domain/thread.ts';
import {
  EMPTY_LEDGER,
  readInPart,
  type FindingsLedger,
  type HunkLines,
  type PullView,
  type ReviewState,
} from '../../domain/review.ts';
import { beginRun, gatherRound } from '../council/gather.ts';
import { askLead } from '../council/lead.ts';
import { takeWords } from '../council/look.ts';
import { cancelRun, postReminder, takeRecheck } from '../council/people.ts';
import { lookFor } from '../council/start.ts';
import type { Sight } from '../council/rounds.ts';
import { isHeldBack, labelName, readSettings } from '../council/settings.ts';
import { wantTimer } from '../decision.ts';
import { reviewPrompt } from '../prompts/review.ts';
import type { Scene } from '../scene.ts';
import { toEvidence } from './evidence.ts';
import { hiddenIn } from './hidden.ts';
import { tellJudged } from './judge.ts';
import { openFindings, reconcileLedger } from './ledger.ts';
import { applyRefutations, reopenRefuted } from './refute.ts';
import { shownTexts, type ShownTexts } from './shown-text.ts';
import { planParts, unseenBy, withoutIgnored } from './shown.ts';
import { signalsOf } from './signals-of.ts';
import { leaveHead } from './strategy.ts';

/** Takes a view of the pull request. Returns why nothing was done, or undefined. */
export function takePull(
  scene: Scene,
  { effectId, result }: { effectId: string; result: PullLookResult },
): string | undefined {
  const { run } = scene;
  if (run.recheck === effectId) return takeRecheck(scene, reasonToStop(run, result));
  if (run.phase.kind !== 'looking' || run.phase.effectId !== effectId)
    return 'a later look replaced this one';
  const { next } = run.phase;
  note(run, result);
  const stop = reasonToStop(run, result);
  // Once the check says that a review is going on, it also says how that ended.
  if (stop !== undefined) return cancelRun(scene, stop, { quietly: run.review === undefined });
  if (next === 'start' && mustSettle(scene, result.view)) return undefined;
  return goOn(scene, next, result);
}

function goOn(scene: Scene, next: LookFor, result: PullLookResult): string | undefined {
  const { run } = scene;
  const { pull, ...view } = result.view;
  const hasMoved = run.review !== undefined && run.review.headSha !== pull.headSha;
  if (hasMoved) leaveHead(scene);
  else if (next === 'reminder') return postReminder(scene);
  const open =
    next === 'answer' && !hasMoved ? takeWords(run, { ...view, issue: pull }) : undefined;
  if (open !== undefined) return open;
  const isBeginning = next === 'start' || hasMoved;
  const sight = read(scene, result, isBeginning);
  if (isBeginning) beginRun(scene, sight);
  else if (next === 'round') gatherRound(scene, sight);
  else askLead(scene, sight);
  return undefined;
}

/** A push came in while its head's predecessor was being discussed, or waited for a person: that is looked at anew. */
export function followPush(scene: Scene): undefined {
  leaveHead(scene);
  scene.run.hasSettled = false;
  lookFor(scene, 'start');
}

/** What the run keeps of every look. */
function note(run: CouncilRun, { view, nonce, githubCalls, unchangedRuns }: PullLookResult): void {
  const owner = view.pull.author.isBot ? run.actor.login : view.pull.author.login;
  run.githubCalls += githubCalls;
  run.unchangedRuns = unchangedRuns;
  run.settings = readSettings(view.config, { owner, unchangedRuns });
  run.headSha = view.pull.headSha;
  run.author = { id: view.pull.author.id, login: view.pull.author.login };
  run.nonce ??= nonce;
}

/** The first thing that forbids a review, or makes it pointless. */
function reasonToStop(run: CouncilRun, { view, stopped }: PullLookResult): string | undefined {
  const { pull, repository, config } = view;
  const skip = labelName(run.settings, 'quorum:skip');
  const needed = requiredPermission(config.access, 'review', 'spend');
  const checks: [boolean, string][] = [
    [stopped !== undefined, stopped ?? ''],
    [!config.enabled, 'Quorum is switched off here (`enabled: false`)'],
    [repository.isArchived, 'the repository is archived'],
    [pull.state === 'closed', 'the pull request was closed'],
    [pull.isLocked, 'the conversation is locked'],
    [pull.isDraft && !run.isRequested && !config.review.drafts, 'it is a draft'],
    [isHeldBack(run, pull.labels), 'it is on hold'],
    // Somebody asked by a command; a role can be taken away in between (CMD-02).
    [run.isRequested && !hasPermission(view.actorPermission, needed), 'whoever asked may not'],
    [pull.labels.includes(skip), `the label \`${skip}\` keeps the team out`],
    [!run.isRequested && pull.headSha === run.reviewedSha, 'this head was reviewed already'],
  ];
  return checks.find(([applies]) => applies)?.[1];
}

/** Pushes come in bursts: the last of them is reviewed. */
function mustSettle({ run, step }: Scene, view: PullView): boolean {
  const waitMs = view.config.review.settleSeconds * 1000;
  if (run.hasSettled || run.isRequested || waitMs === 0) return false;
  run.hasSettled = true;
  run.phase = { kind: 'listening', timer: wantTimer(step, 'settle', waitMs), next: 'start' };
  return true;
}

/** Reads the change: what code finds, what is new of it, and what the voices will be shown. */
function read(scene: Scene, result: PullLookResult, isBeginning: boolean): Sight {
  const { run, state } = scene;
  const { view, tally, nonce: newest } = result;
  const nonce = run.nonce ?? newest;
  const diff = parseDiff(view.diff);
  const { review, delta } = findIn(result, diff, state.ledger);
  const { muteBelow: below, muteAfter: after } = view.config.review;
  run.review = { ...review, muted: mutedOf(tally ?? {}, { below, after }) };
  const hearing = { replies: view.replies, authorId: view.pull.author.id, isMerged: false };
  tellJudged({ ...scene, thread: run.thread }, review.ledger.findings, hearing);
  // Of a re-review only what came since is judged again.
  const judged = withoutIgnored(view, delta ?? diff);
  settleRefuted(run, run.review, judged);
  const paths = judged.files.map((file) => file.path);
  const hidden = hiddenIn(view, judged);
  if (hidden !== undefined) run.review.hidden = hidden;
  run.lookedAt = {
    files: paths,
    pastIssues: [],
    notRead: review.notRead,
    hidden: hidden?.count ?? 0,
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
    prompt: ({ part: at, ...question }) => {
      const part =
        at === undefined || run.reading === undefined ? {} : { part: { ...run.reading, at } };
      return reviewPrompt({ run, view, diff: judged, nonce, ...question, ...part });
    },
  };
}

/** Counts what the team refuted so far; of what was said before, the ledger knows. */
function settleRefuted(run: CouncilRun, review: ReviewState, judged: Diff): void {
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
    hunks: diff.files.flatMap(hunksOf),
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

/** How a file that could not be read is told. */
const UNREAD = /^(.+): (?:too large|not read)\b/s;
/** Spec 03: at most so many comments in one review. */
const MAX_COMMENTS = 15;
/** Enough of a diff to tell whose matter it is. */
const MAX_TOPIC = 50_000;

function hunksOf(file: DiffFile): HunkLines[] {
  return file.hunks.map((hunk) => ({
    path: file.path,
    old: [hunk.oldStart, hunk.oldStart + hunk.oldLines - 1],
    new: [hunk.newStart, hunk.newStart + hunk.newLines - 1],
  }));
}
