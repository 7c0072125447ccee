/** What every store promises of erasing: nothing is left of what was named, everything else is as it was. */
import { describe, expect, test } from 'vitest';
import type { Effect } from '../../src/domain/event/effect.ts';
import type { NewEvent } from '../../src/domain/event/event.ts';
import type { ErasureTarget } from '../../src/domain/tenant/erasure-target.ts';
import type { KeptRow } from '../../src/ports/erasure.ts';
import type { SpendFilter, Store } from '../../src/ports/store.ts';
import type { OpenOptions } from './store.ts';
import { call, effect, gate, idle, startLog, timer } from './store-words.ts';
import { waitUntil } from '../helpers/wait-until.ts';

export interface ErasurePlace {
  /** The store that is open now. */
  store: () => Store;
  /** Closes it and opens the same data again. */
  reopen: (options?: OpenOptions) => Promise<void>;
  /** All that is kept, in every table and file, as one text. */
  dump: () => Promise<string>;
}

const DONE = { kind: 'finish', status: 'done' } as const;
const NOON = '2026-11-26T12:00:00.000Z';
const DAY_MS = 24 * 3_600_000;
const CANARY = 'canary-of-acme-secret-plans';
const KEPT = 'a-word-of-the-other-repository';
const refOf = (repositoryId: number, installationId = 42) => ({
  installationId,
  repositoryId,
  owner: 'acme',
  repo: repositoryId === 7 ? CANARY : 'open',
});

function commented(
  repositoryId: number,
  [id, body]: [string, string],
  more: Partial<NewEvent> = {},
) {
  const thread = { ...refOf(repositoryId), number: 1 };
  const actor = { id: 5, login: 'ana', isBot: false };
  const trigger = { kind: 'labeled' as const, thread, actor, label: body };
  return timer(id, `thread:${repositoryId}/1`, { data: { kind: 'trigger', trigger }, ...more });
}

/** Only the state of the stream says which repository it is about. */
function saidInChat(repositoryId: number, text: string) {
  const post = { channel: 'slack' as const, place: 'C1', thread: '1.5', message: '1.5' };
  const author = { id: 'T1/U1', name: 'Ana', isBot: false };
  const more = { id: 'm1', why: 'mention' as const, links: [], files: [], at: NOON };
  const message = { ...post, ...more, author, text };
  return timer(`chat${repositoryId}`, `chat:slack/C1/${repositoryId}`, {
    data: { kind: 'trigger', trigger: { kind: 'said', message } },
  });
}

function commentOf(repositoryId: number, id: string, body: string): Effect {
  const thread = { ...refOf(repositoryId), number: 1 };
  const marker = { kind: 'run' as const, run: 'r', key: 'k' };
  return effect(id, {
    key: `thread:${repositoryId}/1`,
    data: { kind: 'comment', thread, marker, body },
  });
}

