/** Waits for what other processes and servers do; a test that would hang fails with what it waited for instead. */
import { setTimeout as wait } from 'node:timers/promises';

/** A guard against hangs only, for a busy machine; shorter than the limit of a test, which names no reason. */
const LIMIT_MS = 180_000;
const LOOK_EVERY_MS = 10;

export async function waitUntil(
  isSo: () => boolean | Promise<boolean>,
  limitMs = LIMIT_MS,
): Promise<void> {
  const late = Promise.withResolvers<never>();
  // Between two looks nobody listens to it.
  late.promise.catch(() => undefined);
  const timer = setTimeout(
    () => late.reject(new Error(`After ${limitMs / 1000} s this is still not so: ${textOf(isSo)}`)),
    limitMs,
  );
  try {
    while (!(await Promise.race([late.promise, isSo()]))) await wait(LOOK_EVERY_MS);
  } finally {
    clearTimeout(timer);
  }
}

/** As it is written: the names that Vitest puts before imported ones are left out. */
function textOf(isSo: () => unknown): string {
  return isSo
    .toString()
    .replace(/^(async )?\(\)\s*=>\s*/, '')
    .replaceAll(/\(0,\s*__vi\w+\.(\w+)\)/g, '$1')
    .replaceAll(/__vi\w+\./g, '')
    .replaceAll(/\s+/g, ' ');
}
