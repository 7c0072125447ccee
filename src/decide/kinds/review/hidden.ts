/** What nobody sees in a pull request: counted for people, with the file that has most of it. */
import type { Diff } from '../../../domain/diff/diff.ts';
import { withoutInvisible } from '../../../domain/diff/invisible-in-diff.ts';
import { countTold } from '../../../domain/text/invisible.ts';
import type { HiddenCharacters, PullView } from '../../../domain/review/review.ts';
import { visibleText } from '../../../domain/text/visible-text.ts';

/** Of title, description, comments and the change that is judged. Undefined where there is nothing to tell. */
export function hiddenIn(
  { pull, comments }: Pick<PullView, 'pull' | 'comments'>,
  diff: Diff,
): HiddenCharacters | undefined {
  const words = [pull.title, pull.body, ...comments.map(({ body }) => body)];
  const said = words.reduce((sum, text) => sum + countTold(visibleText(text).hidden), 0);
  const files = diff.files
    .map((file) => ({ path: file.path, count: withoutInvisible(file).told }))
    .filter(({ count }) => count > 0);
  const most = files.toSorted((a, b) => b.count - a.count)[0];
  const count = files.reduce((sum, file) => sum + file.count, said);
  if (count === 0) return undefined;
  return { count, ...(most !== undefined && { most }) };
}
