/**
 * A pull request that conflicts with its moved base: Quorum writes it again, as often as a conflict
 * allows, whatever reviews wanted.
 */
import { describe, expect, test } from 'vitest';
import {
  ANA,
  BASE,
  GOOD,
  HEAD,
  mergeView,
  ORDER,
  playToPull,
  receipts,
  REVIEWED,
  type TaskPlay,
} from '../../helpers/a-task.ts';
import { verifies } from '../../verifies.ts';

const MOVED = 'a'.repeat(40);
const ASKS = ['src/hello.ts:1: Say it louder.'];
const NEXT = 'd'.repeat(40);
const NO = { result: 'failed', sentence: 'It was stopped.' } as const;
/** Results that do not let it through. */
const STOPPED = {
  verify: { ...GOOD.verify, result: { headSha: NEXT, receipts: receipts(NEXT, { 2: NO }) } },
  publish: {
    ...GOOD.publish,
    result: { receipts: receipts(NEXT, { 4: NO }, ['3', '4']), reviewers: [] },
  },
};
const STOPPERS: [who: string, stop: (play: TaskPlay) => void][] = [
  ['a gate', (play) => void play.answer(STOPPED.verify)],
  [
    'whoever publishes it',
    (play) => {
      play.answer({ ...GOOD.verify, result: { ...GOOD.verify.result, headSha: NEXT } });
      play.answer(STOPPED.publish);
    },
  ],
];
const EDITED = { effectKind: 'plan-edit', result: { outcome: 'edited' } } as const;

function conflict(play: TaskPlay): void {
  play.answer(mergeView({ baseSha: MOVED, pull: { isMergeable: false } }));
}

function publishAgain(play: TaskPlay): void {
  for (const result of [GOOD.code, GOOD.verify, GOOD.publish]) play.answer(result);
}

function askForChanges(play: TaskPlay): void {
  play.send({ ...REVIEWED, news: { ...REVIEWED.news, verdict: 'CHANGES', asks: ASKS } });
}

