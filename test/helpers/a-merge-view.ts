/** What a merge depends on, as GitHub has it. */
import { defaultConfig } from '../../src/domain/config.ts';
import type { Result } from '../../src/domain/result.ts';
import type { MergeView } from '../../src/domain/task/merge.ts';
import { ANA, BASE, HEAD, TOM } from './a-task.ts';

type Over = Omit<Partial<MergeView>, 'pull'> & { pull?: Partial<MergeView['pull']> };

/** A pull request of a task that nothing speaks against. */
export function aMergeView(over: Over = {}): Result & { effectKind: 'look-merge' } {
  const { pull, ...rest } = over;
  return {
    effectKind: 'look-merge',
    result: {
      pull: {
        state: 'open',
        isDraft: false,
        isMerged: false,
        headSha: HEAD,
        baseRef: 'main',
        labels: [],
        authorId: 99,
        isMergeable: true,
        requestedReviewers: [],
        unresolved: 0,
        isAutoMerge: false,
        isInQueue: false,
        ...pull,
      },
      baseSha: BASE,
      isUpToDate: true,
      proved: { unproved: [], isOfBase: true, isRetested: false },
      reviews: [],
      required: [],
      permissions: { [TOM.id]: 'write', [ANA.id]: 'admin' },
      hasMergeQueue: false,
      methods: ['squash'],
      config: defaultConfig(),
      ...rest,
    },
  };
}
