/** What the claim job of a merge hands to the other jobs: which pull request, what was said of it, and whether tests run. */
import { z } from 'zod';
import { ConfigError } from '../../../domain/event/errors.ts';
import type { MergeView } from '../../../domain/task/merge-view.ts';

const Word = z.strictObject({
  by: z.strictObject({ id: z.int().positive(), login: z.string().min(1).max(200) }),
  headSha: z.string().regex(/^[0-9a-f]{40,64}$/),
  at: z.iso.datetime(),
});

const News = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('moved') }),
  z.strictObject({ kind: z.literal('merge'), word: Word }),
]);
export type MergeNews = z.infer<typeof News>;

const Ticket = z.object({
  version: z.literal(1),
  /** Key of the claim in the state. */
  claim: z.string().min(1).max(200),
  isNew: z.boolean(),
  /** ISO 8601. */
  at: z.iso.datetime(),
  pull: z.int().positive(),
  news: News,
  /** As GitHub showed it; absent in what older versions handed on. */
  headSha: z
    .string()
    .regex(/^[0-9a-f]{40,64}$/)
    .optional(),
  /** Where the tests have to run on what the merge would give: what that was decided from. */
  retest: z
    .object({
      view: z.custom<MergeView>((value) => typeof value === 'object' && value !== null),
      ownRequired: z.array(z.string()),
      /** Digest of the record, whose signature the claim job has checked. */
      record: z.string(),
    })
    .optional(),
});
export type MergeTicket = z.infer<typeof Ticket>;

/** @throws ConfigError `action-input-invalid` */
export function parseMergeTicket(text: string): MergeTicket {
  try {
    return Ticket.parse(JSON.parse(text));
  } catch (cause) {
    throw new ConfigError({
      code: 'action-input-invalid',
      message: 'The input `claim` is not the output `claim` of the claim job of a merge.',
      cause,
    });
  }
}
