/** What advances a task waits for a hold that was written before it, whatever was delivered first (CMD-11). */
import { expect, test } from 'vitest';
import type { TaskPullState } from '../../../../src/decide/run/thread-context.ts';
import type { CommentView } from '../../../../src/domain/run/view.ts';
import { aComment } from '../../../helpers/an-issue.ts';
import { THREAD } from '../../../helpers/play.ts';
import { verifies } from '../../../verifies.ts';
import { AT, say, type Came } from './say-on-thread.ts';

const SHORTLY_BEFORE = '2026-03-02T08:59:40Z';
const TASK: TaskPullState = {
  ref: { plan: THREAD, task: 1 },
  run: 'r',
  headSha: 'a'.repeat(40),
  headAt: '2026-03-02T08:00:00Z',
  count: 0,
};

function merge(earlier: Partial<CommentView>[], labels: string[] = []): Came {
  const comments = [
    ...earlier.map((over, n) => aComment({ id: 800 + n, createdAt: SHORTLY_BEFORE, ...over })),
    aComment({ id: 900, body: '/pm merge', createdAt: AT }),
  ];
  return say('/pm merge', {
    state: { task: TASK },
    view: { comments },
    issue: { isPull: true, labels },
  });
}

const kinds = ({ told }: Came): string[] => told.map(({ data }) => data.kind);

verifies(
  'CMD-11: hold and merge at once',
  'a merge is put off while a hold before it shows no label',
  () => {
    const came = merge([{ body: '/pm hold' }]);
    expect(kinds(came)).toEqual(['timer']);
    expect(came).toMatchObject({ said: '', reaction: undefined });
  },
);

test.each<[string, Partial<CommentView>[], string[]]>([
  ['whose label is shown', [{ body: '/pm hold' }], ['hold']],
  ['that was taken back', [{ body: '/pm hold' }, { body: '/pm unhold' }], []],
  ['of somebody without the role', [{ body: '/pm hold', permission: 'read' }], []],
  ['that is long ago', [{ body: '/pm hold', createdAt: '2026-03-02T08:00:00Z' }], []],
  ['in a quote', [{ body: '> /pm hold' }], []],
])('a hold %s puts nothing off', (_, earlier, labels) => {
  expect(kinds(merge(earlier, labels))).toEqual(['pull-told']);
});

verifies(
  'CMD-11: hold and merge at once',
  '/pm done, which merges there, is put off as well',
  () => {
    const comments = [
      aComment({ id: 800, createdAt: SHORTLY_BEFORE, body: '/pm hold' }),
      aComment({ id: 900, body: '/pm done', createdAt: AT }),
    ];
    const state = { task: TASK };
    const came = say('/pm done', { state, view: { comments }, issue: { isPull: true } });
    expect(kinds(came)).toEqual(['timer']);
  },
);
