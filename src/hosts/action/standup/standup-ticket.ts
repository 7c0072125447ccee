/** What the claim job of a standup hands to the other jobs, as its output: it was made before any model ran. */
import { z } from 'zod';
import { ConfigError } from '../../../domain/event/errors.ts';
import type { StandupSource } from '../../../domain/standup/standup-run.ts';

const Ticket = z.object({
  version: z.literal(1),
  /** Key of the claim in the state. */
  claim: z.string().min(1).max(200),
  /** Nobody had the claim before: nothing can be there yet of what is written under it. */
  isNew: z.boolean(),
  /** Moment of the standup, ISO 8601: a rerun has the same ids. */
  at: z.iso.datetime(),
  /** Number of the plan's issue. */
  plan: z.int().positive(),
  outcome: z.enum(['completed', 'failed']),
  isAsked: z.boolean(),
  spentUsd: z.number().nonnegative(),
});
export type StandupTicket = z.infer<typeof Ticket>;

/** What is looked back on. */
export function sourceOf({ claim, outcome, isAsked }: StandupTicket): StandupSource {
  return { run: claim, outcome, ...(isAsked && { isAsked: true as const }) };
}

/** @throws ConfigError `action-input-invalid` */
export function parseStandupTicket(text: string): StandupTicket {
  try {
    return Ticket.parse(JSON.parse(text));
  } catch (cause) {
    throw new ConfigError({
      code: 'action-input-invalid',
      message: 'The input `claim` is not the output `claim` of the claim job of a standup.',
      cause,
    });
  }
}
