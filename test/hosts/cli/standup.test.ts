/** `quorum standup` on a store that is there. */
import { beforeEach, describe, expect, test } from 'vitest';
import { changeValue } from '../../../src/act/standup/change-value.ts';
import { openSqliteStore } from '../../../src/adapters/store/sqlite/open-sqlite.ts';
import {
  acceptTension,
  raiseTension,
  rejectTension,
} from '../../../src/domain/tension/move-tension.ts';
import { systemClock } from '../../../src/adapters/system/system-clock.ts';
import { anInsight, aStandup } from '../../helpers/a-kept-standup.ts';
import { verifies } from '../../verifies.ts';
import { quorum } from './fake-io.ts';
import { gitFolder } from './git-folder.ts';
import { temporaryFolder } from './temporary-folder.ts';

const AT = '2026-11-20T10:00:00.000Z';

let env: { QUORUM_DATA: string };
/** Not the folder of this project: that may be a clone of a repository, which is the default. */
let cwd: string;
beforeEach(async () => {
  cwd = temporaryFolder();
  const dir = temporaryFolder();
  env = { QUORUM_DATA: dir };
  const store = await openSqliteStore({ dir, clock: systemClock });
  const said = anInsight('The retry \u001B[31mhas no limit', { to: 'dev' });
  await store.standups.save(aStandup({ insights: [said, anInsight('', { from: 'priya' })] }));
  await changeValue(store.standups, { repository: 1, name: 'tensions' }, (before) => {
    const others = [
      anInsight('The cache is never cleared', { run: 'r00' }),
      anInsight('Names of days are English only', { run: 'r01', type: 'drift' }),
    ];
    const raised = [said, ...others].reduce(
      (book, insight) => raiseTension(book, insight, { at: AT, viewed: {} }).book,
      before,
    );
    const accepted = acceptTension(raised, 2, { by: 'ana', at: AT });
    if (!accepted.isMoved) throw new Error(accepted.why);
    const rejected = rejectTension(accepted.book, 3, { by: 'ana', at: AT, why: 'It is wanted' });
    if (!rejected.isMoved) throw new Error(rejected.why);
    return rejected.book;
  });
  const other = anInsight('Elsewhere', { run: 'r2', type: 'drift' });
  await store.standups.save(
    aStandup({ repository: 2, name: 'octo/other', run: 'r2', insights: [other] }),
  );
  await store.close();
});

describe('quorum standup', () => {
  test('lists insights with what became of them, and no escape sequence', async () => {
    const { code, out } = await quorum(['standup', 'list'], { env, cwd });
    expect(code).toBe(0);
    expect(out).toMatch(/r1 +maya +dev +risk +open +1/);
    expect(out).not.toContain('\u001B[31m');
    expect(out).toContain('2 insights, 1 without a tension');
  });

  test('prints the pinned fields for machines', async () => {
    const { json } = await quorum(['standup', 'list', '--type', 'drift', '--json'], { env, cwd });
    expect(json()).toMatchObject([
      { run: 'r2', from: 'maya', to: null, type: 'drift', message: 'Elsewhere', refs: [] },
    ]);
    expect(Object.keys(Object.values(json())[0] ?? {})).toEqual(
      expect.arrayContaining([
        'id',
        'run',
        'from',
        'role',
        'to',
        'type',
        'message',
        'refs',
        'actionable',
        'state',
        'seen',
      ]),
    );
  });

  test('means the repository of the clone that it runs in', async () => {
    const { dir, git } = gitFolder({ 'a.txt': 'a' });
    git('remote', 'add', 'origin', 'https://github.com/octo/other.git');
    const { json } = await quorum(['standup', 'list', '--json'], { env, cwd: dir });
    expect(json()).toMatchObject([{ run: 'r2' }]);
  });

  test('shows one run, and says where to look for an unknown one', async () => {
    const shown = await quorum(['standup', 'show', 'r1', '--json'], { env, cwd });
    expect(shown.json()).toMatchObject([{ from: 'maya' }, { from: 'priya', type: 'none' }]);
    const unknown = await quorum(['standup', 'show', 'r9'], { env, cwd });
    expect([unknown.code === 0, unknown.err]).toEqual([
      false,
      expect.stringContaining('quorum standup list'),
    ]);
  });

  verifies('LS-11: health is shown', 'shows trends of a repository by its name or id', async () => {
    for (const repo of ['octo/repo', '1']) {
      const { out } = await quorum(['standup', 'trends', '--repo', repo], { env, cwd });
      expect(out).toContain('50 % of 2 answers (too-few)');
      expect(out).toMatch(/length +5 words an insight/);
      expect(out).toMatch(/useful +unknown of the reactions/);
      expect(out).toMatch(/dismissed +50 % of the judged tensions/);
      expect(out).toMatch(/fix cycles +2 a run, 2 lately/);
      expect(out).toMatch(/of maya +3 raised, 1 accepted, 1 rejected, 0 closed/);
      expect(out).toMatch(/as risk +2 raised, 1 accepted, 0 rejected, 0 closed/);
      expect(out).toMatch(/as drift +1 raised, 0 accepted, 1 rejected, 0 closed/);
      expect(out).toMatch(/dropped +1 insight that cited what does not exist/);
    }
    const none = await quorum(['standup', 'trends', '--repo', 'octo/unknown'], { env, cwd });
    expect([none.code === 0, none.err]).toEqual([
      false,
      expect.stringContaining('No standup is kept'),
    ]);
  });
});
