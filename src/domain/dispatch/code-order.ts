/**
 * What the App hands to a workflow that writes the code of a task. It is kept as a git blob of the repository, and the
 * dispatch carries the blob's id. That id is a digest of the text, so a changed order has another id.
 */
import { createHash } from 'node:crypto';
import { z } from 'zod';
import type { EffectData } from '../event/effect.ts';

/** Type of the repository dispatch, and of the event that the workflow listens to. */
export const DISPATCH_EVENT = 'quorum-code';
/** The repository's own file, on its default branch. */
export const DISPATCH_WORKFLOW = '.github/workflows/quorum-code.yml';
export const CODE_ARTIFACT = 'quorum-code';
/** A prompt has some 100 KB; what a coder had changed before a question may come on top. */
export const MAX_ORDER_BYTES = 6_000_000;

export type CodeData = Extract<EffectData, { kind: 'code' }>;

const Key = z.string().regex(/^[0-9a-f]{32}$/);

const Order = z.object({
  version: z.literal(1),
  key: Key,
  repositoryId: z.int(),
  /** The run that the session is part of, and when its effect was decided. */
  run: z.string().min(1).max(200),
  at: z.iso.datetime(),
  /** Of the App's own decision: its type was the compiler's business there. */
  data: z.custom<CodeData>(
    (value) =>
      typeof value === 'object' && value !== null && 'kind' in value && value.kind === 'code',
  ),
  limits: z.object({ usd: z.number().nonnegative() }),
});
export type CodeOrder = z.infer<typeof Order>;

/** What travels in the dispatch. */
export const DispatchPayload = z.object({
  version: z.literal(1),
  key: Key,
  /** Git id of the order. */
  order: z.string().regex(/^[0-9a-f]{40}$/),
});
export type DispatchPayload = z.infer<typeof DispatchPayload>;

/** The same for each attempt of one effect, so that a run is found again and not started twice. */
export function dispatchKey(repositoryId: number, effectId: string): string {
  return createHash('sha256').update(`${repositoryId} ${effectId}`).digest('hex').slice(0, 32);
}

/** Title of the run, by the `run-name` of the workflow. */
export function runTitle(key: string): string {
  return `${DISPATCH_EVENT} ${key}`;
}

export function renderOrder(order: CodeOrder): string {
  return JSON.stringify(order);
}

/** Undefined for a text that is not the order with this git id and key, or is of another repository. */
export function parseOrder(
  text: string,
  { order: id, key }: DispatchPayload,
  repositoryId: number,
): CodeOrder | undefined {
  if (blobId(text) !== id) return undefined;
  try {
    const order = Order.safeParse(JSON.parse(text)).data;
    const isOfThis =
      order?.key === key &&
      order.repositoryId === repositoryId &&
      order.data.thread.repositoryId === repositoryId;
    return isOfThis ? order : undefined;
  } catch {
    return undefined;
  }
}

/** As git names a blob. */
export function blobId(text: string): string {
  const bytes = Buffer.from(text);
  return createHash('sha1').update(`blob ${bytes.length}\0`).update(bytes).digest('hex');
}
