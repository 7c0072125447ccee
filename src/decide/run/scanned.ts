/**
 * What the look's own scan brought. Every look brings one (`ActPorts.scanner`); only results that workers before that
 * recorded have none. When such an event is reduced, or replayed, the same scan is made here, within its caps.
 */
import type { Evidence } from '../../domain/run/evidence.ts';
import type { LookResult } from '../../domain/event/result.ts';
import type { IssueView } from '../../domain/run/view.ts';
import { evidenceFor } from '../../rules/issue/question-evidence.ts';
import { noEvidence } from './no-evidence.ts';
import { decideEvidence, withWish } from '../../rules/issue/decide-evidence.ts';

/** The evidence that a deliberation rests on. */
export function scannedEvidence({ view, scan }: LookResult): Evidence {
  if (scan?.kind === 'not-read') return unread(view, scan.reason);
  return scan?.found.evidence ?? decideEvidence(view);
}

/** The evidence that a plan rests on; `wish` is what was asked for. */
export function wishedEvidence({ view, scan }: LookResult, wish: string): Evidence {
  if (scan?.kind === 'not-read') return unread(view, scan.reason);
  const found = wish === '' ? scan?.found.evidence : scan?.found.wished;
  return found ?? decideEvidence(withWish(view, wish));
}

/** The evidence that an answer rests on. */
export function askedEvidence({ view, scan }: LookResult, question: string): Evidence {
  if (scan?.kind === 'not-read') return unread(view, scan.reason);
  return scan?.found.asked ?? evidenceFor(question, view);
}

/** Nothing was read, so nothing is claimed. The reason is listed with the other things that were not read. */
function unread({ issue, notRead }: IssueView, reason: string): Evidence {
  return {
    ...noEvidence(),
    subject: 'unclear',
    number: issue.number,
    size: 'unknown',
    notRead: [...notRead, `what the rules read: ${reason}`],
  };
}
