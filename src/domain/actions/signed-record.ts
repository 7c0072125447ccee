/**
 * What the files of workflows on the memory branch have in common: who signed a record, and how much is held. Everybody with
 * write access may push there, so a record counts only with the signature of an apply job.
 */
import { createHmac, timingSafeEqual } from 'node:crypto';
import { z } from 'zod';
import { valueDigest } from '../persona/digest.ts';

/**
 * @param scope - the kind of record with its version, and what it is about: a record that is moved is not believed
 * @param value - as {@link toStored} gives it
 */
export function signRecord(scope: string, value: object, secret: string): string {
  return createHmac('sha256', secret)
    .update(`${scope}\n${valueDigest(value)}`)
    .digest('base64url');
}

export function isSignature(given: string, expected: string): boolean {
  const [one, other] = [Buffer.from(given), Buffer.from(expected)];
  return one.length === other.length && timingSafeEqual(one, other);
}

/** As it will be read again, so that the signature is of the same values. */
export function toStored<T extends object>(value: T): T {
  return z.custom<T>().parse(JSON.parse(JSON.stringify(value)));
}

/** An object of a shape that the signature vouches for. */
export function anObject<T extends object>() {
  return z.custom<T>((value) => typeof value === 'object' && value !== null);
}

/** Undefined for text that is no JSON of this schema, or of a newer version. */
export function parseRecords<T>(text: string, schema: z.ZodType<T>): T | undefined {
  try {
    return schema.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined;
  }
}

export function renderRecords(records: object): string {
  return `${JSON.stringify(records, undefined, 1)}\n`;
}

export interface Room {
  /** Records. */
  most: number;
  /** Characters of all records; the memory branch takes files of 1 MB. */
  mostChars: number;
  /** Taken by other parts of the file. */
  taken?: number;
}

/** The first records for which there is room, the very first one always. They come out in reverse: the newest is last. */
export function holdFirst<T>(
  sorted: readonly (readonly [string, T])[],
  { most, mostChars, taken = 0 }: Room,
): Record<string, T> {
  let chars = taken;
  const held = sorted.slice(0, most).filter(([, one], at) => {
    chars += JSON.stringify(one).length;
    return at === 0 || chars <= mostChars;
  });
  return Object.fromEntries(held.toReversed());
}
