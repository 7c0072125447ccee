/** A reflection, step by step: what is known was read, one answer for all voices came, the branch has what they learned. */
import type { EventData } from '../../../domain/event/event.ts';
import type { MemoryLook } from '../../../domain/event/result.ts';
import type { ReflectionMaterial } from '../../../domain/memory/reflection.ts';
import { shareLessons } from '../../../domain/memory/parse-lessons.ts';
import { TEAM } from '../../../domain/memory/memory-entry.ts';
import type { Persona } from '../../../domain/persona/persona.ts';
import { emitEffect } from '../../run/decision.ts';
import { noEvidence } from '../../run/no-evidence.ts';
import { HANDLED, ignore, type Outcome } from '../../run/outcome.ts';
import { readSettings } from '../../run/run-settings.ts';
import { isOpen, writeLane, type ResultData, type RunContext } from '../../run/thread-context.ts';
import { highestNumber } from '../../run/answers/proposals.ts';
import { experiencesOf } from './experiences.ts';
import { reflectionPrompt } from './prompt.ts';
import { groupLessons, renderNotesToRemember } from './render.ts';

type Context = RunContext<'reflection'>;
type Done<K extends string> = Extract<EventData, { kind: 'done'; effectKind: K }>;

export function onReflection(context: Context, data: ResultData): Outcome {
  if (data.kind === 'timer') return ignore('no timer was set');
  if (!isOpen(context.run)) return ignore('the run is over');
  if (data.kind === 'failed') return onFailure(context, data);
  if (data.effectKind === 'look-memory') return onLook(context, data);
  if (data.effectKind === 'ask') return onAnswer(context, data);
  return data.effectKind === 'remember' ? onRemembered(context, data) : HANDLED;
}

/** What it was for goes on without it: a failed reflection is kept with its reason, and nothing else. */
function onFailure(
  context: Context,
  { effectId, failure }: Extract<EventData, { kind: 'failed' }>,
): Outcome {
  const { run } = context;
  if (run.phase.kind !== 'reflecting') return end(context, failure.code);
  run.phase.waitingFor = run.phase.waitingFor.filter((each) => each.effectId !== effectId);
  return advanceRun(context);
}

/** Without the moment: a step that wants nothing must not depend on it, or a replay could not repeat it. */
function end({ run }: Context, reason?: string): Outcome {
  run.phase = { kind: 'ended' };
  run.status = reason === undefined ? 'consensus' : 'closed';
  if (reason !== undefined) run.endReason = reason;
  delete run.material;
  delete run.learned;
  delete run.silent;
  delete run.experiences;
  return HANDLED;
}

function onLook(context: Context, { result }: Done<'look-memory'>): Outcome {
  const { run } = context;
  const { material } = run;
  if (run.phase.kind !== 'looking' || material === undefined) return ignore('it was read before');
  run.nonce ??= result.nonce;
  const { config, personas } = result;
  if (!config.enabled || !config.memory.enabled) return end(context, 'memory is switched off here');
  const { actor: asker, unchangedRuns } = run;
  run.settings = readSettings(config, { owner: asker.login, asker, unchangedRuns });
  if (config.memory.self === true)
    run.experiences = experiencesOf(context.state, run.thread, material);
  const learning = personas.filter(({ active }) => active);
  const handles = new Set(learning.map(({ handle }) => handle));
  const voices = material.voices.filter(({ handle }) => handles.has(handle));
  run.material = { ...material, voices };
  const silent = material.voices.flatMap(({ handle }) => (handles.has(handle) ? [] : handle));
  if (silent.length > 0) run.silent = silent;
  run.phase = { kind: 'reflecting', waitingFor: [] };
  if (learning.length > 0) {
    const effectId = ask(context, { personas: learning, material: run.material, look: result });
    run.phase.waitingFor.push({ handle: TEAM, purpose: 'reflection', effectId });
  }
  return advanceRun(context);
}

