/**
 * Which of Quorum's texts and titles a pull request may show (CB-8). A publish can write its text and still fail, so what
 * was sent before is recognised until a publish succeeds.
 */
import { shownDigest, titleDigest } from '../../../domain/github/own-text.ts';
import { codeSpan } from '../../../domain/text/code-span.ts';
import type { SentTexts, TaskRun } from '../../../domain/task/task.ts';
import { renderPullText, toPullText } from '../render-task-pull.ts';

/** A text and a title for each head of a task. */
const MAX_SENT = 40;

/** The title of the pull request, as the order has it. */
export function pullTitle({ order: { title, ref } }: Pick<TaskRun, 'order'>): string {
  return `${title} (#${ref.plan.number}, task ${ref.task})`;
}

/**
 * An older version kept the text itself, and before a publish the new one in the place of the old one. It gave the pull
 * request the title of its order.
 */
export function sentTexts(run: TaskRun): SentTexts {
  const { sent, pullText, endText, headSha } = run;
  if (sent !== undefined) return sent;
  if (pullText === undefined) return { digests: [] };
  const texts = [...(endText === undefined ? [] : [endText]), renderPullText(pullText)];
  const isOfHead =
    headSha !== undefined && pullText.source.includes(`- Head: ${codeSpan(headSha)}`);
  return {
    digests: [...texts.map(shownDigest), titleDigest(pullTitle(run))],
    ...(isOfHead && { isComplete: true }),
  };
}

/** The digests of an older version's texts, while the texts are there: a record may drop them. */
export function keepDigests(run: TaskRun): void {
  if (run.sent === undefined && run.pullText !== undefined) addSent(run);
}

/** Remembers the digests of what is about to be sent. */
export function addSent(run: TaskRun, ...added: string[]): void {
  const before = sentTexts(run);
  const older = before.digests.filter((each) => !added.includes(each));
  run.sent = { ...before, digests: [...older, ...added].slice(-MAX_SENT) };
  delete run.endText;
}

interface Publishing {
  headSha: string;
  /** Quorum pushed nothing to the branch before, so no pull request can have its text. */
  isNew: boolean;
}

/** The text for a head that is about to be published, and what it may replace; any text where that is not known. */
export function startText(
  run: TaskRun,
  { headSha, isNew }: Publishing,
): { body: string; from?: string[] } {
  const body = renderPullText(toPullText(run, headSha));
  if (isNew) run.sent = { digests: [], isComplete: true };
  const { digests, isComplete } = sentTexts(run);
  addSent(run, shownDigest(body), titleDigest(pullTitle(run)));
  return { body, ...(isComplete === true && digests.length > 0 && { from: digests }) };
}

/** The newest text and title are on GitHub, or a person's are. */
export function confirmText(run: TaskRun): void {
  const { digests } = sentTexts(run);
  if (digests.length === 0 || run.headSha === undefined) return;
  run.sent = { digests: digests.slice(-2), isComplete: true };
  run.pullText = toPullText(run, run.headSha);
}

/** What a new attempt keeps of the pull request that an earlier one left. A merged one has its end already. */
export function keepTexts(run: TaskRun, last: TaskRun | undefined): void {
  if (last === undefined || last.mergeSha !== undefined) return;
  const { pull, pullText } = last;
  const sent = sentTexts(last);
  if (sent.digests.length > 0) run.sent = sent;
  const text = pullText === undefined ? {} : { pullText };
  const left = pull === undefined ? last.earlier : { pull, ...text };
  if (run.pull !== undefined) Object.assign(run, text);
  else if (left !== undefined) run.earlier = left;
}
