/** What models were asked in a run, by what the store has: voices, the PM's planning, and the sessions of the coder. */
import * as z from 'zod';
import { toQuestion } from '../../../act/model/ask-persona.ts';
import { toProposeRequest } from '../../../act/model/propose.ts';
import type { EffectData } from '../../../domain/event/effect.ts';
import type { EventData } from '../../../domain/event/event.ts';
import { PmProposal } from '../../../domain/plan/draft.ts';
import { inline, prompt } from '../../../domain/prompt/prompt-text.ts';
import type { ModelCall } from '../../../domain/run/ledger.ts';
import type { ModelRequest } from '../../../ports/model.ts';
import type { StoredEffect, StoredEvent } from '../../../ports/store.ts';

export interface RecordedQuestion {
  effect: string;
  persona: string;
  purpose: string;
  round: number;
  model: string;
  request: ModelRequest;
  schema: z.ZodType;
  form?: z.ZodType;
  /** What was kept of the answer. */
  value: unknown;
  calls: readonly ModelCall[];
}

type Done = Extract<EventData, { kind: 'done' }>;
type Of<K extends EffectData['kind']> = Extract<EffectData, { kind: K }>;
type ResultOf<K extends Done['effectKind']> = Extract<Done, { effectKind: K }>['result'];

/** In the order of the effects; those without an answer are left out. */
export function recordedQuestions(
  effects: readonly Pick<StoredEffect, 'id' | 'data'>[],
  events: readonly Pick<StoredEvent, 'data'>[],
): RecordedQuestion[] {
  const done = new Map(
    events.flatMap(({ data }): [string, Done][] =>
      data.kind === 'done' ? [[data.effectId, data]] : [],
    ),
  );
  return effects.flatMap(({ id, data }): RecordedQuestion[] => {
    const found = done.get(id);
    if (found === undefined) return [];
    if (data.kind === 'ask' && found.effectKind === 'ask') return [ofVoice(id, data, found.result)];
    if (data.kind === 'propose' && found.effectKind === 'propose')
      return [ofPlan(id, data, found.result)];
    return data.kind === 'code' && found.effectKind === 'code'
      ? [ofCoder(id, data, found.result)]
      : [];
  });
}

function ofVoice(effect: string, data: Of<'ask'>, result: ResultOf<'ask'>): RecordedQuestion {
  const { persona, purpose, round, model } = data;
  const { value, calls } = result;
  return { effect, persona, purpose, round, model, ...toQuestion(data), value, calls };
}

/** What the PM's tools read is not kept. */
function ofPlan(
  effect: string,
  data: Of<'propose'>,
  { word, calls }: ResultOf<'propose'>,
): RecordedQuestion {
  return {
    effect,
    persona: 'pm',
    purpose: 'plan',
    round: 1,
    model: data.model,
    request: toProposeRequest(data),
    schema: PmProposal,
    value: word,
    calls,
  };
}

/** Of a person's answer, with which a session goes on. */
const MAX_ANSWER = 4_000;

/** A coder's own program asks its models: its order and its report are kept. */
const CoderAnswer = z.object({ report: z.looseObject({}), files: z.array(z.string()) });

function ofCoder(effect: string, data: Of<'code'>, result: ResultOf<'code'>): RecordedQuestion {
  const { transcript: _, calls, ...report } = result.report;
  const resumed =
    data.resume === undefined ? [] : [prompt`${inline(data.resume.answer, MAX_ANSWER)}`];
  const parts = [data.prompt, ...resumed];
  return {
    effect,
    persona: data.persona,
    purpose: 'code',
    round: data.attempt,
    model: result.coder,
    request: {
      model: result.coder,
      installation: data.thread.installationId,
      system: [],
      messages: [{ role: 'user', content: parts.map((text) => ({ text })) }],
      maxOutputTokens: 0,
      timeoutMs: 0,
    },
    schema: CoderAnswer,
    value: { report, files: result.files.map(({ path }) => path) },
    calls,
  };
}
