/** What a history tells of closed issues: the numbers in its messages. */
import type { PastIssue } from '../../domain/run/view.ts';

export interface CommitText {
  /** ISO time. */
  at: string;
  subject: string;
  body: string;
}

const MAX_BODY = 2000;
/** GitHub's closing keywords, and a number in brackets as squash merges write it. */
const MENTION = /(?:\b(?:close[sd]?|fix(?:e[sd])?|resolve[sd]?):?\s+|\()#(\d{1,9})\b/gi;
const MERGE = /^Merge pull request #\d+ from \S+$/;

/**
 * One past issue for each number, from the newest commit that names it. A history cannot tell an issue from the pull
 * request that closed it, so both count.
 */
export function minePastIssues(commits: readonly CommitText[], limit: number): PastIssue[] {
  const found = new Map<number, PastIssue>();
  for (const commit of commits) {
    for (const number of numbersIn(commit)) {
      if (found.size >= limit) return [...found.values()];
      if (!found.has(number)) found.set(number, toPastIssue(number, commit));
    }
  }
  return [...found.values()];
}

function numbersIn(commit: CommitText): Set<number> {
  const mentions = `${commit.subject}\n${commit.body}`.matchAll(MENTION);
  return new Set([...mentions].map(([, number]) => Number(number)).filter((number) => number > 0));
}

function toPastIssue(number: number, commit: CommitText): PastIssue {
  // GitHub's merge commits carry the title in their body.
  const isMerge = MERGE.test(commit.subject);
  const [first = '', ...rest] = commit.body.trim().split('\n');
  const title = isMerge && first !== '' ? first : commit.subject;
  return {
    number,
    title: title.replace(/(?<!\s)\s*\(#\d+\)\s*$/, ''),
    state: 'closed',
    stateReason: 'completed',
    labels: [],
    body: (isMerge ? rest.join('\n') : commit.body).trim().slice(0, MAX_BODY).toWellFormed(),
    isPull: false,
    closedAt: commit.at,
  };
}
