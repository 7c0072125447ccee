/** Writes the credentials of an App into `.env`, then takes them into use. */
import type { AppCredentials } from '../environment/app-credentials.ts';
import { writeEnvFile } from '../environment/env-file.ts';
import type { Setup } from './setup-visit.ts';

/** First written down, then used: a crash between the two loses nothing. */
export async function acceptCredentials(setup: Setup, credentials: AppCredentials): Promise<void> {
  const { appId, privateKey, webhookSecrets, clientId, clientSecret } = credentials;
  writeEnvFile(setup.envFile, {
    APP_ID: String(appId),
    PRIVATE_KEY: privateKey,
    WEBHOOK_SECRET: webhookSecrets[0] ?? '',
    ...(clientId !== undefined && { GITHUB_CLIENT_ID: clientId }),
    ...(clientSecret !== undefined && { GITHUB_CLIENT_SECRET: clientSecret }),
  });
  await setup.onCredentials(credentials);
  setup.log.info({ appId }, 'the App is set up; credentials are in the .env file');
}
