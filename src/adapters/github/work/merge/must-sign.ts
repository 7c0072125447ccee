/** Whether a branch takes only commits with verified signatures, by a ruleset or by its own protection. */
import { z } from 'zod';
import { RefusedError } from '../../../../domain/event/errors.ts';
import type { RepositoryRef } from '../../../../domain/run/thread-ref.ts';
import type { SessionContext } from '../../bound.ts';
import { readRepository, THIS_REPOSITORY } from '../../client/ask-graphql.ts';
import { readRules } from './read-branch-rules.ts';

/** A ruleset also applies to branches that do not exist yet. */
export async function mustSign(
  bound: SessionContext,
  ref: RepositoryRef,
  branch: string,
): Promise<boolean> {
  const place = bound.places.last(ref);
  const rules = await readRules(bound, place, branch).catch(toNone);
  if (rules.some(({ type }) => type === 'required_signatures')) return true;
  const variables = { ref: `refs/heads/${branch}` };
  const told = await readRepository(bound, ref, { text: PROTECTION, variables }).catch(toNone);
  const { data } = Told.safeParse(told);
  return data?.repository.ref?.refUpdateRule?.requiresSignatures === true;
}

/** The protection's own address is for administrators. */
const PROTECTION = `query signatures($owner: String!, $repo: String!, $ref: String!) {
  ${THIS_REPOSITORY}
    ref(qualifiedName: $ref) { refUpdateRule { requiresSignatures } }
  }
}`;

const Told = z.object({
  repository: z.object({
    ref: z
      .object({ refUpdateRule: z.object({ requiresSignatures: z.boolean() }).nullish() })
      .nullish(),
  }),
});

/** What may not be known holds nobody up: GitHub itself refuses then, and says why. */
function toNone(error: unknown): [] {
  if (error instanceof RefusedError) return [];
  throw error;
}
