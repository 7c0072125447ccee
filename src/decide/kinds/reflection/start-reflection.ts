/** Whether a run that ended is worth looking back on, and what of it is looked at. */
import { lowestTrust } from '../../../domain/prompt/quarantine.ts';
import type { ReflectedVoice, ReflectionMaterial } from '../../../domain/memory/reflection.ts';
import type { Event } from '../../../domain/event/event.ts';
import type { DiscussionRun } from '../../../domain/run/state/run-record.ts';
import { runKey } from '../../../domain/run/state/run-record.ts';
import { citedIds } from '../../discussion/ask/cited-notes.ts';
import { startRun } from '../../discussion/start-run.ts';
import { latestPositions } from '../../discussion/verdict/tally-votes.ts';
import type { DiscussionContext, RunKind } from '../../run/thread-context.ts';

/** Starts it once, with the step in which the run ended. */
export function reflectOn(
  { state, run, step }: DiscussionContext,
  event: Event,
  runKind: RunKind<'reflection'>,
): void {
  const key = runKey('reflection', run.id);
  const hasEnded = run.phase.kind === 'ended' && run.status === 'consensus';
  if (!hasEnded || key in state.runs || !isWorthIt(run)) return;
  const { thread, actor } = run;
  const { effects, events } = startRun(state, {
    event: { ...event, id: `${event.id}/reflection` },
    trigger: { kind: 'requested', by: 'reconcile', thread, actor, label: '' },
    kind: 'reflection',
    runKind,
    about: run.id,
    material: toMaterial(run),
    label: '',
    now: step.now,
  });
  step.effects.push(...effects);
  step.events.push(...events);
}

/**
 * A clean approval teaches nothing that is worth a model call. A reflection needs a finding, a person's answer, or
 * notes that were used.
 */
function isWorthIt(run: DiscussionRun): boolean {
  if (run.lookedAt.notes === undefined || run.verdict === undefined) return false;
  const found = latestPositions(run).some(({ position }) => (position?.findings.length ?? 0) > 0);
  return found || run.answered !== undefined || citedIds(run).length > 0;
}

function toMaterial(run: DiscussionRun): ReflectionMaterial {
  const { verdict, answered, author } = run;
  return {
    run: run.id,
    subject: run.trigger === 'pr_review' || run.trigger === 'build_failure' ? 'change' : 'issue',
    headSha: run.headSha,
    verdict: verdict?.verdict ?? 'HUMAN',
    headline: verdict?.headline ?? '',
    voices: latestPositions(run).flatMap(toVoice),
    ...(answered && { answered: toAnswered(answered) }),
    ...(author && { author }),
    trust: run.trust ?? lowestTrust([]),
    cited: citedIds(run),
  };
}

type Answered = NonNullable<DiscussionRun['answered']>;

function toAnswered({ question, by, words }: Answered): Omit<Answered, 'owner'> {
  return { question, by, ...(words !== undefined && { words }) };
}

type Said = ReturnType<typeof latestPositions>[number];

function toVoice({ handle, position }: Said): ReflectedVoice[] {
  if (position === undefined) return [];
  const findings = position.findings.map(({ severity, title, evidence, place }) => ({
    severity,
    title,
    evidence,
    ...(place && { path: place.path }),
    ...(place?.line !== undefined && { line: place.line }),
    ...(place?.endLine !== undefined && { endLine: place.endLine }),
  }));
  return [{ handle, vote: position.vote, line: position.line, findings }];
}
