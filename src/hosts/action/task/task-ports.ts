/** What a job of a task works with, by the power that it has. */
import path from 'node:path';
import { createPerform, type Perform } from '../../../act/perform.ts';
import type { CodingRuntime, KnownFacts } from '../../../act/task/coder/coding-runtime.ts';
import { readPackagePersonas } from '../../../adapters/files/load-personas.ts';
import { createGit } from '../../../adapters/git/create-git.ts';
import { createSecretDetector } from '../../../adapters/secrets/detector.ts';
import { loadSecretlint } from '../../../adapters/secrets/secretlint.ts';
import type { ActPorts } from '../../../act/ports.ts';
import { RefusedError } from '../../../domain/event/errors.ts';
import type { RepositoryRef } from '../../../domain/run/thread-ref.ts';
import type { GitHubWork } from '../../../ports/github/work.ts';
import type { Model } from '../../../ports/model.ts';
import type { Store } from '../../../ports/store.ts';
import { readGitPlace } from '../../environment/git-place.ts';
import type { Basics } from '../../host-parts.ts';
import { SCAN_HERE } from '../../scan/scan-here.ts';
import { withinJob } from './within-job.ts';

/** `writes` pushes and runs nothing; `runs` runs code in a sandbox and has a token that only reads. */
export type TaskPower = 'writes' | 'runs';

export interface TaskPorts {
  basics: Basics;
  github: GitHubWork;
  markerSecret: string;
  store: Store;
  repository: RepositoryRef;
  power: TaskPower;
  /** As an earlier job, or an earlier moment of this one, found it. */
  known?: KnownFacts;
  /** An App elsewhere sent the session, and lets it spend so much. */
  dispatched?: { usd: number };
  /** That a session of the coder may last in this job. */
  minutes?: number;
  /** Only where models are asked. */
  model?: Model & Pick<ActPorts, 'estimateUsd' | 'contextTokens'>;
}

export async function openTaskPerform(of: TaskPorts): Promise<Perform> {
  const { basics, github, markerSecret, store, model } = of;
  return createPerform({
    ...basics,
    github,
    store,
    markerSecret,
    model: model ?? NO_MODEL,
    estimateUsd: model?.estimateUsd ?? (() => 0),
    ...(model?.contextTokens !== undefined && { contextTokens: model.contextTokens }),
    personas: await readPackagePersonas(),
    scanner: SCAN_HERE,
    detectSecrets: createSecretDetector({
      load: loadSecretlint,
      onMissing: (error) =>
        basics.log.warn({ err: error }, 'the detector of credentials cannot be loaded'),
    }),
    codingRuntime: await openRuntime(of),
  });
}

const NO_MODEL: Model = {
  name: 'none',
  generate: () => {
    throw new Error('This job has no model');
  },
};

async function openRuntime({
  basics,
  github,
  repository,
  power,
  known,
  dispatched,
  minutes,
}: TaskPorts): Promise<CodingRuntime> {
  const { clock, log } = basics;
  const env = {
    ...basics.env,
    QUORUM_CODER: 'local',
    QUORUM_DATA: path.join(basics.env['RUNNER_TEMP'] ?? '.', 'quorum-data'),
  };
  const own = { log, instance: instanceOf(repository) };
  if (power === 'writes')
    return {
      ...own,
      ...(known !== undefined && { known }),
      git: createGit(readGitPlace({ env, clock }, github)),
      commands: () => ({ run: runsNothing }),
      coder: runsNothing,
    };
  const { openCodingRuntime } = await import('../../open-coding-runtime.ts');
  const runtime = openCodingRuntime({ ...basics, env }, github, 'actions');
  if (runtime === undefined) throw new Error('QUORUM_CODER was not taken');
  // The jobs without a model's key are not the one that writes.
  const { lacksCoder: _, ...parts } = runtime;
  const here = { ...parts, ...own, keepsLeases: true } as const;
  const within = withinJob(
    here,
    { ...dispatched, ...(minutes !== undefined && { minutes }) },
    clock,
  );
  return dispatched === undefined ? within : { ...within, isDispatched: true };
}

/** Workflows of one repository are one installation among those that share its leases. */
function instanceOf({ repositoryId }: RepositoryRef): string {
  return `actions-${repositoryId}`;
}

function runsNothing(): never {
  throw new RefusedError({
    code: 'action-write-refused',
    message: 'A job with a token that writes runs no code of the repository.',
  });
}
