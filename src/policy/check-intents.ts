/** Whether what an agent job wants written may be written: one intent that may not refuses the whole file. */
import {
  INTENT_QUOTAS,
  type Intent,
  type IntentKind,
  type IntentsFile,
} from '../domain/actions/intents.ts';
import { findSecrets } from '../domain/secrets/secret-text.ts';
import { CONFIG_CHECK, REVIEW_CHECK } from '../domain/task/check-names.ts';
import { threadKey, type ThreadRef } from '../domain/run/thread-ref.ts';

/** What the claim job found out, from the event and from GitHub, before any model ran. */
export interface IntentFacts {
  claim: string;
  workflowRun: string;
  thread: ThreadRef;
  /** Head of the pull request; undefined for an issue, whose intents name no commit. */
  headSha: string | undefined;
  /** The PM was asked for a plan. */
  isPlanning?: boolean;
}

export interface IntentProblem {
  /** Undefined for the file as a whole. */
  intent?: string;
  why: string;
}

/** The checks that an agent job may write. Every other check of Quorum is the result of a job without a model. */
const CHECK_OF_KIND = { 'review-check': REVIEW_CHECK, check: CONFIG_CHECK } as const;

export function checkIntents(file: IntentsFile, facts: IntentFacts): IntentProblem[] {
  return [
    ...checkOrigin(file, facts),
    ...checkQuotas(file),
    ...checkReviewed(file, facts),
    ...checkProposed(file, facts),
    ...file.intents.flatMap((intent) => {
      const reasons = [...checkTarget(intent, facts), ...checkText(intent)];
      return reasons.map((why) => ({ intent: intent.id, why }));
    }),
  ];
}

function checkOrigin({ claim, workflowRun }: IntentsFile, facts: IntentFacts): IntentProblem[] {
  const problems: IntentProblem[] = [];
  if (claim !== facts.claim) problems.push({ why: 'it is of another claim' });
  if (workflowRun !== facts.workflowRun)
    problems.push({ why: 'it is of another run of the workflow' });
  return problems;
}

/** A verdict is for the head that was claimed, and for no other. */
function checkReviewed({ reviewed }: IntentsFile, { headSha }: IntentFacts): IntentProblem[] {
  if (reviewed === undefined) return [];
  const [secret] = textsOf(reviewed).flatMap((text) => findSecrets(text));
  return [
    ...(reviewed.headSha === headSha ? [] : [{ why: 'its verdict is of another commit' }]),
    ...(secret === undefined
      ? []
      : [{ why: `its verdict holds what looks like a ${secret.kind}` }]),
  ];
}

/** Only where a plan was asked for; the plan itself is held to its own limits. */
function checkProposed({ proposed }: IntentsFile, { isPlanning }: IntentFacts): IntentProblem[] {
  if (proposed === undefined) return [];
  const [secret] = textsOf(proposed).flatMap((text) => findSecrets(text));
  return [
    ...(isPlanning === true ? [] : [{ why: 'nobody asked for a plan' }]),
    ...(secret === undefined
      ? []
      : [{ why: `its proposal holds what looks like a ${secret.kind}` }]),
  ];
}

function checkQuotas({ intents }: IntentsFile): IntentProblem[] {
  const problems: IntentProblem[] = [];
  const ids = new Set(intents.map(({ id }) => id));
  if (ids.size < intents.length) problems.push({ why: 'two intents have the same id' });
  const byKind = Map.groupBy(intents, ({ data }): IntentKind => data.kind);
  for (const [kind, found] of byKind) {
    const most = INTENT_QUOTAS[kind];
    if (found.length > most)
      problems.push({
        why: `${found.length} intents of the kind ${kind}; at most ${most} are allowed`,
      });
  }
  return problems;
}

function checkTarget({ key, data }: Intent, { thread, headSha }: IntentFacts): string[] {
  const problems: string[] = [];
  if (key !== threadKey(thread)) problems.push('it belongs to another thread');
  if (!isPlace('thread' in data ? data.thread : data.repository, thread))
    problems.push('it is for another repository');
  if ('thread' in data && data.thread.number !== thread.number)
    problems.push('it is for another issue or pull request');
  if (shasOf(data).some((sha) => sha !== headSha)) problems.push('it is for another commit');
  if (writesOtherCheck(data)) problems.push('it writes a check run that is not one of this job');
  return problems;
}

function isPlace(
  { installationId, repositoryId, owner, repo }: Omit<ThreadRef, 'number'>,
  thread: ThreadRef,
): boolean {
  return (
    installationId === thread.installationId &&
    repositoryId === thread.repositoryId &&
    owner === thread.owner &&
    repo === thread.repo
  );
}

function shasOf(data: Intent['data']): string[] {
  if (data.kind === 'review') return [data.review.headSha];
  if (data.kind === 'review-check') return [data.check.headSha];
  return data.kind === 'check' ? [data.headSha] : [];
}

function writesOtherCheck(data: Intent['data']): boolean {
  if (data.kind !== 'review-check' && data.kind !== 'check') return false;
  const checks = data.kind === 'check' ? data.checks : [data.check];
  return checks.some(({ name }) => name !== CHECK_OF_KIND[data.kind]);
}

function checkText({ data }: Intent): string[] {
  const [first] = textsOf(data).flatMap((text) => findSecrets(text));
  return first === undefined ? [] : [`its text holds what looks like a ${first.kind}`];
}

function textsOf(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  if (typeof value !== 'object' || value === null) return [];
  return Object.values(value).flatMap((inner) => textsOf(inner));
}
