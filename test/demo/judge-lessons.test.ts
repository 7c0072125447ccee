/** The demonstration's check of its memory: only what was learned and approved counts as used. */
import { describe, expect, test } from 'vitest';
import { judgeLessons } from '../../src/demo/memory/judge-lessons.ts';
import { anEntry } from '../domain/memory/some-memory.ts';

const LEARNED = anEntry({ id: '1111111111', source: { kind: 'run', run: 'a-run', thread: 19 } });
const TAUGHT = anEntry({
  id: '2222222222',
  source: { kind: 'comment', commentId: 4, thread: 19 },
});
const NOT_CITED = 'no later review cites a lesson that was learned and approved';

describe('the lessons of the demonstration', () => {
  test('are as expected when one was proposed, approved and cited', () => {
    const cited = new Set([LEARNED.id]);
    expect(judgeLessons({ proposed: [LEARNED], entries: [LEARNED, TAUGHT], cited })).toEqual([]);
  });

  test('are not when nothing was proposed, whatever is cited', () => {
    const cited = new Set([LEARNED.id]);
    expect(judgeLessons({ proposed: [], entries: [LEARNED], cited })).toEqual([
      'no lesson was proposed',
    ]);
  });

  test('are not while the lesson still waits, even if a finding names it', () => {
    const waiting = { ...LEARNED, state: 'quarantined' as const };
    const cited = new Set([LEARNED.id]);
    expect(judgeLessons({ proposed: [LEARNED], entries: [waiting], cited })).toEqual([
      '1 lesson not approved (of 1)',
      NOT_CITED,
    ]);
  });

  test('are not when a review cites only what was taught by a person', () => {
    const cited = new Set([TAUGHT.id]);
    const entries = [LEARNED, TAUGHT];
    expect(judgeLessons({ proposed: [LEARNED], entries, cited })).toEqual([NOT_CITED]);
    expect(judgeLessons({ proposed: [TAUGHT], entries, cited })).toContain(NOT_CITED);
  });
});
