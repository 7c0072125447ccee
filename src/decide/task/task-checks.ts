/** The check runs of a task's head: one for each gate and each persona, and one that says what is missing for a merge. */
import { codeBlock, codeSpan } from '../../domain/text/code-span.ts';
import { QUEUE_UNHEARD } from '../../domain/github/queue-unheard.ts';
import type { VerdictWord } from '../../domain/run/council.ts';
import type { CheckWanted } from '../../domain/event/effect.ts';
import { gateCheck, type GateReceipt } from '../../domain/gates/receipt.ts';
import { MERGE_CHECK, voiceCheck } from '../../domain/task/check-names.ts';
import type { ReviewVoice, TaskRun } from '../../domain/task/task.ts';
import { toRepositoryRef } from '../../domain/run/thread-ref.ts';
import { firstWrite, emitEffect } from '../run/decision.ts';
import { taskLane, type TaskContext } from './task-context.ts';

/** All of them at once: one call, where the server can. */
export function showGates(context: TaskContext): void {
  show(context, context.run.receipts.map(toGate));
}

function toGate(receipt: GateReceipt): CheckWanted {
  return {
    name: gateCheck(receipt.gate),
    conclusion: receipt.result === 'passed' ? 'success' : 'failure',
    // GitHub shows titles as they are: ticks would stand there as ticks.
    title: receipt.sentence.replaceAll('`', ''),
    summary: renderReceipt(receipt),
  };
}

function renderReceipt({ flags, signature, log }: GateReceipt): string {
  const flagged = flags.map((flag) => `- ${flag}`);
  const printed = log === undefined ? [] : ['', 'End of the output:', '', codeBlock(log)];
  return [...flagged, `Receipt \`${signature.slice(0, 16)}\`.`, ...printed].join('\n');
}

/** What personas said of the head: GitHub lets no account approve its own pull request (TG-6). */
export function showVoices(context: TaskContext): void {
  const checks = voiceChecks(context);
  if (checks.length > 0) show(context, checks);
}

/** Those that are not shown yet. */
function voiceChecks({ run }: TaskContext): CheckWanted[] {
  const { review, headSha } = run;
  if (review === undefined || review.headSha !== headSha) return [];
  const { voices = [], open = [] } = review;
  const said = JSON.stringify([headSha, voices, ...open]);
  if (run.shownVoices === said) return [];
  run.shownVoices = said;
  return voices.map((voice) => toVoice(voice, open));
}

/** No check of ours is a success while a serious finding of a rule is open. */
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
  { missing, headSha = context.run.headSha, says = 'Everything holds' }: MergeShown,
): void {
  const count = missing.length;
  const things = `${count} ${count === 1 ? 'thing is' : 'things are'} missing`;
  const check: CheckWanted = {
    name: MERGE_CHECK,
    conclusion: count === 0 ? 'success' : 'action_required',
    title: count === 0 ? says : things,
    summary: [
      ...missing.map((each) => `- ${each}`),
      ...describeQueue(context.run),
      ...describeTeams(context.run),
    ].join('\n'),
  };
  const voices = headSha === context.run.headSha ? voiceChecks(context) : [];
  show(context, [check, ...voices], headSha);
}

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
