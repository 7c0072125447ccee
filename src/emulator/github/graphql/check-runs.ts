/** Check runs by GraphQL, where one request writes several of them. */
import { NewRun, RunChange } from '../routes/check/check-fields.ts';
import { createRun, updateRun, type CheckContext } from '../checks/write-check-run.ts';
import type { CheckRun, CheckSuite } from '../world/check-model.ts';
import { covers, holds } from '../world/permissions.ts';
import { repositoryHtmlUrl } from '../render/repositories.ts';
import { nodeId, readNodeId } from '../world/world.ts';
import {
  connection,
  forbidden,
  unresolved,
  type Paging,
  type Place,
  type ResolverContext,
} from './answer-parts.ts';

interface RunInput {
  repositoryId: string;
  name?: string;
  headSha?: string;
  checkRunId?: string;
  status?: string;
  conclusion?: string;
  externalId?: string;
  output?: { title: string; summary: string; text?: string };
}

export function checkMutations(context: ResolverContext): object {
  return {
    createCheckRun: async ({ input }: { input: RunInput }) => {
      const at = writable(context, input.repositoryId);
      return { checkRun: toRun(at, await createRun(at, NewRun.parse(toBody(input)))) };
    },
    updateCheckRun: ({ input }: { input: RunInput }) => {
      const at = writable(context, input.repositoryId);
      const id = readNodeId(input.checkRunId ?? '')?.id;
      const run = at.repository.checkRuns.find((one) => one.id === id);
      if (run === undefined) throw unresolved(`a node with the global id of '${input.checkRunId}'`);
      return { checkRun: toRun(at, updateRun(at, run, RunChange.parse(toBody(input)))) };
    },
  };
}

function writable({ world, actor }: ResolverContext, node: string): CheckContext {
  const id = readNodeId(node)?.id;
  const repository = id === undefined ? undefined : world.state.repositories.get(id);
  if (repository === undefined) throw unresolved(`a node with the global id of '${node}'`);
  const need = { permissions: ['checks'], level: 'write' } as const;
  if (actor.kind !== 'installation' || !covers(actor, repository) || !holds(actor, need))
    throw forbidden();
  return { world, actor, repository };
}

/** The same fields as REST has, in its own writing. */
function toBody({ name, headSha, status, conclusion, externalId, output }: RunInput): object {
  return {
    ...(name !== undefined && { name }),
    ...(headSha !== undefined && { head_sha: headSha }),
    ...(status !== undefined && { status: status.toLowerCase() }),
    ...(conclusion !== undefined && { conclusion: conclusion.toLowerCase() }),
    ...(externalId !== undefined && { external_id: externalId }),
    ...(output !== undefined && { output: { ...output } }),
  };
}

interface SuitesAsk extends Paging {
  filterBy?: { appId?: number | null; checkName?: string | null } | null;
}

interface RunsAsk extends Paging {
  filterBy?: { checkName?: string | null; checkType?: 'ALL' | 'LATEST' | null } | null;
}

type OfCommit = Pick<Place, 'world' | 'actor' | 'repository'>;

/** The check suites of a commit. */
export function toCheckSuites(place: OfCommit, sha: string): (ask: SuitesAsk) => object {
  return ({ filterBy, ...paging }) => {
    const { actor, repository } = place;
    const need = { permissions: ['checks'], level: 'read' } as const;
    if (actor.kind === 'installation' && !holds(actor, need)) throw forbidden();
    const suites = repository.checkSuites.filter(
      (one) =>
        one.headSha === sha &&
        one.appId === (filterBy?.appId ?? one.appId) &&
        hasRun(repository, one.id, filterBy?.checkName),
    );
    return connection(
      suites.map((suite) => toSuite(place, suite)),
      paging,
    );
  };
}

/** Without a name each suite is wanted, also one without runs. */
function hasRun(
  { checkRuns }: OfCommit['repository'],
  suite: number,
  wanted: string | null | undefined,
): boolean {
  if (wanted === undefined || wanted === null) return true;
  return checkRuns.some(({ suiteId, name }) => suiteId === suite && name === wanted);
}

/** Newest first; by default only the newest of each name. */
function toSuite(place: OfCommit, { id: suiteId, appId }: CheckSuite): object {
  const { world, repository } = place;
  const checkRuns = ({ filterBy, ...paging }: RunsAsk): object => {
    const runs = repository.checkRuns
      .filter(({ suiteId: of, name }) => of === suiteId && name === (filterBy?.checkName ?? name))
      .toReversed();
    const isAll = filterBy?.checkType === 'ALL';
    const shown = isAll
      ? runs
      : [...new Map(runs.toReversed().map((run) => [run.name, run])).values()];
    return connection(
      shown.map((run) => toRun(place, run)),
      paging,
    );
  };
  const slug = world.state.apps.get(appId)?.slug;
  return {
    __typename: 'CheckSuite',
    id: nodeId('CS', suiteId),
    databaseId: suiteId,
    app: slug === undefined ? null : { databaseId: appId, slug },
    checkRuns,
  };
}

export function toRun(
  { world, repository }: Pick<CheckContext, 'world' | 'repository'>,
  run: CheckRun,
): object {
  const url = `${repositoryHtmlUrl(world, repository)}/runs/${run.id}`;
  return {
    __typename: 'CheckRun',
    id: nodeId('CR', run.id),
    databaseId: run.id,
    name: run.name,
    status: run.status.toUpperCase(),
    conclusion: run.conclusion?.toUpperCase() ?? null,
    externalId: run.externalId,
    startedAt: run.startedAt,
    completedAt: run.completedAt,
    title: run.output.title,
    summary: run.output.summary,
    url,
    permalink: url,
    detailsUrl: run.detailsUrl ?? url,
    // No workflow of Actions made it.
    checkSuite: { id: nodeId('CS', run.suiteId), databaseId: run.suiteId, workflowRun: null },
  };
}
