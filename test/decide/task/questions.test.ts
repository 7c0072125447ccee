/** A coder's question to a person: asked in the plan's thread, answered there, and the same session goes on. */
import { array, assert, integer, oneof, property, string, uniqueArray } from 'fast-check';
import { describe, expect, test } from 'vitest';
import { findAnswers } from '../../../src/decide/task/coder/coder-questions.ts';
import type { Result } from '../../../src/domain/event/result.ts';
import type { Said } from '../../../src/domain/task/exchange.ts';
import { ANA, BASE, GOOD, ORDER, playTask, TOM, type TaskPlay } from '../../helpers/a-task.ts';
import { verifies } from '../../verifies.ts';

const ASKED: Extract<Result, { effectKind: 'code' }> = {
  ...GOOD.code,
  result: {
    ...GOOD.code.result,
    patch: 'diff --git a/half b/half\n',
    report: {
      ...GOOD.code.result.report,
      outcome: 'asked',
      question: 'Which colour?',
      options: ['red', 'green'],
      tried: 'Read the plan.',
      transcript: 'all that was said',
    },
    exchanges: [
      { question: 'Which folder?', answer: 'src', source: 'src/hello.ts:1', isEscalated: false },
    ],
  },
};

/** Until a person is waited for. */
function playToQuestion(): TaskPlay {
  const play = playTask();
  play.send({ kind: 'task-go', run: 'plan', order: ORDER });
  play.answer(GOOD.claim);
  play.answer(ASKED);
  play.answer({ effectKind: 'plan-edit', result: { outcome: 'edited' } });
  return play;
}

const EDITED = { effectKind: 'plan-edit', result: { outcome: 'edited' } } as const;
const RELEASE = { kind: 'task-word', run: 'plan', word: 'release', by: TOM, why: '' } as const;
const AGAIN = { kind: 'task-word', run: 'plan', word: 'again', by: TOM, why: '' } as const;

