/** Finds the choice that an issue leaves open, and what people have answered. */
import type { Evidence } from '../../domain/run/evidence.ts';
import { sentencesOf, toLine } from './quote.ts';

/** Ways in which people put a choice to others. Each is a question to the team, never one to the tool. */
const CHOOSING =
  /\b(?:should we|shall we|do we (?:want|prefer|need)|are we (?:ok|okay|fine|happy)|(?:not|un)sure (?:whether|if we|which)|undecided|we (?:need|have|would have) to (?:decide|choose|agree)|needs? an? decision|open question|which (?:one|option|approach|of the two|way)\b[^.]{0,60}\?|would (?:you|maintainers|we) (?:accept|prefer|rather)|opinions\?|thoughts\?|what do (?:you|people|others) think|is (?:it|that|this) (?:ok|okay|acceptable) to|or should (?:we|it)|either [^.?]{3,80} or )/i;
const LISTED =
  /^[ \t]*(?:[-*+]|\d{1,9}[.)])?[ \t]*\**(?:option|alternative|variant)[ \t]{1,9}[A-D1-4]\**[ \t]{0,9}[:.)-](.{3,180})/gim;
const OFFER =
  /\b(?:should we|shall we|do we (?:want|prefer|need)(?: to)?|(?:not|un)sure (?:whether|if)(?: we should| to| it should)?|either|which (?:one|option|approach|way)[^:,]{0,40}[:,]|decide (?:whether|between)(?: to)?|whether(?: to)?) (.{2,140}?),? or (?:should (?:we|it) |rather |instead |to )?(.{2,140})/i;

export type Decision = NonNullable<Evidence['decision']>;

/** The first choice that is put to people; undefined when nothing is left open. */
export function findDecision(prose: string): Decision | undefined {
  const sentence = sentencesOf(prose).find((one) => CHOOSING.test(one));
  const listed = Array.from(prose.matchAll(LISTED), (match) => trimOption(match[1] ?? ''));
  if (sentence === undefined && listed.length < 2) return undefined;
  const quote = toLine(sentence ?? listed.join(' / '));
  const options = listed.length > 1 ? listed.slice(0, 4) : optionsOf(sentence ?? '');
  return { question: questionOf(sentence, options), options, quote };
}

function optionsOf(sentence: string): string[] {
  const [, first = '', second = ''] = OFFER.exec(sentence.replaceAll(/\s+/g, ' ')) ?? [];
  return [first, second].map(trimOption).filter((option) => option.length > 1);
}

function trimOption(text: string): string {
  const words = text
    .replaceAll('**', '')
    .trim()
    .replace(/[?.!;][^]*$/, '')
    .trim();
  return toLine(words.replace(/^(?:we|it)\s+/i, ''), 100);
}

function questionOf(sentence: string | undefined, options: readonly string[]): string {
  const asked = sentence?.match(/(?<![^.!?])[^.!?]*\?/)?.[0]?.trim();
  const [first, second] = options;
  if (asked !== undefined && CHOOSING.test(asked) && /\bor\b|should|do we|which/i.test(asked))
    return toLine(asked.charAt(0).toUpperCase() + asked.slice(1), 240);
  if (first !== undefined && second !== undefined) return toLine(`${first}, or ${second}?`, 240);
  return toLine(sentence ?? '', 240);
}
