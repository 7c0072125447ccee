/** Recognises a text or title that Quorum sent to GitHub by its digest, so that the text itself need not be kept. */
import { bodyDigest } from '../persona/digest.ts';
import { shortText, TITLE_LIMIT, toShownText } from '../text/cap-body.ts';

/** Digest of a text as GitHub shows it. */
export function shownDigest(text: string): string {
  return bodyDigest(toShownText(text));
}

/** Digest of a title as GitHub shows it. */
export function titleDigest(title: string): string {
  return bodyDigest(shortText(title, TITLE_LIMIT).trimEnd());
}

/**
 * Whether GitHub shows a text of Quorum's.
 *
 * @param own - digests; effects that an older version recorded have whole texts
 */
export function isOwnText(shown: string, own: readonly string[]): boolean {
  const text = shown.trimEnd();
  const digest = bodyDigest(text);
  return own.some((each) => each === digest || toShownText(each) === text);
}
