/** What the checks on a pull request's head say: a word and a title each, with the summary below. */
import type { CheckRun } from '../world/check-model.ts';
import { markup, type Markup } from './html.ts';
import { renderMarkdown } from './markdown.ts';
import { linksOf, type ThreadPage } from './page-parts.ts';

/** A sign beside the colour, for those who do not see it. */
const TONES: Readonly<Record<string, { className: string; sign: string }>> = {
  success: { className: 'success', sign: '✓' },
  failure: { className: 'failure', sign: '✗' },
  action_required: { className: 'failure', sign: '!' },
  neutral: { className: 'neutral', sign: '–' },
};
const PENDING = { className: 'pending', sign: '…' };

/** The newest run of each check on the head commit. */
export function headChecks({ repository, thread }: ThreadPage): CheckRun[] {
  const sha = thread.pull?.headSha;
  const runs = repository.checkRuns.filter((run) => run.headSha === sha);
  return [...new Map(runs.map((run) => [`${run.appId}/${run.name}`, run])).values()];
}

/** `✓` and the check's name, or what is said instead of it. */
export function renderCheckMark({ conclusion, name }: CheckRun, says?: string | null): Markup {
  const { className, sign } = TONES[conclusion ?? ''] ?? PENDING;
  return markup`<span class="mark ${className}">${sign}</span> ${says ?? name}`;
}

export function renderChecks(context: ThreadPage): Markup | undefined {
  const runs = headChecks(context);
  const sha = context.thread.pull?.headSha;
  if (sha === undefined || runs.length === 0) return undefined;
  return markup`<section class="box checks" id="checks">
    <h2 class="bar">Checks <span class="muted">on <code>${sha.slice(0, 7)}</code></span></h2>
    ${runs.map((run) => renderRun(context, run))}
  </section>`;
}

function renderRun({ world, repository }: ThreadPage, run: CheckRun): Markup {
  const { conclusion, status, output } = run;
  const word = (conclusion ?? status).replaceAll('_', ' ');
  const head = markup`<b>${renderCheckMark(run)}</b> <span class="muted">${word}</span> ${output.title ?? ''}`;
  const summary = output.summary ?? '';
  if (summary === '') return markup`<div class="row">${head}</div>`;
  return markup`<details open>
    <summary class="row">${head}</summary>
    <div class="md">${renderMarkdown(summary, linksOf(world, repository))}</div>
  </details>`;
}
