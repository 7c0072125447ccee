/** Which reflections failed: nobody waits for one, so nothing else tells of it (NW-14). */
import { findFailedReflections } from '../../../act/memory/failed-reflections.ts';
import type { StoredEffect, StoreReader } from '../../../ports/store.ts';
import type { Env } from '../../environment/env-file.ts';
import { readHostSettings } from '../../environment/host-settings.ts';
import { openStoreReader } from '../../open-store.ts';
import type { Finding } from './doctor-finding.ts';

const SHOWN = 3;

export async function checkMemory(env: Env): Promise<Finding[]> {
  // The check of the store reports a missing or unreadable store.
  const reader = await openStoreReader(readHostSettings(env)).catch(() => undefined);
  if (reader === undefined) return [];
  try {
    return [await findFailed(reader)];
  } finally {
    await reader.close();
  }
}

async function findFailed({ records }: StoreReader): Promise<Finding> {
  const failed = await findFailedReflections(records);
  const about = 'reflections';
  if (failed.length === 0) return { level: 'ok', about, says: 'no recent one failed' };
  const newest = failed.toSorted((a, b) => b.createdAt.localeCompare(a.createdAt));
  return {
    level: 'warn',
    about,
    says: `${failed.length} recent ones failed and saved no lessons: ${newest.slice(0, SHOWN).map(toWords).join('; ')}`,
    fix: 'Look at the reason. Reviews and discussions do not depend on it; the next one is reflected on again.',
  };
}

function toWords({ key, data, reason, createdAt }: StoredEffect): string {
  return `${data.kind} of ${key}, ${createdAt}: ${reason ?? 'no reason kept'}`;
}
