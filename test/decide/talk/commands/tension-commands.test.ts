/** `/pm standup`, `/pm tensions` and `/pm tension`: what is answered at once, what is wanted, and what follows from it. */
import { describe, expect, test } from 'vitest';
import { defaultConfig } from '../../../../src/domain/config/config.ts';
import type { Tension, TensionBook } from '../../../../src/domain/tension/tension.ts';
import { followUpTitle } from '../../../../src/domain/tension/follow-up-issue.ts';
import type { ThreadState } from '../../../../src/decide/run/thread-context.ts';
import { TEAM } from '../../../helpers/an-issue.ts';
import { THREAD } from '../../../helpers/play.ts';
import { aTension, StandupPlay } from '../../kinds/standup/play-standup.ts';
import { NOW_ISO, say, type Came } from './say-on-thread.ts';

function bookOf(...tensions: Partial<Tension>[]): TensionBook {
  const all = tensions.map((over, n) => aTension({ number: n + 1, ...over }));
  return { v: 1, next: all.length + 1, tensions: all };
}

const saying = (words: string, ...tensions: Partial<Tension>[]): Came =>
  say(words, { view: { tensions: bookOf(...tensions) } });

describe('/pm standup', () => {
  test('looks back on what is here, asked by a person', () => {
    expect(say('/pm standup').effects).toMatchObject([
      { kind: 'look-standup', thread: THREAD, source: { outcome: 'completed', isAsked: true } },
    ]);
  });

  test.each([
    { how: 'stuck', over: { isStuck: true as const }, outcome: 'failed' },
    { how: 'at work', over: {}, outcome: 'completed' },
  ])('on a plan that is $how it looks back on one that $outcome', ({ over, outcome }) => {
    const plan = { id: 'p', step: 0, thread: THREAD, ...over };
    const [look] = say('/pm standup', { state: { plan } }).effects;
    expect(look).toMatchObject({ source: { outcome } });
  });

  test('is refused where standups are switched off', () => {
    const config = defaultConfig();
    config.standup.enabled = false;
    const came = say('/pm standup', { view: { config } });
    expect([came.effects, came.reaction]).toEqual([[], 'confused']);
    expect(came.said).toContain('`standup.enabled`');
  });

  test('while one is held, another is not begun', () => {
    const { state } = say('/pm standup');
    const came = say('/pm standup', { state, id: 901 });
    expect(came.effects).toEqual([]);
    expect(came.said).toContain('A standup is being held here');
  });
});

describe('/pm tensions', () => {
  test.each([
    ['none', []],
    ['only settled ones', [{ state: 'closed' }, { state: 'rejected' }]],
  ] as const)('of %s says so', (_, tensions) => {
    expect(saying('/pm tensions', ...tensions).said).toBe('No tension is open in this repository.');
  });

  test('lists those that ask something of people, most often seen first, each with its facts', () => {
    const { said } = saying(
      '/pm tensions',
      { message: 'once' },
      { message: 'over', state: 'closed' },
      { message: 'often', seen: 4 },
      { message: 'wanted', state: 'accepted' },
      { message: 'followed', state: 'accepted', issue: 31 },
    );
    expect(said.split('\n')).toEqual([
      '**4 tensions open**',
      '',
      '- **3** `often` (`risk`, maya, seen 4 times, since 2026-03-02)',
      '- **1** `once` (`risk`, maya, seen once, since 2026-03-02)',
      '- **4** `wanted` (`risk`, maya, seen once, since 2026-03-02, accepted)',
      '- **5** `followed` (`risk`, maya, seen once, since 2026-03-02, follow-up #31)',
      '',
      'Decide with `/pm tension accept N` or `/pm tension reject N why`.',
    ]);
  });

  test.each([
    { count: 1, head: '**1 tension open**', lines: 1, more: undefined },
    { count: 20, head: '**20 tensions open**', lines: 20, more: undefined },
    {
      count: 23,
      head: '**23 tensions open**',
      lines: 20,
      more: '3 more: `quorum standup list` shows all of them.',
    },
  ])('$count of them: $lines are listed', ({ count, head, lines, more }) => {
    const { said } = saying('/pm tensions', ...Array.from({ length: count }, () => ({})));
    const told = said.split('\n').filter((line) => line !== '');
    expect(told[0]).toBe(head);
    expect(told.filter((line) => line.startsWith('- **'))).toHaveLength(lines);
    expect(told.find((line) => line.includes('more:'))).toBe(more);
  });
});

