/** What is to be discussed, as the command line says it: an issue on GitHub, or words. */
import { apiUrlOf } from '../../../adapters/github/client/web-host.ts';
import { usageError } from '../report-failure.ts';

export type Subject =
  | {
      kind: 'issue';
      number: number;
      /** `owner/name`, when the words say which. */
      repository: string | undefined;
      /** REST base of the GitHub that a URL names. */
      apiUrl: string | undefined;
    }
  | { kind: 'text'; title: string; body: string };

const ISSUE_URL = /^(https?:\/\/[^/\s]+)\/([\w.-]+\/[\w.-]+)\/issues\/(\d+)(?:[?#]\S*)?$/;
const NUMBER = /^#?([1-9]\d{0,8})$/;
/** GitHub's own limit of a title. */
const MAX_TITLE = 256;

/** Reads the words. ConfigError `subject-empty`. */
export function parseSubject(words: string): Subject {
  const text = words.trim();
  if (text === '')
    throw usageError('subject-empty', 'There is nothing to discuss. Give an issue or some text.');
  const url = ISSUE_URL.exec(text);
  if (url !== null)
    return {
      kind: 'issue',
      number: Number(url[3]),
      repository: url[2],
      apiUrl: apiUrlOf(url[1] ?? ''),
    };
  const number = NUMBER.exec(text)?.[1];
  if (number !== undefined)
    return { kind: 'issue', number: Number(number), repository: undefined, apiUrl: undefined };
  return { kind: 'text', ...toIssue(text) };
}

/**
 * The first line is the title, as in a commit. A long one is cut and stays in the body. So does a line that is the
 * whole text: its author has nothing more to say, so the issue still gets a description.
 */
function toIssue(text: string): { title: string; body: string } {
  const [first = '', ...rest] = text.split('\n');
  const title = first.replace(/^#+\s*/, '').trim();
  if (title.length > MAX_TITLE) return { title: `${title.slice(0, MAX_TITLE - 1)}…`, body: text };
  const body = rest.join('\n').trim();
  return { title, body: body === '' ? title : body };
}
