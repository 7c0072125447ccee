/** The list that people read of what a pull request still lacks. */
import { describe, expect, test } from 'vitest';
import { defaultConfig } from '../../src/domain/config/config.ts';
import type { MergeStanding } from '../../src/domain/task/merge-view.ts';
import { explainMerge } from '../../src/policy/explain-merge.ts';
import { mergeView, type MergeViewOver } from '../helpers/a-task.ts';

const BEN = { id: 12, login: 'ben', isBot: false };

function missing(over: MergeViewOver, hold?: string): string[] {
  const { result } = mergeView(over) as { result: MergeStanding };
  const config = defaultConfig();
  return explainMerge(result, hold === undefined ? config : { labels: { ...config.labels, hold } });
}

describe('what is missing to merge', () => {
  test('is nothing where everybody agrees', () => {
    expect(missing({})).toEqual([]);
    expect(missing({ required: [{ name: 'ci', state: 'success' }] })).toEqual([]);
  });

  test.each<[string, MergeViewOver]>([
    ['it is a draft', { pull: { isDraft: true } }],
    ['the label `hold` is on', { pull: { labels: ['hold'] } }],
    ['it conflicts with `main`', { pull: { isMergeable: false } }],
    ['1 conversation has to be resolved', { pull: { unresolved: 1 } }],
    ['2 conversations have to be resolved', { pull: { unresolved: 2 } }],
    ['the required check `ci` (failure)', { required: [{ name: 'ci', state: 'failure' }] }],
    ['the review of `ben`', { pull: { requestedReviewers: ['ben'] } }],
    [
      '`ben` asked for changes',
      { reviews: [{ by: BEN, permission: 'write', state: 'changes-requested' }] },
    ],
  ])('%s', (words, over) => {
    expect(missing(over)).toEqual([words]);
  });

  test('what GitHub does not tell counts as missing', () => {
    expect(missing({ pull: { unresolved: undefined as never } })).toEqual([
      'GitHub did not report whether all conversations are resolved',
    ]);
    expect(missing({ pull: { isMergeable: undefined as never } })).toEqual([
      'GitHub has not decided yet whether it can be merged',
    ]);
  });

  test('a hold may have another name, and people without write access hold nothing back', () => {
    expect(missing({ pull: { labels: ['stop', 'hold'] } }, 'stop')).toEqual([
      'the label `stop` is on',
    ]);
    const reviews = [
      { by: BEN, permission: 'read' as const, state: 'changes-requested' as const },
      { by: BEN, permission: 'write' as const, state: 'commented' as const },
    ];
    expect(missing({ reviews })).toEqual([]);
  });
});
