/** The signed last line of our comments: it says which run and step a comment belongs to, and cannot be forged. */
import { createHmac, timingSafeEqual } from 'node:crypto';
import { z } from 'zod';

export const MARKER_KINDS = ['run', 'plan', 'proposal', 'report', 'standup', 'notice'] as const;
export type MarkerKind = (typeof MARKER_KINDS)[number];

/** Key of a run's one comment that is kept up to date. */
export const LIVE = 'live';

/** How far the run was when it wrote the comment: it waits for a person, or is over. */
export const MARKER_STAGES = ['waiting', 'ended'] as const;
export type MarkerStage = (typeof MARKER_STAGES)[number];

export const MarkerData = z.object({
  kind: z.enum(MARKER_KINDS),
  /** Id of the run. */
  run: z.string().min(1).max(80),
  /** The effect's own key inside the run: one comment for each. */
  key: z.string().min(1).max(120),
  /** Absent while the run is going on, and in what older versions wrote. A newer version's word is dropped. */
  stage: z.enum(MARKER_STAGES).optional().catch(undefined),
  /** Of a pull request whose text a person wrote: each new head changes the marker, so that an edit dates it. */
  head: z.string().min(1).max(64).optional().catch(undefined),
});
export type MarkerData = z.infer<typeof MarkerData>;

const MARKER = /<!-- quorum:v1 ([A-Za-z0-9_-]{1,1000})\.([A-Za-z0-9_-]{43}) -->\s*$/;

/**
 * In place of a secret, where none may be: a job of a workflow in which a model runs. Every marker is read and none can be
 * written. Only for a GitHub adapter with `isRecorded`, which takes for ours only what the apply job recorded by its id.
 */
export const BELIEVED_BY_ID = 'believed by recorded ids';

function sign(payload: string, secret: string, scope: string): string {
  return createHmac('sha256', secret).update(`quorum:v1\n${scope}\n${payload}`).digest('base64url');
}

/**
 * Renders the marker line.
 *
 * @param scope - the thread it is for (its stream key), so that a marker copied to another thread is not believed
 */
export function renderMarker(data: MarkerData, secret: string, scope: string): string {
  if (secret === BELIEVED_BY_ID) throw new Error('A process without the secret writes no markers');
  const { kind, run, key, stage, head } = data;
  // Without a stage and a head the bytes are those of older versions: such a comment is not edited for its marker's sake.
  const payload = Buffer.from(JSON.stringify({ kind, run, key, stage, head })).toString(
    'base64url',
  );
  return `<!-- quorum:v1 ${payload}.${sign(payload, secret, scope)} -->`;
}

/**
 * Reads the marker at the end of a comment. Undefined without a marker, or where its signature is invalid.
 *
 * @example
 * ```ts
 * import { parseMarker } from 'quorum';
 *
 * console.log(parseMarker('A comment of a person', 'the marker secret', 'thread:1/2')); // undefined
 * ```
 */
export function parseMarker(body: string, secret: string, scope: string): MarkerData | undefined {
  const match = MARKER.exec(body.slice(-1200));
  if (match === null) return undefined;
  const [, payload = '', signature = ''] = match;
  if (secret === BELIEVED_BY_ID) return decode(payload);
  const expected = Buffer.from(sign(payload, secret, scope));
  const given = Buffer.from(signature);
  if (expected.length !== given.length || !timingSafeEqual(expected, given)) return undefined;
  return decode(payload);
}

/** A text without what is in the form of a marker at its end; the marker is undefined without one. No signature is checked. */
export function splitMarker(body: string): { text: string; marker?: string } {
  const found = MARKER.exec(body.slice(-1200));
  if (found === null) return { text: body };
  const at = Math.max(0, body.length - 1200) + found.index;
  return { text: body.slice(0, at).trimEnd(), marker: body.slice(at).trimEnd() };
}

/** Whether a text ends with something in the form of a marker. Its signature is not checked. */
export function endsWithMarker(text: string): boolean {
  return MARKER.test(text.slice(-1200));
}

/** What the marker of a pull request's own text is signed for: its number is not known before it is opened. */
export function pullScope({ repositoryId }: { repositoryId: number }): string {
  return `pulls:${repositoryId}`;
}

function decode(payload: string): MarkerData | undefined {
  try {
    const data = MarkerData.safeParse(JSON.parse(Buffer.from(payload, 'base64url').toString()));
    return data.success ? data.data : undefined;
  } catch {
    return undefined;
  }
}
