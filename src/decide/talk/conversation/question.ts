/** A question on its way: the repository is read for it, a persona is asked, and what it said becomes part of the answer. */
import { HANDLED, type Outcome } from '../../run/outcome.ts';
import { pmCaps, type BudgetUsed, type Cap } from '../../../domain/run/caps.ts';
import { requiredPermission } from '../../../domain/config/config.ts';
import type { Evidence, OfflineBrief } from '../../../domain/run/evidence.ts';
import type { EventData } from '../../../domain/event/event.ts';
import type { Failure } from '../../../domain/event/errors.ts';
import { capWords } from '../../../domain/config/host-caps.ts';
import { sumCost } from '../../../domain/run/ledger.ts';
import type { Persona } from '../../../domain/persona/persona.ts';
import type { LookResult } from '../../../domain/event/result.ts';
import { TalkAnswer, type Question } from '../../../domain/run/talk.ts';
import { hasPermission } from '../../../domain/run/thread-ref.ts';
import { modelOf, temperatureOf } from '../../discussion/build-ask.ts';
import { emitEffect } from '../../run/decision.ts';
import { asCode, type TalkContext } from '../../run/command-context.ts';
import { drop, finish } from '../commands/send-reply.ts';
import { answerPrompt } from './answer-prompt.ts';
import { askedEvidence } from '../../run/scanned.ts';
import { toReferences, renderAnswer } from './render-answer.ts';
import { cascadeOf } from './second-voice.ts';

type Done<K extends string> = Extract<EventData, { kind: 'done'; effectKind: K }>;

/** Goes on with the next question, or ends the talk when there is none. */
export function askNext(context: TalkContext): Outcome {
  const { talk, step } = context;
  const [next] = talk.questions;
  if (next === undefined) return finish(context, talk.lastVoice);
  const { thread, actor } = talk;
  const effectId = emitEffect(step, {
    kind: 'look',
    thread,
    actor: { id: actor.id, login: actor.login },
    about: next.text,
  });
  talk.phase = { kind: 'looking', effectId };
  return HANDLED;
}

/** The repository was read: the persona is asked. */
export function onLook(context: TalkContext, { result }: Done<'look'>): Outcome {
  const { talk, step } = context;
  const [question] = talk.questions;
  if (question === undefined) return drop(context, 'the question no longer applies');
  const { view, stopped, nonce } = result;
  if (view.repository.host !== undefined) talk.host = view.repository.host;
  const why = refusalReason(context, question, result);
  if (why !== undefined) return abandonQuestion(context, question, why);
  const persona = view.personas.find((each) => each.handle === question.handle && each.active);
  if (persona === undefined || stopped !== undefined)
    return abandonQuestion(context, question, stopped ?? `${question.handle} has left the team.`);
  const evidence = askedEvidence(result, question.text);
  talk.seen = {
    headSha: view.repository.headSha,
    paths: evidence.files.map((file) => file.path).concat(view.files.map((file) => file.path)),
    issues: evidence.relatedIssues.map((issue) => issue.number).concat(view.issue.number),
  };
  const effectId = emitEffect(step, {
    kind: 'ask',
    thread: talk.thread,
    persona: persona.handle,
    trigger: 'chat_message',
    purpose: 'answer',
    round: 1,
    ...modelOf(persona, context.state, view.config.models.aliases),
    ...temperatureOf(persona),
    prompt: answerPrompt({ view, nonce, evidence, persona, question, asker: talk.actor }),
    brief: briefOf(evidence, persona),
    caps: pmCaps(view.config, talk.actor),
  });
  talk.phase = { kind: 'asking', effectId };
  return HANDLED;
}

function briefOf(evidence: Evidence, persona: Persona): OfflineBrief {
  const { handle, name, role, lens, domains } = persona;
  return {
    evidence,
    purpose: 'answer',
    persona: { handle, name, role, lens, domains: [...domains] },
    verdicts: ['HUMAN'],
    round: 1,
    mode: 'single',
  };
}

/** What may have changed since the comment was read, the role of whoever asked included (CMD-02). */
function refusalReason(
  { talk }: TalkContext,
  { command = '/pm ask' }: Question,
  { view }: LookResult,
): string | undefined {
  const { issue, config, repository } = view;
  const needed = requiredPermission(config.access, command.split(' ')[1] ?? '', 'spend');
  // A listed App has no role of its own: its word was checked against the list.
  if (!talk.actor.isBot && !hasPermission(view.actorPermission, needed))
    return `It needs \`${needed}\` permission, which the person who asked no longer has.`;
  if (!config.enabled || repository.isArchived) return 'Quorum is switched off here.';
  if (issue.isLocked) return 'The conversation is locked.';
  return issue.state === 'closed' ? 'The thread was closed in the meantime.' : undefined;
}

