/** Circles: the same speakers acknowledge one another without saying anything new (TG-12). */
import { tokenise } from '../../../domain/text/words.ts';
import { isClosing } from '../../run/answers/closing.ts';
import type { Conversation, Utterance } from './conversation.ts';

/** How sure we are that a conversation turns in a circle. Medium and high end it; for low, the prompt mentions it. */
export type CircleConfidence = 'none' | 'low' | 'medium' | 'high';

/** Agreement that could stand alone, in six languages. */
export const ACKNOWLEDGES =
  /(?<!\p{L})(?:agree[ds]?|exactly|indeed|absolutely|definitely|makes sense|good point|great point|well said|sounds good|right|yes|sure|of course|noted|understood|got it|acknowledged|same here|looking forward|glad|happy to|de acuerdo|exacto|claro|por supuesto|entendido|buen punto|d'accord|exactement|tout à fait|bien sûr|compris|bien vu|einverstanden|genau|stimmt|klar|verstanden|guter punkt|concordo|exatamente|entendi|com certeza|bom ponto|esatto|certo|capito|sono d'accordo|ottimo punto)(?!\p{L})/iu;
const SUBSTANCE = /[?？`]|https?:\/\/|#\d/;
/** Longer messages say something, or try to. */
const MAX_WORDS = 60;
/** At most this share of a message's telling words is new when it only acknowledges. */
const MAX_NEW = 0.34;
/** What is looked at: a circle shows at the end. */
const LOOK_BACK = 12;

/** Judges the end of a conversation. */
export function judgeCircle({ comments }: Conversation): CircleConfidence {
  const recent = comments.slice(-LOOK_BACK);
  const run = trailingAcknowledgements(recent);
  const speakers = new Set(run.map(({ by }) => by));
  const isMutual = speakers.size >= 2 && run.some(({ kind }) => kind === 'us');
  if (!isMutual) return 'none';
  if (run.length >= 4) return 'high';
  return run.length === 3 ? 'medium' : 'low';
}

function trailingAcknowledgements(comments: readonly Utterance[]): Utterance[] {
  const run: Utterance[] = [];
  for (let at = comments.length - 1; at >= 0; at -= 1) {
    const comment = comments[at];
    if (comment === undefined || !isAcknowledgement(comment, comments.slice(0, at))) break;
    run.unshift(comment);
  }
  return run;
}

/** Whether a comment agrees or thanks and adds (almost) no new words. */
function isAcknowledgement({ text }: Utterance, before: readonly Utterance[]): boolean {
  if (SUBSTANCE.test(text) || text.split(/\s+/).length > MAX_WORDS) return false;
  if (isClosing(text)) return true;
  const known = new Set(before.flatMap((comment) => tokenise(comment.text)));
  const words = tokenise(text.replaceAll(new RegExp(ACKNOWLEDGES, 'giu'), ' '));
  const fresh = words.filter((word) => !known.has(word)).length;
  const share = words.length === 0 ? 0 : fresh / words.length;
  return ACKNOWLEDGES.test(text) ? fresh <= 2 || share <= MAX_NEW : isRepetition(words, fresh);
}

/** A comment that expresses no agreement counts only if all its words were said before. */
function isRepetition(words: readonly string[], fresh: number): boolean {
  return words.length >= 3 && fresh === 0;
}
