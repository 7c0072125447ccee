/** Turns the bytes of a body into a value, refusing what is no UTF-8, no JSON, or absurdly deep. */
import { isUtf8 } from 'node:buffer';

/** Arrays and objects inside each other. GitHub's deepest payloads have about ten. */
const MAX_DEPTH = 200;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const DEPTH_CHANGE = new Int8Array(256);
for (const opener of '{[') DEPTH_CHANGE[opener.charCodeAt(0)] = 1;
for (const closer of '}]') DEPTH_CHANGE[closer.charCodeAt(0)] = -1;

/** The value, or undefined when the bytes are not acceptable JSON. Linear in the number of bytes. */
export function parseJsonBytes(bytes: Buffer): { value: unknown } | undefined {
  if (!isUtf8(bytes) || isDeeperThan(bytes, MAX_DEPTH)) return undefined;
  try {
    return { value: JSON.parse(bytes.toString('utf8')) };
  } catch {
    return undefined;
  }
}

/** Whether brackets outside strings nest deeper than `limit`. Says nothing of whether the JSON is otherwise right. */
function isDeeperThan(bytes: Buffer, limit: number): boolean {
  let depth = 0;
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at]!;
    if (byte === QUOTE) at = endOfString(bytes, at);
    else {
      depth += DEPTH_CHANGE[byte]!;
      if (depth > limit) return true;
    }
  }
  return false;
}

/** Index of the quote that ends the string which starts at `start`, else the end of the bytes. */
function endOfString(bytes: Buffer, start: number): number {
  for (let at = start + 1; at < bytes.length; at++) {
    const byte = bytes[at];
    if (byte === BACKSLASH) at++;
    else if (byte === QUOTE) return at;
  }
  return bytes.length;
}
