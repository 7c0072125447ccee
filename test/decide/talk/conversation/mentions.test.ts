/** A person who mentions the team and gets no answer sees at least that the comment was read. */
import { expect, test } from 'vitest';
import type { TalkView } from '../../../../src/domain/run/talk.ts';
import { aComment } from '../../../helpers/an-issue.ts';
import { aTalkView } from '../../../helpers/a-talk.ts';
import { verifies } from '../../../verifies.ts';
import { onRun } from '../commands/run-here.ts';
import { AT, BEFORE, say } from '../commands/say-on-thread.ts';

const MENTION = '@maya where is it?';
const ASKED = aComment({ id: 900, body: MENTION, createdAt: AT });
const address = { isOnlyCommands: false };

/** Our own comments within the last hour, before the mention. */
function said(count: number): TalkView['comments'] {
  const { self } = aTalkView('');
  return Array.from({ length: count }, (_, id) =>
    aComment({ id, author: self, createdAt: BEFORE, body: 'x' }),
  );
}

test('a discussion that goes on hears it, and nods', () => {
  const came = say(MENTION, { state: onRun({}), address, view: { comments: [ASKED] } });
  expect(came).toMatchObject({ reaction: 'eyes', said: '', effects: [] });
  const stranger = { comments: [ASKED], permission: 'read' as const };
  expect(say(MENTION, { state: onRun({}), address, view: stranger }).reaction).toBeUndefined();
  const other = { comments: [{ ...ASKED, body: 'where is it?' }] };
  expect(say('where is it?', { state: onRun({}), address, view: other }).reaction).toBeUndefined();
});

test('beyond what the team says in an hour it gets a reaction', () => {
  const came = say(MENTION, { address, view: { comments: [...said(12), ASKED] } });
  expect(came).toMatchObject({ reaction: 'confused', said: '', effects: [] });
});

test('what the state of the thread forbids to answer gets a reaction', () => {
  const closed = say(MENTION, { address, view: { comments: [ASKED] }, issue: { state: 'closed' } });
  expect(closed).toMatchObject({ reaction: 'confused', said: '', effects: [] });
});

verifies('TG-13', 'a persona stops replying to other agents when its own file says so', () => {
  const { self, config, personas } = aTalkView('');
  const robo = { id: 77, login: 'robo', isBot: false };
  const comments = [
    aComment({ id: 1, body: MENTION, createdAt: BEFORE }),
    aComment({ id: 2, author: self, body: 'In `src/cli.ts`.', createdAt: BEFORE }),
    aComment({ id: 3, body: 'Thanks, and the tests?', createdAt: BEFORE }),
    aComment({ id: 900, author: robo, body: MENTION, createdAt: AT }),
  ];
  const listed = { ...config, access: { ...config.access, peers: ['robo'] } };
  const ask = (replies?: number) => {
    const own = personas.map((each) =>
      each.handle === 'maya' && replies !== undefined
        ? { ...each, conversation: { replies } }
        : each,
    );
    const view = { comments, config: listed, personas: own };
    return say(MENTION, { address, actor: robo, view });
  };
  // It waits its turn, as where other agents take part.
  expect(ask().told.map(({ data }) => data.kind)).toEqual(['timer']);
  expect(ask(2).told.map(({ data }) => data.kind)).toEqual(['timer']);
  expect(ask(1).told).toEqual([]);
});
