/** Reads a request's body up to a limit, and never more than a budget for all requests together. */
import type { IncomingMessage } from 'node:http';

/** Bytes of unverified bodies in memory, over all requests. */
export interface BodyBudget {
  readonly limit: number;
  held: number;
}

export type ReadBody =
  | { kind: 'read'; bytes: Buffer }
  /** The rest was not read: answer and close. */
  | { kind: 'too-large' | 'busy' }
  /** The sender went away: nobody is there to be answered. */
  | { kind: 'aborted' };

/**
 * Resolves once with the whole body, or as soon as it is clear that there will be none.
 * The bytes count against `budget` only while they come in.
 */
export function readRequestBody(
  req: IncomingMessage,
  limit: number,
  budget: BodyBudget,
): Promise<ReadBody> {
  if (Number(req.headers['content-length'] ?? 0) > limit)
    return Promise.resolve({ kind: 'too-large' });
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let size = 0;
    const settle = (result: ReadBody): void => {
      budget.held -= size;
      size = 0;
      chunks.length = 0;
      req.off('data', take).off('end', finish).off('close', abandon).off('error', abandon);
      // An aborted request reports an error that nobody else would catch.
      req.on('error', () => undefined);
      resolve(result);
    };
    const take = (chunk: Buffer): void => {
      size += chunk.length;
      budget.held += chunk.length;
      if (size > limit) return settle({ kind: 'too-large' });
      if (budget.held > budget.limit) return settle({ kind: 'busy' });
      chunks.push(chunk);
    };
    const finish = (): void =>
      settle({ kind: 'read', bytes: chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks) });
    const abandon = (): void => settle({ kind: 'aborted' });
    req.on('data', take).on('end', finish).on('close', abandon).on('error', abandon);
  });
}
