/** Role memory, step by step: the work was read, a model proposed, people answered or did not, the pull request is open. */
import type { ErrorCode } from '../../../domain/event/error-codes.ts';
import type { EventData } from '../../../domain/event/event.ts';
import { readRoleProposal } from '../../../domain/memory/role/role-memory.ts';
import type { RoleLook } from '../../../domain/memory/role/role-run.ts';
import { emitTimer } from '../../run/decision.ts';
import { HANDLED, ignore, type Outcome } from '../../run/outcome.ts';
import { readSettings } from '../../run/run-settings.ts';
import { isOpen, type ResultData, type RunContext } from '../../run/thread-context.ts';
import { highestNumber } from '../../run/answers/proposals.ts';
import { askForRoles } from './ask.ts';
import { endProposal, endRoleMemory, showProposal } from './show.ts';

type Context = RunContext<'role_memory'>;
type Done<K extends string> = Extract<EventData, { kind: 'done'; effectKind: K }>;

/** How long people have to answer (CB-9). */
const ANSWER_MS = 24 * 3_600_000;

export function onRoleMemory(context: Context, data: ResultData): Outcome {
  const { phase } = context.run;
  if (!isOpen(context.run)) return ignore('the run is over');
  if (data.kind === 'timer') return onTimer(context, data.timer);
  if (!('effectId' in phase) || phase.effectId !== data.effectId)
    return ignore('nothing waits for it');
  if (data.kind === 'failed') return onFailure(context, data.failure.code);
  if (data.effectKind === 'look-roles') return onLook(context, data.result);
  if (data.effectKind === 'ask') return onAnswer(context, data);
  return data.effectKind === 'open-roles' ? onOpened(context, data) : HANDLED;
}

/** Without a proposal nobody waits for anything: it is kept with its reason, and people hear nothing. */
function onFailure(context: Context, code: ErrorCode): Outcome {
  return context.run.phase.kind === 'publishing'
    ? endProposal(context, { kind: 'failed', code })
    : endRoleMemory(context, code);
}

function onTimer(context: Context, timer: string): Outcome {
  const { phase } = context.run;
  if (phase.kind !== 'proposed' || phase.timer !== timer) return ignore('it was answered');
  return endProposal(context, { kind: 'late' });
}

function onLook(context: Context, look: RoleLook): Outcome {
  const { run } = context;
  const { off, config, material, nonce, texts } = look;
  run.nonce ??= nonce;
  if (off !== undefined) return endRoleMemory(context, off);
  if (material.said.length === 0 && material.diff === '')
    return endRoleMemory(context, 'there is nothing to learn from');
  run.settings = readSettings(config, {
    owner: run.actor.login,
    asker: run.actor,
    unchangedRuns: run.unchangedRuns,
  });
  run.texts = texts;
  if (material.answered !== undefined)
    run.questions = material.answered.map(({ question }) => question);
  run.phase = { kind: 'extracting', effectId: askForRoles(context, look) };
  return HANDLED;
}

function onAnswer(context: Context, { result }: Done<'ask'>): Outcome {
  const { run, state, step } = context;
  run.calls.push(...result.calls);
  const { texts = { pm: '', artist: '' }, questions } = run;
  delete run.texts;
  delete run.questions;
  const proposal = readRoleProposal(result.value, texts, questions);
  if (proposal.kind === 'garbage') return endRoleMemory(context, 'the answer cannot be read');
  const { operations } = proposal;
  if (operations.length === 0) return endRoleMemory(context);
  run.operations = operations;
  run.first = highestNumber(state) + 1;
  run.phase = { kind: 'proposed', timer: emitTimer(step, 'answer', ANSWER_MS) };
  showProposal(context);
  return HANDLED;
}

function onOpened(context: Context, { result }: Done<'open-roles'>): Outcome {
  const { pull, refused } = result;
  return pull === undefined
    ? endProposal(context, { kind: 'there', refused })
    : endProposal(context, { kind: 'opened', number: pull.number, refused });
}
