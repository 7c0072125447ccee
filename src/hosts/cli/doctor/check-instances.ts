/** Signs of a second App with the same credentials and a store of its own, in what looks have found on threads. */
import { timeOfId } from '../../../domain/run/ids.ts';
import type { RunTrace } from '../../../domain/run/run-trace.ts';
import type { StoredEvent, StoreReader } from '../../../ports/store.ts';
import type { Env } from '../../environment/env-file.ts';
import { openStoreReader } from '../../open-store.ts';
import { readHostSettings } from '../../environment/host-settings.ts';
import { counted } from '../../../domain/text/counted.ts';
import type { Finding } from './doctor-finding.ts';

const ABOUT = 'one store for this App';
const LOOKS = ['-look:done', '-look-pull:done'];
/** Of each kind, the newest. */
const MAX_LOOKS = 50;
const SHOWN = 5;

/** Reads beside the App; a store that cannot be read is reported by its own check. */
export async function checkInstances(env: Env): Promise<Finding[]> {
  const reader = await openStoreReader(readHostSettings(env)).catch(() => undefined);
  if (reader === undefined) return [];
  try {
    return [await findForeign(reader)];
  } finally {
    await reader.close();
  }
}

/** Runs that wrote nothing since the store was made are what a lost store left. */
async function findForeign({ records }: Pick<StoreReader, 'records'>): Promise<Finding> {
  const [first] = await records.events({ limit: 1 });
  const since = first === undefined ? 0 : Date.parse(first.at);
  const looks = await Promise.all(
    LOOKS.map((idEnd) => records.events({ idEnd, newestFirst: true, limit: MAX_LOOKS })),
  );
  const found = new Map<string, string>();
  for (const look of looks.flat())
    for (const { run, isForeign, movedAt } of tracesIn(look)) {
      const last = Math.max(timeOfId(run) ?? 0, Date.parse(movedAt) || 0);
      if (isForeign === true && last > since) found.set(run, look.key);
    }
  if (found.size === 0) return { level: 'ok', about: ABOUT, says: 'no run of another instance' };
  const shown = [...found].slice(0, SHOWN).map(([run, key]) => `${run} on ${key}`);
  return {
    level: 'warn',
    about: ABOUT,
    says: `${counted(found.size, 'run')} that this store does not know: ${shown.join('; ')}`,
    fix: 'Stop the second App, or give both the same DATABASE_URL. After a backup was restored this is expected.',
  };
}

function tracesIn({ data }: StoredEvent): readonly RunTrace[] {
  if (data.kind !== 'done') return [];
  if (data.effectKind !== 'look' && data.effectKind !== 'look-pull') return [];
  return data.result.view.traces ?? [];
}
