/** A comment's text with its marker, always within GitHub's 65,536 characters. */
import { toShownText } from '../../../domain/text/cap-body.ts';
import { stripInvisible } from '../../../domain/text/invisible.ts';
import { redactSecrets } from '../../../domain/secrets/secret-text.ts';
import { splitJobSignature } from '../../../domain/github/job-signature.ts';
import { renderMarker, type MarkerData } from '../../../domain/github/marker.ts';
import type { SessionContext } from '../bound.ts';

/** Body as it may be shown, an empty line, marker. */
export function assembleComment(body: string, marker: string): string {
  return `${toShownText(body)}\n\n${marker}`;
}

interface MarkedText {
  body: string;
  marker: MarkerData;
  /** What the marker is signed for. */
  scope: string;
}

/** With its marker, and signed by this job where nothing else is signed. */
export function assembleMarked(
  { markerSecret, jobSignatures }: Pick<SessionContext, 'markerSecret' | 'jobSignatures'>,
  { body, marker, scope }: MarkedText,
): string {
  const text = assembleComment(body, renderMarker(marker, markerSecret, scope));
  return jobSignatures?.sign(text, scope) ?? text;
}

/** A title or another short text, without what nobody sees or what looks like a credential. */
export function shortText(text: string, limit: number): string {
  return redactSecrets(stripInvisible(text).text).slice(0, limit).toWellFormed();
}

/** Whether GitHub shows the same: it may have changed line ends and space at the end. Each job signs with its own key. */
export function isSameBody(a: string, b: string): boolean {
  return splitJobSignature(a).bare === splitJobSignature(b).bare;
}
