/** Runs a review at a terminal: the council through the same engine as the App, or the rules alone. */
import type { Perform } from '../../../act/perform.ts';
import type { Performed } from '../../../act/ports.ts';
import type { TextLimits } from '../../../act/read/pull/pull-texts.ts';
import { openSqliteStore } from '../../../adapters/store/sqlite/open-sqlite.ts';
import { gatherFindings } from '../../../decide/kinds/review/gather-findings.ts';
import { holdingFindings } from '../../../decide/kinds/review/ledger/refute.ts';
import { notReadOf } from '../../../decide/kinds/review/render.ts';
import { signalsOf } from '../../../rules/change/scan-change.ts';
import { ofKind, type Run } from '../../../domain/run/state/run-record.ts';
import { parseDiff } from '../../../domain/diff/parse-diff.ts';
import { RefusedError } from '../../../domain/event/errors.ts';
import type { Effect } from '../../../domain/event/effect.ts';
import { isAtLeast } from '../../../domain/review/finding.ts';
import { sumCost } from '../../../domain/run/ledger.ts';
import { RUN_CONDITIONS } from '../../../domain/run/permit/run-authority.ts';
import type { ReviewOutcome } from '../../../domain/review/review-output.ts';
import type { PullLookResult } from '../../../domain/event/result.ts';
import { EMPTY_LEDGER, type PullView, type ReviewState } from '../../../domain/review/review.ts';
import type { DetectSecrets } from '../../../domain/secrets/secret-text.ts';
import { threadKey, type Actor, type ThreadRef } from '../../../domain/run/thread-ref.ts';
import type { Store } from '../../../ports/store.ts';
import type { GitHubPulls } from '../../../ports/github/pulls.ts';
import type { Basics } from '../../host-parts.ts';
import { performAtTerminal, runAtTerminal } from '../at-terminal.ts';
import { refuseBrokenConfig, type ConfigSide } from '../refuse-broken-config.ts';
import type { Pool } from '../../../adapters/model/pool/pool-state.ts';
import { chosenHandles, limitTeam } from './limit-team.ts';

export interface ReviewRequest {
  basics: Basics;
  github: GitHubPulls;
  thread: ThreadRef;
  actor: Actor;
  markerSecret: string;
  /** Only these contribute, and only what concerns them is reported. */
  personas: readonly string[] | undefined;
  /** What is read around the change, where that is cheap. */
  texts?: TextLimits;
  detectSecrets: DetectSecrets;
  /** A configuration with errors refuses the review. */
  config: ConfigSide;
  onLook: (run: Run | undefined) => void;
  /** Who answers; the pool of this host when absent. */
  model?: Pick<Pool, 'name' | 'generate' | 'estimateUsd'>;
}

export interface Reviewed extends ReviewOutcome {
  headline: string;
  /** The question, when a person has to decide. */
  question: string | undefined;
  view: PullView;
}

/**
 * Runs the council on the change. The user pays and nothing is written: no role is needed, and drafts or closed pull
 * requests are read too.
 */
export async function reviewByCouncil(request: ReviewRequest): Promise<Reviewed> {
  const { basics, thread, actor, onLook } = request;
  const seen: Seen = {};
  const run = await runAtTerminal({
    basics,
    thread,
    trigger: {
      kind: 'pull',
      action: 'opened',
      thread,
      actor,
      headSha: '',
      authority: { kind: 'terminal', waives: RUN_CONDITIONS },
    },
    config: request.config,
    perform: (store) => createTerminalPerform(request, { store, seen }),
    onLook: (now) => {
      if (seen.failure !== undefined) throw seen.failure;
      onLook(now);
    },
  });
  const review = ofKind(run, 'pr_review');
  if (seen.view === undefined || review === undefined) throw notReviewed('it never started');
  return toReviewed(review, seen.view);
}

