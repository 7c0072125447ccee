/**
 * What an earlier attempt may have written and could not record, because its job was killed. Only for a job without the key
 * that signs: with it, a signature tells.
 */
import type { MarkedText } from '../../../adapters/github/client/github-options.ts';
import { assembleComment, isSameBody } from '../../../adapters/github/write/comment-body.ts';
import { issueScope } from '../../../adapters/github/write/ensure-issue.ts';
import type { Intent } from '../../../domain/actions/intents.ts';
import { parseMarker, renderMarker, type MarkerData } from '../../../domain/github/marker.ts';
import { threadKey } from '../../../domain/run/thread-ref.ts';
import type { Believing } from '../job/workflow-github.ts';

interface Wanted {
  marker: MarkerData;
  scope: string;
  /** What it says, where what is found is not edited. */
  body?: string;
}

/**
 * Also a text that these intents want is ours, by its marker. Anybody can make that marker, so what stays as it is must also
 * say the same. The other texts are edited to what is wanted.
 */
export function believeUnrecorded(known: Believing, intents: readonly Intent[]): Believing {
  const { isRecorded, markerSecret } = known;
  if (isRecorded === undefined) return known;
  const all = intents.flatMap((intent) => wantedBy(intent));
  const isWanted = ({ body }: MarkedText): boolean =>
    body !== undefined && all.some((wanted) => isWritten(body, wanted, markerSecret));
  return { markerSecret, isRecorded: (text) => isRecorded(text) || isWanted(text) };
}

function isWritten(text: string, { marker, scope, body }: Wanted, secret: string): boolean {
  const found = parseMarker(text, secret, scope);
  const isMarked =
    found?.kind === marker.kind && found.run === marker.run && found.key === marker.key;
  if (!isMarked || body === undefined) return isMarked;
  return isSameBody(text, assembleComment(body, renderMarker(marker, secret, scope)));
}

function wantedBy({ data }: Intent): Wanted[] {
  if (data.kind === 'comment' || data.kind === 'reply')
    return [{ marker: data.marker, scope: threadKey(data.thread) }];
  if (data.kind === 'issue') return [{ marker: data.marker, scope: issueScope(data.repository) }];
  if (data.kind !== 'review') return [];
  const { marker, body } = data.review;
  return [{ marker, scope: threadKey(data.thread), body }];
}
