/** `quorum doctor --json`, and an App on the embedded GitHub for it to look at. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { onTestFinished } from 'vitest';
import { parse } from 'yaml';
import { createGitHubEmulator } from '../../../src/emulator/github/github-emulator.ts';
import { systemClock } from '../../../src/adapters/system/system-clock.ts';
import { quorum } from './fake-io.ts';
import { temporaryFolder } from './temporary-folder.ts';

/** One line of its answer. */
export interface Check {
  level: string;
  about: string;
  says: string;
  fix?: string;
}

export async function doctor(env: Record<string, string>, cwd = temporaryFolder()) {
  const said = await quorum(['doctor', '--json'], { env, cwd });
  const checks = said.json()['checks'] as Check[];
  return { ...said, find: (about: string) => checks.find((check) => check.about === about) };
}

export async function liveDoctor(env: Record<string, string>, name: string) {
  const said = await quorum(['doctor', '--json', '--live', name], { env, cwd: temporaryFolder() });
  const checks = said.json()['checks'] as Check[];
  return { ...said, find: (about: string) => checks.find((check) => check.about === about) };
}

export async function appOnEmulator(
  permissions: Record<string, 'read' | 'write' | 'admin'>,
  events: string[],
) {
  const emulator = await createGitHubEmulator({ dir: temporaryFolder(), clock: systemClock });
  onTestFinished(() => emulator.close());
  const app = await emulator.createApp({
    name: 'Quorum',
    permissions,
    events,
    webhookUrl: 'https://quorum.test/api/github/webhooks',
    webhookSecret: 'a secret of the test',
  });
  const env = {
    APP_ID: String(app.appId),
    PRIVATE_KEY: app.privateKey,
    WEBHOOK_SECRET: 'a secret of the test',
    GHE_HOST: emulator.host,
    GHE_PROTOCOL: 'http',
    QUORUM_DATA: temporaryFolder(),
  };
  return { emulator, app, env };
}

/** `app.yml`. */
export const manifest = parse(
  readFileSync(path.resolve(import.meta.dirname, '../../../app.yml'), 'utf8'),
) as { default_permissions: Record<string, 'read' | 'write'>; default_events: string[] };
