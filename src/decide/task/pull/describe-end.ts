/** The text of a task's pull request at its end: how it ended, who agreed to it, and what it cost (CB-8). */
import { shownDigest } from '../../../domain/github/own-text.ts';
import { codeSpan } from '../../../domain/text/code-span.ts';
import {
  taskKey,
  threadOfPull,
  type PullText,
  type TaskPull,
  type TaskRun,
} from '../../../domain/task/task.ts';
import { createStep, emitEffect } from '../../run/decision.ts';
import { addSent, sentTexts } from './pull-texts.ts';
import { writingCost, IS_ASKED, renderPullText } from '../render-task-pull.ts';
import type { TaskContext } from '../task-context.ts';

export function describeMerge(context: TaskContext): void {
  const { mergeSha } = context.run;
  const as = mergeSha === undefined ? '' : ` as ${codeSpan(mergeSha.slice(0, 12))}`;
  describe(context, [`Merged${as}`]);
}

export function describeClose(context: TaskContext): void {
  const branch = codeSpan(context.run.branch);
  describe(context, [
    `Somebody closed it without merging it. The branch ${branch} stays: reopen the pull request and the work goes on`,
  ]);
}

/** It is open again, so that nothing of an end is to be read there. */
export function describeOpen(context: TaskContext): void {
  describe(context, undefined);
}

/** This attempt opened another pull request than the one before: the older one says so. */
export function describeReplaced(context: TaskContext): void {
  const { run } = context;
  const { earlier, pull } = run;
  delete run.earlier;
  if (earlier?.pull === undefined || earlier.pullText === undefined) return;
  if (earlier.pull.number === pull?.number) return;
  const ended = [`Replaced by #${pull?.number ?? 0}: the work goes on there`];
  rewrite(context, earlier.pull, renderPullText(earlier.pullText, ended));
}

/** In a lane of its own, and nobody waits for it: an end does not depend on the text. */
function describe(context: TaskContext, ended: readonly string[] | undefined): void {
  const { run } = context;
  const { pull, pullText } = run;
  if (pull === undefined || pullText === undefined) return;
  const to = renderPullText(ended === undefined ? pullText : atEnd(pullText, run), ended);
  rewrite(context, pull, to);
  addSent(run, shownDigest(to));
}

function rewrite({ run, step }: TaskContext, pull: TaskPull, to: string): void {
  const { order } = run;
  const from = sentTexts(run).digests;
  const thread = threadOfPull(order.ref.plan, pull);
  const own = createStep(step.key, { id: run.id, step: run.describes ?? 0 }, step.now);
  const lane = `describe:${taskKey(order.ref)}`;
  emitEffect(own, { kind: 'describe', thread, from, to }, { lane });
  step.effects.push(...own.effects);
  run.describes = own.run.step;
}

/** An older record that workflows kept has no calls: what was written of them before stays. */
function atEnd(text: PullText, run: TaskRun): PullText {
  const cost = writingCost(run);
  return {
    ...text,
    participants: [
      ...text.participants.filter((line) => !line.endsWith(IS_ASKED)),
      ...reviewersOf(run),
      ...teamOf(run),
    ],
    cost: cost.length === 0 ? text.cost : cost,
  };
}

function reviewersOf({ heard, reviewers = [], headSha }: TaskRun): string[] {
  const { approvedBy, reviewers: spoke = [] } = heard?.headSha === headSha ? (heard ?? {}) : {};
  const said = spoke.filter((login) => login !== approvedBy);
  const isHeard = (login: string): boolean =>
    [approvedBy, ...said].some((each) => each?.toLowerCase() === login.toLowerCase());
  return [
    ...(approvedBy === undefined ? [] : [`${codeSpan(approvedBy)} approved the change`]),
    ...said.map((login) => `${codeSpan(login)} reviewed the change`),
    ...reviewers
      .filter((login) => !isHeard(login))
      .map((login) => `${codeSpan(login)} was asked for a review`),
  ];
}

function teamOf({ review, headSha }: TaskRun): string[] {
  if (review === undefined || review.headSha !== headSha) return [];
  const votes = (review.voices ?? []).flatMap(({ handle, vote }) =>
    vote === undefined ? [] : [`${codeSpan(handle)} says ${vote}`],
  );
  const whose = votes.length === 0 ? '' : ` (${votes.join(', ')})`;
  return [`the team reviewed the change and says ${review.verdict}${whose}`];
}
