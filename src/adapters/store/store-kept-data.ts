/** What the store keeps about a target: found, counted and listed, without a change. */
import {
  addRows,
  installationOfKey,
  isChatKey,
  repositoryOfKey,
  type ErasedRows,
  type ErasureTarget,
} from '../../domain/tenant/erasure-target.ts';
import { toInstallationState, closedReason } from '../../domain/tenant/installation-state.ts';
import {
  commentMatter,
  personMatter,
  repositoryMatter,
  type Matter,
} from '../../domain/secrets/redact.ts';
import { toRepositoryState } from '../../domain/repository/repository-state.ts';
import { threadKey } from '../../domain/run/thread-ref.ts';
import type { KeptData, KeptRow, KnownName } from '../../ports/erasure.ts';
import { blankThread, blankMatter, cleanStandups, dropStandups } from './erasure-plan.ts';
import { NO_CALLS, type Changes, type ErasableRows, type StreamRows } from './kept-rows.ts';
import { loginsOf, namedIds, numbersAfter } from './kept-names.ts';

const NOTHING: Changes = {
  streams: [],
  calls: NO_CALLS,
  blanked: [],
  rewritten: [],
  states: [],
  droppedStates: [],
  memory: [],
  standups: [],
  standupTexts: [],
};

/** What is there, without changing any of it. */
export class StoreKeptData implements KeptData {
  protected readonly kept: ErasableRows;

  constructor(kept: ErasableRows) {
    this.kept = kept;
  }

  keys(start = ''): Promise<string[]> {
    return this.kept.keys(start);
  }

  async find(name: KnownName): Promise<number[]> {
    const found = new Set<number>();
    const word = 'login' in name ? `"login":"${name.login}"` : ownerAndName(name.repository);
    for (const key of await this.kept.keysWith([word]))
      for (const id of namedIds(parsed(await this.kept.read(key)), name)) found.add(id);
    return [...found];
  }

  async logins(userId: number): Promise<string[]> {
    const found = new Set<string>();
    for (const key of await this.kept.keysWith(numberField('id', userId)))
      for (const login of loginsOf(parsed(await this.kept.read(key)), userId)) found.add(login);
    return [...found];
  }

  async count(target: ErasureTarget): Promise<ErasedRows> {
    const changes = await this.plan(target);
    const whole = await this.kept.count(changes.streams, changes.calls);
    const work = [...changes.blanked, ...changes.rewritten];
    const of = (table: string): number => work.filter((row) => row.table === table).length;
    const states = changes.states.length + changes.droppedStates.length;
    const parts = { events: of('events'), effects: of('effects'), states, ledger: 0 };
    const memory = await this.kept.memory.count(changes.memory);
    const standups = await this.kept.standups.count(changes.standups);
    const texts = changes.standupTexts.length;
    return addRows(whole, { ...parts, memory, standups: standups + texts });
  }

  async *rows(target: ErasureTarget): AsyncIterable<KeptRow> {
    const { streams, calls, ...parts } = await this.plan(target);
    yield* this.kept.rows(streams, calls);
    yield* this.kept.memory.rows(parts.memory);
    yield* this.kept.standups.rows(parts.standups);
    for (const { table, read, ...place } of parts.standupTexts)
      yield { table, row: { ...place, data: JSON.parse(read) } };
    const wanted = new Set([
      ...[...parts.blanked, ...parts.rewritten].map(({ table, id }) => `${table} ${id}`),
      ...[...parts.states.map(({ key }) => key), ...parts.droppedStates].map(
        (key) => `states ${key}`,
      ),
    ]);
    if (wanted.size === 0) return;
    for await (const kept of this.kept.rows(await this.sharedKeys(target), NO_CALLS)) {
      const { table, row } = kept;
      if (wanted.has(`${table} ${String(table === 'states' ? row['key'] : row['id'])}`)) yield kept;
    }
  }

