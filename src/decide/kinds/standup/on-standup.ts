/** A standup, step by step: the run was read, everybody answered or did not, what was said is checked, kept and shown. */
import type { EventData } from '../../../domain/event/event.ts';
import { sumCost } from '../../../domain/run/ledger.ts';
import type { StandupLook, StandupSettled } from '../../../domain/standup/standup-run.ts';
import { emitEffect } from '../../run/decision.ts';
import { HANDLED, ignore, type Outcome } from '../../run/outcome.ts';
import { readSettings } from '../../run/run-settings.ts';
import { isOpen, type ResultData, type RunContext } from '../../run/thread-context.ts';
import { askEverybody } from './ask-participants.ts';
import {
  onBoxFailure,
  onIssueOpened,
  onTensionsMoved,
  onTicksRead,
  readBoxes,
} from './follow-boxes.ts';
import { endStandup, writeStandup, tellNoTension } from './show-standup.ts';

type Context = RunContext<'standup'>;
type Done<K extends string> = Extract<EventData, { kind: 'done'; effectKind: K }>;

export function onStandup(context: Context, data: ResultData): Outcome {
  const { run } = context;
  if (data.kind === 'timer') return readBoxes(context);
  if (data.kind === 'failed') return onFailure(context, data);
  const followed = followBoxes(context, data);
  if (followed !== undefined) return followed;
  if (!isOpen(run)) return ignore('the run is over');
  if (data.effectKind === 'look-standup') return onLook(context, data.result);
  if (data.effectKind === 'ask') return onAnswer(context, data);
  return data.effectKind === 'settle-standup' ? onSettled(context, data) : HANDLED;
}

/** What its boxes bring, for as long as it is shown. */
function followBoxes(
  context: Context,
  data: Extract<ResultData, { kind: 'done' }>,
): Outcome | undefined {
  if (data.effectKind === 'look-ticks') return onTicksRead(context, data.result);
  if (data.effectKind === 'move-tensions') return onTensionsMoved(context, data.result.moved);
  if (data.effectKind === 'issue') return onIssueOpened(context, data);
  return data.effectKind === 'comment' ? onShown(context, data) : undefined;
}

/** A participant without an answer is left out; whatever else fails ends the standup, and nothing else. */
function onFailure(
  context: Context,
  { effectId, failure }: Extract<EventData, { kind: 'failed' }>,
): Outcome {
  const { run } = context;
  const { phase } = run;
  if (!isOpen(run)) return onBoxFailure(context, { effectId, failure });
  if (phase.kind !== 'answering') return endStandup(context, failure.code);
  const asked = phase.waitingFor.find((each) => each.effectId === effectId);
  if (asked === undefined) return ignore('nothing waits for it');
  run.skipped = [...(run.skipped ?? []), { handle: asked.handle, why: failure.code }];
  phase.waitingFor = phase.waitingFor.filter((each) => each !== asked);
  return settle(context);
}

function onLook(context: Context, look: StandupLook): Outcome {
  const { run } = context;
  if (run.phase.kind !== 'looking') return ignore('it was read before');
  run.nonce ??= look.nonce;
  if (look.off !== undefined) return endStandup(context, look.off);
  const { config, personas } = look;
  const { actor: asker, unchangedRuns } = run;
  run.settings = readSettings(config, { owner: asker.login, asker, unchangedRuns });
  run.names = Object.fromEntries(personas.map(({ handle, name }) => [handle, name]));
  run.phase = { kind: 'answering', waitingFor: askEverybody(context, look) };
  return HANDLED;
}

function onAnswer(context: Context, { effectId, result }: Done<'ask'>): Outcome {
  const { run } = context;
  run.calls.push(...result.calls);
  if (run.phase.kind !== 'answering') return ignore('the run has moved on');
  const asked = run.phase.waitingFor.find((each) => each.effectId === effectId);
  if (asked === undefined) return ignore('nothing waits for it');
  run.phase.waitingFor = run.phase.waitingFor.filter((each) => each !== asked);
  const { value, calls } = result;
  run.answers = [...(run.answers ?? []), { handle: asked.handle, value, calls }];
  return settle(context);
}

/** Once everybody has answered or cannot. */
function settle({ run, step }: Context): Outcome {
  if (run.phase.kind !== 'answering' || run.phase.waitingFor.length > 0) return HANDLED;
  const { thread, about, answers = [], skipped = [], names = {} } = run;
  const order = Object.keys(names);
  const effectId = emitEffect(step, {
    kind: 'settle-standup',
    thread,
    source: about ?? { run: run.id, outcome: 'completed' },
    // In the order in which they took part, not in which they answered.
    answers: answers.toSorted((a, b) => order.indexOf(a.handle) - order.indexOf(b.handle)),
    skipped,
  });
  run.phase = { kind: 'settling', effectId };
  return HANDLED;
}

function onSettled(context: Context, { effectId, result }: Done<'settle-standup'>): Outcome {
  const { run } = context;
  if (run.phase.kind !== 'settling' || run.phase.effectId !== effectId)
    return ignore('the run has moved on');
  run.shown = toShown(context, result);
  if (!writeStandup(context)) tellNoTension(context);
  return endStandup(context);
}

function toShown({ run }: Context, settled: StandupSettled): NonNullable<Context['run']['shown']> {
  const { insights, invented, demoted, headSha, followUps } = settled;
  const { calls, names = {}, skipped = [] } = run;
  return {
    insights,
    names,
    skipped,
    invented,
    demoted,
    headSha,
    cost: sumCost(calls),
    ms: Math.max(0, ...calls.map(({ latencyMs }) => latencyMs)),
    isOffline: calls.every(({ provider }) => provider === 'offline'),
    ticked: [],
    followUps,
  };
}

function onShown({ run }: Context, { result }: Done<'comment'>): Outcome {
  run.commentId ??= result.id;
  return HANDLED;
}
