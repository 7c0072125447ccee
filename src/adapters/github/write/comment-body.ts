/** A comment's text with its marker, always within GitHub's 65,536 characters. */
import { toShownText } from '../../../domain/text/cap-body.ts';
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

/** Whether GitHub shows the same: it may have changed line ends and space at the end. Each job signs with its own key. */
export function isSameBody(a: string, b: string): boolean {
  return splitJobSignature(a).bare === splitJobSignature(b).bare;
}
