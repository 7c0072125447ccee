/** A voice that people found wrong goes quiet in the reviews after that, and what it finds is still told. */
import { describe, expect, test } from 'vitest';
import type { FindingReply } from '../../../../src/domain/review/review.ts';
import { aDiff, aPullView, aReply } from '../../../helpers/a-finding.ts';
import { aPosition, aVerdict } from '../../../helpers/an-issue.ts';
import { ANA, play, THREAD, type Play } from '../../../helpers/play.ts';

const DOWN = { content: '-1', by: { ...ANA, id: 300 }, permission: 'triage' as const };
const UP = { ...DOWN, content: '+1' };

interface World {
  sha: string;
  /** How many lines each file prints for debugging: low, and `dev`'s. */
  files: Record<string, number>;
  replies: FindingReply[];
}

function aPullOf(world: World): Play {
  const diffs = () =>
    Object.entries(world.files).map(([path, count]) =>
      aDiff(
        path,
        Array.from({ length: count }, (_, n) => `console.log('${path} ${n}');`),
      ),
    );
  return play({
    look: () => ({ code: 'bug', message: '', retryable: false }),
    ask: ({ purpose }) =>
      purpose === 'verdict' ? aVerdict({ verdict: 'CHANGES' }) : aPosition({ vote: 'CHANGES' }),
    pull: () =>
      aPullView({
        pull: { headSha: world.sha },
        diff: diffs().join(''),
        replies: world.replies,
      }),
    feedback: () => ({ thread: THREAD, replies: world.replies, authorId: ANA.id, isMerged: true }),
  });
}

function push(played: Play, world: World, change: Partial<World>): void {
  Object.assign(world, change);
  const isFirst = played.effects.length === 0;
  const action = isFirst ? ('opened' as const) : ('pushed' as const);
  played.send({ kind: 'pull', action, thread: THREAD, actor: ANA, headSha: world.sha });
}

const keysOf = (played: Play): string[] =>
  played.of('review').flatMap(({ review }) => review.comments.map(({ key }) => key));

/** Twelve findings of `dev`, of each of which somebody with a role said this. */
function aJudgedPull(reaction: typeof DOWN): { played: Play; world: World } {
  const world: World = { sha: 'a'.repeat(40), files: { 'src/one.ts': 12 }, replies: [] };
  const played = aPullOf(world);
  push(played, world, {});
  const keys = keysOf(played);
  expect(keys).toHaveLength(12);
  const replies = keys.map((key) => aReply({ key, reactions: [reaction] }));
  push(played, world, { sha: 'b'.repeat(40), replies });
  return { played, world };
}

describe('after twelve thumbs down', () => {
  test('findings of the voice below high are folded in the text, numbered, and on no line', () => {
    const { played, world } = aJudgedPull(DOWN);
    expect(played.tally()['persona:dev']).toEqual({ accepted: 0, declined: 12, ignored: 0 });
    expect(played.tally()['rule:debug-print-left']?.declined).toBe(12);
    const before = keysOf(played).length;
    push(played, world, { sha: 'c'.repeat(40), files: { 'src/one.ts': 12, 'src/two.ts': 12 } });
    const shown = keysOf(played).slice(before);
    const body = played.of('review').at(-1)?.review.body ?? '';
    const muted = Number(/Muted: (\d+) findings below high/.exec(body)?.[1]);
    expect(muted).toBeGreaterThan(5);
    expect(shown.length + muted).toBe(12);
    expect(body).toContain('Dev: people accepted 0 of 12');
    expect(body).toMatch(/<sub>.* · muted below high: Dev · .*<\/sub>$/);
    const check = played.of('review-check').at(-1)?.check;
    expect(check?.annotations).toHaveLength(shown.length);
    const numbers = (played.state.ledger?.findings ?? []).flatMap(({ number }) => number ?? []);
    expect(numbers).toEqual(Array.from({ length: muted }, (_, n) => n + 1));
    expect(body).toContain(`\n${muted}. **low · A line prints for debugging.**`);
  });

  test('the voice counts again when people accept the findings that are shown', () => {
    const { played, world } = aJudgedPull(DOWN);
    push(played, world, {
      sha: 'c'.repeat(40),
      replies: world.replies.map((reply) => ({ ...reply, reactions: [UP] })),
    });
    expect(played.tally()['persona:dev']).toEqual({ accepted: 12, declined: 0, ignored: 0 });
    const before = keysOf(played).length;
    push(played, world, { sha: 'd'.repeat(40), files: { 'src/one.ts': 12, 'src/two.ts': 3 } });
    expect(keysOf(played).slice(before)).toHaveLength(3);
  });
});

test('a finding merged without a reply is ignored, and counted once however often it is reported', () => {
  const world: World = { sha: 'a'.repeat(40), files: { 'src/one.ts': 3 }, replies: [] };
  const played = aPullOf(world);
  push(played, world, {});
  world.replies = keysOf(played).map((key) => aReply({ key }));
  const end = { kind: 'ended', thread: THREAD, actor: ANA, how: 'closed' } as const;
  played.send(end);
  played.send(end);
  expect(played.tally()['persona:dev']).toEqual({ accepted: 0, declined: 0, ignored: 3 });
  world.replies = world.replies.map((reply) => ({ ...reply, reactions: [UP] }));
  played.send(end);
  expect(played.tally()['persona:dev']).toEqual({ accepted: 3, declined: 0, ignored: 0 });
});
