/** What the claim job hands to the other jobs, as its output: it was made before any model ran. */
import { z } from 'zod';
import { PlanningSeed } from '../../../domain/actions/kept/kept-planning.ts';
import { ConfigError } from '../../../domain/event/errors.ts';
import type { TaskRef } from '../../../domain/task/task.ts';
import type { ThreadTrigger } from './find-trigger.ts';

export const ClaimTicket = z.object({
  version: z.literal(1),
  /** What the event says; the key of the claim. */
  claim: z.string().min(1).max(200),
  /** Nobody had the claim before: nothing can be there yet of what is written under it. */
  isNew: z.boolean(),
  /** Moment of the run, ISO 8601. */
  at: z.iso.datetime(),
  thread: z.object({
    installationId: z.literal(0),
    repositoryId: z.int().positive(),
    owner: z.string(),
    repo: z.string(),
    number: z.int().positive(),
  }),
  headSha: z.string().optional(),
  /** When the comment that is answered was changed last. */
  comment: z.object({ id: z.int(), updatedAt: z.string(), isOnDiff: z.boolean() }).optional(),
  /** The task that the pull request seems to be of; an apply job checks that before it acts on it. */
  task: z
    .object({
      run: z.string().min(1).max(200),
      ref: z.custom<TaskRef>((value) => typeof value === 'object' && value !== null),
    })
    .optional(),
  /** The event is about a plan, which the apply job takes further: no model is asked. */
  isPlan: z.literal(true).optional(),
  /** The PM is asked for a plan, or its questions were answered; with what is known of that. */
  planning: z
    .object({ isPlan: z.boolean(), isAnswer: z.boolean(), seed: PlanningSeed.optional() })
    .optional(),
  /** Ids of what we wrote in this thread. */
  recorded: z.array(z.int()),
  spentUsd: z.number().nonnegative(),
  /** Made by `events/` in the claim job: its type was the compiler's business there. */
  trigger: z.custom<ThreadTrigger>((value) => typeof value === 'object' && value !== null),
});

export type ClaimTicket = z.infer<typeof ClaimTicket>;

/** @throws ConfigError `action-input-invalid` */
export function parseClaimTicket(text: string): ClaimTicket {
  try {
    return ClaimTicket.parse(JSON.parse(text));
  } catch (cause) {
    throw new ConfigError({
      code: 'action-input-invalid',
      message:
        'The input `claim` is not the output of a claim job. Pass `${{ needs.claim.outputs.claim }}`.',
      cause,
    });
  }
}
