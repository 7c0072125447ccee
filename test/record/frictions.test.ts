/** What got in the way of tasks, from recorded events, and the file that keeps it. */
import { describe, expect, test } from 'vitest';
import { parseFrictions, withFrictions, type Friction } from '../../src/domain/memory/friction.ts';
import type { EventData } from '../../src/domain/event/event.ts';
import { frictionsOf } from '../../src/record/frictions.ts';
import { aRecord, aStream, done, RUN, TASK_KEY, THREAD_KEY } from './a-record.ts';

const receipt = (gate: string, result: string) => ({ gate, result, sentence: `it ${result}` });
const FAILED = {
  kind: 'failed',
  effectId: `${RUN}/5-merge`,
  effectKind: 'merge',
  run: RUN,
  failure: { code: 'github-forbidden', message: 'no' },
} as unknown as EventData;

function categoriesOf(...events: EventData[]): [string, string][] {
  const record = aRecord(aStream(THREAD_KEY, []), aStream(TASK_KEY, events));
  return frictionsOf(record).map(({ category, text }) => [category, text]);
}

describe('frictionsOf', () => {
  test('tells of gates that stopped a change, each by itself, and of none that passed', () => {
    const receipts = [receipt('S', 'passed'), receipt('1', 'failed'), receipt('2', 'not-run')];
    expect(categoriesOf(done('verify', { receipts, headSha: 'a' }))).toEqual([
      ['gate', 'gate 1: it failed'],
      ['gate', 'gate 2: it not-run'],
    ]);
  });

  test('tells of conflicts, of questions to people and of refused steps', () => {
    expect(
      categoriesOf(
        done('verify', { receipts: [], headSha: '', conflict: ['src/a.ts'] }),
        done('code', { report: { outcome: 'asked', question: 'How loud?' } }),
        FAILED,
      ),
    ).toEqual([
      ['conflict', 'src/a.ts'],
      ['question', 'How loud?'],
      ['failure', 'merge: github-forbidden'],
    ]);
  });

  test('names plan, task and event, and never two alike', () => {
    const receipts = [receipt('1', 'failed'), receipt('2', 'failed')];
    const stream = aStream(TASK_KEY, [done('verify', { receipts, headSha: 'a' })]);
    expect(frictionsOf(aRecord(stream))).toMatchObject([
      { id: `${TASK_KEY}-0`, thread: 12, task: 1 },
      { id: `${TASK_KEY}-0/2`, thread: 12, task: 1 },
    ]);
  });

  test('leaves out what failed in a thread that is no task', () => {
    expect(frictionsOf(aRecord(aStream(THREAD_KEY, [FAILED])))).toEqual([]);
  });
});

const friction = (id: string): Friction => ({
  id,
  at: '2026-03-02T09:00:00.000Z',
  category: 'gate',
  thread: 12,
  text: 'gate 2: it failed',
});

describe('the file of frictions', () => {
  test('gets each friction once, and keeps what people wrote', () => {
    const first = withFrictions('# by hand\nnot JSON {\n', [friction('a')]);
    expect(first).toMatch(/^# by hand\nnot JSON \{\n\{"id":"a"/);
    const second = withFrictions(first, [friction('a'), friction('b')]);
    expect(parseFrictions(second).map(({ id }) => id)).toEqual(['a', 'b']);
    expect(withFrictions(second, [friction('b')])).toBe(second);
  });

  test('adds a text once that is longer than a line of the file may be', () => {
    const long = { ...friction('a'), text: `${'a'.repeat(499)}😀${'b'.repeat(300)}` };
    const first = withFrictions('', [long]);
    expect(parseFrictions(first)).toMatchObject([{ id: 'a', text: 'a'.repeat(499) }]);
    expect(withFrictions(first, [long])).toBe(first);
  });

  test('drops the oldest of more than a thousand', () => {
    const many = Array.from({ length: 1_005 }, (_, n) => friction(`f${n}`));
    const kept = parseFrictions(withFrictions('', many));
    expect([kept.length, kept[0]?.id]).toEqual([1_000, 'f5']);
  });

  test.each(['{"id":"a"}', 'null', '[]', '{"id":1,"at":"x"}', '\u0000'])('skips %j', (line) => {
    expect(parseFrictions(line)).toEqual([]);
  });
});