describe('a pull request that conflicts', () => {
  verifies('TG-6', 'is written again on the current base, twice at most', () => {
    const play = playToPull();
    play.send(REVIEWED);
    for (const round of [1, 2]) {
      conflict(play);
      expect(play.stream().run).toMatchObject({ conflicts: round, base: { sha: MOVED } });
      expect(play.last('code').from).toBe(MOVED);
      expect(play.last('code').prompt).toContain('now conflicts with the base');
      play.answer(GOOD.code);
      expect(play.last('verify').commit.change.from).toBe(MOVED);
      play.answer(GOOD.verify);
      expect(play.last('publish')).toMatchObject({ ours: [HEAD] });
      play.answer(GOOD.publish);
      play.send(REVIEWED);
    }
    conflict(play);
    expect(play.stream().run?.missing?.join()).toContain('a person has to resolve the conflict');
  });

  verifies('TG-6', 'has its tries for itself: reviews took none of them, nor it of theirs', () => {
    const play = playToPull();
    for (let round = 0; round < 2; round += 1) {
      askForChanges(play);
      publishAgain(play);
    }
    play.send(REVIEWED);
    const times = new Set<number>();
    for (let round = 0; round < 2; round += 1) {
      conflict(play);
      expect(play.last('code').from).toBe(MOVED);
      publishAgain(play);
      times.add(play.last('publish').commit.at);
      play.send(REVIEWED);
    }
    // Each round is a commit of its own.
    expect(times.size).toBe(2);
    expect(play.stream().run).toMatchObject({ refinements: 2, conflicts: 2 });
  });

  verifies(
    'TG-6',
    'is written with all that the branch holds, and with what its review still wants',
    () => {
      const play = playToPull();
      for (let round = 0; round < 2; round += 1) {
        askForChanges(play);
        publishAgain(play);
      }
      askForChanges(play);
      conflict(play);
      const { remade, prompt } = play.last('code');
      expect(remade?.head).toBe(HEAD);
      expect(prompt).toContain('Say it louder.');
      publishAgain(play);
      askForChanges(play);
      expect(play.last('code').remade?.head).toBe(HEAD);
      expect(play.stream().run).not.toHaveProperty('remade');
    },
  );

  test('and whose new change fails is written again by the next attempt, with what was there and what is left', () => {
    const play = playToPull();
    play.send(REVIEWED);
    conflict(play);
    play.answer({ ...GOOD.code, result: { ...GOOD.code.result, patch: '' } });
    play.answer(EDITED);
    play.send({ kind: 'task-go', run: 'plan', order: ORDER });
    play.answer(GOOD.claim);
    expect(play.last('code')).toMatchObject({ from: BASE, remade: { head: HEAD } });
    expect(play.last('code').prompt).toContain('now conflicts with the base');
    publishAgain(play);
    play.send(REVIEWED);
    for (const round of [2, 2]) {
      conflict(play);
      expect(play.stream().run?.conflicts).toBe(round);
      if (play.stream().run?.phase.kind === 'coding') publishAgain(play);
      play.send(REVIEWED);
    }
    expect(play.stream().run?.missing?.join()).toContain('a person has to resolve the conflict');
  });

  test.each(STOPPERS)(
    'is still written again once %s stops the new change, for the same pull request',
    (_, stop) => {
      const play = playToPull();
      for (let round = 0; round < 2; round += 1) {
        askForChanges(play);
        publishAgain(play);
      }
      askForChanges(play);
      conflict(play);
      for (const attempt of [1, 2]) {
        play.answer(GOOD.code);
        stop(play);
        play.answer(EDITED);
        play.send({ kind: 'task-go', run: 'plan', order: ORDER });
        expect(play.stream().run).toMatchObject({ pull: { number: 9 }, headSha: HEAD });
        play.answer(GOOD.claim);
        expect(play.last('code')).toMatchObject({ from: BASE, remade: { head: HEAD } });
        const { prompt } = play.last('code');
        expect(prompt).toContain('now conflicts with the base');
        expect(prompt).toContain('Say it louder.');
        expect(prompt.match(/It was stopped\./g)).toHaveLength(attempt);
      }
      publishAgain(play);
      expect(play.stream().run).toMatchObject({ conflicts: 1, notes: [] });
      expect(play.stream().run).not.toHaveProperty('remade');
      expect(play.told.findLast(({ data }) => data.kind === 'adopted')?.data).toMatchObject({
        isNew: false,
      });
    },
  );

  test('has its tries for all attempts together', () => {
    const play = playToPull();
    play.send(REVIEWED);
    for (const _ of [1, 2]) {
      conflict(play);
      publishAgain(play);
      play.send(REVIEWED);
    }
    play.send({ kind: 'task-word', run: 'plan', word: 'release', by: ANA, why: '' });
    play.answer(EDITED);
    play.send({ kind: 'task-go', run: 'plan', order: ORDER });
    play.answer(GOOD.claim);
    publishAgain(play);
    play.send(REVIEWED);
    conflict(play);
    expect(play.stream().run?.missing?.join()).toContain('a person has to resolve the conflict');
  });
});

describe('what a review asks for', () => {
  test.each(STOPPERS)(
    'is asked for still once %s stops what was made of it, on the same head',
    (_, stop) => {
      const play = playToPull();
      askForChanges(play);
      play.answer(GOOD.code);
      stop(play);
      play.answer(EDITED);
      play.send({ kind: 'task-go', run: 'plan', order: ORDER });
      play.answer(GOOD.claim);
      expect(play.last('code').from).toBe(HEAD);
      expect(play.last('code').prompt).toContain('Say it louder.');
      expect(play.last('code').prompt).toContain('It was stopped.');
      expect(play.stream().run).toMatchObject({ pull: { number: 9 }, refinements: 1 });
    },
  );
});
