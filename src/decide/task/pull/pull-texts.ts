/**
 * Which of Quorum's texts a pull request may show (CB-8). A publish can write its text and still fail, so the text that was
 * there before is kept until the new one is known to be written.
 */
import type { EarlierPull, PullText, TaskRun } from '../../../domain/task/task.ts';
import { renderPullText, toPullText } from '../render-task-pull.ts';

/** Unanswered publishes whose texts are still recognised. */
const MAX_PENDING = 3;

/** The texts that a new one may replace. Any other text is a person's. */
export function replaceableTexts(run: EarlierPull): string[] {
  const { pullText, endText, pendingTexts = [] } = run;
  const written = pullText === undefined ? [] : [renderPullText(pullText)];
  const ended = endText === undefined ? [] : [endText];
  const pending = pendingTexts.map((text) => renderPullText(text));
  return [...new Set([...written, ...ended, ...pending])];
}

/** The text for a head that is about to be published, and which texts it may replace; none when nothing is known. */
export function startText(run: TaskRun, headSha: string): { body: string; from?: string[] } {
  const text = toPullText(run, headSha);
  const from = [...replaceableTexts(run), ...replaceableTexts(run.earlier ?? {})];
  run.pendingTexts = [...(run.pendingTexts ?? []), text].slice(-MAX_PENDING);
  return { body: renderPullText(text), ...(from.length > 0 && { from }) };
}

/** The newest text is on GitHub. Older runs kept it as `pullText` before they published. */
export function confirmText(run: TaskRun): void {
  const text: PullText | undefined = run.pendingTexts?.at(-1) ?? run.pullText;
  if (text !== undefined) run.pullText = text;
  delete run.pendingTexts;
  delete run.endText;
}

/** What a new attempt keeps of the pull request that an earlier one left. A merged one has its end already. */
export function keepTexts(run: TaskRun, last: TaskRun | undefined): void {
  if (last === undefined || last.mergeSha !== undefined) return;
  const { pull, pullText, endText, pendingTexts = [] } = last;
  if (pull === undefined) {
    if (last.earlier === undefined) return;
    const both = [...(last.earlier.pendingTexts ?? []), ...pendingTexts].slice(-MAX_PENDING);
    run.earlier = { ...last.earlier, ...(both.length > 0 && { pendingTexts: both }) };
    return;
  }
  const texts = {
    ...(pullText !== undefined && { pullText }),
    ...(endText !== undefined && { endText }),
    ...(pendingTexts.length > 0 && { pendingTexts }),
  };
  if (run.pull === undefined) run.earlier = { pull, ...texts };
  else Object.assign(run, texts);
}
