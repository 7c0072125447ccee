/** A cheap look at a comment's words: may it be for us? What it truly says is decided later, on what GitHub has then. */
import { isCommandLine } from '../domain/commands/command-line.ts';
import { bodyDigest, nameDigest } from '../domain/persona/digest.ts';
import { readMemoryAnswer } from '../domain/memory/role/role-answer.ts';
import { isYes, planWord } from '../domain/plan/approval.ts';
import type { CommentAddress, CommentPlace } from '../domain/run/talk.ts';

const APPROVE = /^ {0,3}\/pm[ \t]{1,9}approve\b/im;
const MENTION = /(?:^|[^\w`/.@-])@[a-z0-9]/i;
/** Plain names of the team at the start of a sentence. Those that are words of their own need a comma or a colon. */
const NAME =
  /(?:^|[.!?…]\s{1,9}|\n\s{0,9})(?:\p{L}{1,8},?\s)?(?:carlos|maya|priya|dev|sasha)(?![\w-])/iu;
const SALUTATION =
  /(?:^|[.!?…]\s{1,9}|\n\s{0,9})(?:\p{L}{1,8},?\s)?(?:artist|coder|content|critic|finance|general|quorum|research|strategy)\s{0,3}[,:]/iu;

/**
 * Text in a place where a name is called: at the start of a sentence, after a greeting or not, and before what
 * addresses somebody. Only the repository's personas decide whether anybody has that name.
 */
const CALLED =
  /(?:^|[.!?…]\s{1,9}|\n\s{0,9})(?:\p{L}{1,8},\s)?([\p{Lu}\p{Lt}\p{Lo}][^\n,:?!.]{0,59}?)(?=\s*[,:?!]|\s+[-–—]\s|\s+(?:can|could|would|will|do|did|are|have|should|what|why|how|when|where|who|which|please|any|thoughts)(?![\p{L}\d])|[.…]?\s*(?:\n|$))/gu;
/** Greetings and first sentences come first; a later call can use a mention. */
const MAX_CALLED = 8;
/** A greeting, and a name of up to three words. */
const MAX_WORDS = 4;

export interface CommentWords {
  place: CommentPlace;
  body: string;
  updatedAt: string;
  appId: number | undefined;
  /** From automated accounts, only commands count. */
  isByBot: boolean;
}

/** What is kept of a comment that may be for us; undefined when it cannot be. */
export function toCommentAddress(words: CommentWords): CommentAddress | undefined {
  const { place, body, updatedAt, appId } = words;
  const lines = body.split(/\r\n|\n|\r/);
  const hasCommand = lines.some(isCommandLine);
  const aside = hasCommand ? {} : asideOf(words);
  const called = calledBy(words, { hasCommand, ...aside });
  const isAside = aside.word !== undefined || aside.isForMemory === true;
  if (called === undefined && !isAside) return undefined;
  const isOnlyCommands =
    hasCommand && lines.every((line) => line.trim() === '' || isCommandLine(line));
  return {
    place,
    updatedAt,
    digest: bodyDigest(body),
    isOnlyCommands,
    ...aside,
    ...(called === undefined ? { isForPlan: true as const } : {}),
    ...(appId === undefined ? {} : { appId }),
    ...(called === undefined || called.length === 0 ? {} : { called }),
  };
}

/** Whether it may approve a plan: what its delivery shows of the plan is kept then. */
export function mayApprove({ isYes: isAYes }: CommentAddress, body: string): boolean {
  return isAYes === true || APPROVE.test(body);
}

type Aside = Pick<CommentAddress, 'isYes' | 'word' | 'isForMemory'>;

/** What it says to a plan that waits, or to a proposal to remember, where there is one. */
function asideOf({ place, body, isByBot }: CommentWords): Aside {
  if (isByBot || place !== 'thread') return {};
  if (isYes(body)) return { isYes: true };
  const word = planWord(body);
  if (word !== undefined) return { word };
  return readMemoryAnswer(body) === undefined ? {} : { isForMemory: true };
}

function calledBy(
  { body, isByBot }: CommentWords,
  { hasCommand, isYes: isAYes }: Aside & { hasCommand: boolean },
): string[] | undefined {
  if (hasCommand || isAYes === true) return [];
  return isByBot ? undefined : calledIn(body);
}

/** Empty where a persona is certainly addressed, undefined where none can be. */
function calledIn(body: string): string[] | undefined {
  if (MENTION.test(body) || NAME.test(body) || SALUTATION.test(body)) return [];
  const names = namesIn(body);
  return names.length === 0 ? undefined : names;
}

/** Digests, each with the words before it left out one by one: the first may be a greeting. */
function namesIn(body: string): string[] {
  const found = Array.from(body.matchAll(CALLED), ([, text = '']) => text.split(/\s+/))
    .filter((words) => words.length <= MAX_WORDS)
    .slice(0, MAX_CALLED);
  const names = found.flatMap((words) => words.map((_, from) => words.slice(from).join(' ')));
  return [...new Set(names)].map(nameDigest);
}
