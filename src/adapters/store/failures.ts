/** The failures that both store adapters promise, in the same words. */
import { ConfigError, ConflictError, TransientError } from '../../domain/event/errors.ts';

/** The work was settled before, or was given out again after its holder seemed dead. */
export function workLost(id: string): ConflictError {
  return new ConflictError({
    code: 'work-lost',
    message: `The work ${id} is no longer held by this token; drop its result.`,
  });
}

/** Somebody else saved the state of this stream in between. */
export function stateMoved(key: string, expected: number): ConflictError {
  return new ConflictError({
    code: 'state-moved',
    message: `The state of ${key} is no longer at version ${expected}; load it and decide again.`,
  });
}

/** The store cannot be reached or cannot write; nothing of the call was kept. */
export function storeDown(cause: unknown): TransientError {
  const why = cause instanceof Error ? cause.message : String(cause);
  return new TransientError({
    code: 'store-down',
    message: `The store is not available: ${why}`,
    retryAfterMs: 1000,
    cause,
  });
}

/** Who only reads makes no store: it may be the name of the place that is wrong. `setting` names the place. */
export function storeMissing(place: string, setting: string): ConfigError {
  return new ConfigError({
    code: 'store-missing',
    message: `There is no store in ${place}. Set ${setting} to where the App keeps its own; nothing was made.`,
  });
}

/** Someone newer had it: its shape is not known here. */
export function storeNewer(found: number, known: number): ConfigError {
  return new ConfigError({
    code: 'store-newer',
    message: `The store was written by a newer version (shape ${found}, this one knows ${known}). Upgrade, or restore the backup of the older one.`,
  });
}

/** Throws `store-newer` or `store-older` unless this version reads the shape. A reader cannot migrate it. */
export function requireShape(found: number, known: number): void {
  if (found > known) throw storeNewer(found, known);
  if (found < known)
    throw new ConfigError({
      code: 'store-older',
      message: `The store was written by an older version (shape ${found}, this one reads ${known}). Start the App once: it brings the store up to date.`,
    });
}