function abandonQuestion(context: TalkContext, question: Question, why: string): Outcome {
  context.talk.parts.push(quoted(question, why));
  context.talk.questions.shift();
  return askNext(context);
}

function quoted({ command }: Question, text: string): string {
  return command === undefined ? text : `> ${asCode(command)}\n\n${text}`;
}

/** The persona has answered. */
export function onAnswer(context: TalkContext, { result }: Done<'ask'>): Outcome {
  const { state, talk, step } = context;
  const question = talk.questions.shift();
  if (question === undefined) return drop(context, 'nobody asked');
  talk.calls.push(...result.calls);
  const answer = TalkAnswer.safeParse(result.value);
  if (!answer.success) {
    talk.parts.push(quoted(question, 'No answer could be read from the model.'));
    return askNext(context);
  }
  const persona = talk.team.find((each) => each.handle === question.handle);
  const references = toReferences(answer.data, talk.seen);
  const shown = renderAnswer({
    text: answer.data.text,
    references,
    talk,
    persona,
    answersBefore: (state.answers ?? []).filter((each) => each.handle === question.handle).length,
    calls: result.calls,
    now: step.now,
  });
  talk.parts.push(quoted(question, shown));
  talk.isDone = true;
  talk.lastVoice = question.handle;
  talk.spoken = [...(talk.spoken ?? []), question.handle];
  const cost = sumCost(result.calls);
  state.answers = [
    {
      id: talk.id,
      handle: question.handle,
      asker: talk.actor.login,
      references: references.map((each) => each.label),
      costUsd: cost.usd,
      isCostPartlyUnknown: cost.isPartlyUnknown,
      model: result.calls.at(-1)?.model ?? 'unknown',
      at: new Date(step.now).toISOString(),
    },
    ...(state.answers ?? []),
  ].slice(0, MAX_ANSWERS);
  onSecondVoice(context, question, answer.data.text);
  if (result.budget !== undefined) warn(context, result.budget);
  return askNext(context);
}

const MAX_ANSWERS = 20;
const DAY_MS = 24 * 3_600_000;
const CAP_NAMES: Readonly<Record<Cap, string>> = {
  thread: 'answers in this thread',
  day: 'answers in the last day',
  person: 'what one person asks for in a day',
  repository: 'this repository in the last day',
};

/** Once for each cap: that of a thread is never new again, the others are after a day. */
function warn({ state, talk, step }: TalkContext, { share, cap }: BudgetUsed): void {
  const before = state.warnedAt?.[cap];
  const isKnown = before !== undefined && (cap === 'thread' || step.now - before < DAY_MS);
  if (isKnown) return;
  state.warnedAt = { ...state.warnedAt, [cap]: step.now };
  talk.parts.push(`> ${Math.floor(share * 100)} % of the budget for ${CAP_NAMES[cap]} is used.`);
}

/** Whom an answer names may answer once, in the same comment; cascades do not cascade (NW-12). */
function onSecondVoice({ talk }: TalkContext, question: Question, text: string): void {
  const spoken = [...(talk.spoken ?? []), ...talk.questions.map((each) => each.handle)];
  const [second] = cascadeOf(
    { handle: question.handle, text, depth: question.depth },
    talk.team,
    spoken,
  );
  if (second === undefined) return;
  talk.questions.unshift({
    handle: second,
    text: question.text,
    depth: 1,
    after: { handle: question.handle, text },
  });
}

/** Looking or asking failed for good. */
export function onAnswerFailed(
  context: TalkContext,
  { failure }: Extract<EventData, { kind: 'failed' }>,
): Outcome {
  const { talk } = context;
  const question = talk.questions.shift();
  // A second voice that fails is not missed.
  if (question !== undefined && question.depth === 0)
    talk.parts.push(quoted(question, wordsFor(failure)));
  if (failure.code.startsWith('budget-')) talk.questions = [];
  return askNext(context);
}

function wordsFor(failure: Failure): string {
  const { code } = failure;
  const hostCap = capWords(failure);
  if (hostCap !== undefined) return hostCap;
  if (code === 'budget-thread') return 'The budget for answers in this thread is used up.';
  if (code.startsWith('budget-')) return 'The budget for answers is used up for today.';
  return `It could not be answered (${asCode(code)}). Try again, or ask another member of the team.`;
}
