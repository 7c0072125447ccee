/** One installation's part of a reconcile pass. Each repository fails by itself; what failed is returned, to be asked again. */
import type { ErrorCode } from '../../domain/event/error-codes.ts';
import type { Config } from '../../domain/config/config.ts';
import { QuorumError, TransientError, toFailure } from '../../domain/event/errors.ts';
import { EVENT_VERSION, type NewEvent } from '../../domain/event/event.ts';
import { DEFAULT_LABELS } from '../../domain/repository/labels.ts';
import type { InstallationPart, OwedRepository } from '../../domain/tenant/recovery.ts';
import { threadKey, type RepositoryRef } from '../../domain/run/thread-ref.ts';
import type { ActPorts } from '../ports.ts';
import type { ReadSettings } from '../settings/read-settings.ts';
import { findRecent } from './find-recent.ts';
import { dueCodeWatch } from './due-code-watch.ts';
import { readConfigWithFacts } from './read-config.ts';
import { reopen } from './reopen.ts';

/** Labels that say that the team was asked and has not finished; it takes them off at the end. */
const OPEN_LABELS = ['deliberate', 'prd', 'plan', 'plan-me'] as const;
/** Other installations wait in the same lane: what is left then is asked first in the next pass. */
const LONGEST_MS = 10 * 60_000;
const UNFINISHED = 'reconcile-unfinished';
/** What was lost there is looked for in the next pass, when effects are not refused any more. */
const REOPENED = 'place-reopened';

export interface RecoverContext {
  ports: ActPorts;
  readSettings: ReadSettings;
}

export interface Recovered {
  started: number;
  owed: OwedRepository[];
  /** Code of why no repository could be asked at all. */
  failure?: ErrorCode;
}

/** Never throws for what GitHub answers: an effect that waits would hold up the lane. */
export async function recoverInstallation(
  { installationId, owed }: InstallationPart,
  foundSince: string | undefined,
  context: RecoverContext,
): Promise<Recovered> {
  const { github, clock, log } = context.ports;
  const listedAt = new Date(clock.now()).toISOString();
  const until = clock.now() + LONGEST_MS;
  let started = 0;
  const left: OwedRepository[] = [];
  try {
    for (const ref of inTurn(await github.app.repositories(installationId), owed)) {
      const since = owed.find(isOf(ref))?.since ?? foundSince;
      const found: Found =
        clock.now() > until
          ? { started: 0, code: UNFINISHED }
          : await recoverRepository(ref, { since, listedAt }, context);
      started += found.started;
      const name = `${ref.owner}/${ref.repo}`;
      const { code } = found;
      if (code !== undefined)
        left.push({ repositoryId: ref.repositoryId, name, code, ...(since && { since }) });
    }
    return { started, owed: left };
  } catch (error) {
    const { code } = toFailure(error);
    log?.warn({ installationId, code, err: error }, 'reconcile failed for an installation');
    return { started, owed, failure: code };
  }
}

function isOf({ repositoryId }: RepositoryRef) {
  return (one: OwedRepository): boolean => one.repositoryId === repositoryId;
}

/** First what the last pass had no time for, last what failed in it. */
function inTurn(refs: RepositoryRef[], owed: readonly OwedRepository[]): RepositoryRef[] {
  const codes = new Map(owed.map(({ repositoryId, code }) => [repositoryId, code]));
  const turn = ({ repositoryId }: RepositoryRef): number => {
    const code = codes.get(repositoryId);
    if (code === undefined) return 1;
    return code === UNFINISHED ? 0 : 2;
  };
  return refs.toSorted((a, b) => turn(a) - turn(b));
}

interface Found {
  started: number;
  /** Of why not all was looked at. */
  code?: ErrorCode;
}

/** What was found is started at once: what fails later does not take it away. */
async function recoverRepository(
  ref: RepositoryRef,
  { since, listedAt }: { since: string | undefined; listedAt: string },
  { ports, readSettings }: RecoverContext,
): Promise<Found> {
  if (await reopen(ref, listedAt, ports)) return { started: 0, code: REOPENED };
  let started = 0;
  let failure: unknown;
  const begin = async (events: NewEvent[]): Promise<void> => {
    const outcomes = events.length === 0 ? [] : await ports.store.append(events);
    started += outcomes.filter((outcome) => outcome === 'queued').length;
  };
  const attempt = async <T>(work: () => Promise<T>): Promise<T | undefined> => {
    try {
      // Where GitHub is away or limits us, more calls would be wasted.
      return failure instanceof TransientError ? undefined : await work();
    } catch (error) {
      failure ??= error;
      return undefined;
    }
  };
  const read = await attempt(() => readConfigWithFacts(ref, { ports, readSettings }));
  const config = read?.config;
  await attempt(async () => begin(await openThreads(ref, askingLabels(config), ports)));
  if (since !== undefined)
    await attempt(async () => {
      const { events, unread } = await findRecent(ref, since, ports);
      await begin(events);
      if (unread !== undefined) throw new QuorumError(unread);
    });
  if (config?.plans.workspace === true)
    await attempt(() => ports.store.append([restHint(ref, ports.clock.now())]));
  if (read !== undefined) await attempt(async () => begin(await dueCodeWatch(ref, read, ports)));
  if (failure === undefined) return { started };
  const { installationId, repositoryId } = ref;
  const { code, message } = toFailure(failure);
  const about = { installationId, repositoryId, code, reason: message };
  ports.log?.warn(about, 'reconcile failed for a repository, will retry');
  return { started, code };
}

/** What the labels are called in a repository. */
export function askingLabels(config: Config | undefined): string[] {
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

/** What carries a label that asks the team for something; `wanted` is what `askingLabels` says. */
export async function openThreads(
  ref: RepositoryRef,
  wanted: readonly string[],
  { github, clock }: Pick<ActPorts, 'github' | 'clock'>,
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
        // The id contains the thread's last change, so a thread without changes is started once.
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
