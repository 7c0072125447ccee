/** The App as a child process without budgets of its own, so that a test need not wait for minutes. Run by processes.test.ts. */
import { systemClock, systemRandom } from '../../src/adapters/system/system-clock.ts';
import { startApp } from '../../src/hosts/start-app.ts';
import { createLog } from '../../src/hosts/create-log.ts';
import { MANIFEST_FILE } from '../../src/hosts/package-files.ts';

await startApp({
  env: { ...process.env },
  clock: systemClock,
  random: systemRandom,
  log: createLog({ format: 'json' }),
  envFile: '.env',
  manifestFile: MANIFEST_FILE,
  budgets: 'off',
  reconcileEveryMs: 0,
});
