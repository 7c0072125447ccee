/**
 * What workflows keep of the plans that the PM makes: `state/planning.json` on the memory branch, which only apply jobs write.
 * Per thread it has the questions that wait for an answer, and the last plan that grew from it.
 */
import { z } from 'zod';
import { valueDigest } from '../../persona/digest.ts';
import type { Planning, Proposed } from '../../plan/planning.ts';
import type { ThreadRef } from '../../run/thread-ref.ts';
import {
  anObject,
  holdFirst,
  isSignature,
  parseRecords,
  signRecord,
  toStored,
} from '../signed-record.ts';

export const KEPT_PLANNING_PATH = 'state/planning.json';

const ROOM = { most: 50, mostChars: 600_000 };

/** What a job of the thread begins with. */
export const PlanningSeed = z.strictObject({
  planning: z.exactOptional(anObject<Planning>()),
  proposed: z.exactOptional(anObject<Proposed>()),
});
export type PlanningSeed = z.infer<typeof PlanningSeed>;

const Kept = z.strictObject({
  seed: PlanningSeed,
  /** When it was kept, ISO 8601. */
  at: z.iso.datetime(),
  signature: z.string(),
});
export type KeptPlanning = z.infer<typeof Kept>;

const File = z.object({ version: z.literal(1), threads: z.record(z.string(), Kept) });
export type KeptPlannings = z.infer<typeof File>;

/** Undefined for text that is no such file, or of a newer version. */
export function parseKeptPlannings(text: string | undefined): KeptPlannings | undefined {
  return text === undefined ? { version: 1, threads: {} } : parseRecords(text, File);
}

/** The record of a thread. Without a secret it is taken as it is: a job that has none cannot tell who wrote it. */
export function findPlanning(
  { threads }: KeptPlannings,
  thread: ThreadRef,
  secret?: string,
): KeptPlanning | undefined {
  const name = String(thread.number);
  const found = Object.hasOwn(threads, name) ? threads[name] : undefined;
  if (found === undefined || secret === undefined) return found;
  const { signature, ...bare } = found;
  return isSignature(signature, sign(bare, thread, secret)) ? found : undefined;
}

interface PlanningToKeep {
  thread: ThreadRef;
  seed: PlanningSeed;
  /** ISO 8601. */
  at: string;
}

/** Adds or replaces one thread. The oldest are dropped where there are too many. */
export function keepPlanning(
  kept: KeptPlannings,
  { thread, seed, at }: PlanningToKeep,
  secret: string,
): KeptPlannings {
  const bare = toStored({ seed, at });
  const entry = { ...bare, signature: sign(bare, thread, secret) };
  const threads = { ...kept.threads, [String(thread.number)]: entry };
  const sorted = Object.entries(threads).toSorted(([, a], [, b]) => b.at.localeCompare(a.at));
  return { version: 1, threads: holdFirst(sorted, ROOM) };
}

/** Whether two jobs begin with the same. */
export function isSameSeed(
  one: PlanningSeed | undefined,
  other: PlanningSeed | undefined,
): boolean {
  return valueDigest(one ?? {}) === valueDigest(other ?? {});
}

function sign(
  kept: Omit<KeptPlanning, 'signature'>,
  { repositoryId, number }: ThreadRef,
  secret: string,
): string {
  return signRecord(`quorum-kept-planning:v1\n${repositoryId}/${number}`, kept, secret);
}
