/** May we answer in this thread on GitHub? Decided in code, before any model sees the text (TG-10 to TG-13, LOOP-02). */
import { judgeCircle } from './circle.ts';
import { isClosing } from '../../run/answers/closing.ts';
import { isAutomated, since, type Conversation, type Utterance } from './conversation.ts';
import { limitsFor, windingDown, type WindingLimits, type WindingReason } from './winding-down.ts';

export type SilenceReason =
  | 'nothing-said'
  | 'own-comment-last'
  | 'closing'
  | 'not-addressed'
  | 'only-peers'
  | 'cascade'
  | 'enough-said'
  | 'circle'
  | 'hourly-cap'
  | WindingReason;

export type MayAnswer =
  | {
      answer: true;
      /** The comment to answer. */
      to: number;
      /** Told to the model: the talk may be turning in a circle. */
      maybeCircle: boolean;
    }
  | {
      answer: false;
      reason: SilenceReason;
      /** Whether a reaction takes the place of words. */
      react: boolean;
    };

export interface MayAnswerOptions {
  now: number;
  /** A persona's own thresholds. */
  limits?: Partial<WindingLimits>;
  /** Our comments in the last hour, where more of them are known than the conversation shows. */
  own?: number;
}

/** TG-10, third rule. */
const MAX_OWN = 3;
const RECENT = 5;
/** Limit on our comments in one thread and hour, for all people together (P6). */
const MAX_OWN_AN_HOUR = 12;
const HOUR_MS = 3_600_000;

/**
 * Decides whether to say something now. Plans and pull requests of our own and direct commands are not conversation:
 * they do not come here.
 */
export function mayAnswer(conversation: Conversation, options: MayAnswerOptions): MayAnswer {
  const fresh = since(conversation, ({ kind }) => kind === 'us');
  if (fresh.length === 0)
    return silent(conversation.comments.length === 0 ? 'nothing-said' : 'own-comment-last');
  const question = findQuestion(conversation, fresh);
  if ('reason' in question) {
    const last = fresh.findLast(({ kind }) => kind === 'person') ?? fresh.at(-1);
    const isOver = last !== undefined && isClosing(last.text);
    return isOver ? silent('closing', last.addressesUs) : silent(question.reason);
  }
  const circle = judgeCircle(conversation);
  if (circle === 'medium' || circle === 'high') return silent('circle', true);
  const over =
    refusalByCount(conversation, options) ?? refusalByWinding(conversation, question, options);
  if (over !== undefined) return silent(over);
  return { answer: true, to: question.id, maybeCircle: circle === 'low' };
}

function silent(reason: SilenceReason, react = false): MayAnswer {
  return { answer: false, reason, react };
}

type Question = Utterance | { reason: SilenceReason };

/**
 * The question to answer: the last one that a person asked us, else what an agent asked us on a person's word. Nobody
 * answers unless addressed (NW-11).
 */
function findQuestion(conversation: Conversation, fresh: readonly Utterance[]): Question {
  const asked = fresh.findLast(
    ({ kind, addressesUs, text }) => kind === 'person' && addressesUs && !isClosing(text),
  );
  return asked ?? findCascade(conversation, fresh);
}

/**
 * An agent's comment counts only when it is the first automated one after a person's, and names us. That is depth 1,
 * and cascades do not cascade (NW-12). Automated accounts that the repository does not list never count.
 */
function findCascade(conversation: Conversation, fresh: readonly Utterance[]): Question {
  if (!fresh.some((comment) => isAutomated(comment) && comment.addressesUs))
    return { reason: fresh.every(isAutomated) ? 'only-peers' : 'not-addressed' };
  const afterPerson = since(conversation, ({ kind }) => kind === 'person');
  const [first] = afterPerson;
  const counts =
    first?.kind === 'peer' && first.addressesUs && fresh.includes(first) && !isClosing(first.text);
  return counts ? first : { reason: 'cascade' };
}

/** We wrote too many comments: within an hour, or in total where other automated accounts take part. */
function refusalByCount(
  { comments }: Conversation,
  { now, own: known = 0 }: MayAnswerOptions,
): SilenceReason | undefined {
  const own = comments.filter(({ kind }) => kind === 'us');
  const lately = own.filter(({ at }) => at > now - HOUR_MS).length;
  if (Math.max(lately, known) >= MAX_OWN_AN_HOUR) return 'hourly-cap';
  if (!comments.some(({ kind }) => kind === 'peer' || kind === 'bot')) return undefined;
  if (own.length < MAX_OWN) return undefined;
  const isAsked = comments
    .slice(-RECENT)
    .some(({ kind, addressesUs }) => kind === 'person' && addressesUs);
  return isAsked ? undefined : 'enough-said';
}

/** A person who names us is answered however long the talk was; anything less winds down. */
function refusalByWinding(
  conversation: Conversation,
  question: Utterance,
  { now, limits }: MayAnswerOptions,
): WindingReason | undefined {
  if (question.kind === 'person') return undefined;
  return windingDown(conversation, limitsFor(conversation, limits), now);
}
