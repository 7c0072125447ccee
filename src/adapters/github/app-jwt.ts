/** The App's own short proof of identity: a JSON Web Token signed with its private key (RS256). */
import { createPrivateKey, createSign, type KeyObject } from 'node:crypto';
import { ConfigError } from '../../domain/errors.ts';

/** GitHub takes at most ten minutes, and a minute of wrong clocks is common. */
const BACKDATED_S = 60;
const LIFE_S = 9 * 60;

/** Reads PKCS#1 and PKCS#8, also with `\n` written out as environments have it. */
export function readPrivateKey(text: string): KeyObject {
  try {
    return createPrivateKey(text.replaceAll(String.raw`\n`, '\n'));
  } catch (cause) {
    throw new ConfigError({
      code: 'github-private-key',
      message: 'The private key of the App cannot be read.',
      details:
        'PRIVATE_KEY or PRIVATE_KEY_PATH must be the whole .pem file that GitHub gave, begin and end lines included.',
      cause,
    });
  }
}

/** @param nowMs - by GitHub's clock as far as it is known */
export function renderAppJwt(appId: number | string, key: KeyObject, nowMs: number): string {
  const now = Math.floor(nowMs / 1000);
  const numeric = Number(appId);
  const issuer = Number.isInteger(numeric) ? numeric : appId;
  const claims = { iat: now - BACKDATED_S, exp: now + LIFE_S, iss: issuer };
  const unsigned = `${encode({ alg: 'RS256', typ: 'JWT' })}.${encode(claims)}`;
  return `${unsigned}.${createSign('RSA-SHA256').update(unsigned).sign(key, 'base64url')}`;
}

function encode(part: object): string {
  return Buffer.from(JSON.stringify(part)).toString('base64url');
}
