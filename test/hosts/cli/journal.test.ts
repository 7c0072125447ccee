/** `quorum journal` on a store that is there. */
import { describe, expect, test } from 'vitest';
import { openSqliteStore } from '../../../src/adapters/store/sqlite/open-sqlite.ts';
import { systemClock } from '../../../src/adapters/system/system-clock.ts';
import { aCall, OPENED, said, THREAD, THREAD_KEY } from '../../record/a-record.ts';
import { EVENT_VERSION, type EventData } from '../../../src/domain/event/event.ts';
import { quorum } from './fake-io.ts';
import { gitFolder } from './git-folder.ts';
import { temporaryFolder } from './temporary-folder.ts';

/** A store in which these repositories have a thread #12 that was opened and commented on. */
async function storeWith(...repositoryIds: readonly number[]): Promise<string> {
  const dir = temporaryFolder();
  const store = await openSqliteStore({ dir, clock: systemClock });
  for (const repositoryId of repositoryIds) {
    const key = THREAD_KEY.replace('7', String(repositoryId));
    const events = [OPENED, ...said('Smallest first.')].map((data, n) => ({
      id: `${repositoryId}-${n}`,
      key,
      version: EVENT_VERSION,
      at: `2026-03-02T09:0${n}:00.000Z`,
      data: { ...data, ...ofRepository(data, repositoryId) },
      ignoredReason: 'recorded',
    }));
    await store.append(events);
    await store.records.settleCall('none', [aCall({ id: `c${repositoryId}`, key, repositoryId })]);
  }
  await store.close();
  return dir;
}

/** The same event in another repository of the same name. */
function ofRepository(data: EventData, repositoryId: number): object {
  return data.kind === 'trigger'
    ? { trigger: { ...data.trigger, thread: { ...THREAD, repositoryId } } }
    : {};
}

const NAME = `${THREAD.owner}/${THREAD.repo}`;

describe('quorum journal', () => {
  test('prints what happened, twice the same bytes', async () => {
    const env = { QUORUM_DATA: await storeWith(7) };
    const first = await quorum(['journal', `${NAME}#12`], { env });
    expect(first).toMatchObject({ code: 0, err: '' });
    expect(first.out).toMatch(/^# Journal of acme\/shop#12\n/);
    expect(first.out).toContain('09:02 · **`ana` wrote**\n\n> Smallest first.\n');
    expect(first.out).toContain('| team | `claude-x` | 1 | 1,500 | 500 | 200 | $0.02 |');
    expect((await quorum(['journal', `${NAME}#12`], { env })).out).toBe(first.out);
  });

  test.each(['12', '#12'])(
    'finds the repository of %s by the clone that it runs in',
    async (word) => {
      const { dir: cwd, git } = gitFolder({ 'a.txt': 'a' });
      git('remote', 'add', 'origin', `https://github.com/${NAME}.git`);
      const env = { QUORUM_DATA: await storeWith(7) };
      const { code, out } = await quorum(['journal', word], { env, cwd });
      expect([code, out.split('\n')[0]]).toEqual([0, '# Journal of acme/shop#12']);
    },
  );

  test('prints JSON for machines', async () => {
    const env = { QUORUM_DATA: await storeWith(7) };
    const { json } = await quorum(['journal', `${NAME}#12`, '--json'], { env });
    expect(json()).toMatchObject({
      thread: 'acme/shop#12',
      models: ['claude-x'],
      entries: [{ kind: 'person' }, { kind: 'person', quote: 'Smallest first.' }],
    });
  });

  test.each([
    ['nonsense', 'thread-invalid', /Give owner\/repo#12/],
    ['12', 'thread-invalid', /is not a clone/],
    [`${NAME}#13`, 'thread-unknown', /keeps no events of acme\/shop#13/],
    ['acme/other#12', 'thread-unknown', /keeps no events of acme\/other#12/],
  ])('refuses %s with %s', async (word, error, message) => {
    const env = { QUORUM_DATA: await storeWith(7) };
    const told = await quorum(['journal', word, '--json'], { env, cwd: temporaryFolder() });
    expect(told.code).toBe(2);
    expect(told.json()).toMatchObject({ error: { code: error } });
    expect(told.err).toMatch(message);
  });

  test('refuses a name that several repositories had, and takes the numeric id', async () => {
    const env = { QUORUM_DATA: await storeWith(7, 8) };
    const both = await quorum(['journal', `${NAME}#12`], { env });
    expect([both.code, both.err]).toEqual([2, expect.stringContaining('Give one of 7#12, 8#12.')]);
    const { out } = await quorum(['journal', '8#12'], { env });
    expect(out).toMatch(/^# Journal of acme\/shop#12\n/);
  });

  test('says where a store is missing', async () => {
    const env = { QUORUM_DATA: temporaryFolder() };
    const { code, err } = await quorum(['journal', `${NAME}#12`], { env });
    expect([code, err]).toEqual([2, expect.stringContaining('There is no store in')]);
  });
});
