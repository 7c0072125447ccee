/** Whether a branch takes only commits with verified signatures, by a ruleset or by its own protection. */
import { z } from 'zod';
import { RefusedError } from '../../../../domain/event/errors.ts';
import type { RepositoryRef } from '../../../../domain/run/thread-ref.ts';
import type { SessionContext } from '../../bound.ts';
import { askRepository, THIS_REPOSITORY } from '../../client/ask-graphql.ts';
import { readRules } from './read-branch-rules.ts';

/** The answer about the default branch is good for so long: the two branches of a look are asked about in one breath. */
const FRESH_MS = 5_000;

/** A ruleset also applies to branches that do not exist yet, and a repository without any has no rules to ask for. */
export async function mustSign(
  bound: SessionContext,
  ref: RepositoryRef,
  branch: string,
): Promise<boolean> {
  const seen = takeDefault(bound, ref, branch) ?? (await ask(bound, ref, branch));
  if (seen.isProtected) return true;
  if (seen.hasNoRulesets) return false;
  const rules = await readRules(bound, bound.places.last(ref), branch).catch(toNone);
  return rules.some(({ type }) => type === 'required_signatures');
}

interface Seen {
  /** By the branch's own protection. */
  isProtected: boolean;
  /** False where GitHub does not tell, and in an organisation, whose own rulesets the count may leave out. */
  hasNoRulesets: boolean;
}

/** Each answer is taken once. */
function takeDefault(
  { recall, clock }: SessionContext,
  ref: RepositoryRef,
  branch: string,
): Seen | undefined {
  const slot = slotOf(ref, branch);
  const kept = recall.signing.get(slot);
  recall.signing.delete(slot);
  return kept !== undefined && clock.now() - kept.at < FRESH_MS ? kept : undefined;
}

async function ask(bound: SessionContext, ref: RepositoryRef, branch: string): Promise<Seen> {
  const variables = { ref: `refs/heads/${branch}` };
  const tell = (text: string): Promise<unknown> =>
    askRepository(bound, ref, { text, variables }).then((told) => told?.fields, toNone);
  // Older servers know no rulesets, and refuse a query that names them.
  const told = (await tell(toQuery(RULESETS))) ?? (await tell(toQuery('')));
  const found = Told.safeParse(told).data?.repository;
  if (found === undefined) return { isProtected: false, hasNoRulesets: false };
  const hasNoRulesets = found.isInOrganization === false && found.rulesets?.totalCount === 0;
  const see = (one: Branch): Seen => ({
    isProtected: one?.refUpdateRule?.requiresSignatures === true,
    hasNoRulesets,
  });
  const { defaultBranchRef: main } = found;
  if (main && main.name !== branch)
    bound.recall.signing.set(slotOf(ref, main.name), { ...see(main), at: bound.clock.now() });
  return see(found.ref);
}

function slotOf({ installationId, repositoryId }: RepositoryRef, branch: string): string {
  return `${installationId}/${repositoryId}/${branch}`;
}

const RULESETS = 'isInOrganization rulesets(first: 1) { totalCount }';

/** The protection's own address is for administrators. */
function toQuery(more: string): string {
  return `query signatures($owner: String!, $repo: String!, $ref: String!) {
  ${THIS_REPOSITORY}
    ${more}
    ref(qualifiedName: $ref) { refUpdateRule { requiresSignatures } }
    defaultBranchRef { name refUpdateRule { requiresSignatures } }
  }
}`;
}

const Rule = z.object({
  refUpdateRule: z.object({ requiresSignatures: z.boolean() }).nullish(),
});
type Branch = z.infer<typeof Rule> | null | undefined;

const Told = z.object({
  repository: z.object({
    isInOrganization: z.boolean().nullish(),
    rulesets: z.object({ totalCount: z.number() }).nullish(),
    ref: Rule.nullish(),
    defaultBranchRef: Rule.extend({ name: z.string() }).nullish(),
  }),
});

/** What may not be known holds nobody up: GitHub itself refuses then, and says why. */
function toNone(error: unknown): [] {
  if (error instanceof RefusedError) return [];
  throw error;
}
