/** Where the reconcile pass could not look for lost webhooks. */
import {
  SWEEP_KEY,
  sweepKey,
  toSweepState,
  type OwedRepository,
} from '../../../domain/tenant/recovery.ts';
import type { StoreReader } from '../../../ports/store.ts';
import type { Env } from '../../environment/env-file.ts';
import { openStoreReader } from '../../open-store.ts';
import { readHostSettings } from '../../environment/host-settings.ts';
import type { Finding } from './doctor-finding.ts';

const SHOWN = 5;
const ABOUT = 'recovery of lost webhooks';

/** Reads beside the App; a store that cannot be read is reported by its own check. */
export async function checkRecovery(env: Env): Promise<Finding[]> {
  const reader = await openStoreReader(readHostSettings(env)).catch(() => undefined);
  if (reader === undefined) return [];
  try {
    return [await findOwed(reader)];
  } finally {
    await reader.close();
  }
}

async function findOwed({ load }: Pick<StoreReader, 'load'>): Promise<Finding> {
  const pass = toSweepState((await load(SWEEP_KEY))?.state);
  const told: string[] = [];
  for (const installationId of pass?.installations ?? []) {
    const state = toSweepState((await load(sweepKey(installationId)))?.state);
    if (state?.failure !== undefined)
      told.push(`installation ${installationId} (${state.failure})`);
    told.push(...(state?.owed ?? []).map(describe));
  }
  if (told.length === 0)
    return { level: 'ok', about: ABOUT, says: 'nothing failed in the last pass' };
  const shown = told.slice(0, SHOWN).join('; ');
  return {
    level: 'warn',
    about: ABOUT,
    says: `${told.length} failed in the last pass: ${shown}`,
    fix: 'Quorum tries again every five minutes. Check the permissions of the App, and whether GitHub blocks the repository.',
  };
}

function describe({ name, code, since }: OwedRepository): string {
  return `${name} (${code}${since === undefined ? '' : `, not searched since ${since}`})`;
}