/** Two repositories of one installation, with rows of every kind and status, and what names both. */
async function fill(store: Store): Promise<void> {
  const { records } = store;
  for (const [id, word] of [
    [7, CANARY],
    [8, KEPT],
  ] as const) {
    await store.append([commented(id, [`e${id}`, word])]);
    await store.append([commented(id, [`refused${id}`, word], { ignoredReason: `no ${word}` })]);
    await store.append([saidInChat(id, word)]);
    await records.reserve(
      call(`open${id}`, {
        installationId: 42,
        repositoryId: id,
        key: `thread:${id}/1`,
        persona: word,
        person: 1000 + id,
      }),
    );
    await records.reserve(
      call(`c${id}`, {
        installationId: 42,
        repositoryId: id,
        key: `thread:${id}/1`,
        persona: word,
        person: 1000 + id,
      }),
    );
    await records.settleCall(`c${id}`, [
      call(`c${id}`, {
        installationId: 42,
        repositoryId: id,
        key: `thread:${id}/1`,
        persona: word,
        person: 1000 + id,
      }),
    ]);
  }
  const repositories = [refOf(7), refOf(8)];
  const added = {
    kind: 'installation' as const,
    action: 'added' as const,
    installationId: 42,
    repositories,
  };
  await store.append([
    timer('both', 'installation:42', { data: { kind: 'trigger', trigger: added } }),
  ]);
  const log = await startLog(store, (work) => {
    if (work.kind === 'effect')
      return work.id.startsWith('dead')
        ? { kind: 'finish', status: 'dead', reason: `failed on ${work.lane ?? ''}` }
        : DONE;
    const { key } = work.event;
    if (key.startsWith('installation'))
      return { ...DONE, state: { key, expected: 0, value: { isRemoved: false, repositories } } };
    const repositoryId = Number(/\d+/.exec(key.replace('C1/', ''))?.[0]);
    const word = repositoryId === 7 ? CANARY : KEPT;
    if (key.startsWith('chat:'))
      return {
        ...DONE,
        state: {
          key,
          expected: 0,
          value: { v: 1, repository: refOf(repositoryId), heard: [word] },
        },
      };
    return {
      ...DONE,
      state: { key, expected: 0, value: { v: 1, thread: refOf(repositoryId), text: word } },
      effects: [
        commentOf(repositoryId, `f${repositoryId}`, word),
        commentOf(repositoryId, `dead${repositoryId}`, word),
      ],
      events: [
        timer(`later${repositoryId}`, `build:${repositoryId}/${word}`, { delayMs: DAY_MS }),
        timer(`p${repositoryId}`, `precision:${repositoryId}`, { delayMs: DAY_MS }),
      ],
    };
  });
  await waitUntil(
    async () =>
      (await records.counts()).effects.done === 2 && (await records.counts()).effects.dead === 2,
  );
  await log.stop();
}

async function list(rows: AsyncIterable<KeptRow>): Promise<KeptRow[]> {
  const all: KeptRow[] = [];
  for await (const row of rows) all.push(row);
  return all;
}

/** The rows of another repository, without what changes by itself. */
async function of(store: Store, target: ErasureTarget): Promise<string[]> {
  return (await list(store.erasure.rows(target))).map((row) => JSON.stringify(row)).toSorted();
}

const SECRET = { kind: 'repository', repositoryId: 7 } as const;
const OPEN = { kind: 'repository', repositoryId: 8 } as const;

