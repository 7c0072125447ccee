/** The App as a process that is killed at any moment. Run by test/chaos/app.ts. */
import { systemClock, systemRandom } from '../../src/adapters/system/system-clock.ts';
import { startApp } from '../../src/hosts/start-app.ts';
import { createLog } from '../../src/hosts/create-log.ts';
import { MANIFEST_FILE } from '../../src/hosts/package-files.ts';

const app = await startApp({
  env: { ...process.env },
  clock: systemClock,
  random: systemRandom,
  log: createLog({ level: 'silent', format: 'json' }),
  envFile: `${process.env['QUORUM_DATA'] ?? ''}/.env`,
  manifestFile: MANIFEST_FILE,
  budgets: 'off',
  reconcileEveryMs: Number(process.env['RECONCILE_MS']),
});
const { records } = app.store;
process.send?.({ kind: 'ready' });
process.on('message', () => {
  void look().then((answer) => process.send?.(answer));
});

async function look() {
  const { events, effects } = await records.counts();
  const waiting = await records.events({ status: 'pending', limit: 2000 });
  const timers = waiting.filter((event) => event.data.kind === 'timer').length;
  // A reconcile pass begins every few seconds: by itself it is nothing that is left to be done.
  const wanted = await records.effects({ status: 'pending', limit: 2000 });
  const passes = [...waiting, ...wanted].filter(
    ({ key, data }) => key.startsWith('tick:reconcile') && data.kind !== 'timer',
  ).length;
  const ended = await Promise.all(
    ['dead', 'refused'].map((status) => records.effects({ status, limit: 50 })),
  );
  const failed = ended.flat().map(({ id, status, reason }) => `${status}: ${id}: ${reason ?? ''}`);
  return {
    kind: 'look',
    pending: events.pending - timers - passes + effects.pending,
    deadEvents: events.dead,
    failed,
  };
}
