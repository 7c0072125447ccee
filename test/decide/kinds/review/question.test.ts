/** A review that asks a person something: who may answer, who is reminded, and what asks for another review meanwhile. */
import { describe, expect, test } from 'vitest';
import type { Actor, Permission } from '../../../../src/domain/run/thread-ref.ts';
import type { CommentView } from '../../../../src/domain/run/view.ts';
import { aPullView } from '../../../helpers/a-finding.ts';
import { aComment, aPosition, aVerdict } from '../../../helpers/an-issue.ts';
import { ANA, play, THREAD, type Play } from '../../../helpers/play.ts';
import { verifies } from '../../../verifies.ts';

const HEAD = 'b'.repeat(40);
const TOM: Actor = { id: 200, login: 'tom', isBot: false };
const EVE: Actor = { id: 300, login: 'eve', isBot: false };

interface Waiting {
  played: Play;
  /** Somebody comments, and what follows is reduced. */
  say(author: Actor, permission: Permission): void;
  /** The same, but what is wanted then waits. */
  begin(author: Actor, permission: Permission): void;
}

/** A review of tom's change, pushed by ana, that waits for an answer; then the lead approves. */
function aWaitingReview(): Waiting {
  let verdicts = 0;
  const comments: CommentView[] = [];
  const played = play({
    look: () => ({ code: 'bug', message: '', retryable: false }),
    pull: () => aPullView({ pull: { author: TOM }, comments: [...comments] }),
    ask: (ask) => {
      if (ask.purpose !== 'verdict') return aPosition({ vote: 'APPROVE' });
      verdicts += 1;
      const verdict = verdicts === 1 ? 'HUMAN' : 'APPROVE';
      return aVerdict({ verdict, question: 'Keep the old flag?' });
    },
  });
  const about = { thread: THREAD, actor: ANA };
  played.send({ kind: 'pull', action: 'opened', headSha: HEAD, ...about });
  expect(played.run()).toMatchObject({ status: 'blocked', needsYou: { owner: 'tom' } });
  const begin = (author: Actor, permission: Permission): void => {
    const id = 600 + comments.length;
    comments.push(aComment({ id, author, permission, body: 'Yes.' }));
    played.hold({
      kind: 'commented',
      thread: THREAD,
      actor: author,
      commentId: id,
      isByBot: author.isBot,
    });
  };
  const say = (author: Actor, permission: Permission): void => {
    begin(author, permission);
    played.settle();
  };
  return { played, say, begin };
}

const verdictsOf = ({ played }: Waiting): number =>
  played.of('ask').filter(({ purpose }) => purpose === 'verdict').length;

const SPEAKERS: [string, Actor, Permission, boolean][] = [
  ['a stranger', EVE, 'none', false],
  ['somebody who may only read', EVE, 'read', false],
  ['somebody with triage', EVE, 'triage', true],
  ['somebody with write', EVE, 'write', true],
  ['the author, whatever their role', TOM, 'none', true],
  ['who only pushed, and has lost the role', ANA, 'none', false],
];

describe('the answer', () => {
  for (const [who, author, permission, counts] of SPEAKERS)
    verifies(['NW-10', 'P4'], `by ${who} ${counts ? 'resumes' : 'does not resume'} it`, () => {
      const waiting = aWaitingReview();
      waiting.say(author, permission);
      expect(waiting.played.run().status).toBe(counts ? 'consensus' : 'blocked');
      expect(verdictsOf(waiting)).toBe(counts ? 2 : 1);
    });

  verifies('NW-10', 'is kept, even when others comment while the lead thinks about it', () => {
    const waiting = aWaitingReview();
    waiting.begin(TOM, 'read');
    waiting.played.settle(({ data }) => data.kind === 'look-pull');
    waiting.say(EVE, 'none');
    waiting.played.passTime(5 * 60_000);
    expect(waiting.played.run().status).toBe('consensus');
  });
});

test('the owner is reminded, and nobody is asked again for that', () => {
  const waiting = aWaitingReview();
  waiting.played.passTime(25 * 3_600_000);
  expect(waiting.played.bodies()).toHaveLength(1);
  expect(waiting.played.bodies()[0]).toContain('@tom');
  expect(verdictsOf(waiting)).toBe(1);
  expect(waiting.played.run().status).toBe('blocked');
});
