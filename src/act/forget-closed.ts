/** Drops what this process knows of installations that are closed: another process may have reduced the event. */
import type { Event } from '../domain/event/event.ts';
import { toInstallationState } from '../domain/tenant/installation-state.ts';
import { installationOfKey } from '../domain/tenant/erasure-target.ts';
import type { ActPorts } from './ports.ts';

/** The installation that an event takes something away from; undefined for any other event. */
export function closedByEvent({ data }: Event): number | undefined {
  if (data.kind !== 'trigger' || data.trigger.kind !== 'installation') return undefined;
  const { action, installationId } = data.trigger;
  return action === 'removed' || action === 'suspended' ? installationId : undefined;
}

export async function forgetClosed({
  store,
  caches,
}: Required<Pick<ActPorts, 'caches'>> & Pick<ActPorts, 'store'>): Promise<void> {
  for (const key of await store.erasure.keys('installation:')) {
    const installationId = installationOfKey(key);
    if (installationId === undefined) continue;
    const state = toInstallationState((await store.load(key))?.state);
    if (state?.isRemoved === true || state?.isSuspended === true) caches.forget(installationId);
  }
}
