/** What one voice says of a whole that it read in parts. */
import { describe, expect, test } from 'vitest';
import type { ChangePosition } from '../../../src/domain/run/council.ts';
import { joinPositions, joinVotes } from '../../../src/domain/review/reading.ts';

function position(over: Partial<ChangePosition> = {}): ChangePosition {
  return {
    skip: false,
    vote: 'APPROVE',
    confidence: 0.9,
    line: 'fine',
    reasons: 'It is small.',
    findings: [],
    questions: [],
    ...over,
  };
}

const finding = (title: string) => ({ severity: 'high' as const, title, evidence: 'seen' });

describe('positions on two parts', () => {
  test.each([
    ['APPROVE', 'APPROVE', 'APPROVE'],
    ['APPROVE', 'CHANGES', 'CHANGES'],
    ['HUMAN', 'APPROVE', 'HUMAN'],
    ['HUMAN', 'CHANGES', 'CHANGES'],
  ] as const)('%s and %s are %s, in either order', (one, two, whole) => {
    expect(joinPositions(position({ vote: one }), position({ vote: two })).vote).toBe(whole);
    expect(joinPositions(position({ vote: two }), position({ vote: one })).vote).toBe(whole);
    expect([joinVotes(one, two), joinVotes(two, one)]).toEqual([whole, whole]);
    expect(joinVotes(undefined, one)).toBe(one);
  });

  test('keep every finding, the words of the more careful one, and each reason once', () => {
    const one = position({ findings: [finding('a')], questions: ['why?', 'who?'] });
    const other = { vote: 'CHANGES', line: 'not yet', reasons: 'One check is missing.' } as const;
    const two = position({
      ...other,
      findings: [finding('b')],
      questions: ['why?', 'when?', 'how?'],
    });
    const { findings, line, reasons, questions } = joinPositions(one, two);
    expect(findings.map(({ title }) => title)).toEqual(['a', 'b']);
    expect([line, reasons]).toEqual(['not yet', 'It is small.\n\nOne check is missing.']);
    expect(questions).toEqual(['why?', 'when?', 'how?']);
    expect(joinPositions(one, one).reasons).toBe('It is small.');
  });

  test('are as sure as the least sure one who lets it pass, and as the surest one who does not', () => {
    const sure = (vote: 'APPROVE' | 'CHANGES', one: number, two: number): number =>
      joinPositions(position({ vote, confidence: one }), position({ vote, confidence: two }))
        .confidence;
    expect([sure('APPROVE', 0.9, 0.4), sure('CHANGES', 0.5, 0.8)]).toEqual([0.4, 0.8]);
  });
});
