/** Turns "ask this persona" into an effect: its prompt, its brief for the offline model, and the caps that hold. */
import type { DiscussionRun } from '../../../domain/run/state/run-record.ts';
import type { Purpose } from '../../../domain/run/council.ts';
import { ballotOf } from '../../../domain/run/ballot.ts';
import type { Evidence, OfflineBrief } from '../../../domain/run/evidence.ts';
import type { EffectData } from '../../../domain/event/effect.ts';
import { wishFor, type ModelSettings } from '../../../domain/run/model-pool.ts';
import type { Persona } from '../../../domain/persona/persona.ts';
import { emitEffect } from '../../run/decision.ts';
import type { DiscussionContext, ThreadState } from '../../run/thread-context.ts';
import { partFor } from '../read-parts.ts';
import type { Sight } from '../rounds.ts';
import { latestPositions, refutesOf } from '../verdict/tally-votes.ts';

type AskData = Extract<EffectData, { kind: 'ask' }>;

export interface Question {
  persona: Persona;
  purpose: Purpose;
  /** Which model is asked, and what of the prompt it shares with other questions. */
  at: Pick<AskData, 'model' | 'tier' | 'cache' | 'hasOneForm'>;
}

/** Wants one persona's answer and returns the effect's id. */
export function buildAsk(
  context: DiscussionContext,
  sight: Sight,
  { persona, purpose, at }: Question,
): string {
  const { run, step } = context;
  const evidence = seenBy(run, sight.evidence, purpose);
  const part = partFor(run, purpose);
  return emitEffect(step, {
    kind: 'ask',
    thread: run.thread,
    persona: persona.handle,
    trigger: run.trigger,
    purpose,
    round: run.round,
    ...at,
    ...temperatureOf(persona),
    ...partOf(context, sight, part),
    prompt: sight.prompt({ persona, purpose, evidence, part }),
    brief: {
      evidence,
      purpose: purpose === 'verdict' ? 'verdict' : 'position',
      persona: {
        handle: persona.handle,
        name: persona.name,
        role: persona.role,
        lens: persona.lens,
        domains: [...persona.domains],
      },
      ...notesFor(persona, sight),
      verdicts: [...ballotOf(run).words],
      round: run.round,
      mode: run.settings.mode,
    },
    caps: run.settings.caps,
  });
}

/** For rules, which read no prompt. */
function notesFor({ handle }: Persona, { memory }: Sight): Pick<OfflineBrief, 'notes'> {
  const notes = memory?.notes[handle] ?? [];
  if (notes.length === 0) return {};
  return {
    notes: notes.map(({ id, text, refs }) => ({ id, text, paths: refs.map(({ path }) => path) })),
  };
}

function partOf(
  { run, state }: DiscussionContext,
  { personas, aliases }: Sight,
  at: number | undefined,
): Pick<AskData, 'part'> {
  if (at === undefined || run.reading === undefined) return {};
  const lead = personas.find(({ handle }) => handle === run.lead?.handle);
  const verdict = lead === undefined ? {} : { verdict: modelOf(lead, state, aliases) };
  return { part: { at, of: run.reading.parts.length, ...verdict } };
}

/** Blind in round 1: nobody sees the others. In sequence, in round 2, and for the verdict everybody sees everything. */
function seenBy(run: DiscussionRun, evidence: Evidence, purpose: Purpose): Evidence {
  const isBlind =
    purpose === 'lead-alone' ||
    (purpose === 'position' && run.round === 1 && run.settings.mode !== 'sequential');
  if (isBlind) return { ...evidence, positions: [] };
  return {
    ...evidence,
    positions: latestPositions(run).flatMap(({ handle, position }) =>
      position === undefined
        ? []
        : [
            {
              handle,
              vote: position.vote,
              confidence: position.confidence,
              line: position.line,
              findings: [
                ...position.findings.map(({ severity, title }) => `${severity}: ${title}`),
                ...refutesOf(position).map(
                  ({ fingerprint, why }) => `refutes ${fingerprint}: ${why}`,
                ),
              ],
            },
          ],
    ),
  };
}

/** The model that a persona asks for in this thread, and the tier that replaces it. */
export function modelOf(
  persona: Persona,
  { switches }: Pick<ThreadState, 'switches'>,
  aliases: ModelSettings['aliases'],
): Pick<AskData, 'model' | 'tier'> {
  const { model, tier } = wishFor(persona, { aliases, thread: switches?.[0]?.model });
  return { model, tier };
}

/** The persona's own temperature, where it has one. */
export function temperatureOf({ model }: Persona): { temperature?: number } {
  const temperature = typeof model === 'string' ? undefined : model.temperature;
  return temperature === undefined ? {} : { temperature };
}