/** The rules alone: nobody is asked. */
export async function reviewByRules(request: ReviewRequest): Promise<Reviewed> {
  const { clock } = request.basics;
  const store = await openSqliteStore({ memory: true, clock });
  try {
    const seen: Seen = {};
    const perform = await createTerminalPerform(request, { store, seen });
    const { thread, actor } = request;
    const look: Effect = {
      id: 'look',
      key: threadKey(thread),
      run: 'cli',
      at: new Date(clock.now()).toISOString(),
      data: {
        kind: 'look-pull',
        thread,
        actor,
        isAsked: true,
        since: undefined,
        withComments: false,
      },
    };
    await perform(look, { isFirst: true });
    if (seen.view === undefined) throw notReviewed('it could not be read');
    const { view, scan } = seen;
    const { findings, notRead, isUnread } = signalsOf(
      scan === undefined ? { view } : { view, scan },
      parseDiff(view.diff),
    );
    if (isUnread) throw notReviewed(notRead.join(', '));
    const shown = findings.filter(({ severity }) =>
      isAtLeast(severity, view.config.review.minSeverity),
    );
    const bad = shown.filter(({ severity }) => isAtLeast(severity, 'high')).length;
    return {
      verdict: bad > 0 ? 'CHANGES' : 'APPROVE',
      headline: bad > 0 ? `${bad} ${bad === 1 ? 'thing' : 'things'} to change` : 'no findings',
      question: undefined,
      model: 'none',
      findings: shown,
      notRead: [...view.notRead, ...notRead],
      costUsd: 0,
      view,
    };
  } finally {
    await store.close();
  }
}

interface Seen {
  view?: PullView;
  scan?: PullLookResult['scan'];
  looked?: Performed;
  /** What makes the whole request pointless. */
  failure?: unknown;
}

async function createTerminalPerform(
  request: ReviewRequest,
  { store, seen }: { store: Store; seen: Seen },
): Promise<Perform> {
  const { basics, github, markerSecret, detectSecrets, model, texts } = request;
  const perform = await performAtTerminal({
    basics,
    github,
    markerSecret,
    detectSecrets,
    model,
    store,
    ...(texts === undefined ? {} : { texts }),
  });
  return async (effect, attempt) => {
    if (effect.data.kind !== 'look-pull') return perform(effect, attempt);
    if (seen.looked !== undefined) return seen.looked;
    try {
      const done = await perform(effect, attempt);
      if (done.effectKind !== 'look-pull') return done;
      const { view } = done.result;
      refuseBrokenConfig(view.problems, request.config);
      limitTeam(view, chosenHandles(request.personas, view.personas));
      seen.view = view;
      if (done.result.scan !== undefined) seen.scan = done.result.scan;
      // Between two looks of one command nobody pushes: it is read once.
      seen.looked = done;
      return done;
    } catch (error) {
      // Nobody is there to try again later.
      seen.failure = error;
      throw error;
    }
  };
}

function toReviewed(run: Run<'pr_review'>, view: PullView): Reviewed {
  const { review, needsYou } = run;
  if (review === undefined) throw notReviewed(run.endReason ?? 'nobody said why');
  const { usd, isPartlyUnknown } = sumCost(run.calls);
  const settled = review.ledger.findings.filter(({ status }) => status !== 'open');
  const { fresh } = gatherFindings(run, {
    ...review,
    ledger: { ...EMPTY_LEDGER, findings: settled },
  });
  return {
    ...concluded(run, review),
    question: needsYou?.question,
    model: run.isOffline ? 'offline' : (run.model ?? 'unknown'),
    findings: fresh,
    notRead: notReadOf(run, review),
    costUsd: isPartlyUnknown ? null : usd,
    view,
  };
}

/** A run that ended without a verdict left the decision to a person. */
function concluded(
  { verdict }: Run<'pr_review'>,
  { ledger }: ReviewState,
): Pick<Reviewed, 'verdict' | 'headline'> {
  if (verdict === undefined) return { verdict: 'HUMAN', headline: 'a person decides' };
  const { verdict: word, headline } = verdict;
  const rules = holdingFindings(ledger).map(({ finding }) => finding.ruleId);
  if (word === 'APPROVE' && rules.length > 0)
    return { verdict: 'HUMAN', headline: `open all the same: ${[...new Set(rules)].join(', ')}` };
  return { verdict: word === 'APPROVE' || word === 'CHANGES' ? word : 'HUMAN', headline };
}

function notReviewed(why: string): RefusedError {
  return new RefusedError({ code: 'not-reviewed', message: `There is no review: ${why}.` });
}
