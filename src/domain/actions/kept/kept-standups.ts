/**
 * What workflows keep of standups, in `state/standups.json` on the memory branch. It has the standups whose boxes may be
 * ticked, and what a repository carries from one to the next. Only apply jobs write it.
 */
import { z } from 'zod';
import type { Run } from '../../run/state/run-record.ts';
import type { RepositoryValues } from '../../standup/kept-standup.ts';

import {
  anObject,
  holdFirst,
  isSignature,
  parseRecords,
  renderRecords,
  signRecord,
  toStored,
} from '../signed-record.ts';

export const KEPT_STANDUPS_PATH = 'state/standups.json';

const ROOM = { most: 20, mostChars: 600_000 };

type StandupRun = Run<'standup'>;

const Values = z.strictObject({
  tensions: z.exactOptional(anObject<RepositoryValues['tensions']>()),
  relations: z.exactOptional(anObject<RepositoryValues['relations']>()),
  strictness: z.exactOptional(anObject<RepositoryValues['strictness']>()),
});

const KeptStandups = z.object({
  version: z.literal(1),
  values: Values,
  /** By the key of the run in its thread; the thread is in the run. */
  runs: z.record(z.string(), anObject<StandupRun>()),
  signature: z.string(),
});
export type KeptStandups = z.infer<typeof KeptStandups>;
export type StandupsToKeep = Omit<KeptStandups, 'signature'>;

const NOTHING: StandupsToKeep = { version: 1, values: {}, runs: {} };

/** Who signs: repositories of one owner may share a key, and none of them believes another's file. */
export interface StandupsSigner {
  repositoryId: number;
  secret: string;
}

/**
 * What the file says, where an apply job of this repository signed it; empty without a file. Undefined for every other text.
 *
 * @param text - undefined where there is no file
 */
export function parseKeptStandups(
  text: string | undefined,
  signer: StandupsSigner,
): StandupsToKeep | undefined {
  if (text === undefined) return structuredClone(NOTHING);
  const file = parseRecords(text, KeptStandups);
  if (file === undefined) return undefined;
  const { signature, ...kept } = file;
  return isSignature(signature, sign(kept, signer)) ? kept : undefined;
}

/** The oldest standups are dropped where there are too many: their boxes do nothing then. */
export function renderKeptStandups(kept: StandupsToKeep, signer: StandupsSigner): string {
  const newest = Object.entries(kept.runs).toSorted(([, a], [, b]) =>
    b.startedAt.localeCompare(a.startedAt),
  );
  const taken = JSON.stringify(kept.values).length;
  const bare = toStored({ ...kept, runs: holdFirst(newest, { ...ROOM, taken }) });
  return renderRecords({ ...bare, signature: sign(bare, signer) });
}

function sign(kept: StandupsToKeep, { repositoryId, secret }: StandupsSigner): string {
  return signRecord(`quorum-kept-standups:v1\n${repositoryId}`, kept, secret);
}
