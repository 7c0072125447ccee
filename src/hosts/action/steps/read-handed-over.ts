/** What an agent job handed over is believed only where it is what that job named, for this claim and this run. */
import type { z } from 'zod';
import { digestIntents } from '../../../domain/actions/intents.ts';
import { RefusedError } from '../../../domain/event/errors.ts';

interface Expected<T> {
  schema: z.ZodType<T>;
  /** What has that form, with its article. */
  form: string;
  maxBytes: number;
  /** As the agent job named it. */
  digest: string;
  claim: string;
  workflowRun: string;
}

/** @throws RefusedError `intents-invalid` */
export function readHandedOver<T extends { claim: string; workflowRun: string }>(
  bytes: Uint8Array,
  { schema, form, maxBytes, digest, claim, workflowRun }: Expected<T>,
): T {
  if (bytes.length > maxBytes) throw invalidHandOver(`it has ${bytes.length} bytes`);
  if (digestIntents(bytes) !== digest)
    throw invalidHandOver('its digest is not the one that the agent job named');
  const work = parse(bytes, { schema, form });
  if (work.claim !== claim) throw invalidHandOver('it is of another claim');
  if (work.workflowRun !== workflowRun)
    throw invalidHandOver('it is of another run of the workflow');
  return work;
}

function parse<T>(bytes: Uint8Array, { schema, form }: Pick<Expected<T>, 'schema' | 'form'>): T {
  try {
    return schema.parse(JSON.parse(Buffer.from(bytes).toString('utf8')));
  } catch (cause) {
    throw invalidHandOver(`it does not have the form of ${form}`, cause);
  }
}

export function invalidHandOver(why: string, cause?: unknown): RefusedError {
  return new RefusedError({
    code: 'intents-invalid',
    message: `Nothing was written. What the agent job handed over is refused: ${why}.`,
    ...(cause === undefined ? {} : { cause }),
  });
}