  protected async plan(target: ErasureTarget): Promise<Changes> {
    switch (target.kind) {
      case 'installation':
        return this.#planInstallation(target);
      case 'repository':
        return (await this.#isElsewhere(target))
          ? NOTHING
          : this.#planRepositories([target.repositoryId]);
      case 'thread':
        return {
          ...blankThread(await this.kept.read(threadKey(target))),
          standupTexts: dropStandups(await this.kept.standups.ofThread(target)),
        };
      case 'comment':
        return this.#blankMatter(await this.sharedKeys(target), commentMatter(target.commentId));
      case 'user':
        return {
          ...(await this.#blankMatter(await this.sharedKeys(target), personMatter(target))),
          standupTexts: cleanStandups(
            await this.kept.standups.with(target.logins),
            personMatter(target),
          ),
        };
    }
  }

  /** Streams of which only a part is of this target. */
  protected async sharedKeys(target: ErasureTarget): Promise<string[]> {
    switch (target.kind) {
      case 'thread':
      case 'comment':
        return [threadKey(target)];
      case 'user':
        return this.kept.keysWith([
          ...numberField('id', target.id),
          ...numberField('authorId', target.id),
          ...target.logins,
        ]);
      case 'repository':
        return this.#sharedWith([target.repositoryId]);
      case 'installation':
        return this.#sharedWith(await this.#repositoriesOf(target));
    }
  }

  async #sharedWith(repositoryIds: readonly number[]): Promise<string[]> {
    const found = await this.kept.keysWith(
      repositoryIds.flatMap((id) => numberField('repositoryId', id)),
    );
    return found.filter((key) => repositoryOfKey(key) === undefined);
  }

  async #planInstallation(
    target: Extract<ErasureTarget, { kind: 'installation' }>,
  ): Promise<Changes> {
    const repositories = await this.#repositoriesOf(target);
    const own = (await this.kept.keys('')).filter(
      (key) => installationOfKey(key) === target.installationId,
    );
    return this.#planRepositories(repositories, {
      own,
      installations: [target.installationId],
    });
  }

  /** `own`: streams that are deleted besides. */
  async #planRepositories(
    repositoryIds: readonly number[],
    { own, installations }: { own: string[]; installations: number[] } = {
      own: [],
      installations: [],
    },
  ): Promise<Changes> {
    const wanted = new Set(repositoryIds);
    const inside = (await this.kept.keys('')).filter((key) =>
      wanted.has(repositoryOfKey(key) ?? Number.NaN),
    );
    const calls = { repositories: [...repositoryIds], installations };
    const { ledger } = await this.kept.count([], calls);
    const shared = (await this.#sharedWith(repositoryIds)).filter((key) => !own.includes(key));
    const rest = shared.filter((key) => !isChatKey(key));
    return {
      ...(await this.#takeOutEach(rest, repositoryIds)),
      streams: [...inside, ...own, ...shared.filter(isChatKey)],
      calls: ledger === 0 ? NO_CALLS : calls,
      memory: await this.kept.memory.repositories(repositoryIds),
      standups: await this.kept.standups.repositories(repositoryIds),
    };
  }

  #takeOutEach(keys: readonly string[], repositoryIds: readonly number[]): Promise<Changes> {
    const matters = repositoryIds.map(repositoryMatter);
    return this.#blankMatter(keys, {
      owns: () => false,
      replace: (object) => matters.reduce((rest, each) => each.replace?.(rest) ?? rest, object),
    });
  }

  async #blankMatter(keys: readonly string[], matter: Matter): Promise<Changes> {
    const all: Changes = { ...NOTHING, blanked: [], rewritten: [], states: [] };
    for (const key of keys) {
      const { blanked, rewritten, states } = blankMatter(await this.kept.read(key), matter);
      all.blanked.push(...blanked);
      all.rewritten.push(...rewritten);
      all.states.push(...states);
    }
    return all;
  }

  async #repositoriesOf({
    installationId,
    except = [],
  }: Extract<ErasureTarget, { kind: 'installation' }>): Promise<number[]> {
    const found = new Set<number>();
    for (const key of await this.kept.keysWith(numberField('installationId', installationId))) {
      const own = repositoryOfKey(key);
      if (own !== undefined) found.add(own);
      else if (installationOfKey(key) === installationId)
        for (const id of numbersAfter('repositoryId', await this.kept.read(key))) found.add(id);
    }
    const gone: number[] = [];
    for (const repositoryId of found) {
      if (except.includes(repositoryId)) continue;
      const place = { kind: 'repository', repositoryId, removedFrom: installationId } as const;
      if (!(await this.#isElsewhere(place))) gone.push(repositoryId);
    }
    return gone;
  }

  /** Whether the store knows another installation that covers it: it was transferred, or the App installed again. */
  async #isElsewhere({
    repositoryId,
    removedFrom,
  }: Extract<ErasureTarget, { kind: 'repository' }>): Promise<boolean> {
    if (removedFrom === undefined) return false;
    const known = new Set<number>();
    for (const key of await this.kept.keys('')) {
      if (repositoryOfKey(key) !== repositoryId) continue;
      const rows = await this.kept.read(key);
      const at = rows.states.map(({ value }) => toRepositoryState(JSON.parse(value))?.at);
      const now = key.startsWith('repository:') ? at[0]?.installationId : undefined;
      if (now !== undefined && now !== removedFrom) return true;
      for (const id of numbersAfter('installationId', rows)) known.add(id);
    }
    for (const other of known)
      if (other !== removedFrom && (await this.#isOpen(other, repositoryId))) return true;
    return false;
  }

  async #isOpen(installationId: number, repositoryId: number): Promise<boolean> {
    const { states } = await this.kept.read(`installation:${installationId}`);
    const value: unknown = states[0] === undefined ? undefined : JSON.parse(states[0].value);
    const state = toInstallationState(value);
    // One that is suspended is still there.
    return closedReason(state && { ...state, isSuspended: false }, repositoryId) === undefined;
  }
}

function parsed({ work, states }: StreamRows): unknown[] {
  const texts = [...work.map(({ data }) => data), ...states.map(({ value }) => value)];
  return texts.map((text): unknown => JSON.parse(text));
}

/** A field with this number, as `JSON.stringify` writes it before another field or at the end. */
function numberField(name: string, id: number): string[] {
  return [`"${name}":${id},`, `"${name}":${id}}`];
}

function ownerAndName(fullName: string): string {
  const [owner = '', repo = ''] = fullName.split('/');
  return `"owner":"${owner}","repo":"${repo}"`;
}
