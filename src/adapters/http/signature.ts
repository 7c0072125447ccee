/** Checks GitHub's signature of a delivery over the very bytes that came in. */
import { createHmac, timingSafeEqual } from 'node:crypto';

const FORM = /^sha256=([0-9a-f]{64})$/;

/** Whether the header has the form of a SHA-256 signature: what has not is wrong whatever the body is. */
export function isSignatureLike(header: string | undefined): header is string {
  return header !== undefined && FORM.test(header);
}

/**
 * Whether `header` (`X-Hub-Signature-256`) signs `bytes` with one of the secrets that are live. Constant time in
 * the signature's content; all secrets are tried, so that the time says nothing about which one fits.
 */
export function isSigned(bytes: Uint8Array, header: string, secrets: readonly string[]): boolean {
  const hex = FORM.exec(header)?.[1];
  if (hex === undefined) return false;
  const given = Buffer.from(hex, 'hex');
  let fits = false;
  for (const secret of secrets) {
    if (secret === '') continue;
    const expected = createHmac('sha256', secret).update(bytes).digest();
    fits = timingSafeEqual(expected, given) || fits;
  }
  return fits;
}
