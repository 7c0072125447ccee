/** Every scan of strangers' text by its kind. Pure: hosts run it in a thread with a deadline. */
import { parseDiff } from '../domain/diff/parse-diff.ts';
import type { IssueScan, ScanKind, Scans } from '../domain/run/scan.ts';
import { evidenceFor } from './issue/question-evidence.ts';
import { scanChange } from './change/scan-change.ts';
import { decideEvidence, withWish } from './issue/decide-evidence.ts';
import { answerOf, findTensions } from './standup/find-tensions.ts';
import { searchInSteps } from './repository/search.ts';

type Scan<K extends ScanKind> = (input: Scans[K]['input']) => Scans[K]['output'];

const SCANS: { [K in ScanKind]: Scan<K> } = {
  issue: scanIssue,
  change: (view) => scanChange(view, parseDiff(view.diff)),
  standup: ({ record, viewed, team }) => {
    const told = findTensions({ record, viewed }, team);
    return Object.fromEntries(team.map(({ handle }) => [handle, answerOf(told, handle)]));
  },
  code: ({ code, limit }) => {
    const steps = searchInSteps(code, limit);
    for (;;) {
      const step = steps.next();
      if (step.done === true) return step.value;
    }
  },
};

/** Runs one scan. Throws only for a bug of a rule. */
export function runScan<K extends ScanKind>(kind: K, input: Scans[K]['input']): Scans[K]['output'] {
  return SCANS[kind](input);
}

function scanIssue({ view, about }: Scans['issue']['input']): IssueScan {
  const evidence = decideEvidence(view);
  if (about === undefined) return { evidence };
  return {
    evidence,
    wished: decideEvidence(withWish(view, about)),
    asked: evidenceFor(about, view),
  };
}
