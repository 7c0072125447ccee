/** The lead's verdict on an issue: the team's votes and the facts, weighed together. */
import type { Evidence, OfflineBrief } from '../../../../domain/run/evidence.ts';
import type { Signal } from '../../../../domain/review/signal.ts';
import { bare, citePlace, cutAtWord, list, lower, touched } from '../cite.ts';
import { hear, type Hearing } from '../hear.ts';
import { chooseQuestion } from '../ask-person.ts';
import type { IssueConclusion } from '../shapes.ts';
import {
  LEANS,
  decideVote,
  isGrounded,
  signalsFor,
  weigh,
  type CloseReason,
  type IssueVote,
  type Weights,
} from '../weigh.ts';
import { bullets, renderSignals, decidedLine, placeLines, touchesLine } from './verdict-lines.ts';

/** What a vote adds for each full point of confidence. */
const VOTE_WORTH = 1.2;

interface Case {
  evidence: Evidence;
  hearing: Hearing;
  vote: IssueVote;
  confidence: number;
  isSplit: boolean;
}

/** Closes the discussion of an issue. */
export function reachVerdict(brief: OfflineBrief): IssueConclusion {
  const one = decide(brief);
  const base = {
    verdict: one.vote,
    confidence: one.confidence,
    changes: [],
    anotherRound: wantsAnotherRound(brief, one),
  };
  switch (one.vote) {
    case 'READY':
      return { ...base, ...ready(one) };
    case 'CLOSE':
      return { ...base, ...close(one) };
    case 'DRAFT':
      return { ...base, ...draft(one) };
    case 'HUMAN':
      return { ...base, ...human(one) };
  }
}

function decide({ evidence, mode }: OfflineBrief): Case {
  const hearing = hear(evidence);
  const { weights } = weigh(evidence, hearing);
  const total: Weights = { ...weights };
  for (const { vote, confidence } of evidence.positions)
    if (vote === 'READY' || vote === 'CLOSE' || vote === 'DRAFT' || vote === 'HUMAN')
      total[vote] += VOTE_WORTH * confidence;
  const { vote, confidence } = decideVote(total);
  // Nothing is closed on a feeling: without a reason that was found it stays a draft.
  const hasReason = hearing.wish === 'close' || signalsFor('CLOSE', evidence, hearing).length > 0;
  const isHeld = vote === 'READY' && !mayStart(evidence, hearing, mode);
  const bounded = isHeld || (vote === 'CLOSE' && !hasReason) ? 'DRAFT' : vote;
  const isSplit = isEven(evidence, hearing);
  return isSplit
    ? { evidence, hearing, vote: 'HUMAN', confidence: Math.min(confidence, 0.5), isSplit }
    : { evidence, hearing, vote: bounded, confidence, isSplit };
}

/**
 * Ready rests on something that was found, and on somebody who says so where there is a team to ask. A maintainer's
 * answer is such a word: the votes before it were about the question.
 */
function mayStart(evidence: Evidence, hearing: Hearing, mode: OfflineBrief['mode']): boolean {
  const isSaid = evidence.positions.some(
    ({ vote, confidence }) => vote === 'READY' && confidence > 0,
  );
  return isGrounded(evidence, hearing) && (isSaid || hearing.wish === 'go' || mode === 'single');
}

/** Votes that pull apart with equal strength, one of them to close: code must not choose. */
function isEven({ positions }: Evidence, { wish }: Hearing): boolean {
  if (wish !== undefined) return false;
  const sumOf = (word: string): number =>
    positions
      .filter(({ vote }) => vote === word)
      .reduce((sum, { confidence }) => sum + confidence, 0);
  const [going, closing] = [sumOf('READY'), sumOf('CLOSE')];
  return (
    going > 0 &&
    closing > 0 &&
    Math.abs(going - closing) < 0.25 &&
    going + closing > sumOf('DRAFT') + sumOf('HUMAN')
  );
}

/** Only in round 1, and only when a serious finding meets a firm vote the other way. */
function wantsAnotherRound(
  { evidence, round, mode }: OfflineBrief,
  { vote, hearing }: Case,
): boolean {
  if (round > 1 || mode !== 'blind' || hearing.wish !== undefined) return false;
  const serious = evidence.signals.filter(
    ({ severity, ruleId }) =>
      (severity === 'critical' || severity === 'high') &&
      !hearing.settled.has(ruleId) &&
      LEANS[ruleId] !== undefined,
  );
  return serious.some((signal) => isDisputed(signal, evidence, vote));
}

function isDisputed(signal: Signal, { positions }: Evidence, vote: IssueVote): boolean {
  const leaning = LEANS[signal.ruleId]?.vote;
  if (leaning === vote) return false;
  const holders = positions.filter((one) => one.vote === leaning && one.confidence >= 0.6);
  const others = positions.filter((one) => one.vote !== leaning && one.confidence >= 0.6);
  return holders.length > 0 && others.length > 0;
}

function watchLine({ evidence, hearing }: Case): string | undefined {
  const open = [
    ...signalsFor('HUMAN', evidence, hearing),
    ...signalsFor('DRAFT', evidence, hearing),
  ];
  const points = open.filter(({ severity }) => severity !== 'info').slice(0, 2);
  const texts = points.map(({ title, suggestion }) => lower(bare(suggestion ?? title)));
  return texts.length === 0 ? undefined : `Not to be forgotten: ${list(texts)}.`;
}

type Part = Pick<IssueConclusion, 'headline' | 'reasons'> &
  Partial<Pick<IssueConclusion, 'changes' | 'question' | 'closeReason' | 'duplicateOf'>>;

