/** Effects in a store that ended for good. */
import type { EffectData } from '../../src/domain/event/effect.ts';
import type { Store } from '../../src/ports/store.ts';

export interface EndedEffect {
  data: EffectData;
  status: 'dead' | 'refused';
  reason: string;
}

export async function endEffects(store: Store, ends: readonly EndedEffect[]): Promise<void> {
  const at = new Date().toISOString();
  const key = 'acme/shop#7';
  const effects = ends.map(({ data }, i) => {
    return { id: `run/${i}-${data.kind}`, key, run: 'run', at, lane: key, data };
  });
  const tick = { kind: 'tick' as const, loop: 'reconcile' as const };
  const data = { kind: 'trigger' as const, trigger: tick };
  await store.append([{ id: 'tick', key, version: 1, at, data }]);
  const settled = Promise.withResolvers<void>();
  const left = [...ends];
  const worker = await store.work({
    concurrency: 1,
    consume: async (work) => {
      if (work.kind === 'event')
        return store.settle(work, { kind: 'finish', status: 'done', effects });
      const { status = 'dead', reason = '' } = left.shift() ?? {};
      await store.settle(work, { kind: 'finish', status, reason });
      if (left.length === 0) settled.resolve();
    },
  });
  await settled.promise;
  await worker.stop(1000);
}
