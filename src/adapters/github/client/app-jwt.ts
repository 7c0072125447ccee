/** The App's own short proof of identity: a JSON Web Token signed with its private key (RS256). */
import { createPrivateKey } from 'node:crypto';
import githubAppJwt from 'universal-github-app-jwt';
import { ConfigError } from '../../../domain/event/errors.ts';

/** The library backdates by 30 seconds; clocks that are a minute wrong are common. */
const BACKDATED_S = 30;

/** A private key in PEM, as PKCS#8. Reads PKCS#1 and PKCS#8, also with `\n` written out as environments have it. */
export function readPrivateKey(text: string): string {
  try {
    const key = createPrivateKey(text.replaceAll(String.raw`\n`, '\n'));
    return key.export({ type: 'pkcs8', format: 'pem' }).toString();
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

/**
 * @param privateKey - as {@link readPrivateKey} returns it
 * @param nowMs - by GitHub's clock as far as it is known
 */
export async function renderAppJwt(
  appId: number | string,
  privateKey: string,
  nowMs: number,
): Promise<string> {
  const numeric = Number(appId);
  const id = Number.isInteger(numeric) ? numeric : appId;
  const now = Math.floor(nowMs / 1000) - BACKDATED_S;
  return (await githubAppJwt({ id, privateKey, now })).token;
}
