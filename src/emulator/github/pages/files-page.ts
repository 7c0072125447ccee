/** The files that a pull request changes, with what was said about their lines in place. */
import type { FileChange } from '../git/compare-revisions.ts';
import type { ReviewComment } from '../world/world-model.ts';
import { comparePull } from '../changes/compare-pull.ts';
import { renderConversation } from './render-conversation.ts';
import { readRows, renderRows, type DiffRow } from './diff-table.ts';
import { markup, type Markup } from './html.ts';
import { renderFrame, type ThreadPage } from './page-parts.ts';
import { renderThreadHead } from './thread-head.ts';
import { renderReviewForm, type VisitedThread } from './forms/thread-forms.ts';

export async function renderPullFiles(context: VisitedThread): Promise<string> {
  const { world, repository, thread, visitor } = context;
  const { files } = await comparePull(repository, thread);
  const [added, deleted] = (['additions', 'deletions'] as const).map((side) =>
    files.reduce((sum, file) => sum + file[side], 0),
  );
  return renderFrame(world, {
    title: `Files · ${thread.title}`,
    repository,
    visitor,
    tab: 'pulls',
    body: markup`${renderThreadHead(context, 'files')}
      <p class="muted">
        ${files.length} file${files.length === 1 ? '' : 's'} changed, +${added ?? 0} −${deleted ?? 0}
      </p>
      ${files.map((file) => renderFile(file, talksOn(context, file.filename)))}${renderReviewForm(context)}`,
  });
}

export interface Talks {
  /** What was said about a file as a whole. */
  ofFile: readonly Markup[];
  below: (row: DiffRow) => Markup | undefined;
}

/** A file with its patch; `talks` are the conversations between its lines. */
export function renderFile(file: FileChange, talks?: Talks): Markup {
  const moved = file.previousFilename === undefined ? '' : `${file.previousFilename} → `;
  const patch =
    file.patch === undefined
      ? markup`<p class="muted none">No text to show</p>`
      : renderRows(readRows(file.patch), talks?.below);
  return markup`<section class="box">
    <h2 class="bar">
      ${moved}${file.filename}
      <span class="muted">${file.status} · +${file.additions} −${file.deletions}</span>
    </h2>
    ${talks?.ofFile}${patch}
  </section>`;
}

/** Those whose line is gone stand in the conversation only, as on GitHub. */
function talksOn(context: ThreadPage, path: string): Talks {
  const heads = (context.thread.pull?.reviewComments ?? []).filter(
    (one) => one.path === path && one.inReplyToId === undefined,
  );
  const render = (head: ReviewComment) => renderConversation(context, head, { hasLines: false });
  return {
    ofFile: heads.filter(({ subjectType }) => subjectType === 'file').map(render),
    below(row) {
      const here = heads.filter(
        ({ line, side }) => line !== undefined && line === (side === 'LEFT' ? row.old : row.new),
      );
      return here.length === 0 ? undefined : markup`${here.map(render)}`;
    },
  };
}
