/** How comments read that fit on no line of the diff: under their place, at the end of the review. */
import { codeSpan } from '../../../domain/text/code-span.ts';
import type { PlacedComment } from '../../../ports/github/pulls.ts';

export function renderUnplaced(comments: readonly PlacedComment[]): string {
  return comments
    .map((comment) => `\n\n${renderPlace(comment)}\n\n${comment.body.trim()}`)
    .join('');
}

function renderPlace({ path, line, startLine }: PlacedComment): string {
  const lines = startLine === undefined ? `L${line}` : `L${startLine}-L${line}`;
  return `**${codeSpan(`${path}#${lines}`)}**`;
}
