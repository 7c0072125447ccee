/** Accounts as GraphQL names them. */
import { z } from 'zod';
import type { Actor } from '../../../domain/run/thread-ref.ts';
import { toActor } from './to-domain.ts';

/** To be spread on any field that is an account: `author { ...who }`. */
export const WHO =
  'fragment who on Actor { kind: __typename login ... on User { databaseId } ... on Bot { databaseId } ... on Mannequin { databaseId } }';

export const Who = z
  .object({ kind: z.string(), login: z.string(), databaseId: z.number().nullish() })
  .nullish();

/** GraphQL names bots without the brackets that REST adds. */
export function toAuthor(who: z.infer<typeof Who>): Actor {
  if (!who) return toActor(undefined);
  const isBot = who.kind === 'Bot';
  const login = isBot && !who.login.endsWith('[bot]') ? `${who.login}[bot]` : who.login;
  return { id: who.databaseId ?? 0, login, isBot };
}

/** Ids that are larger than GraphQL's own numbers come as text. */
export const BigId = z.union([z.number(), z.string()]).transform(Number);

/** What a page of a list tells beside its entries: in the direction that was asked for, at least. */
export const More = z
  .object({
    hasNextPage: z.boolean().optional(),
    hasPreviousPage: z.boolean().optional(),
    endCursor: z.string().nullish(),
  })
  .refine(
    ({ hasNextPage, hasPreviousPage }) =>
      hasNextPage !== undefined || hasPreviousPage !== undefined,
    { message: 'it does not tell whether there is more' },
  );

/** The entries of a list, without those that GitHub leaves out. */
export function present<T>(list: { nodes?: (T | null)[] | null | undefined } | undefined): T[] {
  return (list?.nodes ?? []).filter((one) => one !== null);
}
