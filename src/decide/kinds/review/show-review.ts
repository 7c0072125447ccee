/** What people see of a review: one check run that tells how far it is, and one real review when there is something to say. */
import type { Run } from '../../../domain/run/state/run-record.ts';
import type { Verdict } from '../../../domain/run/council.ts';
import { valueDigest } from '../../../domain/persona/digest.ts';
import { LABEL_LOOKS, type Label } from '../../../domain/repository/labels.ts';
import {
  EMPTY_LEDGER,
  type FindingsLedger,
  type LedgerFinding,
  type ReviewState,
} from '../../../domain/review/review.ts';
import { QUEUE_UNHEARD } from '../../../domain/github/queue-unheard.ts';
import type { ReviewCheckWanted } from '../../../domain/review/review-wanted.ts';
import { labelName } from '../../run/run-settings.ts';
import { firstWrite, emitEffect } from '../../run/decision.ts';
import { writeLane, type RunContext } from '../../run/thread-context.ts';
import { isByRules } from '../../run/missed-model.ts';
import { gatherFindings, type Gathered } from './gather-findings.ts';
import { knownFindings, openFindings } from './ledger/reconcile-ledger.ts';
import { holdingFindings } from './ledger/refute.ts';
import { REVIEW_CHECK } from '../../../domain/task/check-names.ts';
import { callsOfHead, isPartial, renderReview, renderVerdict, renderWithout } from './render.ts';
import { toAnnotations } from './render-finding.ts';
import { layOut, numberFindings, type Laid } from './place-findings.ts';

/** What writing the check takes. */
type Writing = Pick<RunContext<'pr_review'>, 'run' | 'step'>;

/** While the voices are at it the check run alone shows that; it notifies nobody. */
export function showCheck(context: RunContext<'pr_review'>): void {
  const { run } = context;
  const headSha = run.review?.headSha ?? run.headSha;
  if (headSha === '') return;
  if (run.status === 'closed') return showStopped(context, headSha);
  if (run.status !== 'active') return;
  wantCheck(context, { ...checkOf(run, headSha), title: 'Reviewing' });
}

/** Nothing stays "in progress" when somebody stopped it. */
function showStopped(context: RunContext<'pr_review'>, headSha: string): void {
  const reason = context.run.endReason ?? '';
  closeCheck(context, headSha, { title: `Stopped: ${reason}`, summary: reason });
}

/** The head moved on: the check of the one that was being reviewed ends, and what was said of it is forgotten. */
export function leaveHead(context: RunContext<'pr_review'>): void {
  const { run } = context;
  const summary = 'The newest head of this pull request is reviewed instead.';
  // Where a person was asked, the check has ended with the question.
  if (run.review !== undefined && run.status === 'active')
    closeCheck(context, run.review.headSha, { title: 'Superseded by a newer push', summary });
  run.callsBefore = run.calls.length;
  delete run.review;
  delete run.reading;
  run.status = 'active';
  run.round = 1;
  run.queue = [];
  run.contributions = [];
  run.inFlight = [];
  delete run.leadAlone;
  delete run.verdict;
  delete run.bounded;
  delete run.needsYou;
  delete run.reminderTimer;
}

function closeCheck(
  context: RunContext<'pr_review'>,
  headSha: string,
  { title, summary }: Pick<ReviewCheckWanted, 'title' | 'summary'>,
): void {
  const check = checkOf(context.run, headSha);
  wantCheck(context, {
    ...check,
    conclusion: 'neutral',
    title: title.replaceAll('`', ''),
    summary,
  });
}

function checkOf(run: Run<'pr_review'>, headSha: string): ReviewCheckWanted {
  return {
    name: REVIEW_CHECK,
    headSha,
    run: run.id,
    conclusion: undefined,
    title: '',
    summary: '',
    annotations: [],
  };
}

function wantCheck({ run, step }: Writing, check: ReviewCheckWanted): void {
  const { installationId, repositoryId, owner, repo } = run.thread;
  const stage = `${check.headSha} ${check.conclusion ?? 'going on'}`;
  // Said already, and nothing else since.
  if (check.conclusion === undefined && run.checkStage === stage) return;
  run.checkStage = stage;
  const isEnd = check.conclusion !== undefined;
  const isNew = firstWrite(run, `check-${isEnd ? 'end' : 'begin'}-${check.headSha}`);
  const repository = { installationId, repositoryId, owner, repo };
  emitEffect(
    step,
    { kind: 'review-check', repository, check, ...isNew },
    // By head: what is said of a newer one must not take the place of the end of an older one.
    { lane: writeLane(run.thread), slot: `${run.id}/check-${check.headSha}` },
  );
}

type Conclusion = NonNullable<ReviewCheckWanted['conclusion']>;

const CONCLUSIONS: Readonly<Partial<Record<Verdict['verdict'], Conclusion>>> = {
  APPROVE: 'success',
  CHANGES: 'action_required',
};

/**
 * A success says that everything was read (by a model where there is one) and that no serious finding of a rule is
 * open. No model can lift that.
 */
function conclusionOf(
  run: Run<'pr_review'>,
  { verdict }: Verdict,
  review: ReviewState,
): Conclusion {
  const isHeld = holdingFindings(review.ledger).length > 0;
  const isUnread = isPartial(run, review) || isByRules(callsOfHead(run));
  if (verdict === 'APPROVE' && (isHeld || isUnread)) return 'neutral';
  return CONCLUSIONS[verdict] ?? 'neutral';
}

