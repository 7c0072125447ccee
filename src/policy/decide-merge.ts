/** When a task's pull request may merge: everything at one and the same head (TG-6). Pure; fails closed. */
import { hasPermission } from '../domain/run/thread-ref.ts';
import type { MergeMove, MergeView, RequiredCheck } from '../domain/task/merge-view.ts';
import type { PullWord, ReviewVoice, TaskRun } from '../domain/task/task.ts';
import { pullWords } from './pull-words.ts';

export const IN_QUEUE = 'It is in the repository’s merge queue';
/** What is missing where a person has to say when it merges. */
export const MERGE_COMMAND = '`/pm merge` by somebody with write access';

/** Decides on a fresh view. */
export function decideMerge(run: TaskRun, view: MergeView): MergeMove {
  const { pull } = view;
  const beyond = moveWhenOver(run, view);
  if (beyond !== undefined) return beyond;
  const approvedBy = whoApproved(run, view);
  const missing = [
    ...(view.proved?.unproved ?? ['the gates are checked again']),
    ...missingReviews(run, view),
    ...missingChecks(view),
    ...holdReasons(run, view),
    ...(approvedBy === undefined ? [askForYes(run, view)] : []),
  ];
  const soon = pull.isMergeable === undefined ? { isSoon: true as const } : {};
  if (missing.length > 0 || approvedBy === undefined) return { kind: 'wait', missing, ...soon };
  return mayMerge(run, view, approvedBy);
}

/** Which approvals of people the head still needs, for people; and whose it has. */
export function readApprovals(run: TaskRun, view: MergeView): { missing: string[]; by?: string } {
  const by = whoApproved(run, view);
  const people = missingPeople(run, view);
  return by === undefined
    ? { missing: [...people, askForYes(run, view)] }
    : { missing: people, by };
}

/** What leaves nothing to be decided. */
function moveWhenOver(run: TaskRun, view: MergeView): MergeMove | undefined {
  const { pull, baseSha, config, areWorkflowsOld } = view;
  const { mergeSha } = pull;
  if (pull.isMerged)
    return { kind: 'over', how: 'merged', ...(mergeSha === undefined ? {} : { mergeSha }) };
  if (pull.state === 'closed') return { kind: 'over', how: 'closed' };
  if (pull.headSha !== run.headSha) return { kind: 'foreign-head', headSha: pull.headSha };
  if (pull.baseRef !== run.base?.branch) return { kind: 'foreign-base', baseRef: pull.baseRef };
  if (pull.isInQueue) return { kind: 'leave', says: IN_QUEUE };
  if (pull.isMergeable === false) return { kind: 'conflict', baseSha };
  // People may merge it as it is.
  const isOurs = config.merge.mode !== 'never' && !pull.isAutoMerge;
  return areWorkflowsOld === true && isOurs ? { kind: 'rebuild', baseSha } : undefined;
}

/** Everybody agrees: what is merged must still be what was tested. */
function mayMerge(run: TaskRun, view: MergeView, approvedBy: string): MergeMove {
  const { methods, config, pull } = view;
  if (pull.isAutoMerge)
    return { kind: 'leave', says: 'Ready to merge: auto-merge is on, so GitHub merges it' };
  const untested = retestWhenStale(run, view);
  if (untested !== undefined) return untested;
  const method = methods.includes(config.merge.method) ? config.merge.method : methods[0];
  if (method === undefined)
    return { kind: 'wait', missing: ['the repository allows no merge method'] };
  if (!view.hasMergeQueue) return { kind: 'merge', method, approvedBy };
  if (run.queued === pull.headSha) return { kind: 'given-back' };
  return { kind: 'merge', method, approvedBy, isQueued: true };
}

/** The tested tree is the merged tree: as it was proved, or as tests say of what a merge into this base gives. */
function retestWhenStale({ retested }: TaskRun, view: MergeView): MergeMove | undefined {
  const { baseSha, pull, proved, isUpToDate } = view;
  if (proved?.isRetested === true || (isUpToDate && proved?.isOfBase === true)) return undefined;
  const isOfThese = retested?.baseSha === baseSha && retested.headSha === pull.headSha;
  if (isOfThese && !retested.passed) return { kind: 'wait', missing: [retested.sentence] };
  return { kind: 'retest', baseSha };
}

/** Everyone who was asked has to approve this head: with a review on GitHub, or with a command or comment to Quorum. */
function missingPeople(run: TaskRun, view: MergeView): string[] {
  const { headSha, requestedReviewers } = view.pull;
  const { reviewers = [], excused } = run;
  const approved = new Set(
    [
      ...view.reviews
        .filter(({ state, commitSha }) => state === 'approved' && commitSha === headSha)
        .map(({ by }) => by.login),
      ...pullWords(run)
        .filter((word) => isSaidOfHead(word, view))
        .map(({ by }) => by.login),
    ].map((login) => login.toLowerCase()),
  );
  // GitHub takes reviewers who answered off the list. Quorum does not wait for those whom a person took off.
  const spoke = new Set(view.reviews.map(({ by }) => by.login.toLowerCase()));
  const heard = reviewers.filter((login) => spoke.has(login.toLowerCase()));
  const isExcused = (login: string): boolean => login === excused && !reviewers.includes(login);
  const asked = [...requestedReviewers.filter((login) => !isExcused(login)), ...heard];
  return [...new Map(asked.map((login) => [login.toLowerCase(), login])).entries()]
    .filter(([key]) => !approved.has(key))
    .map(([, login]) => `the review of \`${login}\``);
}

