/** Finds what was lost: asks GitHub to deliver again what failed, and starts labelled threads that nobody works on. */
import type { EffectData } from '../domain/effect.ts';
import { EVENT_VERSION, type NewEvent } from '../domain/event.ts';
import { QuorumError } from '../domain/errors.ts';
import { DEFAULT_LABELS } from '../domain/labels.ts';
import { threadKey, type RepositoryRef } from '../domain/thread.ts';
import type { ActPorts, Performed } from './ports.ts';
import type { ReadSettings } from './settings.ts';

const MAX_PATHS = 20_000;

/** Labels that say that the team was asked and has not finished; it takes them off at the end. */
const OPEN_LABELS = ['deliberate', 'prd', 'plan', 'plan-me'] as const;

/** Result: how many deliveries were asked for again, and how many threads were found. */
export async function reconcile(
  { since }: Extract<EffectData, { kind: 'reconcile' }>,
  { ports, readSettings }: { ports: ActPorts; readSettings: ReadSettings },
): Promise<Performed<'reconcile'>> {
  const { github, store } = ports;
  const redelivered = await github.app.redeliverFailed(since);
  const installations = await github.app.installations();
  const found: NewEvent[] = [];
  for (const { installationId, isSuspended } of installations) {
    if (isSuspended) continue;
    for (const ref of await github.app.repositories(installationId))
      found.push(...(await openThreads(ref, await labelsOf(ref, { ports, readSettings }), ports)));
  }
  const outcomes = found.length === 0 ? [] : await store.append(found);
  const started = outcomes.filter((outcome) => outcome === 'queued').length;
  return { effectKind: 'reconcile', result: { redelivered, started }, githubCalls: {} };
}

/** What the labels are called in a repository. Unchanged settings cost nothing; unreadable ones have the defaults. */
async function labelsOf(
  ref: RepositoryRef,
  { ports, readSettings }: { ports: ActPorts; readSettings: ReadSettings },
): Promise<string[]> {
  const session = ports.github.at(ref);
  try {
    const facts = await session.read.repository(ref);
    const { paths } = await session.read.paths(ref, facts.headSha, MAX_PATHS);
    const { config } = await readSettings(ref, { session, facts, paths });
    return OPEN_LABELS.map((label) => config.labels[label] ?? DEFAULT_LABELS[label]);
  } catch (error) {
    if (error instanceof QuorumError && !error.retryable) return [...OPEN_LABELS];
    throw error;
  }
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