export function carryOutReview(context: RunContext<'pr_review'>): void {
  const { run, state } = context;
  const { review, verdict } = run;
  if (review === undefined || verdict === undefined) return;
  const { fresh, ledger: gathered } = gatherFindings(run, review);
  const before = state.ledger ?? EMPTY_LEDGER;
  const laid = layOut(fresh, review, run);
  const ledger = numberFindings(gathered, laid);
  review.ledger = ledger;
  state.ledger = ledger;
  postReview(context, { review, verdict, laid, before });
  showConclusion(context, { review, verdict, laid });
  setLabels(context, review, verdict);
  foldSettled(context, review, verdict);
}

function paragraphs(parts: readonly string[]): string {
  return parts.filter((part) => part !== '').join('\n\n');
}

function showConclusion(
  context: Writing,
  { review, verdict, laid }: Pick<Concluded, 'review' | 'verdict' | 'laid'>,
): void {
  const { run } = context;
  wantCheck(context, {
    ...checkOf(run, review.headSha),
    conclusion: conclusionOf(run, verdict, review),
    title: renderVerdict(run).slice(0, 255),
    summary: paragraphs([
      renderWithout(run),
      renderReview(run, review, laid),
      review.isQueueUnheard ? QUEUE_UNHEARD : '',
    ]),
    annotations: toAnnotations(review, run),
  });
}

/** A person settled a finding after the review had ended: the check shows that, and nothing is reported again. */
export function concludeAgain(context: Writing): void {
  const { review, verdict, status } = context.run;
  if (review === undefined || verdict === undefined || status === 'closed') return;
  showConclusion(context, { review, verdict, laid: layOut([], review, context.run) });
}

interface Concluded {
  review: ReviewState;
  verdict: Verdict;
  laid: Laid;
  /** What was known before. */
  before: FindingsLedger;
}

/** Where there is news: a person's answer can bring another verdict on the same head, which is another review or none. */
function postReview(
  { run, step }: RunContext<'pr_review'>,
  { review, verdict, laid, before }: Concluded,
): void {
  const { ledger, headSha } = review;
  const isQuiet = new Set(laid.muted);
  const loud = laid.fresh.filter((finding) => !isQuiet.has(finding));
  const { verdict: word, headline, reasons, question = '' } = verdict;
  const said = valueDigest([headSha, word, headline, reasons, question]).slice(0, 12);
  const isSaid = run.said === said && loud.length === 0;
  if (isSaid || !hasNews(verdict, { fresh: loud, ledger })) return;
  run.said = said;
  const key = `review-${headSha.slice(0, 12)}-${said}`;
  const effectId = emitEffect(
    step,
    {
      kind: 'review',
      thread: run.thread,
      review: {
        marker: { kind: 'run', run: run.id, key },
        headSha,
        event: word === 'CHANGES' ? review.settings.event : 'COMMENT',
        body: paragraphs([
          renderWithout(run),
          `### ${renderVerdict(run)}`,
          renderReview(run, review, laid),
        ]),
        comments: laid.comments,
      },
      ...firstWrite(run, key),
    },
    { lane: writeLane(run.thread) },
  );
  const untold = newsIn(ledger, before.findings);
  run.posting = { effectId, reviewedSha: before.reviewedSha, untold };
}

/** A conversation about what is gone need not be read any more; nor a review's text when nothing of it is left. */
function foldSettled(
  { run, step }: RunContext<'pr_review'>,
  { unfolded, ledger }: ReviewState,
  verdict: Verdict,
): void {
  const conversations = ledger.findings
    .filter(({ status }) => status === 'fixed' || status === 'outdated')
    .flatMap(({ finding }) => unfolded.conversations[finding.fingerprint] ?? []);
  const isLeft = openFindings(ledger).some(({ finding }) => finding.severity !== 'info');
  const isOver = verdict.verdict === 'APPROVE' && !isLeft;
  const texts = isOver ? unfolded.texts : [];
  if (conversations.length + texts.length === 0) return;
  const { thread } = run;
  emitEffect(step, { kind: 'fold', thread, conversations, texts }, { lane: writeLane(thread) });
}

/** Silence is a valid answer: a clean change gets only the check, and no finding is reported twice. */
function hasNews({ verdict }: Verdict, { fresh, ledger }: Gathered): boolean {
  if (fresh.length > 0 || verdict === 'HUMAN') return true;
  return verdict !== 'APPROVE' && knownFindings(fresh, ledger).length === 0;
}

function newsIn(ledger: FindingsLedger, known: readonly LedgerFinding[]): string[] {
  const names = new Set(known.map(({ finding }) => finding.fingerprint));
  return ledger.findings
    .map(({ finding }) => finding.fingerprint)
    .filter((name) => !names.has(name));
}

const OUTCOMES: Readonly<Partial<Record<Verdict['verdict'], Label>>> = {
  CHANGES: 'changes-requested',
  HUMAN: 'needs-human',
};
const OUTCOME_LABELS: readonly Label[] = ['changes-requested', 'needs-human'];

/** Only where something has to change: labels cost calls and notify. */
function setLabels(
  { run, step }: RunContext<'pr_review'>,
  review: ReviewState,
  verdict: Verdict,
): void {
  const wanted = OUTCOMES[verdict.verdict];
  const name = (label: Label): string => labelName(run.settings, label);
  const add = OUTCOME_LABELS.filter(
    (label) => label === wanted && !review.labels.includes(name(label)),
  );
  const remove = OUTCOME_LABELS.filter(
    (label) => label !== wanted && review.labels.includes(name(label)),
  );
  if (add.length + remove.length === 0) return;
  const { thread } = run;
  emitEffect(
    step,
    {
      kind: 'labels',
      thread,
      add: add.map((label) => ({ name: name(label), ...LABEL_LOOKS[label] })),
      remove: remove.map(name),
      has: review.labels,
    },
    { lane: writeLane(thread) },
  );
}
