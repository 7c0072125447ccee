/** People approve one head one after the other: what one says never takes away what another said. */
import { expect, test } from 'vitest';
import { Config } from '../../../src/domain/config/config.ts';
import type { Event } from '../../../src/domain/event/event.ts';
import type { PullWord } from '../../../src/domain/task/task.ts';
import {
  ANA,
  HEAD,
  mergeView as view,
  playToPull,
  REVIEWED,
  TOM,
  type TaskPlay,
} from '../../helpers/a-task.ts';

const EVE = { id: 15, login: 'eve', isBot: false };
const CONFIG = Config.parse({ merge: { mode: 'auto' } });
const OTHER = 'f'.repeat(40);

type Said = [typeof ANA, string?];

function says(kind: 'approved' | 'merge', [by, headSha = HEAD]: Said): Event['data'] {
  const word: PullWord = { by, headSha, at: '2026-11-22T09:00:00Z' };
  return { kind: 'pull-told', run: 'r', news: { kind, word } };
}

function look(play: TaskPlay): TaskPlay {
  const permissions = { [ANA.id]: 'admin', [TOM.id]: 'write', [EVE.id]: 'read' } as const;
  return play.answer(view({ config: CONFIG, permissions })) as unknown as TaskPlay;
}

const isMerging = (play: TaskPlay): boolean =>
  play.effects.some(({ data }) => data.kind === 'merge');

test.each<[string, Said[], { merges: boolean; kind?: 'approved' | 'merge' }]>([
  ['somebody who may, then who asked for the work', [[TOM], [ANA]], { merges: true }],
  ['somebody who may, then one who may not write', [[TOM], [EVE]], { merges: true }],
  ['somebody who may, then one about another head', [[TOM], [ANA, OTHER]], { merges: true }],
  ['the same person, then about another head', [[TOM], [TOM, OTHER]], { merges: true }],
  ['only who asked for the work and one who may not write', [[ANA], [EVE]], { merges: false }],
  [
    'somebody who may, then who asked for the work, with `/pm merge`',
    [[TOM], [ANA]],
    { merges: true, kind: 'merge' },
  ],
])('a head is merged after words of %s: %#', (_, words, { merges, kind = 'approved' }) => {
  const play = playToPull();
  play.send(REVIEWED);
  // One look is under way all the time: it sees what all of them said.
  for (const each of words) play.send(says(kind, each));
  look(play);
  if (!isMerging(play)) {
    play.send({ kind: 'pull-told', run: 'r', news: { kind: 'moved' } });
    look(play);
  }
  expect(isMerging(play)).toBe(merges);
});

test('the look reads the permission of each of them, and a person who repeats it is kept once', () => {
  const play = playToPull();
  play.send(REVIEWED);
  for (const by of [TOM, ANA, TOM, EVE, TOM]) play.send(says('approved', [by]));
  look(play);
  play.send({ kind: 'pull-told', run: 'r', news: { kind: 'moved' } });
  const { people } = play.last('look-merge');
  expect(people.map(({ login }) => login).toSorted()).toEqual(['ana', 'eve', 'tom']);
});
