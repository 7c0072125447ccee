/** Operations on branches: their tips and what they ask of what is merged into them. */
import type { BranchRules } from '../../checks/branch-rules.ts';
import { readCommit, readRef, readRefs } from '../../git/objects.ts';
import { HttpError } from '../../behave/http-error.ts';
import { refuseRules } from '../../world/free-plan.ts';
import { reads } from '../../world/permissions.ts';
import { toCommit } from '../../render/to-commit.ts';
import { repositoryApiUrl, repositoryHtmlUrl } from '../../render/repositories.ts';
import { rulesOf } from '../../checks/required.ts';
import {
  renderListPage,
  ok,
  param,
  type Answer,
  type RepositoryCall,
  type Route,
} from '../../router.ts';
import { fullName } from '../../world/world.ts';

const HEADS = 'refs/heads/';

async function listBranches(call: RepositoryCall): Promise<Answer> {
  const refs = [...(await readRefs(call.repository.gitDir))].filter(([ref]) =>
    ref.startsWith(HEADS),
  );
  const url = repositoryApiUrl(call.world, call.repository);
  return renderListPage(call, refs, ([ref, sha]) => {
    const name = ref.slice(HEADS.length);
    return {
      name,
      commit: { sha, url: `${url}/commits/${sha}` },
      protected: isProtected(call, name),
    };
  });
}

function isProtected({ repository }: RepositoryCall, name: string): boolean {
  return repository.rules?.has(name) ?? false;
}

async function getBranch(call: RepositoryCall): Promise<Answer> {
  const name = param(call, 'branch');
  const { gitDir } = call.repository;
  const sha = await readRef(gitDir, `${HEADS}${name}`);
  const commit = sha === undefined ? undefined : await readCommit(gitDir, sha);
  if (commit === undefined) throw new HttpError(404, 'Branch not found');
  const self = `${repositoryApiUrl(call.world, call.repository)}/branches/${name}`;
  return ok({
    name,
    commit: toCommit(call.world, call.repository, commit),
    _links: { self, html: `${repositoryHtmlUrl(call.world, call.repository)}/tree/${name}` },
    protected: isProtected(call, name),
    protection: toProtection(rulesOf(call.repository, name), isProtected(call, name)),
    protection_url: `${self}/protection`,
  });
}

/** The short form, which GitHub shows to all who read the repository. It leaves out what rulesets ask. */
function toProtection({ from, checks }: BranchRules, isSet: boolean) {
  const own = from === 'protection' ? checks : [];
  return {
    enabled: isSet && from === 'protection',
    required_status_checks: {
      enforcement_level: own.length > 0 ? 'everyone' : 'off',
      contexts: own.map(({ context }) => context),
      checks: own.map(({ context, appId }) => ({ context, app_id: appId ?? null })),
    },
  };
}

function listRules(call: RepositoryCall): Promise<Answer> {
  refuseRules(call.world, call.repository);
  const rules = rulesOf(call.repository, param(call, 'branch'));
  const source = {
    ruleset_source_type: 'Repository',
    ruleset_source: fullName(call.world, call.repository),
    ruleset_id: call.repository.id,
  };
  return renderListPage(call, toRules(rules), (rule) => ({ ...rule, ...source }));
}

function toRules({
  from,
  checks,
  isStrict,
  hasQueue,
  mustResolve,
  mustSign,
}: BranchRules): object[] {
  if (from === 'protection') return [];
  const required = {
    type: 'required_status_checks',
    parameters: {
      strict_required_status_checks_policy: isStrict,
      required_status_checks: checks.map(({ context, appId }) => ({
        context,
        ...(appId === undefined ? {} : { integration_id: appId }),
      })),
    },
  };
  return [
    ...(checks.length > 0 ? [required] : []),
    ...(mustResolve === true ? [RESOLVED] : []),
    ...(hasQueue ? [QUEUE] : []),
    ...(mustSign === true ? [{ type: 'required_signatures' }] : []),
  ];
}

const RESOLVED = {
  type: 'pull_request',
  parameters: {
    allowed_merge_methods: ['merge', 'squash', 'rebase'],
    dismiss_stale_reviews_on_push: false,
    require_code_owner_review: false,
    require_last_push_approval: false,
    required_approving_review_count: 0,
    required_review_thread_resolution: true,
  },
};

const QUEUE = {
  type: 'merge_queue',
  parameters: {
    check_response_timeout_minutes: 60,
    grouping_strategy: 'ALLGREEN',
    max_entries_to_build: 5,
    max_entries_to_merge: 5,
    merge_method: 'SQUASH',
    min_entries_to_merge: 1,
    min_entries_to_merge_wait_minutes: 5,
  },
};

const REPO = '/repos/{owner}/{repo}';
const READ = reads('contents');

export const branchRoutes: Route[] = [
  { method: 'GET', path: `${REPO}/branches`, need: READ, run: listBranches },
  { method: 'GET', path: `${REPO}/branches/{branch*}`, need: READ, run: getBranch },
  {
    method: 'GET',
    path: `${REPO}/rules/branches/{branch*}`,
    need: reads('metadata'),
    run: listRules,
  },
];