describe('/pm tension', () => {
  test.each([
    {
      words: 'accept 1',
      move: { kind: 'accept', which: { number: 1 }, by: 'ana' },
      told: 'Tension 1 is accepted. Quorum opens its follow-up issue.',
    },
    {
      words: 'ACCEPT #1',
      move: { kind: 'accept', which: { number: 1 }, by: 'ana' },
      told: 'Tension 1 is accepted. Quorum opens its follow-up issue.',
    },
    {
      words: 'reject 1 it is meant so',
      move: { kind: 'reject', which: { number: 1 }, by: 'ana', why: 'it is meant so' },
      told: 'Tension 1 is rejected. It stays silent until what it rests on changes.',
    },
  ])('$words moves it, in the name of the person and with what it needs', (row) => {
    const came = saying(`/pm tension ${row.words}`, {});
    expect(came.said).toContain(row.told);
    expect(came.wants).toEqual([`move-tensions in tensions:${THREAD.repositoryId}, waits`]);
    expect(came.effects).toMatchObject([
      { thread: THREAD, moves: [row.move], authority: { user: { login: 'ana' }, needed: 'write' } },
    ]);
    expect(Object.values(came.state.tensionMoves ?? {})).toMatchObject([{ thread: THREAD }]);
  });

  test.each([
    { words: 'accept 7', tension: {}, why: 'There is no tension 7 here.' },
    { words: 'reject 7 no', tension: {}, why: 'There is no tension 7 here.' },
    { words: 'reject 1', tension: {}, why: 'Say why tension 1 is rejected' },
    {
      words: 'accept 1',
      tension: { state: 'closed' as const },
      why: 'Tension 1 is closed and cannot be accepted.',
    },
    {
      words: 'reject 1 no',
      tension: { state: 'closed' as const },
      why: 'Tension 1 is closed and cannot be rejected.',
    },
  ])('$words is refused, and moves nothing', ({ words, tension, why }) => {
    const came = saying(`/pm tension ${words}`, tension);
    expect([came.effects, came.reaction]).toEqual([[], 'confused']);
    expect(came.said).toContain(why);
  });

  test('a reason is kept to 500 characters', () => {
    const why = 'no more '.repeat(80).trim();
    const [move] = saying(`/pm tension reject 1 ${why}`, {}).effects;
    expect(move).toMatchObject({ moves: [{ why: why.slice(0, 500).trim() }] });
  });

  test('one that has its follow-up is answered with it, and moves nothing', () => {
    const came = saying('/pm tension accept 1', { state: 'accepted', issue: 31 });
    expect(came.said).toContain('Tension 1 has its follow-up: #31.');
    expect(came.effects).toEqual([]);
  });

  test('where nothing was ever raised, there is no tension', () => {
    expect(say('/pm tension accept 1').said).toContain('There is no tension 1 here.');
    expect(say('/pm tensions').said).toBe('No tension is open in this repository.');
  });
});

