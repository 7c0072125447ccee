/** Who we are to GitHub: the App's id, its private key and the secrets of its webhook, from the environment. */
import { createPrivateKey } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { ConfigError } from '../../domain/event/errors.ts';
import type { Env } from './env-file.ts';

export interface AppCredentials {
  appId: number;
  /** PEM. */
  privateKey: string;
  /** Live secrets of the webhook: the present one first, then the one that it replaces, while both are set. */
  webhookSecrets: string[];
  /** For logging in to the dashboard; the setup page brings them. */
  clientId?: string | undefined;
  clientSecret?: string | undefined;
}

/**
 * The App's credentials; undefined when neither `APP_ID` nor a private key is set, which opens the setup page.
 * ConfigError `app-id-invalid`, `private-key-missing`, `private-key-invalid` or `webhook-secret-missing`.
 */
export function readCredentials(env: Env): AppCredentials | undefined {
  const pem = readPrivateKey(env);
  if (isUnset(env['APP_ID']) && pem === undefined) return undefined;
  const appId = toAppId(env['APP_ID'] ?? '');
  if (pem === undefined)
    throw new ConfigError({
      code: 'private-key-missing',
      message:
        'APP_ID is set but no key. Set PRIVATE_KEY (the PEM) or PRIVATE_KEY_PATH (its file).',
    });
  const webhookSecrets = readWebhookSecrets(env);
  if (webhookSecrets.length === 0)
    throw new ConfigError({
      code: 'webhook-secret-missing',
      message: "Set WEBHOOK_SECRET to the secret in the App's settings; there is no default.",
    });
  const clientId = env['GITHUB_CLIENT_ID'];
  const clientSecret = env['GITHUB_CLIENT_SECRET'];
  return { appId, privateKey: toPrivateKey(pem), webhookSecrets, clientId, clientSecret };
}

/**
 * For what is done as the App: `why` opens the sentence of the error.
 * ConfigError `credentials-missing`, and those of {@link readCredentials}.
 */
export function needCredentials(env: Env, why: string): AppCredentials {
  const credentials = readCredentials(env);
  if (credentials !== undefined) return credentials;
  throw new ConfigError({
    code: 'credentials-missing',
    message: `${why} Set APP_ID, PRIVATE_KEY and WEBHOOK_SECRET, or run quorum setup first.`,
  });
}

/** `WEBHOOK_SECRET`, and `WEBHOOK_SECRET_PREVIOUS` while the secret is being replaced. */
function readWebhookSecrets(env: Env): string[] {
  return [env['WEBHOOK_SECRET'], env['WEBHOOK_SECRET_PREVIOUS']].filter(
    (each): each is string => !isUnset(each),
  );
}

/** Digits only. */
export function toAppId(text: string): number {
  if (/^[1-9]\d{0,14}$/.test(text.trim())) return Number(text);
  throw new ConfigError({
    code: 'app-id-invalid',
    message: "APP_ID is the number in the App's settings, not its client id or name.",
  });
}

/** Checks a PEM, whose line ends may be written as `\n` and which may be in base64 as a whole. */
export function toPrivateKey(text: string): string {
  const plain = text.includes('-----BEGIN') ? text : Buffer.from(text, 'base64').toString('utf8');
  const pem = `${plain.replaceAll('\\n', '\n').trim()}\n`;
  try {
    createPrivateKey(pem);
    return pem;
  } catch {
    throw new ConfigError({
      code: 'private-key-invalid',
      message:
        "The private key is no PEM that can be read. Download a new one in the App's settings.",
    });
  }
}

function readPrivateKey(env: Env): string | undefined {
  if (!isUnset(env['PRIVATE_KEY'])) return env['PRIVATE_KEY'];
  const file = env['PRIVATE_KEY_PATH'];
  if (isUnset(file)) return undefined;
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw new ConfigError({
      code: 'private-key-missing',
      message: `PRIVATE_KEY_PATH names ${file}, which cannot be read. Point it at the App's .pem file.`,
      cause: error,
    });
  }
}

function isUnset(value: string | undefined): value is undefined | '' {
  return value === undefined || value.trim() === '';
}
