/** Asks every participant once, all at the same time. What they share of the prompt is paid for once (LS-6). */
import type { Persona } from '../../../domain/persona/persona.ts';
import type { AskedVoice } from '../../../domain/run/state/run-base.ts';
import type { StandupLook } from '../../../domain/standup/standup-run.ts';
import { ModelAlias } from '../../../domain/config/config-limits.ts';
import { noEvidence } from '../../run/no-evidence.ts';
import { emitEffect } from '../../run/decision.ts';
import type { RunContext } from '../../run/thread-context.ts';
import { standupPrompt, type StandupScene } from './prompt.ts';

type Context = RunContext<'standup'>;

/** LS-3: bounds that configuration may lower and never raise. */
const MOST_INSIGHTS = 3;
const MOST_WORDS = 200;

export function askEverybody(context: Context, look: StandupLook): AskedVoice[] {
  const { record, personas, config, strictness, nonce } = look;
  const { maxInsightsPerAgent, maxWordsPerInsight, personality } = config.standup;
  const scene: StandupScene = {
    record,
    team: personas,
    limits: {
      maxInsights: Math.min(maxInsightsPerAgent, MOST_INSIGHTS),
      maxWords: Math.min(maxWordsPerInsight, MOST_WORDS),
    },
    strictness,
    hasPersonality: personality,
    nonce: context.run.nonce ?? nonce,
  };
  return personas.map((persona, at) => ({
    handle: persona.handle,
    purpose: 'standup' as const,
    effectId: ask(context, { persona, scene, look, isFirst: at === 0 }),
  }));
}

interface Asking {
  persona: Persona;
  scene: StandupScene;
  look: StandupLook;
  isFirst: boolean;
}

function ask({ run, step }: Context, { persona, scene, look, isFirst }: Asking): string {
  const { handle, name, role, lens, domains } = persona;
  const { config, relationships, memories, offline } = look;
  const wished = config.standup.model;
  const alias = ModelAlias.safeParse(wished).data;
  const { perThreadUsd, perDayUsd } = config.budget.standup;
  const own = offline[handle];
  const remembered = memories[handle];
  const towards = relationships[handle];
  return emitEffect(step, {
    kind: 'ask',
    thread: run.thread,
    persona: handle,
    trigger: 'standup',
    purpose: 'standup',
    round: 1,
    model: (alias === undefined ? undefined : config.models.aliases[alias]) ?? wished,
    tier: alias ?? 'cheap',
    prompt: standupPrompt(scene, {
      persona,
      ...(towards === undefined ? {} : { relationships: towards }),
      ...(remembered === undefined ? {} : { memories: remembered }),
    }),
    ...(look.personas.length > 1
      ? { cache: isFirst ? ('write' as const) : ('read' as const) }
      : {}),
    brief: {
      evidence: noEvidence(),
      purpose: 'standup',
      ...(own === undefined ? {} : { standup: own }),
      persona: { handle, name, role, lens, domains: [...domains] },
      verdicts: ['APPROVE'],
      round: 1,
      mode: 'single',
    },
    caps: { ...run.settings.caps, threadUsd: perThreadUsd, dayUsd: perDayUsd },
  });
}
