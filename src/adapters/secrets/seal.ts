/** Encrypts what the store keeps under a secret that the store does not have: who reads the store alone learns nothing. */
import { createCipheriv, createDecipheriv, randomBytes, scrypt } from 'node:crypto';
import { promisify } from 'node:util';

const VERSION = 'v1';
const CIPHER = 'aes-256-gcm';
const KEY_BYTES = 32;
const IV_BYTES = 12;
const TAG_BYTES = 16;

const deriveKey = promisify<string, string, number, Buffer>(scrypt);

export interface Sealer {
  seal(text: string): Promise<string>;
  /** Undefined unless it was sealed with the same secret, for the same purpose, and is whole. */
  open(sealed: string): Promise<string | undefined>;
}

/** `purpose`: what is sealed, and for whom; nothing that is sealed for one purpose opens for another. */
export function createSealer(secret: string, purpose: string): Sealer {
  let key: Promise<Buffer> | undefined;
  const keyOf = (): Promise<Buffer> => {
    key ??= deriveKey(secret, `quorum-seal\n${purpose}`, KEY_BYTES);
    return key;
  };
  return {
    seal: async (text) => {
      const iv = randomBytes(IV_BYTES);
      const cipher = createCipheriv(CIPHER, await keyOf(), iv);
      const hidden = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
      const whole = Buffer.concat([iv, cipher.getAuthTag(), hidden]);
      return `${VERSION}.${whole.toString('base64url')}`;
    },
    open: async (sealed) => {
      const [version, text = '', ...more] = sealed.split('.');
      const whole = Buffer.from(text, 'base64url');
      if (version !== VERSION || more.length > 0) return undefined;
      if (whole.length < IV_BYTES + TAG_BYTES) return undefined;
      return decrypt(await keyOf(), whole);
    },
  };
}

function decrypt(key: Buffer, whole: Buffer): string | undefined {
  const decipher = createDecipheriv(CIPHER, key, whole.subarray(0, IV_BYTES), {
    authTagLength: TAG_BYTES,
  });
  decipher.setAuthTag(whole.subarray(IV_BYTES, IV_BYTES + TAG_BYTES));
  try {
    const shown = decipher.update(whole.subarray(IV_BYTES + TAG_BYTES));
    return Buffer.concat([shown, decipher.final()]).toString('utf8');
  } catch {
    return undefined;
  }
}
