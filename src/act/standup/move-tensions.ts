/** Moves tensions of a repository: on the word of a person, or because of what became of a follow-up issue. */
import type { TensionMove, TensionMoved } from '../../domain/standup/standup-run.ts';
import {
  acceptTension,
  endFollowUp,
  linkFollowUp,
  rejectTension,
  withdrawTension,
  type Moved,
} from '../../domain/tension/move-tension.ts';
import type { TensionBook } from '../../domain/tension/tension.ts';
import type { DataOf, EffectContext } from '../effect-context.ts';
import type { Performed } from '../ports.ts';
import { refuseWithoutAuthority } from '../write/thread-writes.ts';
import { changeValue } from './change-value.ts';

export async function moveTensions(
  { thread, moves, authority }: DataOf<'move-tensions'>,
  { ports, at }: EffectContext,
): Promise<Performed<'move-tensions'>> {
  const { counts } = ports.github.at(thread);
  if (authority !== undefined) await refuseWithoutAuthority({ thread }, authority, ports);
  let moved: TensionMoved[] = [];
  const of = { repository: thread.repositoryId, name: 'tensions' as const };
  await changeValue(ports.store.standups, of, (before) => {
    const all = moveAll(before, moves, at);
    moved = all.moved;
    return all.book;
  });
  return { effectKind: 'move-tensions', result: { moved }, githubCalls: counts };
}

function moveAll(
  before: TensionBook,
  moves: readonly TensionMove[],
  at: string,
): { book: TensionBook; moved: TensionMoved[] } {
  let book = before;
  const moved: TensionMoved[] = [];
  for (const move of moves) {
    const { outcome, insight } = moveOne(book, move, at);
    const which = insight === undefined ? {} : { insight };
    if (outcome.isMoved) {
      book = outcome.book;
      moved.push({ isMoved: true, tension: outcome.tension, ...which });
    } else moved.push({ ...outcome, ...which });
  }
  return { book, moved };
}

interface MadeMove {
  outcome: Moved;
  insight?: string;
}

function moveOne(book: TensionBook, move: TensionMove, at: string): MadeMove {
  if (move.kind === 'link') return { outcome: linkFollowUp(book, move.number, move.issue) };
  if (move.kind === 'deleted') return { outcome: deleteFollowUp(book, move.issue, at) };
  const { which, by } = move;
  const number = 'number' in which ? which.number : numberOf(book, which.insight);
  const named = 'insight' in which ? { insight: which.insight } : {};
  if (number === undefined)
    return { outcome: { isMoved: false, why: 'No tension is kept of this insight.' }, ...named };
  if (move.kind === 'accept') return { outcome: acceptTension(book, number, { by, at }), ...named };
  if (move.kind === 'withdraw') return { outcome: withdrawTension(book, number, { at }), ...named };
  const why = move.kind === 'reject' ? move.why : '';
  return { outcome: rejectTension(book, number, { by, at, why }), ...named };
}

function numberOf({ tensions }: TensionBook, insight: string): number | undefined {
  return tensions.findLast(({ insights }) => insights.includes(insight))?.number;
}

function deleteFollowUp(before: TensionBook, issue: number, at: string): Moved {
  const book = endFollowUp(before, { issue, end: { kind: 'deleted' }, at });
  const found = before.tensions.find((each) => each.issue === issue);
  const tension = book.tensions.find(({ number }) => number === found?.number);
  return tension === undefined
    ? { isMoved: false, why: `No tension has the issue #${issue}.` }
    : { isMoved: true, book, tension };
}
