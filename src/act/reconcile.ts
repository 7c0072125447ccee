/** Finds what was lost: asks GitHub to deliver again what failed, and starts what was labelled, opened, pushed or asked without a webhook. */
import type { Config } from '../domain/config.ts';
import type { EffectData } from '../domain/effect.ts';
import { EVENT_VERSION, type NewEvent } from '../domain/event.ts';
import { QuorumError } from '../domain/errors.ts';
import { DEFAULT_LABELS } from '../domain/labels.ts';
import { threadKey, type RepositoryRef } from '../domain/thread.ts';
import type { ActPorts, Performed } from './ports.ts';
import { findRecent } from './recover/find-recent.ts';
import type { ReadSettings } from './settings.ts';

const MAX_PATHS = 20_000;

/** Labels that say that the team was asked and has not finished; it takes them off at the end. */
const OPEN_LABELS = ['deliberate', 'prd', 'plan', 'plan-me'] as const;

/** Result: how many deliveries were asked for again, and how many threads were found. */
export async function reconcile(
  { since, foundSince }: Extract<EffectData, { kind: 'reconcile' }>,
  { ports, readSettings }: { ports: ActPorts; readSettings: ReadSettings },
): Promise<Performed<'reconcile'>> {
  const { github, store } = ports;
  const redelivered = await github.app.redeliverFailed(since);
  const installations = await github.app.installations();
  const found: NewEvent[] = [];
  const hints: NewEvent[] = [];
  for (const { installationId, isSuspended } of installations) {
    if (isSuspended) continue;
    for (const ref of await github.app.repositories(installationId)) {
      const config = await configOf(ref, { ports, readSettings });
      found.push(...(await openThreads(ref, labelsOf(config), ports)));
      if (foundSince !== undefined) found.push(...(await findRecent(ref, foundSince, ports)));
      if (config?.plans.workspace === true) hints.push(restHint(ref, ports.clock.now()));
    }
  }
  if (hints.length > 0) await store.append(hints);
  const outcomes = found.length === 0 ? [] : await store.append(found);
  const started = outcomes.filter((outcome) => outcome === 'queued').length;
  return { effectKind: 'reconcile', result: { redelivered, started }, githubCalls: {} };
}

/** Unchanged settings cost nothing; undefined where they cannot be read for good. */
export async function configOf(
  ref: RepositoryRef,
  { ports, readSettings }: { ports: ActPorts; readSettings: ReadSettings },
): Promise<Config | undefined> {
  const session = ports.github.at(ref);
  try {
    const facts = await session.read.repository(ref);
    const { paths } = await session.read.paths(ref, facts.headSha, MAX_PATHS);
    return (await readSettings(ref, { session, facts, paths })).config;
  } catch (error) {
    if (error instanceof QuorumError && !error.retryable) return undefined;
    throw error;
  }
}

/** What the labels are called in a repository. */
function labelsOf(config: Config | undefined): string[] {
  return OPEN_LABELS.map((label) => config?.labels[label] ?? DEFAULT_LABELS[label]);
}

/** Its last issue may have been closed by hand. The hour is in the id: many passes ask once. */
function restHint(ref: RepositoryRef, now: number): NewEvent {
  const at = new Date(now).toISOString();
  return {
    id: `rest:${ref.repositoryId}:${at.slice(0, 13)}`,
    key: `repository:${ref.repositoryId}`,
    version: EVENT_VERSION,
    at,
    data: { kind: 'rest-hint', run: 'reconcile', after: 'hour', repository: ref },
  };
}

async function openThreads(
  ref: RepositoryRef,
  wanted: readonly string[],
  { github, clock }: ActPorts,
): Promise<NewEvent[]> {
  const threads = await github.app.labelled(ref, [...wanted]);
  return threads.flatMap(({ thread, labels, updatedAt, labelledBy: actor }) => {
    // Nobody knows who asked: then nobody did (fail closed).
    if (actor === undefined) return [];
    return wanted
      .flatMap((name, index) =>
        labels.includes(name) ? [{ name, meaning: OPEN_LABELS[index] }] : [],
      )
      .map(({ name, meaning = 'deliberate' }): NewEvent => {
        // The thread's last change is in the id: a thread that stands still is started once.
        const id = `reconcile:${threadKey(thread)}:${name}:${updatedAt}`;
        return {
          id,
          key: threadKey(thread),
          version: EVENT_VERSION,
          at: new Date(clock.now()).toISOString(),
          data: {
            kind: 'trigger',
            trigger: { kind: 'requested', by: 'reconcile', thread, actor, label: name, meaning },
          },
        };
      });
  });
}
