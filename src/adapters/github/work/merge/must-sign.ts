/** Which branches take only commits with verified signatures, by a ruleset or by their own protection. */
import { z } from 'zod';
import { RefusedError } from '../../../../domain/event/errors.ts';
import type { RepositoryRef } from '../../../../domain/run/thread-ref.ts';
import type { SessionContext } from '../../bound.ts';
import { readRepository, THIS_REPOSITORY } from '../../client/ask-graphql.ts';
import { readRules } from './read-branch-rules.ts';

/** Those of the branches that do. A ruleset also applies to branches that do not exist yet. */
export async function findMustSign(
  bound: SessionContext,
  ref: RepositoryRef,
  branches: readonly string[],
): Promise<string[]> {
  const place = bound.places.last(ref);
  const [rules, isProtected] = await Promise.all([
    Promise.all(branches.map((branch) => readRules(bound, place, branch).catch(toNone))),
    readProtections(bound, ref, branches),
  ]);
  const isSigned = (at: number): boolean =>
    rules[at]?.some(({ type }) => type === 'required_signatures') === true;
  return branches.filter((_, at) => isSigned(at) || isProtected[at]);
}

/** The protection's own address is for administrators. */
async function readProtections(
  bound: SessionContext,
  ref: RepositoryRef,
  branches: readonly string[],
): Promise<boolean[]> {
  const names = branches.map((branch, at) => [`r${at}`, `refs/heads/${branch}`] as const);
  const text = `query signatures($owner: String!, $repo: String!, ${names.map(([name]) => `$${name}: String!`).join(', ')}) {
  ${THIS_REPOSITORY}
    ${names.map(([name]) => `${name}: ref(qualifiedName: $${name}) { refUpdateRule { requiresSignatures } }`).join('\n')}
  }
}`;
  const asked = { text, variables: Object.fromEntries(names) };
  const told = Told.safeParse(await readRepository(bound, ref, asked).catch(toNone)).data;
  return names.map(
    ([name]) =>
      Ref.safeParse(told?.repository[name]).data?.refUpdateRule?.requiresSignatures === true,
  );
}

const Ref = z.object({
  refUpdateRule: z.object({ requiresSignatures: z.boolean() }).nullish(),
});

const Told = z.object({ repository: z.looseObject({}) });

/** What may not be known holds nobody up: GitHub itself refuses then, and says why. */
function toNone(error: unknown): [] {
  if (error instanceof RefusedError) return [];
  throw error;
}
