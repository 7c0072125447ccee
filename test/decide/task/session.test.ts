/** A task asks its repository for a session of the Coder, each time that something is to be written. */
import { describe, expect, test } from 'vitest';
import { GOOD, HEAD, ORDER, playTask, type TaskPlay } from '../../helpers/a-task.ts';

const LIMITED = { ...ORDER, sessions: { perHour: 20, perPersonPerHour: 10 } };
const EDITED = { effectKind: 'plan-edit', result: { outcome: 'edited' } } as const;
const UNTIL = '2026-11-22T09:30:00.000Z';
const WAIT = { until: UNTIL, why: 'the next may begin at 09:30 UTC' };

function kinds(play: TaskPlay): string[] {
  return play.effects.map(({ data }) => data.kind);
}

function asked(play: TaskPlay) {
  return play.told.flatMap(({ id, key, data }) =>
    data.kind === 'session-wanted' ? [{ id, key, data }] : [],
  );
}

function claimed(): TaskPlay {
  const play = playTask();
  play.send({ kind: 'task-go', run: 'plan', order: LIMITED });
  play.answer(GOOD.claim);
  return play;
}

function answer(play: TaskPlay, wait?: typeof WAIT): string | undefined {
  const run = play.stream().run?.id ?? '';
  return play.send({ kind: 'session-told', run, ...(wait && { wait }) });
}

describe('a task', () => {
  test('is written once its repository says so, and counts for the person who approved it', () => {
    const play = claimed();
    expect(kinds(play)).toEqual(['claim']);
    const session = { by: ORDER.approvedBy.id, limits: LIMITED.sessions };
    expect(asked(play)).toMatchObject([
      { key: 'repository:7', data: { task: ORDER.ref, session } },
    ]);
    answer(play);
    expect(play.last('code')).toMatchObject({ task: 2 });
    expect(answer(play)).toBe('nothing waits for a session');
  });

  test('asks again for the same session where nobody answers, and takes one answer', () => {
    const play = claimed();
    const due = (): string | undefined => {
      const timer = play.told.findLast(({ data }) => data.kind === 'timer')?.data;
      return timer && play.send(timer);
    };
    const [first] = asked(play);
    expect(due()).toBeUndefined();
    expect(due()).toBeUndefined();
    const all = asked(play);
    expect(all.map(({ data }) => data)).toEqual([first?.data, first?.data, first?.data]);
    expect(new Set(all.map(({ id }) => id)).size).toBe(3);
    answer(play);
    expect(kinds(play)).toEqual(['claim', 'code']);
    expect(due()).toBe('its turn has passed');
    expect(answer(play)).toBe('nothing waits for a session');
  });

  test('takes no answer to what it asked for earlier', () => {
    const play = claimed();
    const { run, ask } = asked(play)[0]!.data;
    answer(play);
    for (const result of [GOOD.code, GOOD.verify, GOOD.publish]) play.answer(result);
    const asks = ['Louder.'];
    const news = { kind: 'reviewed', headSha: HEAD, verdict: 'CHANGES', asks } as const;
    play.send({ kind: 'pull-told', run: 'p', news });
    expect(play.send({ kind: 'session-told', run, ask: ask ?? 0 })).toBe(
      'it was for an earlier session',
    );
  });

  test('is given back until then, without counting an attempt, when there is no session', () => {
    const play = claimed();
    answer(play, WAIT);
    play.answer(EDITED);
    expect(kinds(play)).not.toContain('code');
    const last = play.told.at(-1)?.data;
    expect(last).toMatchObject({
      kind: 'task-told',
      news: { state: 'released', reason: WAIT.why, waitsUntil: UNTIL },
    });
    expect(play.stream().failures).toBe(0);
  });

  test('asks again for what a review wants changed, and goes on with its pull request after a wait', () => {
    const play = claimed();
    answer(play);
    for (const result of [GOOD.code, GOOD.verify, GOOD.publish]) play.answer(result);
    const asks = ['Say it louder.'];
    const news = { kind: 'reviewed', headSha: HEAD, verdict: 'CHANGES', asks } as const;
    play.send({ kind: 'pull-told', run: 'p', news });
    expect(asked(play)).toHaveLength(2);
    answer(play, WAIT);
    play.answer(EDITED);
    play.send({ kind: 'task-go', run: 'plan', order: LIMITED });
    play.answer(GOOD.claim);
    answer(play);
    expect(play.last('code')).toMatchObject({ from: HEAD });
    expect(play.last('code').prompt).toContain('Say it louder.');
  });
});
