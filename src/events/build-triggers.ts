/** Deliveries about builds that came to an end: on the default branch, or on a pull request of the repository itself. */
import { buildKey, RED, type BuildPlace, type BuildSource } from '../domain/build/build.ts';
import { DISPATCH_WORKFLOW } from '../domain/dispatch/code-order.ts';
import { lacksFields, refuseDelivery, repositoryOfDelivery } from './facts.ts';
import type { Builder, Built, Facts } from './facts.ts';
import { CheckSuitePayload, WorkflowRunPayload } from './payload.ts';

/** The App that runs workflows: each of its check suites is also reported as a workflow's run. */
const ACTIONS = 'github-actions';

interface Ended {
  source: BuildSource;
  branch: string | null | undefined;
  conclusion: string | null | undefined;
  /** The first pull request whose base is here. */
  pull: number | undefined;
  /** Whether it was run for a pull request, whatever its branch is called. */
  isForPull: boolean;
  says: (string | number)[];
}

function onWorkflowRun(facts: Facts): Built {
  const parsed = WorkflowRunPayload.safeParse(facts.payload);
  if (!parsed.success) return lacksFields(facts, 'workflow run');
  const { workflow_run: run } = parsed.data;
  // A fork can have branches of the same names as ours.
  if (run.head_repository?.id !== facts.repository?.id) return refuseDelivery('a run of a fork');
  // The plan says why a session failed. No issue is opened about it.
  if (run.path === DISPATCH_WORKFLOW) return refuseDelivery('a session that the App asked for');
  return build(facts, {
    source: { kind: 'workflow', id: run.workflow_id },
    branch: run.head_branch,
    conclusion: run.conclusion,
    pull: pullOf(facts, run.pull_requests),
    isForPull: /^(?:pull_request|merge_group)/.test(run.event),
    says: [run.id, run.run_attempt ?? 1, run.conclusion ?? ''],
  });
}

function onCheckSuite(facts: Facts): Built {
  const parsed = CheckSuitePayload.safeParse(facts.payload);
  if (!parsed.success) return lacksFields(facts, 'check suite');
  const { check_suite: suite } = parsed.data;
  const { app, conclusion } = suite;
  if (app.id === facts.receiver.appId) return refuseDelivery('our own checks');
  if (app.slug === ACTIONS) return refuseDelivery('the run of the workflow tells it');
  return build(facts, {
    source: { kind: 'checks', appId: app.id },
    branch: suite.head_branch,
    conclusion,
    pull: pullOf(facts, suite.pull_requests),
    isForPull: false,
    says: [suite.id, suite.head_sha, conclusion ?? '', String(suite.updated_at ?? '')],
  });
}

type Pulls = { number: number; base: { repo: { id: number } } }[] | null | undefined;

/** GitHub names the pull requests of this branch into other repositories too. */
function pullOf({ repository }: Facts, pulls: Pulls): number | undefined {
  return pulls?.find(({ base }) => base.repo.id === repository?.id)?.number;
}

function build(facts: Facts, ended: Ended): Built {
  const { repository, installationId, actor } = facts;
  if (repository === undefined) return lacksFields(facts, 'repository');
  const isRed = RED.has(ended.conclusion ?? '');
  if (!isRed && ended.conclusion !== 'success')
    return refuseDelivery(`a build that ended as ${ended.conclusion ?? 'nothing'} tells nothing`);
  const where = placeOf(ended, repository.default_branch ?? '');
  if (where === undefined)
    return refuseDelivery(
      'a build of neither the default branch nor a pull request of this repository',
    );
  return {
    kind: 'trigger',
    trigger: {
      kind: 'build',
      repository: repositoryOfDelivery(repository, installationId),
      actor,
      where,
      isRed,
    },
    key: buildKey(repository.id, where),
    says: ended.says,
  };
}

function placeOf(
  { source, branch, pull, isForPull }: Ended,
  defaultBranch: string,
): BuildPlace | undefined {
  if (!isForPull && defaultBranch !== '' && branch === defaultBranch)
    return { kind: 'branch', source, branch };
  return pull === undefined ? undefined : { kind: 'pull', number: pull };
}

/** By event and action. */
export const BUILD_TRIGGERS: readonly (readonly [string, Builder])[] = [
  ['workflow_run.completed', onWorkflowRun],
  ['workflow_run.requested', () => refuseDelivery('a run that only begins')],
  ['workflow_run.in_progress', () => refuseDelivery('a run that only begins')],
  ['check_suite.completed', onCheckSuite],
];