const SIZE_WORDS: Readonly<Record<Evidence['size'], string>> = {
  small: 'small',
  medium: 'of middling size',
  large: 'large',
  unknown: 'size still open',
};

const SUBJECT_WORDS: Readonly<Record<Evidence['subject'], string>> = {
  bug: 'a fault that can be shown',
  feature: 'worth building',
  question: 'a clear question',
  chore: 'a clear chore',
  docs: 'a clear change to the docs',
  unclear: 'clear enough to start',
};

function ready(one: Case): Part {
  const { evidence, hearing } = one;
  const subject =
    evidence.subject === 'bug' &&
    !evidence.signals.some(({ ruleId }) => ruleId === 'has-reproduction')
      ? 'a fault with a known place'
      : SUBJECT_WORDS[evidence.subject];
  const [file] = touched(evidence);
  const place = file === undefined ? '' : `, in \`${file.path}\``;
  return {
    headline: cutAtWord(`${subject}, ${SIZE_WORDS[evidence.size]}${place}`, 160),
    reasons: bullets([
      decidedLine(hearing),
      ...evidence.signals
        .filter(
          ({ ruleId }) => ruleId === 'has-reproduction' || ruleId === 'has-acceptance-criteria',
        )
        .map((signal) => `${bare(signal.title)}: ${signal.evidence}.`),
      ...placeLines(evidence),
      ...renderSignals(
        evidence.signals.filter(({ ruleId }) => ruleId === 'related-issue'),
        1,
      ),
      watchLine(one),
    ]),
  };
}

const CLOSE_WORDS: Readonly<Record<CloseReason, (signal: Signal | undefined) => string>> = {
  duplicate: (signal) =>
    signal?.issue?.state === 'closed'
      ? `done already in #${signal.issue.number}`
      : `a duplicate of #${signal?.issue?.number}`,
  invalid: (signal) =>
    signal?.ruleId === 'question-not-issue'
      ? 'a question and not a change'
      : 'nothing here to act on',
  'not-planned': (signal) =>
    signal?.issue === undefined ? 'not planned' : `not planned, as #${signal.issue.number} was`,
};

function close({ evidence, hearing }: Case): Part {
  const signals = signalsFor('CLOSE', evidence, hearing);
  const [first] = signals;
  const isWish = hearing.wish === 'close';
  const closeReason: CloseReason =
    (isWish ? undefined : first && LEANS[first.ruleId]?.closeReason) ?? 'not-planned';
  const number = first?.issue?.number;
  return {
    headline: isWish
      ? `not planned, ${hearing.decided?.login ?? 'a maintainer'} decided`
      : CLOSE_WORDS[closeReason](first),
    reasons: bullets([
      decidedLine(hearing),
      ...renderSignals(signals, 3),
      reopenLine(closeReason, first, isWish),
    ]),
    closeReason,
    ...(closeReason === 'duplicate' && number !== undefined ? { duplicateOf: number } : {}),
  };
}

function reopenLine(
  reason: CloseReason,
  signal: Signal | undefined,
  isWish: boolean,
): string | undefined {
  if (isWish) return undefined;
  if (reason === 'duplicate')
    return `Anything here that #${signal?.issue?.number} lacks belongs there as a comment.`;
  if (reason === 'not-planned') return 'A reason that was not known then would reopen it.';
  return signal?.ruleId === 'question-not-issue'
    ? 'If the answer is missing from the docs, an issue that says where it was looked for is welcome.'
    : undefined;
}

function draft({ evidence, hearing }: Case): Part {
  const signals = signalsFor('DRAFT', evidence, hearing).filter(
    ({ severity }) => severity !== 'info',
  );
  const seen = new Set<string>();
  const asks = signals.filter(
    ({ suggestion }) => suggestion !== undefined && !seen.has(suggestion) && seen.add(suggestion),
  );
  const [first] = asks;
  if (first?.suggestion === undefined && signals.length === 0)
    return hollow(isGrounded(evidence, hearing));
  const missing = first?.suggestion === undefined ? 'more to go by' : bare(lower(first.suggestion));
  return {
    headline: cutAtWord(`missing: ${missing}`, 160),
    reasons: bullets([decidedLine(hearing), ...renderSignals(signals, 4), touchesLine(evidence)]),
    changes: asks.slice(0, 5).map(({ suggestion = '', place }) => ({
      text: cutAtWord(`Add ${suggestion}.`, 600),
      ...(place === undefined ? {} : { place }),
    })),
  };
}

/** A draft against which nothing speaks, but for which too little does. */
function hollow(hasGround: boolean): Part {
  const [headline, reason, change] = hasGround
    ? [
        'missing: somebody on the team who calls it ready',
        'Nobody who was asked had anything to say for starting on it.',
        'Add what it should do in the end, so that somebody can judge it.',
      ]
    : [
        'missing: what it is about, and when it is done',
        'It names nothing in the repository, states no outcome and shows no fault.',
        'Add the file, command or message it is about, and what should be different in the end.',
      ];
  return { headline, reasons: `- ${reason}`, changes: [{ text: change }] };
}

function human({ evidence, hearing, isSplit }: Case): Part {
  const signals = signalsFor('HUMAN', evidence, hearing);
  const { question, headline } = chooseQuestion(evidence, signals, isSplit);
  const place = signals.find((signal) => signal.place !== undefined)?.place;
  const places = placeLines(evidence, 'First step once that is settled');
  return {
    headline: cutAtWord(headline, 160),
    reasons: bullets([
      ...renderSignals(signals, 3),
      ...(places.length === 0 && place !== undefined ? [`See ${citePlace(place)}.`] : places),
    ]),
    question: cutAtWord(question, 600),
  };
}
