/** What a job of a standup works with, and the records that it looks back on: no store outlives a job. */
import { createPerform, type Perform } from '../../../act/perform.ts';
import type { ActPorts } from '../../../act/ports.ts';
import { createSecretDetector } from '../../../adapters/secrets/detector.ts';
import { loadSecretlint } from '../../../adapters/secrets/secretlint.ts';
import { readPackagePersonas } from '../../../adapters/files/load-personas.ts';
import { recordsOfPlan } from '../../../domain/actions/kept/kept-tasks.ts';
import type { ThreadRef } from '../../../domain/run/thread-ref.ts';
import type { TaskStream } from '../../../domain/task/task.ts';
import type { EffectKind } from '../../../domain/event/effect.ts';
import { RefusedError } from '../../../domain/event/errors.ts';
import { collectKept } from '../../../record/standup/collect-kept.ts';
import type { GitHubMemory } from '../../../ports/github/memory-branch.ts';
import type { GitHubWork } from '../../../ports/github/work.ts';
import type { Basics } from '../../host-parts.ts';
import { SCAN_HERE } from '../../scan/scan-here.ts';
import { MEMORY_BRANCH } from '../job/action-specs.ts';
import { readKeptTasks } from '../branch/kept-tasks-branch.ts';

/** Refuses every kind that is not this job's. */
export function onlyKinds(perform: Perform, kinds: readonly EffectKind[]): Perform {
  return (effect, attempt) => {
    const { kind } = effect.data;
    if (kinds.includes(kind)) return perform(effect, attempt);
    throw new RefusedError({
      code: 'action-write-refused',
      message: `This job does not carry out ${kind}: another job does.`,
    });
  };
}

interface StandupPorts extends Pick<
  ActPorts,
  'store' | 'model' | 'estimateUsd' | 'markerSecret' | 'contextTokens'
> {
  basics: Basics;
  github: GitHubWork & GitHubMemory;
  /** Secret that the records of tasks are signed with; absent in a job that has none, which believes what it finds. */
  signedWith?: string;
}

export async function openStandupPerform({
  basics,
  signedWith,
  ...ports
}: StandupPorts): Promise<Perform> {
  const all: ActPorts = {
    ...basics,
    ...ports,
    personas: await readPackagePersonas(),
    scanner: SCAN_HERE,
    detectSecrets: createSecretDetector({
      load: loadSecretlint,
      onMissing: (error) =>
        basics.log.warn({ err: error }, 'the detector of credentials cannot be loaded'),
    }),
    lookBack: (of) => lookBackOnKept(of, { github: ports.github, signedWith }),
  };
  return createPerform(all);
}

type LookBack = NonNullable<ActPorts['lookBack']>;

/** The plan as GitHub has it, and the records of its tasks. */
async function lookBackOnKept(
  { thread, source }: Parameters<LookBack>[0],
  { github, signedWith }: { github: GitHubWork & GitHubMemory; signedWith: string | undefined },
): ReturnType<LookBack> {
  const place = { github, repository: thread, branch: MEMORY_BRANCH };
  const [{ body }, tasks] = await Promise.all([
    github.at(thread).read.issue(thread),
    readKeptTasks(place),
  ]);
  const kept = recordsOfPlan(tasks, thread, signedWith);
  const streams = await Promise.all(kept.map(({ stream }) => withPatch(stream, thread, github)));
  return collectKept({ plan: thread.number, body, source, streams });
}

/** A record has no text of its change: the branch has, and after it GitHub's own diff of the two commits. */
async function withPatch(
  stream: TaskStream,
  thread: ThreadRef,
  github: GitHubWork,
): Promise<TaskStream> {
  const { run } = stream;
  if (run?.change === undefined || run.pull === undefined || run.headSha === undefined)
    return stream;
  const pull = { ...thread, number: run.pull.number };
  const range = { baseSha: run.base?.sha ?? run.change.from, headSha: run.headSha };
  const { diff: patch } = await github.at(thread).pulls.changes(pull, range);
  return { ...stream, run: { ...run, change: { ...run.change, patch } } };
}
