/** The check runs of a task's head: its gates, what is missing for a merge, and those that are asked for by name. */
import { codeSpan } from '../../../domain/text/code-span.ts';
import { QUEUE_UNHEARD } from '../../../domain/github/queue-unheard.ts';
import type { VerdictWord } from '../../../domain/run/council.ts';
import type { CheckWanted } from '../../../domain/event/effect-values.ts';
import { GATES, gateCheck } from '../../../domain/gates/receipt.ts';
import { handleOfCheck, MERGE_CHECK, voiceCheck } from '../../../domain/task/check-names.ts';
import type { MergeView } from '../../../domain/task/merge-view.ts';
import type { ReviewVoice, TaskRun } from '../../../domain/task/task.ts';
import { toRepositoryRef } from '../../../domain/run/thread-ref.ts';
import { firstWrite, emitEffect } from '../../run/decision.ts';
import { toGateCheck, toGatesCheck } from './render-gates.ts';
import { taskLane, type TaskContext } from '../task-context.ts';

/** One check for all gates, and one more for each that the base branch requires by name. */
export function showGates(context: TaskContext): void {
  const { receipts } = context.run;
  show(context, [toGatesCheck(receipts), ...requiredGates(context.run)]);
}

function requiredGates({ receipts, ownRequired = [] }: TaskRun): CheckWanted[] {
  return receipts.map(toGateCheck).filter(({ name }) => ownRequired.includes(name));
}

const GATE_CHECKS: readonly string[] = GATES.map(gateCheck);

/**
 * Keeps the names of single checks that the base branch or the configuration asks for. Those that the branch newly requires
 * are shown at once, the others with the next check of the merge. Returns whether any were shown.
 */
export function showRequired(context: TaskContext, { pull, required, config }: MergeView): boolean {
  const { run } = context;
  if (run.headSha !== pull.headSha) return false;
  const known = run.ownRequired ?? [];
  const byBranch = required
    .map(({ name }) => name)
    .filter((name) => GATE_CHECKS.includes(name) || handleOfCheck(name) !== undefined);
  const wanted = [...byBranch, ...config.review.requiredPersonas.map(voiceCheck)];
  const added = [...new Set(wanted)].filter((name) => !known.includes(name));
  if (added.length === 0) return false;
  run.ownRequired = [...known, ...added];
  if (!added.some((name) => byBranch.includes(name))) return false;
  const gates = requiredGates(run).filter(({ name }) => added.includes(name));
  const checks = [...gates, ...voiceChecks(context)];
  if (checks.length > 0) show(context, checks);
  return checks.length > 0;
}

/** What personas said, where that is asked for and not shown yet: GitHub lets no account approve its own pull request (TG-6). */
function voiceChecks({ run }: TaskContext): CheckWanted[] {
  const { review, headSha, ownRequired = [] } = run;
  if (review === undefined || review.headSha !== headSha) return [];
  const { open = [] } = review;
  const voices = (review.voices ?? []).filter(({ handle }) =>
    ownRequired.includes(voiceCheck(handle)),
  );
  const said = JSON.stringify([headSha, voices, ...open]);
  if (voices.length === 0 || run.shownVoices === said) return [];
  run.shownVoices = said;
  return voices.map((voice) => toVoice(voice, open));
}

/** None of our checks succeeds while a serious finding of a rule is open. */
function toVoice({ handle, vote }: ReviewVoice, open: readonly string[]): CheckWanted {
  const [conclusion, title] = (vote && VOTES[vote]) ?? (['neutral', 'Said nothing'] as const);
  const isHeld = conclusion === 'success' && open.length > 0;
  return {
    name: voiceCheck(handle),
    conclusion: isHeld ? 'neutral' : conclusion,
    title: isHeld ? `${title}, but a serious finding is open` : title,
    summary: isHeld ? open.map((each) => `- ${each}`).join('\n') : '',
  };
}

const VOTES: Readonly<
  Partial<Record<VerdictWord, readonly [CheckWanted['conclusion'], title: string]>>
> = {
  APPROVE: ['success', 'Approves this head'],
  CHANGES: ['action_required', 'Asks for changes'],
  HUMAN: ['action_required', 'Wants a person to decide'],
};

interface MergeShown {
  missing: readonly string[];
  /** Whose check says so; the one that went through the gates when absent. */
  headSha?: string | undefined;
  /** What happens where nothing is missing, when it is not us who merge. */
  says?: string | undefined;
}

/** Says what is missing; nothing is, when it is about to be merged. */
export function showMerge(
  context: TaskContext,
  {
    missing,
    headSha = context.run.headSha,
    says = 'Ready to merge: nothing is missing',
  }: MergeShown,
): void {
  const count = missing.length;
  const things = `${count} ${count === 1 ? 'thing is' : 'things are'} missing`;
  const check: CheckWanted = {
    name: MERGE_CHECK,
    conclusion: count === 0 ? 'success' : 'action_required',
    title: count === 0 ? says : things,
    summary: [
      ...missing.map((each) => `- ${each}`),
      ...describeVotes(context.run, headSha),
      ...describeQueue(context.run),
      ...describeTeams(context.run),
    ].join('\n'),
  };
  const voices = headSha === context.run.headSha ? voiceChecks(context) : [];
  show(context, [check, ...voices], headSha);
}

/** Only people who look for them need the single votes. */
function describeVotes({ review }: TaskRun, headSha: string | undefined): string[] {
  const { voices = [] } = review ?? {};
  if (voices.length === 0 || review?.headSha !== headSha) return [];
  const votes = voices.map(
    ({ handle, vote }) => `\`${handle}\` ${VOTE_WORDS[vote ?? ''] ?? 'has not voted'}`,
  );
  return ['', `Votes on this head: ${votes.join(', ')}.`];
}

const VOTE_WORDS: Readonly<Record<string, string>> = {
  APPROVE: 'approves',
  CHANGES: 'asks for changes',
  HUMAN: 'wants a person to decide',
};

function describeQueue({ isQueueUnheard }: TaskRun): string[] {
  if (isQueueUnheard !== true) return [];
  return ['', QUEUE_UNHEARD];
}

/** GitHub answers the same for a team without access and for an App without the permission, so both are named. */
function describeTeams({ refusedTeams = [] }: TaskRun): string[] {
  if (refusedTeams.length === 0) return [];
  const names = refusedTeams.map((slug) => codeSpan(slug)).join(', ');
  return [
    '',
    `Quorum could not request a review from these code-owning teams: ${names}. Give each team access to this repository, and grant the App the optional permission \`members: read\`, or request the review yourself.`,
  ];
}

function show(
  { run, step }: TaskContext,
  checks: readonly CheckWanted[],
  headSha = run.headSha,
): void {
  const { order } = run;
  if (headSha === undefined) return;
  emitEffect(
    step,
    {
      kind: 'check',
      repository: toRepositoryRef(order.ref.plan),
      headSha,
      checks: checks.map((each) => ({ ...each, ...firstWrite(run, `${each.name}@${headSha}`) })),
    },
    { ...taskLane(run), isUnheard: true },
  );
}