interface Asking {
  personas: readonly Persona[];
  material: ReflectionMaterial;
  look: MemoryLook;
}

/** One question for all who spoke: what they read is the same, and it costs once. */
function ask({ run, step }: Context, { personas, material, look }: Asking): string {
  const { cheap } = look.config.models.aliases;
  return emitEffect(step, {
    kind: 'ask',
    thread: run.thread,
    persona: TEAM,
    trigger: 'reflection',
    purpose: 'reflection',
    round: 1,
    model: cheap ?? 'cheap',
    tier: 'cheap',
    prompt: reflectionPrompt({
      material,
      personas,
      known: look.known,
      nonce: run.nonce ?? look.nonce,
    }),
    brief: {
      evidence: noEvidence(),
      purpose: 'reflection',
      reflection: material,
      persona: { handle: TEAM, name: 'The team', role: '', lens: '', domains: [] },
      verdicts: [material.verdict],
      round: 1,
      mode: 'single',
    },
    caps: run.settings.caps,
  });
}

function onAnswer(context: Context, { effectId, result }: Done<'ask'>): Outcome {
  const { run } = context;
  run.calls.push(...result.calls);
  if (run.phase.kind !== 'reflecting') return ignore('the run has moved on');
  const asked = run.phase.waitingFor.find((each) => each.effectId === effectId);
  if (asked === undefined) return ignore('the run has moved on');
  run.phase.waitingFor = run.phase.waitingFor.filter((each) => each !== asked);
  const handles = (run.material?.voices ?? []).map(({ handle }) => handle);
  const shares = shareLessons(result.value, handles, run.silent);
  // A run that an older version began waits for each voice by itself.
  const own = shares.filter(({ persona }) => asked.handle === TEAM || persona === asked.handle);
  run.learned = [...(run.learned ?? []), ...own];
  return advanceRun(context);
}

function advanceRun(context: Context): Outcome {
  const { run, step } = context;
  const { material, learned = [] } = run;
  if (run.phase.kind !== 'reflecting' || run.phase.waitingFor.length > 0) return HANDLED;
  if (material === undefined || (learned.length === 0 && material.cited.length === 0))
    return end(context, 'nobody could be asked');
  const { voices, headline: _, verdict: __, answered: ___, ...from } = material;
  const paths = [
    ...new Set(voices.flatMap(({ findings }) => findings.flatMap(({ path }) => path ?? []))),
  ];
  const { experiences } = run;
  const lived = experiences === undefined ? {} : { experiences };
  const change = { kind: 'learn' as const, from, learned, paths, ...lived };
  const effectId = emitEffect(
    step,
    { kind: 'remember', thread: run.thread, change },
    { lane: `memory:${run.thread.repositoryId}` },
  );
  run.phase = { kind: 'remembering', effectId };
  return HANDLED;
}

/** What waits for a person is shown where it was learned, once. */
function onRemembered(context: Context, { effectId, result }: Done<'remember'>): Outcome {
  const { run, step } = context;
  if (run.phase.kind !== 'remembering' || run.phase.effectId !== effectId)
    return ignore('the run has moved on');
  if (result.due !== undefined && result.due.length > 0) run.due = result.due;
  const waiting = result.entries.filter(({ state }) => state === 'quarantined');
  if (waiting.length > 0) {
    const { state } = context;
    const first = highestNumber(state) + 1;
    const numbered = groupLessons(waiting).flatMap((group, at) =>
      group.map(({ id, text }) => ({ id, text, number: first + at })),
    );
    state.lessons = [...(state.lessons ?? []), ...numbered];
    const marker = { kind: 'proposal' as const, run: run.id, key: 'memory' };
    const body = renderNotesToRemember(waiting, first);
    emitEffect(
      step,
      { kind: 'comment', thread: run.thread, marker, body, isNew: true },
      { lane: writeLane(run.thread), isUnheard: true },
    );
  }
  return end(context);
}
