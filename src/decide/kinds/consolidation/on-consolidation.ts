/** A consolidation, step by step: what is due was read, a model worded it, the pull request is open. */
import type { EventData } from '../../../domain/event/event.ts';
import {
  readConsolidation,
  type ConsolidationLook,
  type MemoryEdit,
} from '../../../domain/memory/consolidation/consolidation.ts';
import type { SelfEdit } from '../../../domain/memory/self/rewrite-self.ts';
import { emitEffect } from '../../run/decision.ts';
import { noEvidence } from '../../run/no-evidence.ts';
import { HANDLED, ignore, type Outcome } from '../../run/outcome.ts';
import { readSettings } from '../../run/run-settings.ts';
import { isOpen, type ResultData, type RunContext } from '../../run/thread-context.ts';
import { consolidationPrompt } from './prompt.ts';

type Context = RunContext<'consolidation'>;
type Done<K extends string> = Extract<EventData, { kind: 'done'; effectKind: K }>;

/** What cannot be used is asked for once more (spec 07). */
const MOST_ATTEMPTS = 2;

export function onConsolidation(context: Context, data: ResultData): Outcome {
  const { phase } = context.run;
  if (!isOpen(context.run)) return ignore('the run is over');
  if (data.kind === 'timer') return ignore('no timer was set');
  if (!('effectId' in phase) || phase.effectId !== data.effectId)
    return ignore('nothing waits for it');
  if (data.kind === 'failed') return end(context, data.failure.code);
  if (data.effectKind === 'look-consolidation') return onLook(context, data.result);
  if (data.effectKind === 'ask') return onAnswer(context, data);
  return data.effectKind === 'open-consolidation' ? onOpened(context, data) : HANDLED;
}

/** Without the moment: a step that wants nothing must not depend on it. */
function end({ run }: Context, reason?: string): Outcome {
  run.phase = { kind: 'ended' };
  run.status = reason === undefined ? 'consensus' : 'closed';
  if (reason !== undefined) run.endReason = reason;
  delete run.found;
  delete run.soul;
  return HANDLED;
}

function onLook(context: Context, look: ConsolidationLook): Outcome {
  const { run } = context;
  const { off, config, found, persona, nonce } = look;
  run.nonce ??= nonce;
  if (off !== undefined || found === undefined || persona === undefined)
    return end(context, off ?? 'the persona is not in the team any more');
  const { actor: asker, unchangedRuns } = run;
  run.settings = readSettings(config, { owner: asker.login, asker, unchangedRuns });
  const { handle, name, role, lens, domains } = persona;
  run.model = config.models.aliases.cheap ?? 'cheap';
  run.found = found;
  run.soul = { handle, name, role, lens, domains: [...domains] };
  return ask(context, 1);
}

function ask(context: Context, attempt: number, refused?: string): Outcome {
  const { run, step } = context;
  const { found, soul, nonce = '' } = run;
  if (found === undefined || soul === undefined) return end(context, 'nothing is left to propose');
  const effectId = emitEffect(step, {
    kind: 'ask',
    thread: run.thread,
    persona: soul.handle,
    trigger: 'consolidation',
    purpose: 'consolidation',
    round: attempt,
    model: run.model ?? 'cheap',
    tier: 'cheap',
    prompt: consolidationPrompt({ found, soul, nonce, refused }),
    brief: {
      evidence: noEvidence(),
      purpose: 'consolidation',
      persona: soul,
      verdicts: ['APPROVE'],
      round: attempt,
      mode: 'single',
    },
    caps: run.settings.caps,
  });
  run.phase = { kind: 'condensing', effectId, attempt };
  return HANDLED;
}

function onAnswer(context: Context, { result }: Done<'ask'>): Outcome {
  const { run } = context;
  const { found, phase } = run;
  run.calls.push(...result.calls);
  if (phase.kind !== 'condensing' || found === undefined) return ignore('the run has moved on');
  const read = readConsolidation(found, result.value);
  if (read.kind === 'edits') return publish(context, { edits: read.edits });
  if (read.kind === 'self') return publish(context, { edits: [], self: read.edit });
  const { attempt } = phase;
  return attempt < MOST_ATTEMPTS
    ? ask(context, attempt + 1, read.reason)
    : end(context, read.reason);
}

function publish(context: Context, proposed: { edits: MemoryEdit[]; self?: SelfEdit }): Outcome {
  const { run, step } = context;
  const { found, thread } = run;
  if (found === undefined) return end(context, 'nothing is left to propose');
  const { persona, evidence } = found;
  const effectId = emitEffect(
    step,
    { kind: 'open-consolidation', thread, persona, evidence, ...proposed, proposedBy: run.id },
    { lane: `memory:${thread.repositoryId}` },
  );
  run.phase = { kind: 'publishing', effectId };
  return HANDLED;
}

function onOpened(context: Context, { result }: Done<'open-consolidation'>): Outcome {
  return result.pull === undefined ? end(context, 'memory changed meanwhile') : end(context);
}
