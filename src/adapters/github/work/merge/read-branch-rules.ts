/** What a base branch asks of what is merged into it: from its protection and from the rulesets, which add up. */
import { RefusedError } from '../../../../domain/event/errors.ts';
import { MERGE_METHODS, type MergeMethod } from '../../../../ports/github/work.ts';
import type { SessionContext } from '../../bound.ts';
import { everyPage, PER_PAGE } from '../../client/pages.ts';
import { isNotFound, githubMessageOf } from '../../client/github-failure.ts';
import type { Place } from '../../repository-locator.ts';
import {
  GET_BRANCH,
  GET_MERGE_SETTINGS,
  LIST_RULES,
  type MergeSettings,
  type WireBranch,
  type WireRule,
} from '../work-operations.ts';

/** A name that is required, from one App or from any. */
export interface RequiredName {
  name: string;
  appId: number | undefined;
}

export interface BranchRules {
  /** The empty string when the branch is gone. */
  tip: string;
  required: RequiredName[];
  mustResolve: boolean;
  isQueued: boolean;
  methods: MergeMethod[];
}

/** What is known of a base branch already. */
export interface KnownRules {
  tip: string | undefined;
  /** Undefined where it was not told whether its protection asks for checks: it tells of which App by REST only. */
  hasChecks: boolean | undefined;
  /** Whether its protection wants every conversation resolved; where it was not told, one that has a protection does. */
  mustResolve: boolean | undefined;
  rules: WireRule[] | undefined;
  settings: MergeSettings | undefined;
}

const UNKNOWN: KnownRules = {
  tip: undefined,
  hasChecks: undefined,
  // REST does not tell it, and tells of no conversations: GitHub itself refuses then.
  mustResolve: false,
  rules: undefined,
  settings: undefined,
};

export async function readBranchRules(
  bound: SessionContext,
  { place, branch }: { place: Place; branch: string },
  known: KnownRules = UNKNOWN,
): Promise<BranchRules> {
  const [found, rules, settings] = await Promise.all([
    known.hasChecks === false ? undefined : readBranch(bound, place, branch),
    known.rules ?? readRules(bound, place, branch),
    known.settings ?? bound.calls.get(GET_MERGE_SETTINGS, { ...place }).then(({ data }) => data),
  ]);
  return {
    tip: known.tip ?? found?.commit.sha ?? '',
    required: distinct([...(found ? ofProtection(found, branch) : []), ...rules.flatMap(ofRule)]),
    mustResolve: (known.mustResolve ?? hasProtection(found)) || rules.some(wantsResolved),
    isQueued: rules.some((rule) => rule.type === 'merge_queue'),
    methods: methodsOf(settings, rules),
  };
}

function methodsOf(settings: MergeSettings, rules: readonly WireRule[]): MergeMethod[] {
  const allowed: Record<MergeMethod, boolean> = {
    squash: settings.allow_squash_merge,
    merge: settings.allow_merge_commit && !rules.some((rule) => rule.type === LINEAR),
    rebase: settings.allow_rebase_merge,
  };
  return MERGE_METHODS.filter((one) => allowed[one] && rules.every((rule) => allows(rule, one)));
}

function wantsResolved({ parameters }: WireRule): boolean {
  return parameters?.required_review_thread_resolution === true;
}

const LINEAR = 'required_linear_history';

/** Undefined when the branch is gone. */
async function readBranch(
  bound: SessionContext,
  place: Place,
  branch: string,
): Promise<WireBranch | undefined> {
  try {
    return (await bound.calls.find(GET_BRANCH, { ...place, branch }))?.data;
  } catch (error) {
    throw asUnknown(error, branch);
  }
}

/** GitHub's whole sentence for a private repository whose plan has no rules. */
export const NO_RULES_ON_PLAN =
  'Upgrade to GitHub Pro or make this repository public to enable this feature.';

/** None on servers that have no rulesets, and where the plan has none. Another refusal tells nothing. */
export async function readRules(
  bound: SessionContext,
  place: Place,
  branch: string,
): Promise<WireRule[]> {
  const all: WireRule[] = [];
  try {
    const params = { ...place, branch, per_page: PER_PAGE };
    for await (const page of everyPage(bound.calls, LIST_RULES, params)) all.push(...page);
  } catch (error) {
    const isRefused = error instanceof RefusedError && error.code === 'github-forbidden';
    const isNone = isNotFound(error) || (isRefused && githubMessageOf(error) === NO_RULES_ON_PLAN);
    if (!isNone) throw asUnknown(error, branch);
  }
  return all;
}

function allows({ parameters }: WireRule, method: MergeMethod): boolean {
  return parameters?.allowed_merge_methods?.includes(method) ?? true;
}

/** A refusal in words that name what is missing; whatever else went wrong stays what it is. */
function asUnknown(error: unknown, branch: string): unknown {
  if (!(error instanceof RefusedError) || error.code !== 'github-forbidden') return error;
  return rulesUnknown(branch, {
    why: githubMessageOf(error),
    isEventuallyConsistent: error.isEventuallyConsistent,
  });
}

function rulesUnknown(
  branch: string,
  { why, isEventuallyConsistent }: { why: string; isEventuallyConsistent: boolean },
) {
  return new RefusedError({
    code: 'branch-rules-unknown',
    message: `GitHub does not tell what \`${branch}\` requires of a merge: ${why}`,
    details:
      "Quorum does not merge what it cannot judge. Accept the App's permissions on its installation page, or merge it yourself.",
    isEventuallyConsistent,
  });
}

/** A protection of the branch itself, which rulesets are not. An older server does not say which. */
export function hasProtection(branch: WireBranch | undefined): boolean {
  return branch?.protected === true && branch.protection?.enabled !== false;
}

/** An older server tells the names alone. */
function ofProtection(found: WireBranch, branch: string): RequiredName[] {
  const told = found.protection?.required_status_checks;
  if (told === undefined && hasProtection(found))
    throw rulesUnknown(branch, {
      why: 'it is protected, and its required checks are not named.',
      isEventuallyConsistent: false,
    });
  const { contexts = [], checks = [] } = told ?? {};
  const named = new Set(checks.map(({ context }) => context));
  return [
    ...checks.map((check) => ({ name: check.context, appId: toAppId(check.app_id) })),
    ...contexts.filter((name) => !named.has(name)).map((name) => ({ name, appId: undefined })),
  ];
}

function ofRule({ parameters }: WireRule): RequiredName[] {
  return (parameters?.required_status_checks ?? []).map((check) => ({
    name: check.context,
    appId: toAppId(check.integration_id),
  }));
}

/** GitHub writes -1 or null for any App. */
function toAppId(id: number | null | undefined): number | undefined {
  return typeof id === 'number' && id > 0 ? id : undefined;
}

function distinct(all: readonly RequiredName[]): RequiredName[] {
  return [...new Map(all.map((one) => [`${one.appId ?? ''}/${one.name}`, one])).values()];
}
