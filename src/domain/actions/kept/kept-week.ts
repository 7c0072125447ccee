/** What workflows keep of a repository's weeks, in `state/week.json` on the memory branch, signed. Only apply jobs write it. */
import { z } from 'zod';
import type { WeekState } from '../../digest/week-view.ts';
import { anObject, isSignature, parseRecords, signRecord, toStored } from '../signed-record.ts';

export const KEPT_WEEK_PATH = 'state/week.json';

const KeptWeek = z.object({
  version: z.literal(1),
  week: anObject<WeekState>(),
  signature: z.string(),
});
export type WeekToKeep = Omit<z.infer<typeof KeptWeek>, 'signature'>;

/** Who signs: no repository believes the file of another one. */
interface WeekSigner {
  repositoryId: number;
  secret: string;
}

export type ReadWeek =
  /** No week has a digest yet. */
  { kind: 'none' } | { kind: 'kept'; kept: WeekToKeep };

/**
 * What the file says. Undefined for a text that no apply job of this repository signed.
 *
 * @param text - undefined where there is no file
 */
export function parseKeptWeek(text: string | undefined, signer: WeekSigner): ReadWeek | undefined {
  if (text === undefined) return { kind: 'none' };
  const file = parseRecords(text, KeptWeek);
  if (file === undefined) return undefined;
  const { signature, ...kept } = file;
  return isSignature(signature, sign(kept, signer)) ? { kind: 'kept', kept } : undefined;
}

/** As it is kept, with its signature. */
export function signKeptWeek(week: WeekState, signer: WeekSigner): z.infer<typeof KeptWeek> {
  const kept = toStored({ version: 1 as const, week });
  return { ...kept, signature: sign(kept, signer) };
}

function sign(kept: WeekToKeep, { repositoryId, secret }: WeekSigner): string {
  return signRecord(`quorum-kept-week:v1\n${repositoryId}`, kept, secret);
}
