/** What the claim job of a task hands to the other jobs: the approved text, the lease and the moment, before any model ran. */
import { z } from 'zod';
import { ConfigError } from '../../../domain/event/errors.ts';
import type { ClaimResult } from '../../../domain/task/task-effects.ts';
import type { TaskOrder, TaskStream } from '../../../domain/task/task.ts';

export type ClaimedTask = Extract<ClaimResult, { outcome: 'claimed' }>;

function anObject<T extends object>() {
  return z.custom<T>((value) => typeof value === 'object' && value !== null);
}

const Ticket = z.object({
  version: z.literal(1),
  /** Key of the claim in the state. */
  claim: z.string().min(1).max(200),
  /** Nobody had the claim before: nothing can be there yet of what is written under it. */
  isNew: z.boolean(),
  /** Moment of the attempt, ISO 8601: all jobs decide at it, and so decide the same. */
  at: z.iso.datetime(),
  /** Both were made in the claim job: their types were the compiler's business there. */
  order: anObject<TaskOrder>(),
  claimed: anObject<ClaimedTask>(),
  /** Of a task that was worked on before: the claim job has checked who signed it. */
  earlier: anObject<TaskStream>().optional(),
  spentUsd: z.number().nonnegative(),
});

export type TaskTicket = z.infer<typeof Ticket>;

/** @throws ConfigError `action-input-invalid` */
export function parseTaskTicket(text: string): TaskTicket {
  try {
    return Ticket.parse(JSON.parse(text));
  } catch (cause) {
    throw new ConfigError({
      code: 'action-input-invalid',
      message: 'The input `claim` is not the output `claim` of the claim job of a task.',
      cause,
    });
  }
}
