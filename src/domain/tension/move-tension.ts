/** How tensions move: what a run said of them, what people decided, and what became of the follow-up. Pure. */
import { evidenceOf, isGone, nowOf, renamePlaces } from './tension-evidence.ts';
import type { Insight } from '../standup/insight.ts';
import type { Viewed } from '../standup/inventions.ts';
import { findSame } from './similar.ts';
import {
  isUnsettled,
  tensionOf,
  withTension,
  type ClosedBy,
  type Tension,
  type TensionBook,
} from './tension.ts';

/** What became of an insight: a new tension, one more time of a known one, or nothing (rejected, and nothing changed). */
export interface Raised {
  book: TensionBook;
  outcome: 'opened' | 'repeated' | 'silent';
  tension: Tension;
}

export interface RaiseContext {
  /** ISO 8601. */
  at: string;
  /** Files at the run's head. */
  viewed: Pick<Viewed, 'texts'>;
}

/** Ids that are kept with a tension. */
const MAX_INSIGHTS = 50;

/** One insight of a run. The same run says the same thing once, however many participants see it. */
export function raiseTension(book: TensionBook, insight: Insight, context: RaiseContext): Raised {
  const known = findSame(insight, book.tensions.filter(isUnsettled));
  if (known !== undefined) return repeat(book, known, { ...context, insight });
  const evidence = evidenceOf(insight.refs, context.viewed);
  const settled = findSame(insight, book.tensions.toReversed());
  if (settled?.state === 'rejected' && settled.evidence.digest === evidence.digest)
    return { book, outcome: 'silent', tension: settled };
  const { from, role, to, type, message, refs, actionable, id, run } = insight;
  const tension: Tension = {
    number: book.next,
    state: 'open',
    from,
    role,
    ...(to === undefined ? {} : { to }),
    type,
    message,
    refs,
    actionable,
    insights: [id],
    seen: 1,
    firstSeen: context.at,
    lastSeen: context.at,
    lastRun: run,
    evidence,
    ...(settled === undefined ? {} : { after: settled.number }),
  };
  const opened = { ...book, next: book.next + 1, tensions: [...book.tensions, tension] };
  return { book: opened, outcome: 'opened', tension };
}

function repeat(
  book: TensionBook,
  known: Tension,
  { at, viewed, insight }: RaiseContext & { insight: Insight },
): Raised {
  const isNewRun = known.lastRun !== insight.run;
  const tension: Tension = {
    ...known,
    insights: [...new Set([...known.insights, insight.id])].slice(-MAX_INSIGHTS),
    seen: known.seen + (isNewRun ? 1 : 0),
    lastSeen: known.lastSeen > at ? known.lastSeen : at,
    lastRun: insight.run,
    // The newest places are those that people find.
    refs: insight.refs,
    evidence: evidenceOf(insight.refs, viewed),
  };
  return { book: withTension(book, tension), outcome: 'repeated', tension };
}

/** Who decided, and when. */
export interface Decided {
  /** Login. */
  by: string;
  /** ISO 8601. */
  at: string;
}

export type Moved =
  | { isMoved: true; book: TensionBook; tension: Tension }
  /** For people: what is wrong, and what to do. */
  | { isMoved: false; why: string };

/** A person wants it done. Again is the same; a rejected one is taken up, and a closed one is over. */
export function acceptTension(book: TensionBook, number: number, { by, at }: Decided): Moved {
  const found = tensionOf(book, number);
  if (found === undefined) return missing(number);
  if (found.state === 'accepted') return { isMoved: true, book, tension: found };
  if (found.state === 'closed') return refused(found, 'accepted');
  const { why: _, ...rest } = withoutEnded(found);
  return moved(book, { ...rest, state: 'accepted', by, movedAt: at });
}

/** Taken up again, it gets an issue that is open. Books of before 2026-11-28 tell the end of the last one in `why` alone. */
function withoutEnded(tension: Tension): Tension {
  const { issue, ...rest } = tension;
  if (issue === undefined) return tension;
  const isEnded = rest.notPlanned === issue || rest.why === whyNotPlanned(issue);
  return isEnded ? { ...rest, notPlanned: issue } : tension;
}

function whyNotPlanned(issue: number): string {
  return `#${issue} was closed as not planned`;
}

/** A person does not want it done, and says why: later standups read it. */
export function rejectTension(
  book: TensionBook,
  number: number,
  { by, at, why }: Decided & { why: string },
): Moved {
  const found = tensionOf(book, number);
  if (found === undefined) return missing(number);
  if (why.trim() === '')
    return {
      isMoved: false,
      why: `Say why tension ${number} is rejected: \`/pm tension reject ${number} why\`.`,
    };
  if (found.state === 'closed') return refused(found, 'rejected');
  return moved(book, { ...found, state: 'rejected', by, why: why.trim(), movedAt: at });
}

