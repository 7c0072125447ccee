import { generateKeyPairSync } from 'node:crypto';
import { mkdtempSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { ConfigError } from '../../src/domain/event/errors.ts';
import { readCredentials } from '../../src/hosts/environment/app-credentials.ts';
import { loadEnvFile, writeEnvFile } from '../../src/hosts/environment/env-file.ts';
import type { Env } from '../../src/hosts/environment/env-file.ts';

const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
const PEM = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();

function newFile(text?: string): string {
  const file = path.join(mkdtempSync(path.join(tmpdir(), 'quorum-env-')), '.env');
  if (text !== undefined) writeFileSync(file, text);
  return file;
}

function codeOf(env: Env): string {
  try {
    readCredentials(env);
    return 'none';
  } catch (error) {
    return error instanceof ConfigError ? error.code : String(error);
  }
}

describe('the .env file', () => {
  test('the real environment wins over it', () => {
    const env: Env = { A: 'real' };
    loadEnvFile(newFile('A=file\nB=file\n'), env);
    expect(env).toEqual({ A: 'real', B: 'file' });
    loadEnvFile('/nowhere/.env', env);
    expect(env).toEqual({ A: 'real', B: 'file' });
  });

  test('is rewritten with mode 600, other lines untouched, and reads back the same key', () => {
    const file = newFile(
      `# mine\nPORT=4000\nPRIVATE_KEY="old\nover lines"\nexport APP_ID=1\nAPP_IDS=2\n`,
    );
    writeEnvFile(file, { APP_ID: '7', PRIVATE_KEY: PEM });
    writeEnvFile(file, { APP_ID: '8' });
    expect(statSync(file).mode & 0o777).toBe(0o600);
    const text = readFileSync(file, 'utf8');
    expect(text.startsWith('# mine\nPORT=4000\nAPP_IDS=2\n')).toBe(true);
    expect(text).not.toContain('over lines');
    const env: Env = {};
    loadEnvFile(file, env);
    expect(env).toEqual({ PORT: '4000', APP_IDS: '2', APP_ID: '8', PRIVATE_KEY: PEM });
  });

  test('a value that it cannot hold is refused', () => {
    expect(() => writeEnvFile(newFile(), { A: 'say "x"' })).toThrow(ConfigError);
  });
});

describe('credentials', () => {
  const env = { APP_ID: '12', PRIVATE_KEY: PEM, WEBHOOK_SECRET: 'now' };

  test('the key may be a PEM, one with escaped line ends, base64 or a file', () => {
    const file = newFile(PEM);
    const ways: Env[] = [
      { PRIVATE_KEY: PEM },
      { PRIVATE_KEY: PEM.replaceAll('\n', '\\n') },
      { PRIVATE_KEY: Buffer.from(PEM).toString('base64') },
      { PRIVATE_KEY: undefined, PRIVATE_KEY_PATH: file },
    ];
    for (const way of ways)
      expect(readCredentials({ ...env, ...way })).toMatchObject({ appId: 12, privateKey: PEM });
  });

  test('the previous secret is live too while it is set', () => {
    const both = { ...env, WEBHOOK_SECRET_PREVIOUS: 'before' };
    expect(readCredentials(env)?.webhookSecrets).toEqual(['now']);
    expect(readCredentials(both)?.webhookSecrets).toEqual(['now', 'before']);
  });

  test('nothing set opens the setup page; half of it is an error that says which half', () => {
    expect(readCredentials({ APP_ID: ' ', WEBHOOK_SECRET: 'x' })).toBeUndefined();
    expect(codeOf({ ...env, PRIVATE_KEY: undefined })).toBe('private-key-missing');
    expect(codeOf({ ...env, PRIVATE_KEY: undefined, PRIVATE_KEY_PATH: '/nowhere' })).toBe(
      'private-key-missing',
    );
    expect(codeOf({ ...env, PRIVATE_KEY: 'nonsense' })).toBe('private-key-invalid');
    expect(codeOf({ ...env, APP_ID: 'Iv1.abc' })).toBe('app-id-invalid');
    expect(codeOf({ ...env, APP_ID: undefined })).toBe('app-id-invalid');
    expect(codeOf({ ...env, WEBHOOK_SECRET: '' })).toBe('webhook-secret-missing');
  });
});
