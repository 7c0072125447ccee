/** What code finds in a pull request that was read: every rule over its change and the texts at hand. */
import type { Diff } from '../../domain/diff/diff.ts';
import type { PullView } from '../../domain/review.ts';
import { decideReview, type ReviewSignals } from '../signals/review/decide-review-signals.ts';

/** Pure. `diff` is the view's own, parsed. */
export function signalsOf(
  view: Pick<PullView, 'basePaths' | 'head' | 'base' | 'secrets'>,
  diff: Diff,
): ReviewSignals {
  return decideReview(diff, {
    ...(view.basePaths === undefined ? {} : { paths: headPaths(view.basePaths, diff) }),
    head: new Map(view.head.map((file) => [file.path, file.text])),
    base: new Map(view.base.map((file) => [file.path, file.text])),
    secrets: new Map(Object.entries(view.secrets)),
  });
}

/** What the head has: the branch it goes to, with what the change adds, moves and removes. */
function headPaths(basePaths: readonly string[], { files }: Diff): string[] {
  const gone = new Set(
    files.flatMap((file) => {
      if (file.status === 'deleted') return [file.path];
      return file.status === 'renamed' && file.oldPath !== undefined ? [file.oldPath] : [];
    }),
  );
  const paths = new Set(basePaths.filter((path) => !gone.has(path)));
  for (const file of files) if (file.status !== 'deleted') paths.add(file.path);
  return [...paths];
}
