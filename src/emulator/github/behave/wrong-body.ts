/** An answer with the right status and a wrong body, as proxies, captive portals and broken caches send. */
import type { ApiAnswer } from '../api.ts';
import type { WrongBody } from './faults.ts';

type Sent = Pick<ApiAnswer, 'headers' | 'payload'>;

/** Without an ETag, which would be of the right answer. */
export function withWrongBody({ headers, payload }: Sent, wrong: WrongBody): Sent {
  const { etag: _, ...kept } = headers;
  switch (wrong) {
    case 'html': {
      const type = 'text/html; charset=utf-8';
      return {
        headers: { ...kept, 'content-type': type },
        payload: Buffer.from('<!doctype html><title>Sign in</title><p>Sign in to continue.\n'),
      };
    }
    case 'empty':
      return { headers: kept, payload: Buffer.alloc(0) };
    case 'other-json': {
      const type = 'application/json; charset=utf-8';
      return {
        headers: { ...kept, 'content-type': type },
        payload: Buffer.from('{"status":"ok","service":"edge"}'),
      };
    }
    case 'short-list':
      return { headers: kept, payload: shortened(headers['content-type'] ?? '', payload) };
  }
}

function shortened(type: string, payload: Buffer): Buffer {
  const text = payload.toString();
  if (type.includes('diff')) return Buffer.from(text.slice(0, text.lastIndexOf('diff --git ')));
  if (!type.includes('json') || text === '') return payload;
  const body = JSON.parse(text) as unknown;
  dropLast(body);
  return Buffer.from(JSON.stringify(body));
}

/** Takes the last entry off the first list that has any, in the order of the text. */
function dropLast(value: unknown): boolean {
  if (Array.isArray(value)) return value.pop() !== undefined;
  if (typeof value !== 'object' || value === null) return false;
  return Object.values(value).some(dropLast);
}