describe('what follows from a command', () => {
  function moving(state: ThreadState = saying('/pm tension accept 1', {}).state): StandupPlay {
    const play = new StandupPlay(state);
    const [id = ''] = Object.keys(state.tensionMoves ?? {});
    play.expect({ id, run: id.split('/')[0] ?? '', kind: 'move-tensions' });
    return play;
  }
  const accepted = aTension({ state: 'accepted', by: 'ana' });

  test('an accepted tension gets its follow-up, which is linked and told what it is for', () => {
    const play = moving().answer('move-tensions', {
      moved: [{ isMoved: true, tension: accepted }],
    });
    expect(play.wants('issue')).toMatchObject([{ marker: { kind: 'standup', key: 'tension-1' } }]);
    expect(Object.values(play.state.tensionMoves ?? {})).toMatchObject([
      { thread: THREAD, tension: 1 },
    ]);
    play.answer('issue', { outcome: 'created', number: 31, url: '' });
    expect(play.effects).toMatchObject([
      {
        lane: `tensions:${THREAD.repositoryId}`,
        isUnheard: true,
        data: {
          kind: 'move-tensions',
          thread: THREAD,
          moves: [{ kind: 'link', number: 1, issue: 31 }],
        },
      },
      { isUnheard: true, data: { kind: 'comment', thread: THREAD, isNew: true } },
    ]);
    expect(play.events).toMatchObject([
      {
        key: `thread:${THREAD.repositoryId}/31`,
        data: { kind: 'followed-up', tension: 1, standup: THREAD },
      },
    ]);
    expect(play.events[0]?.id).toMatch(/\/follows-1$/);
    expect(play.state.tensionMoves).toEqual({});
  });

  test('the persona that raised it tells who asked, in its own sentence', () => {
    const [maya] = TEAM.filter(({ handle }) => handle === 'maya');
    const phrases = { issueCreated: '@{{username}}, written down as {{url}}: {{title}}' };
    const personas = [{ ...(maya ?? TEAM[0]), phrases }] as typeof TEAM;
    const toldBy = (view: { personas: typeof TEAM }): unknown[] => {
      const { state } = say('/pm tension accept 1', { view: { tensions: bookOf({}), ...view } });
      return moving(state)
        .answer('move-tensions', { moved: [{ isMoved: true, tension: accepted }] })
        .answer('issue', { outcome: 'created', number: 31, url: '' })
        .wants('comment')
        .map(({ body }) => body);
    };
    const title = followUpTitle(accepted.message);
    expect(toldBy({ personas })).toEqual([`**Maya**: \`@ana\`, written down as #31: ${title}`]);
    expect(toldBy({ personas: [] })).toEqual(['`@ana`, the issue is open: #31']);
  });

  test('a move that an older version wanted tells nobody', () => {
    const { state } = saying('/pm tension accept 1', {});
    const kept = Object.keys(state.tensionMoves ?? {}).map(
      (id) => [id, { thread: THREAD }] as const,
    );
    const older = { ...state, tensionMoves: Object.fromEntries(kept) };
    const play = moving(older)
      .answer('move-tensions', { moved: [{ isMoved: true, tension: accepted }] })
      .answer('issue', { outcome: 'created', number: 31, url: '' });
    expect(play.wants('comment')).toEqual([]);
  });

  test.each<[string, Parameters<StandupPlay['answer']>[1]]>([
    ['one that was not moved', { moved: [{ isMoved: false, why: 'no' }] }],
    ['one with a follow-up', { moved: [{ isMoved: true, tension: { ...accepted, issue: 31 } }] }],
    ['a rejected one', { moved: [{ isMoved: true, tension: aTension({ state: 'rejected' }) }] }],
  ])('%s needs none', (_, result) => {
    const play = moving().answer('move-tensions', result as never);
    expect([play.effects, play.events]).toEqual([[], []]);
    expect(play.ignored).toBe('the tensions are as the command wanted them');
    expect(play.state.tensionMoves).toEqual({});
  });

  test('an issue that came to nothing links nothing', () => {
    const play = moving()
      .answer('move-tensions', { moved: [{ isMoved: true, tension: accepted }] })
      .answer('issue', { outcome: 'created', number: 0, url: '' });
    expect([play.effects, play.events]).toEqual([[], []]);
  });

  test.each(['move-tensions', 'issue'] as const)(
    'a failure of %s is reported, since the command was answered already',
    (kind) => {
      const play = moving();
      if (kind === 'issue')
        play.answer('move-tensions', { moved: [{ isMoved: true, tension: accepted }] });
      play.fail(kind, 'github-unavailable');
      expect(play.wants('comment')).toMatchObject([
        {
          thread: THREAD,
          isNew: true,
          marker: { kind: 'notice' },
          body: 'The tension was not changed (`github-unavailable`): `no`',
        },
      ]);
      expect(play.effects[0]).toMatchObject({ isUnheard: true, at: NOW_ISO });
      expect(play.state.tensionMoves).toEqual({});
    },
  );
});
