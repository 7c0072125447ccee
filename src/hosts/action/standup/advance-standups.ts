/** Takes the standups of a thread further in an apply job, from what an earlier one kept, and keeps what came of it. */
import type { Perform } from '../../../act/perform.ts';
import type { Performed } from '../../../act/ports.ts';
import { openSqliteStore } from '../../../adapters/store/sqlite/open-sqlite.ts';
import type { StandupsToKeep } from '../../../domain/actions/kept/kept-standups.ts';
import { rethrow } from '../../../domain/actions/task-work.ts';
import { TransientError } from '../../../domain/event/errors.ts';
import type { EffectKind } from '../../../domain/event/effect.ts';
import { ofKind, type Run } from '../../../domain/run/state/run-record.ts';
import { threadKey } from '../../../domain/run/thread-ref.ts';
import type { RepositoryValues, ValueName } from '../../../domain/standup/kept-standup.ts';
import type { Store } from '../../../ports/store.ts';
import type { Basics } from '../../host-parts.ts';
import { MEMORY_BRANCH } from '../job/action-specs.ts';
import { NO_MODEL } from '../job/no-model.ts';
import { believeSigned, openWorkflowGitHub } from '../job/workflow-github.ts';
import type { WorkflowContext } from '../job/workflow-context.ts';
import { playStandup, type StandupPlay } from './play-standup.ts';
import { onlyKinds, openStandupPerform } from './standup-ports.ts';
import { readKeptStandups, writeKeptStandups } from '../branch/standups-branch.ts';

export interface AdvancingStandups extends Pick<StandupPlay, 'thread' | 'claim' | 'at' | 'news'> {
  basics: Basics;
  context: WorkflowContext;
  recorded: readonly number[];
  carriesOut: readonly EffectKind[];
  /** Takes the place of models. */
  answer: Perform;
  /** Whether an earlier attempt can have written nothing yet. */
  isFirst: boolean;
}

export interface AdvancedStandups {
  /** Standups of this thread, by their key. */
  runs: Readonly<Record<string, Run<'standup'>>>;
  /** Ids of what was written, to be believed later. */
  ids: number[];
  written: number;
}

/** What an apply job does once somebody ticked a box. */
export const FOLLOWING: readonly EffectKind[] = ['look-ticks', 'move-tensions', 'issue', 'comment'];

/** Where nobody is asked. */
export const noAnswer: Perform = () =>
  rethrow({ code: 'action-run-failed', message: 'This job asks nobody.' });

const TIMEOUT_MS = 8 * 60_000;
const MAX_TRIES = 3;

/** @throws RefusedError `action-state-unreadable`; TransientError `memory-contended` */
export async function advanceStandups(of: AdvancingStandups): Promise<AdvancedStandups> {
  const { basics, context, recorded, thread } = of;
  const { repository } = context;
  const believing = believeSigned(basics, recorded, repository.repositoryId);
  const github = openWorkflowGitHub(basics, context, believing);
  const secret = believing.markerSecret;
  const place = { github, repository, branch: MEMORY_BRANCH };
  const prefix = `${threadKey(thread)} `;
  const ids: number[] = [];
  for (let tries = 1; tries <= MAX_TRIES; tries += 1) {
    const { kept, text } = await readKeptStandups(place, secret);
    const isFirst = of.isFirst && tries === 1;
    const played = await play({ ...of, isFirst }, { kept, prefix, github, secret });
    ids.push(...played.done.flatMap(idOf));
    const next: StandupsToKeep = {
      version: 1,
      values: played.values,
      runs: { ...kept.runs, ...withPrefix(played.runs, prefix) },
    };
    if (await writeKeptStandups(place, { kept: next, before: text, secret }))
      return { runs: played.runs, ids, written: ids.length };
  }
  throw new TransientError({
    code: 'memory-contended',
    message: `Another job keeps changing the standups of ${repository.owner}/${repository.repo}.`,
  });
}

interface From {
  kept: StandupsToKeep;
  prefix: string;
  github: ReturnType<typeof openWorkflowGitHub>;
  secret: string;
}

interface Played {
  runs: Record<string, Run<'standup'>>;
  values: StandupsToKeep['values'];
  done: Performed[];
}

async function play(of: AdvancingStandups, from: From): Promise<Played> {
  const { basics, thread, claim, at, news, carriesOut } = of;
  const { kept, prefix, github, secret: markerSecret } = from;
  const store = await openSqliteStore({ memory: true, clock: basics.clock });
  try {
    await seedValues(store, thread.repositoryId, kept.values);
    const model = { model: NO_MODEL, estimateUsd: () => 0 };
    const ports = { basics, github, store, markerSecret, signedWith: markerSecret, ...model };
    const done: Performed[] = [];
    const perform = onlyKinds(await openStandupPerform(ports), carriesOut);
    const state = await playStandup({
      basics,
      store,
      thread,
      claim,
      at,
      news,
      seed: withoutPrefix(kept.runs, prefix),
      perform: async (effect, attempt) => {
        if (effect.data.kind === 'ask') return of.answer(effect, attempt);
        const isFirst = attempt.isFirst && of.isFirst;
        const performed = await perform(effect, { ...attempt, isFirst, isUntouched: isFirst });
        done.push(performed);
        return performed;
      },
      timeoutMs: TIMEOUT_MS,
    });
    const runs = Object.entries(state.runs).flatMap(([key, run]) => {
      const standup = ofKind(run, 'standup');
      return standup === undefined ? [] : [[key, standup] as const];
    });
    return {
      runs: Object.fromEntries(runs),
      values: await readValues(store, thread.repositoryId),
      done,
    };
  } finally {
    await store.close();
  }
}

async function seedValues(
  { standups }: Pick<Store, 'standups'>,
  repository: number,
  { tensions, relations, strictness }: StandupsToKeep['values'],
): Promise<void> {
  const put = async <K extends ValueName>(name: K, value: RepositoryValues[K] | undefined) =>
    value === undefined ? false : standups.replace(repository, name, { expected: 0, value });
  await put('tensions', tensions);
  await put('relations', relations);
  await put('strictness', strictness);
}

async function readValues(
  { standups }: Pick<Store, 'standups'>,
  repository: number,
): Promise<StandupsToKeep['values']> {
  const [tensions, relations, strictness] = await Promise.all([
    standups.load(repository, 'tensions'),
    standups.load(repository, 'relations'),
    standups.load(repository, 'strictness'),
  ]);
  return {
    ...(tensions && { tensions: tensions.value }),
    ...(relations && { relations: relations.value }),
    ...(strictness && { strictness: strictness.value }),
  };
}

function withoutPrefix<T>(runs: Readonly<Record<string, T>>, prefix: string): Record<string, T> {
  return Object.fromEntries(
    Object.entries(runs).flatMap(([key, run]) =>
      key.startsWith(prefix) ? [[key.slice(prefix.length), run] as const] : [],
    ),
  );
}

function withPrefix<T>(runs: Readonly<Record<string, T>>, prefix: string): Record<string, T> {
  return Object.fromEntries(Object.entries(runs).map(([key, run]) => [`${prefix}${key}`, run]));
}

/** Ids of texts that are believed later. */
function idOf({ effectKind, result }: Performed): number[] {
  if (effectKind === 'comment') return result.id === 0 ? [] : [result.id];
  if (effectKind === 'issue') return result.outcome === 'full' ? [] : [result.number];
  return [];
}
