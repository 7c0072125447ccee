/** Wants the follow-up issue of an accepted tension: one for each tension of a repository, found again by its marker. */
import { toRepositoryRef, type ThreadRef } from '../../../domain/run/thread-ref.ts';
import { renderFollowUp } from '../../../domain/tension/follow-up-issue.ts';
import type { Tension } from '../../../domain/tension/tension.ts';
import { emitEffect, type Step } from '../../run/decision.ts';

interface Origin {
  /** Where the standup was. */
  thread: ThreadRef;
  /** Names of participants by handle. */
  names: Readonly<Record<string, string>>;
  /** Commit that citations were checked at; empty where that is not known. */
  headSha: string;
}

/** Returns the effect's id. A person asked for it, so that it takes no room from what agents open by themselves. */
export function wantFollowUp(
  step: Step,
  tension: Tension,
  { thread, names, headSha }: Origin,
): string {
  const { title, body } = renderFollowUp(tension, {
    names,
    standup: { thread: thread.number, headSha },
  });
  return emitEffect(
    step,
    {
      kind: 'issue',
      repository: toRepositoryRef(thread),
      marker: { kind: 'standup', run: step.run.id, key: keyOf(tension) },
      title,
      body,
      labels: [],
    },
    { lane: `issues:${thread.repositoryId}` },
  );
}

/** What was closed as not planned stays closed: the next one is another issue. */
function keyOf({ number, notPlanned }: Tension): string {
  return `tension-${number}${notPlanned === undefined ? '' : `-after-${notPlanned}`}`;
}
