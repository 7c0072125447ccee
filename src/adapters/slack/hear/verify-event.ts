/** Checks Slack's signature of a delivery over the very bytes that came in. */
import { createHmac, timingSafeEqual } from 'node:crypto';

const FORM = /^v0=([0-9a-f]{64})$/;
/** Older and later ones are replays, or a clock is wrong. */
const MAX_AGE_S = 300;

export interface SignedRequest {
  headers: Readonly<Record<string, string | string[] | undefined>>;
  body: Uint8Array;
}

/** Constant time in the signature's content. */
export function isSignedBySlack(
  { headers, body }: SignedRequest,
  secret: string,
  nowMs: number,
): boolean {
  const time = headers['x-slack-request-timestamp'];
  const signature = headers['x-slack-signature'];
  if (typeof time !== 'string' || typeof signature !== 'string' || secret === '') return false;
  const hex = FORM.exec(signature)?.[1];
  if (hex === undefined || !/^\d{1,12}$/.test(time)) return false;
  if (Math.abs(nowMs / 1000 - Number(time)) > MAX_AGE_S) return false;
  const expected = createHmac('sha256', secret).update(`v0:${time}:`).update(body).digest();
  return timingSafeEqual(expected, Buffer.from(hex, 'hex'));
}