describe('a question for a person', () => {
  verifies(
    'CB-7',
    'is posted in the thread for the person who approved, and the lease is given back',
    () => {
      const play = playToQuestion();
      const { thread, body, marker } = play.last('comment');
      expect(thread).toEqual(ORDER.ref.plan);
      expect(marker.key).toBe('question-2');
      expect(body).toMatch(/^Coder asks: Which colour\?\n\n- red\n- green\n/);
      expect(body).toContain(`@${ANA.login}, task 2 waits for this.`);
      expect(play.last('plan-edit').edits[0]).toMatchObject({
        status: 'blocked',
        reason: 'waits for an answer: Which colour?',
      });
      expect(play.last('release').lease).toMatchObject({ task: 2 });
      expect(play.told.at(-1)?.data).toMatchObject({ news: { state: 'blocked', asks: true } });
      expect(play.stream().failures).toBe(0);
    },
  );

  verifies('CB-7', 'is answered, and the same session goes on where it was left', () => {
    const play = playToQuestion();
    const { name } = play.last('code');
    play.send({ ...AGAIN, answer: 'Green.' });
    play.send({ kind: 'task-go', run: 'plan', order: ORDER });
    play.answer(GOOD.claim);
    expect(play.last('code')).toMatchObject({
      name,
      from: BASE,
      before: ASKED.result.patch,
      resume: {
        sessionId: 's1',
        transcript: 'all that was said',
        answer: 'Green.\n\n(tom answered.)',
      },
    });
    play.answer(GOOD.code);
    expect(play.stream().run?.resume).toBeUndefined();
    play.answer(GOOD.verify);
    const { body } = play.last('publish');
    expect(body).toContain('Asked: Which folder? - src (the PM answered, from src/hello.ts:1)');
    expect(body).toContain('Asked: Which colour? - Green. (tom answered)');
  });

  test.each([
    ['a day’s budget is used up', (play: TaskPlay) => play.fail('code', 'budget-day')],
    ['no sandbox is there', (play: TaskPlay) => play.fail('code', 'no-sandbox')],
    ['somebody gives it back', (play: TaskPlay) => play.send(RELEASE)],
  ])('is answered for good: where %s, the next attempt goes on with it', (_, stop) => {
    const play = playToQuestion();
    play.send({ ...AGAIN, answer: 'Green.' });
    play.send({ kind: 'task-go', run: 'plan', order: ORDER });
    play.answer(GOOD.claim);
    const first = play.last('code');
    stop(play);
    play.answer(EDITED);
    play.send({ kind: 'task-go', run: 'plan', order: ORDER });
    play.answer({ effectKind: 'claim', result: { outcome: 'held', reason: 'held elsewhere' } });
    play.send({ kind: 'task-go', run: 'plan', order: ORDER });
    play.answer(GOOD.claim);
    const { name, before, resume, prompt } = play.last('code');
    expect({ name, before, resume }).toEqual({
      name: first.name,
      before: ASKED.result.patch,
      resume: first.resume,
    });
    expect(prompt).toContain('Asked: Which colour? - Green. (tom answered)');
  });

  test('is answered for good: no session is there for now, and the one that is there later has it', () => {
    const order = { ...ORDER, sessions: { perHour: 20, perPersonPerHour: 10 } };
    const play = playToQuestion();
    play.send({ ...AGAIN, answer: 'Green.' });
    for (const wait of [{ until: '2026-11-22T09:30:00.000Z', why: 'later' }, undefined]) {
      play.send({ kind: 'task-go', run: 'plan', order });
      play.answer(GOOD.claim);
      const run = play.stream().run?.id ?? '';
      play.send({ kind: 'session-told', run, ...(wait && { wait }) });
      if (wait !== undefined) play.answer(EDITED);
    }
    expect(play.last('code').resume?.answer).toContain('Green.');
  });

  test.each([
    [
      'went on',
      (play: TaskPlay) => play.answer({ ...GOOD.code, result: { ...GOOD.code.result, patch: '' } }),
    ],
    ['could not be taken up', (play: TaskPlay) => play.fail('code', 'git-failed')],
  ])('is passed as text to the step after a session that %s', (_, end) => {
    const play = playToQuestion();
    play.send({ ...AGAIN, answer: 'Green.' });
    play.send({ kind: 'task-go', run: 'plan', order: ORDER });
    play.answer(GOOD.claim);
    end(play);
    play.answer(EDITED);
    play.send({ kind: 'task-go', run: 'plan', order: ORDER });
    play.answer(GOOD.claim);
    expect(play.last('code').resume).toBeUndefined();
    expect(play.last('code').prompt).toContain('Asked: Which colour? - Green. (tom answered)');
  });

  test('that nobody answered is dropped when a person has the task retried', () => {
    const play = playToQuestion();
    play.send(AGAIN);
    play.send({ kind: 'task-go', run: 'plan', order: ORDER });
    play.answer(GOOD.claim);
    expect(play.last('code').resume).toBeUndefined();
  });

  test('is not answered for a task that changed since then', () => {
    const play = playToQuestion();
    play.send({ ...AGAIN, answer: 'Green.' });
    play.send({ kind: 'task-go', run: 'plan', order: { ...ORDER, digest: '123456abcdef' } });
    play.answer(GOOD.claim);
    expect(play.last('code').resume).toBeUndefined();
  });
});

const saying = (text: string): Said => ({ kind: 'said', by: TOM, text });
const question = (task: number): Said => ({ kind: 'question', task });

describe('an answer', () => {
  test('is the first that is said after the question', () => {
    const said = [saying('early'), question(2), saying('green'), saying('or red')];
    expect(findAnswers(said, [2])).toEqual([{ task: 2, by: TOM, text: 'green' }]);
  });

  test('goes to the question before it', () => {
    const said = [question(1), question(2), saying('two'), saying('one')];
    expect(findAnswers(said, [1, 2])).toEqual([
      { task: 2, by: TOM, text: 'two' },
      { task: 1, by: TOM, text: 'one' },
    ]);
  });

  test('to an earlier question does not answer a later one', () => {
    const said = [question(1), saying('first'), question(1)];
    expect(findAnswers(said, [1])).toEqual([]);
  });

  test('finds a question that was asked again once, and leaves the questions of other tasks open', () => {
    const again = [question(1), question(2), question(1), saying('one'), saying('two')];
    expect(findAnswers([...again, saying('more')], [1, 2])).toEqual([
      { task: 1, by: TOM, text: 'one' },
      { task: 2, by: TOM, text: 'two' },
    ]);
  });

  test('is given to nobody who does not wait, and once', () => {
    const each = oneof(
      integer({ min: 1, max: 4 }).map(question),
      string({ maxLength: 5 }).map(saying),
    );
    assert(
      property(array(each), uniqueArray(integer({ min: 1, max: 4 })), (said, open) => {
        const tasks = findAnswers(said, open).map(({ task }) => task);
        expect(new Set(tasks).size).toBe(tasks.length);
        expect(open).toEqual(expect.arrayContaining(tasks));
      }),
    );
  });
});
