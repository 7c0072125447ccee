/** Check runs by GraphQL, where one request writes several of them. */
import { NewRun, RunChange } from '../routes/check-fields.ts';
import { createRun, updateRun, type CheckScene } from '../check-runs.ts';
import type { CheckRun } from '../check-model.ts';
import { covers, holds } from '../permissions.ts';
import { repositoryHtmlUrl } from '../render/repositories.ts';
import { nodeId, readNodeId } from '../world.ts';
import { forbidden } from './repository.ts';
import { unresolved, type Scene } from './parts.ts';

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

export function checkMutations(scene: Scene): object {
  return {
    createCheckRun: async ({ input }: { input: RunInput }) => {
      const at = writable(scene, input.repositoryId);
      return { checkRun: toRun(at, await createRun(at, NewRun.parse(toBody(input)))) };
    },
    updateCheckRun: ({ input }: { input: RunInput }) => {
      const at = writable(scene, input.repositoryId);
      const id = readNodeId(input.checkRunId ?? '')?.id;
      const run = at.repository.checkRuns.find((one) => one.id === id);
      if (run === undefined) throw unresolved(`a node with the global id of '${input.checkRunId}'`);
      return { checkRun: toRun(at, updateRun(at, run, RunChange.parse(toBody(input)))) };
    },
  };
}

function writable({ world, actor }: Scene, node: string): CheckScene {
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

function toRun({ world, repository }: CheckScene, run: CheckRun): object {
  return {
    __typename: 'CheckRun',
    id: nodeId('CR', run.id),
    databaseId: run.id,
    name: run.name,
    status: run.status.toUpperCase(),
    conclusion: run.conclusion?.toUpperCase() ?? null,
    externalId: run.externalId,
    url: `${repositoryHtmlUrl(world, repository)}/runs/${run.id}`,
  };
}