/** The lead's verdict speaks for everybody but those whose own approval is asked for. */
function missingPersonas(voices: readonly ReviewVoice[], required: readonly string[]): string[] {
  return required.flatMap((handle) => {
    const vote = voices.find((voice) => voice.handle === handle)?.vote;
    if (vote === 'APPROVE') return [];
    return [`the approval of ${handle}, who says ${vote ?? 'nothing'} to this head`];
  });
}

function missingReviews(run: TaskRun, view: MergeView): string[] {
  const { review } = run;
  const { pull, reviews } = view;
  const missing: string[] = [];
  if (review === undefined || review.headSha !== pull.headSha)
    missing.push('the team’s review of this head');
  else if (review.verdict !== 'APPROVE')
    missing.push(`the team’s review says ${review.verdict} to this head`);
  else missing.push(...missingPersonas(review.voices ?? [], view.config.review.requiredPersonas));
  if (review?.headSha === pull.headSha) missing.push(...(review.open ?? []));
  missing.push(...missingPeople(run, view));
  for (const each of reviews)
    if (each.state === 'changes-requested' && hasPermission(each.permission, 'write'))
      missing.push(`\`${each.by.login}\` asked for changes`);
  return missing;
}

const STATES: Readonly<Partial<Record<RequiredCheck['state'], string>>> = {
  unreadable:
    'no check run has this name, and commit statuses cannot be read here. Accept the App’s permission `statuses: read`',
};

/** Required checks that did not succeed, and a mergeability that is not known yet; for people. */
export function missingChecks({ required, pull }: Pick<MergeView, 'required' | 'pull'>): string[] {
  const checks = required
    .filter(({ state }) => state !== 'success')
    .map(({ name, state }) => `the required check \`${name}\` (${STATES[state] ?? state})`);
  if (pull.isMergeable === undefined)
    checks.push('GitHub has not decided yet whether it can be merged');
  return checks;
}

function holdReasons({ mergeWanted }: TaskRun, { config, pull }: MergeView): string[] {
  const label = config.labels.hold;
  const held: [boolean, string][] = [
    [!config.enabled, 'Quorum is switched off here (`enabled: false`)'],
    [pull.isDraft, 'it is a draft'],
    [label !== undefined && pull.labels.includes(label), `the label \`${label ?? 'hold'}\` is on`],
    [pull.unresolved === undefined, 'GitHub did not report whether all conversations are resolved'],
    [
      pull.unresolved !== undefined && pull.unresolved > 0,
      `${pull.unresolved} ${pull.unresolved === 1 ? 'conversation has' : 'conversations have'} to be resolved`,
    ],
    [config.merge.mode === 'never', 'people merge here themselves (`merge.mode: never`)'],
    [
      config.merge.mode === 'command' && !pull.isAutoMerge && mergeWanted?.headSha !== pull.headSha,
      MERGE_COMMAND,
    ],
  ];
  return held.filter(([applies]) => applies).map(([, says]) => says);
}

/** One person's approval of exactly this head: a review on GitHub, or a word of theirs to us. */
function whoApproved(run: TaskRun, view: MergeView): string | undefined {
  const spoken = pullWords(run).find((word) => mayApprove(run, view, word))?.by.login;
  if (spoken !== undefined) return spoken;
  return view.reviews.find(
    (review) =>
      review.state === 'approved' &&
      review.commitSha === view.pull.headSha &&
      !review.by.isBot &&
      review.by.id !== view.pull.authorId &&
      hasPermission(review.permission, 'write') &&
      mayRequester(run, view, review.by.id),
  )?.by.login;
}

function mayApprove(run: TaskRun, view: MergeView, { by, headSha }: PullWord): boolean {
  return isSaidOfHead({ by, headSha }, view) && mayRequester(run, view, by.id);
}

/** By somebody who may write, now. */
function isSaidOfHead({ by, headSha }: Pick<PullWord, 'by' | 'headSha'>, view: MergeView): boolean {
  const held = view.permissions[String(by.id)] ?? 'none';
  return headSha === view.pull.headSha && hasPermission(held, 'write');
}

/** Who asked for the work may approve it only where that is said, or where there is nobody else. */
function mayRequester(run: TaskRun, { config }: MergeView, id: number): boolean {
  const { approvedBy, ref } = run.order;
  if (id !== approvedBy.id) return true;
  const isPersonal = ref.plan.owner.toLowerCase() === approvedBy.login.toLowerCase();
  return config.merge.requesterMayApprove ?? isPersonal;
}

function askForYes(run: TaskRun, view: MergeView): string {
  const { login, id } = run.order.approvedBy;
  return mayRequester(run, view, id)
    ? 'one person’s approval of this head'
    : `the approval of this head by somebody other than \`${login}\`, who asked for the work`;
}
