/** A row that was taken, as a piece of work. */
import type { Suspicion } from '../../../../domain/event/suspicion.ts';
import type { Work } from '../../../../ports/store.ts';
import { text, textOrNone, type Row } from '../../row.ts';
import { attemptOf, installationIn, isFirstTime, toEffect, toEvent, waitsOf } from '../../rows.ts';
import type { Claim } from './jobs.ts';
import { toToken } from './jobs.ts';

/** @param suspicion - of a suspect that begins now */
export function toWork(row: Row, claim: Claim, suspicion?: Suspicion): Work {
  const endings = suspicion?.endings ?? 0;
  const common = {
    id: text(row, 'id'),
    installation: installationIn(row),
    attempt: attemptOf(row),
    ...(endings > 0 && { endings }),
    token: toToken(claim),
  };
  if (claim.kind === 'event') {
    const event = toEvent(row);
    return { ...common, kind: 'event', lane: event.key, event };
  }
  const effect = toEffect(row);
  const isFirst = isFirstTime(row, 1);
  const reason = textOrNone(row, 'reason');
  const told = { isFirst, reason, ...waitsOf(row) };
  return { ...common, kind: 'effect', lane: effect.lane, ...told, effect };
}
