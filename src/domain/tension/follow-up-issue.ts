/** The issue that a tension becomes once a person accepts it: what is stored of it, and nothing of the comment's text. */
import type { IssueOutcome } from '../github/issue-outcome.ts';
import { cutToWords } from '../standup/standup-answer.ts';
import { codeSpan } from '../text/code-span.ts';
import type { Tension } from './tension.ts';

const TITLE_WORDS = 14;
const MAX_TITLE = 120;

export interface FollowUpIssue {
  title: string;
  body: string;
}

interface Origin {
  /** Names of participants by handle. */
  names: Readonly<Record<string, string>>;
  standup: { thread: number; headSha: string };
}

export function renderFollowUp(tension: Tension, { names, standup }: Origin): FollowUpIssue {
  const { message, type, from, to, refs, by, number, seen } = tension;
  const nameOf = (handle: string): string => names[handle] ?? handle;
  const places = refs.map(({ path, line }) =>
    line === undefined ? codeSpan(path) : codeSpan(`${path}:${line}`),
  );
  const whom = to === undefined ? '' : `, to ${nameOf(to)}`;
  const at = standup.headSha === '' ? '' : `, at ${codeSpan(standup.headSha.slice(0, 12))}`;
  const accepted = by === undefined ? '' : ` · accepted by ${codeSpan(by)}`;
  return {
    title: followUpTitle(message),
    body: [
      message,
      ...(places.length === 0 ? [] : [`**Where**${at}: ${places.join(', ')}`]),
      `<sub>Tension ${number} (${codeSpan(type)}), raised by ${nameOf(from)}${whom} in the standup of #${standup.thread} · seen in ${seen === 1 ? 'one run' : `${seen} runs`}${accepted}</sub>`,
    ].join('\n\n'),
  };
}

/** The first words, as plain text: a title shows no code. */
export function followUpTitle(message: string): string {
  const plain = message.replaceAll('`', '').replaceAll(/\s+/g, ' ').trim();
  const short = cutToWords(plain, TITLE_WORDS);
  return short.length <= MAX_TITLE ? short : `${short.slice(0, MAX_TITLE - 1)}…`;
}

/** Whether there is an issue now, be it new or known. */
export function isFound(
  outcome: IssueOutcome,
): outcome is Extract<IssueOutcome, { number: number }> {
  return 'number' in outcome && outcome.number > 0;
}
