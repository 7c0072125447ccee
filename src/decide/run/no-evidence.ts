/** For questions that rest on no facts of a thread. */
import type { Evidence } from '../../domain/run/evidence.ts';

export function noEvidence(): Evidence {
  return {
    subject: 'chore',
    number: 0,
    title: '',
    excerpt: '',
    hidden: {},
    signals: [],
    files: [],
    symbols: [],
    tests: [],
    missing: [],
    relatedIssues: [],
    size: 'small',
    answers: [],
    positions: [],
    notRead: [],
  };
}
