/** The first line of what had to do without its model: which model did not answer, why, and what to do about it. */
import { codeSpan } from '../../domain/text/code-span.ts';
import type { Missed, ModelCall } from '../../domain/run/ledger.ts';
import { OFFLINE } from '../../domain/run/model-pool.ts';

/** What the calls of a run, the last of which brought its outcome, had to do without. */
export function findMissed(calls: readonly ModelCall[]): Missed | undefined {
  const last = calls.at(-1);
  const call = last?.insteadOf === undefined ? calls.findLast(hasMissed) : last;
  if (call?.insteadOf === undefined) return undefined;
  return {
    ...call.insteadOf,
    ...(call.provider === OFFLINE ? {} : { answeredBy: call.model }),
    ...(call === last ? {} : { isEarlier: true }),
  };
}

function hasMissed({ insteadOf }: ModelCall): boolean {
  return insteadOf !== undefined;
}

/**
 * Empty where nothing was missed.
 *
 * @param again - how to ask once more, as the end of a sentence
 */
export function renderMissed(missed: Missed | undefined, again: string): string {
  if (missed === undefined) return '';
  const { why, first } = REASONS[missed.code] ?? OTHER;
  return `**${missedText(missed)}** ${codeSpan(missed.name)} did not answer: ${why}. ${first} ${again}.`;
}

/** A short form for titles: whether rules alone decided. */
export function isWithoutModel(missed: Missed | undefined): boolean {
  return missed !== undefined && missed.answeredBy === undefined && missed.isEarlier !== true;
}

/**
 * Whether rules judged where a model was meant to: the outcome itself, or a part of it because a model refused the text.
 * Nothing then counts as read by the team, because the author of a text can make a model refuse it.
 */
export function isByRules(calls: readonly ModelCall[]): boolean {
  return calls.some(
    (call, at) =>
      call.provider === OFFLINE &&
      call.insteadOf !== undefined &&
      (at === calls.length - 1 || BY_THE_TEXT.has(call.insteadOf.code)),
  );
}

const BY_THE_TEXT: ReadonlySet<string> = new Set([
  'model-content-refused',
  'model-request-too-large',
  'model-request-rejected',
  'model-request-blocked',
]);

function missedText({ answeredBy, isEarlier }: Missed): string {
  const who = answeredBy === undefined ? 'offline rules' : codeSpan(answeredBy);
  if (isEarlier === true) return `Partly without its model: ${who} answered for some of the team.`;
  return answeredBy === undefined
    ? 'No model: only offline rules judged this.'
    : `Another model answered: ${who}.`;
}

interface Reason {
  why: string;
  /** What comes before asking again. */
  first: string;
}

const LATER = 'In a few minutes,';
const OPERATOR =
  'The operator of Quorum finds the cause in its log and with `quorum doctor`; after that,';
const OTHER: Reason = { why: 'it failed', first: OPERATOR };

const REASONS: Readonly<Record<string, Reason>> = {
  'model-content-refused': {
    why: 'a content filter of its provider refused the text',
    first: 'Change the text, then',
  },
  'model-request-too-large': {
    why: 'the text is too long for it',
    first: 'Shorten the text, then',
  },
  'model-request-rejected': { why: 'its provider rejected the request', first: OPERATOR },
  'model-request-blocked': {
    why: 'a firewall or proxy in front of its provider blocked the request',
    first: OPERATOR,
  },
  'model-rate-limited': {
    why: 'its provider’s rate limit was reached again and again',
    first: LATER,
  },
  'model-overloaded': {
    why: 'its provider was overloaded or down several times in a row',
    first: LATER,
  },
  'model-unreachable': { why: 'it could not be reached several times in a row', first: LATER },
  'model-stream-cut': { why: 'its answers broke off several times in a row', first: LATER },
  'model-timeout': { why: 'it did not answer in time several times in a row', first: LATER },
  'model-invalid-protocol': { why: 'something else than its provider answered', first: OPERATOR },
  'model-unauthorised': { why: 'its provider does not accept the key', first: OPERATOR },
  'model-credits': { why: 'its account has no credits left', first: OPERATOR },
  'model-forbidden': { why: 'the key may not use it', first: OPERATOR },
  'model-unknown': { why: 'its provider does not know it', first: OPERATOR },
  'model-not-set-up': { why: 'it is not set up on this host', first: OPERATOR },
};