/** The box was unticked before there was an issue. With one, the issue is what people close. */
export function withdrawTension(
  book: TensionBook,
  number: number,
  { at }: Pick<Decided, 'at'>,
): Moved {
  const found = tensionOf(book, number);
  if (found === undefined) return missing(number);
  if (found.state !== 'accepted') return { isMoved: true, book, tension: found };
  if (found.issue !== undefined)
    return {
      isMoved: false,
      why: `Tension ${number} has a follow-up already: close #${found.issue} instead.`,
    };
  const { by: _, ...rest } = found;
  return moved(book, { ...rest, state: 'open', movedAt: at });
}

/** Its follow-up issue is open. */
export function linkFollowUp(book: TensionBook, number: number, issue: number): Moved {
  const found = tensionOf(book, number);
  if (found === undefined) return missing(number);
  if (found.state !== 'accepted') return refused(found, 'linked to a follow-up');
  return moved(book, { ...found, issue });
}

/** What happened to a follow-up issue. */
export type FollowUpEnd =
  | { kind: 'merged'; sha: string; pull?: number }
  /** A person says that it is done, and no commit shows it. */
  | { kind: 'completed'; issue: number }
  | { kind: 'not-planned'; by: string }
  /** Deleted, or transferred: nobody follows it up any more. */
  | { kind: 'deleted' };

/** The book after the end of a follow-up; unchanged when no tension has it. */
export function endFollowUp(
  book: TensionBook,
  { issue, end, at }: { issue: number; end: FollowUpEnd; at: string },
): TensionBook {
  const found = book.tensions.find((each) => each.issue === issue);
  // A person has rejected it with a reason: of its issue only the end is new.
  if (found?.state === 'rejected' && end.kind === 'not-planned')
    return withTension(book, { ...found, notPlanned: issue });
  if (found?.state !== 'accepted') return book;
  switch (end.kind) {
    case 'merged':
      return withTension(book, closed(found, commitIn(end), at));
    case 'completed':
      return withTension(book, closed(found, { kind: 'issue', issue: end.issue }, at));
    case 'not-planned': {
      const decided = { by: end.by, why: whyNotPlanned(issue), movedAt: at, notPlanned: issue };
      return withTension(book, { ...found, state: 'rejected', ...decided });
    }
    case 'deleted': {
      const { issue: _, by: __, ...rest } = found;
      return withTension(book, { ...rest, state: 'open', movedAt: at });
    }
  }
}

/** Closes the open ones whose every cited line is gone. Accepted ones end with their follow-up. */
export function closeGone(
  book: TensionBook,
  { sha, at, viewed }: { sha: string; at: string; viewed: Viewed },
): { book: TensionBook; closed: Tension[] } {
  const gone = book.tensions.filter(
    ({ state, evidence }) => state === 'open' && isGone(evidence, viewed),
  );
  const ended = gone.map((tension) => closed(tension, { kind: 'lines-gone', sha }, at));
  return { book: ended.reduce(withTension, book), closed: ended };
}

/** Follows files to their new names, so that nothing counts as gone or new because of a rename. */
export function followRenames(
  book: TensionBook,
  renamed: Readonly<Record<string, string>>,
): TensionBook {
  const tensions = book.tensions.map((tension) =>
    tension.refs.some(({ path }) => Object.hasOwn(renamed, path))
      ? {
          ...tension,
          refs: tension.refs.map((ref) => ({ ...ref, path: nowOf(ref.path, renamed) })),
          evidence: renamePlaces(tension.evidence, renamed),
        }
      : tension,
  );
  return { ...book, tensions };
}

function commitIn({ sha, pull }: Extract<FollowUpEnd, { kind: 'merged' }>): ClosedBy {
  return { kind: 'commit', sha, ...(pull === undefined ? {} : { pull }) };
}

function closed(tension: Tension, closedBy: ClosedBy, at: string): Tension {
  return { ...tension, state: 'closed', closedBy, movedAt: at };
}

function moved(book: TensionBook, tension: Tension): Moved {
  return { isMoved: true, book: withTension(book, tension), tension };
}

function missing(number: number): Moved {
  return {
    isMoved: false,
    why: `There is no tension ${number} here. \`/pm tensions\` lists them.`,
  };
}

function refused({ number, state }: Tension, verb: string): Moved {
  return { isMoved: false, why: `Tension ${number} is ${state} and cannot be ${verb}.` };
}