export function describeErasure({ store: current, reopen, dump }: ErasurePlace): void {
  describe('erasure', () => {
    test('a repository is erased from every table and file, and others keep every row', async () => {
      await fill(current());
      const before = (await of(current(), OPEN)).filter((row) => !row.includes('installation:42'));
      const counted = await current().erasure.count(SECRET);
      const exported = JSON.stringify(await list(current().erasure.rows(SECRET)));
      expect(exported).toContain(CANARY);
      expect(exported).not.toContain(KEPT);
      const spent = await current().records.spent({});

      expect(await current().erasure.erase(SECRET)).toEqual(counted);
      await current().erasure.compact();
      await reopen();
      const left = await dump();
      expect(left).not.toContain(CANARY);
      expect(left).toContain(KEPT);
      expect((await of(current(), OPEN)).filter((row) => !row.includes('installation:42'))).toEqual(
        before,
      );
      expect(await current().records.spent({})).toEqual(spent);
      expect(await current().records.spent({ repositoryId: 7 })).toMatchObject({ calls: 0 });
      expect(await current().records.spent({ person: 1007 })).toMatchObject({ calls: 0 });
      expect(await current().records.spent({ person: 1008 })).toMatchObject({ calls: 2 });
      // What an installation has spent of its cap is not given back by erasing one of its repositories.
      expect(await current().records.spent({ installationId: 42 })).toMatchObject({ calls: 4 });
      expect(await current().erasure.count(SECRET)).toEqual({
        events: 0,
        effects: 0,
        states: 0,
        ledger: 0,
      });
      const { state } = (await current().load('installation:42')) ?? {};
      expect(state).toMatchObject({
        repositories: [{ repositoryId: 7, repo: 'erased' }, refOf(8)],
      });
    });

    test('counts equal the log after an erasure, and what else waits is given out', async () => {
      await fill(current());
      await current().append([commented(7, ['waits7', CANARY]), commented(8, ['waits8', KEPT])]);
      await current().erasure.erase(SECRET);
      const log = await startLog(current());
      await waitUntil(() => log.ids().includes('waits8'));
      await log.stop();
      expect(log.ids()).toEqual(['waits8']);
      const { events, effects } = await current().records.counts();
      const stored = await current().records.events({ limit: 100 });
      const pending = stored.filter(({ status }) => status === 'pending').length;
      expect(events.pending).toBe(pending);
      expect(effects.dead).toBe(1);
      await reopen();
      expect((await current().records.counts()).effects.dead).toBe(1);
    });

    test('work that is in hand meanwhile is refused when it is settled, and leaves nothing behind', async () => {
      await current().append([commented(7, ['held7', CANARY]), commented(8, ['held8', KEPT])]);
      const hold = gate();
      const failures: unknown[] = [];
      const worker = await current().work({
        concurrency: 4,
        consume: async (work) => {
          if (work.id === 'held7') await hold.wait;
          const key = work.lane ?? '';
          const state = { key, expected: 0, value: { text: CANARY } };
          await current()
            .settle(work, work.id === 'held7' ? { ...DONE, state } : DONE)
            .catch((error: unknown) => failures.push(error));
        },
      });
      await waitUntil(async () => (await current().records.counts()).events.done === 1);
      await current().erasure.erase(SECRET);
      hold.open();
      await waitUntil(() => failures.length === 1);
      await worker.stop(5000);
      expect(failures).toMatchObject([{ code: 'work-lost' }]);
      await current().erasure.compact();
      expect(await dump()).not.toContain(CANARY);
    });

    test('an installation is erased with its repositories, but for those that another one covers', async () => {
      await fill(current());
      const at = { at: { ...refOf(8, 43), repo: KEPT } };
      await current().append([timer('moved', 'repository:8')]);
      const log = await startLog(current(), () => ({
        ...DONE,
        state: { key: 'repository:8', expected: 0, value: { v: 1, ...at } },
      }));
      await waitUntil(async () => (await current().load('repository:8')) !== undefined);
      await log.stop();
      await current().erasure.erase(SECRET);
      await current().erasure.erase({ kind: 'installation', installationId: 42 });
      await current().erasure.compact();
      const callsOf = async (filter: SpendFilter) => (await current().records.spent(filter)).calls;
      const left42 = [await callsOf({ installationId: 42 }), await callsOf({ repositoryId: 8 })];
      expect(left42).toEqual([2, 2]);
      const keys = await current().erasure.keys();
      expect(keys.filter((key) => /[:/](?:7|42)\b/.test(key))).toEqual([]);
      expect(keys).toContain('thread:8/1');
      const left = await dump();
      expect(left).not.toContain(CANARY);
      expect(left).toContain(KEPT);
    });

    test('names and logins lead to ids, in upper and lower case', async () => {
      await fill(current());
      expect(await current().erasure.find({ repository: `ACME/${CANARY}` })).toEqual([7]);
      expect(await current().erasure.find({ repository: 'acme/unknown' })).toEqual([]);
      expect(await current().erasure.find({ login: 'ANA' })).toEqual([5]);
      expect(await current().erasure.logins(5)).toEqual(['ana']);
    });

    test("a deleted comment's text goes out of events, states and waiting effects of its thread", async () => {
      const thread = { ...refOf(8), number: 1 };
      const author = { id: 5, login: 'ana', isBot: false };
      const comments = [
        { id: 91, author, body: `- ${CANARY} is what I think` },
        { id: 92, author, body: KEPT },
      ];
      await current().append([commented(8, ['look', KEPT])]);
      const log = await startLog(current(), (work) =>
        work.kind === 'effect'
          ? undefined
          : {
              ...DONE,
              state: {
                key: 'thread:8/1',
                expected: 0,
                value: { v: 1, thread, view: { comments } },
              },
              effects: [commentOf(8, 'quoting', `Ana said: ${CANARY} is what I think`)],
            },
      );
      await waitUntil(() => log.given.length === 2);
      await log.stop(0);
      const target = { kind: 'comment', repositoryId: 8, number: 1, commentId: 91 } as const;
      expect(await current().erasure.erase(target)).toMatchObject({ effects: 1, states: 1 });
      await current().erasure.compact();
      const left = await dump();
      expect(left).not.toContain(CANARY);
      expect(left).toContain(KEPT);
      expect((await current().load('thread:8/1'))?.state).toMatchObject({
        view: { comments: [{ id: 91, author, body: '[erased]' }, comments[1]] },
      });
      const again = await startLog(current());
      await idle(current());
      expect(again.given).toMatchObject([{ effect: { data: { body: 'Ana said: [erased]' } } }]);
    });

    test('a deleted thread keeps no content, and its waiting work ends', async () => {
      await fill(current());
      await current().append([commented(7, ['waits', 'x'])]);
      await current().erasure.erase({ kind: 'thread', repositoryId: 7, number: 1 });
      expect(await current().load('thread:7/1')).toBeUndefined();
      expect(await current().records.events({ key: 'thread:7/1', limit: 9 })).toMatchObject([
        { id: 'waits' },
      ]);
      expect(await current().records.effects({ key: 'thread:7/1', limit: 9 })).toEqual([]);
      expect(await current().requeue({ status: 'dead' })).toBe(1);
    });

    test("a person's texts, id and logins are replaced; what others wrote stays", async () => {
      const ana = { id: 5, login: 'Ana-Canary', isBot: false };
      const tom = { id: 6, login: 'tom', isBot: false };
      const value = {
        v: 1,
        issue: { number: 1, title: `${CANARY} title`, author: ana, state: 'open' },
        comments: [{ id: 1, author: tom, body: `@ana-canary ${KEPT}` }],
        paused: { by: 'Ana-Canary', why: `${CANARY} why` },
      };
      await current().append([timer('e', 'thread:8/1')]);
      const log = await startLog(current(), () => ({
        ...DONE,
        state: { key: 'thread:8/1', expected: 0, value },
      }));
      await idle(current());
      await log.stop();
      await current().erasure.erase({ kind: 'user', id: 5, logins: ['Ana-Canary'] });
      await current().erasure.compact();
      const left = await dump();
      expect(left).not.toContain(CANARY);
      expect(left.toLowerCase()).not.toContain('ana-canary');
      expect((await current().load('thread:8/1'))?.state).toEqual({
        v: 1,
        issue: {
          number: 1,
          title: '[erased]',
          author: { ...ana, id: 10_137, login: 'ghost' },
          state: 'open',
        },
        comments: [{ id: 1, author: tom, body: `@ghost ${KEPT}` }],
        paused: { by: 'ghost', why: '[erased]' },
      });
    });

    test('what is older than its retention goes; totals, and states of repositories, stay', async () => {
      await fill(current());
      await current().append([timer('r', 'repository:7')]);
      const log = await startLog(current(), () => ({
        ...DONE,
        state: { key: 'repository:7', expected: 0, value: { v: 1 } },
      }));
      await waitUntil(async () => (await current().load('repository:7')) !== undefined);
      await log.stop();
      const spent = await current().records.spent({});
      expect(await current().erasure.expire()).toBe(0);
      await reopen({ retention: { settledMs: -1, deadMs: -1, statesMs: -1, ledgerMs: -1 } });
      expect(await current().erasure.expire()).toBeGreaterThan(0);
      const { events, effects } = await current().records.counts();
      expect(events).toMatchObject({ done: 0, ignored: 0, pending: 4 });
      expect(effects).toMatchObject({ done: 0, dead: 0 });
      expect(await current().load('thread:7/1')).toBeUndefined();
      expect(await current().load('repository:7')).toBeDefined();
      expect(await current().records.spent({})).toEqual(spent);
      expect(await current().records.spent({ repositoryId: 7 })).toMatchObject({ calls: 1 });
      expect(await current().erasure.expire()).toBe(0);
    });
  });
}
