/** A question on its way: the repository is read for it, a persona is asked, and what it said becomes part of the answer. */
import { isBudgetCode } from '../../../domain/event/budget-codes.ts';
import { forbid, permitUnless, type Permit } from '../../../domain/run/permit/permit.ts';
import { HANDLED, type Outcome } from '../../run/outcome.ts';
import { pmCaps, type BudgetUsed, type Cap } from '../../../domain/run/caps.ts';
import { requiredPermission } from '../../../domain/config/config.ts';
import type { Evidence, OfflineBrief } from '../../../domain/run/evidence.ts';
import type { EventData } from '../../../domain/event/event.ts';
import type { Failure } from '../../../domain/event/errors.ts';
import { capWords } from '../../../domain/config/host-caps.ts';
import { sumCost } from '../../../domain/run/ledger.ts';
import type { Persona } from '../../../domain/persona/persona.ts';
import { notesOf } from '../../../domain/memory/recall/recalled.ts';
import type { LookResult } from '../../../domain/event/result.ts';
import { TalkAnswer, type Question } from '../../../domain/run/talk.ts';
import { hasPermission } from '../../../domain/run/thread-ref.ts';
import { modelOf, temperatureOf } from '../../discussion/ask/build-ask.ts';
import { emitEffect } from '../../run/decision.ts';
import { asCode, type TalkContext } from '../../run/command-context.ts';
import { drop, finish } from '../commands/send-reply.ts';
import { answerPrompt } from './answer-prompt.ts';
import { askedEvidence } from '../../run/scanned.ts';
import { countUse, createNoteTaker } from '../../run/used-notes.ts';
import { toReferences, renderAnswer } from './render-answer.ts';
import { cascadeOf, chanceOf, spontaneousVoice } from './second-voice.ts';

type Done<K extends string> = Extract<EventData, { kind: 'done'; effectKind: K }>;

/** Goes on with the next question, or ends the talk after the last one. */
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
  const { view, stopped, nonce, memory } = result;
  if (view.repository.host !== undefined) talk.host = view.repository.host;
  const permit = mayAnswerQuestion(context, question, result);
  if (permit.kind === 'refused') return abandonQuestion(context, question, permit.reason);
  const persona = view.personas.find((each) => each.handle === question.handle && each.active);
  if (persona === undefined || stopped !== undefined)
    return abandonQuestion(context, question, stopped ?? `${question.handle} has left the team.`);
  const evidence = askedEvidence(result, question.text);
  talk.seen = {
    headSha: view.repository.headSha,
    paths: evidence.files.map((file) => file.path).concat(view.files.map((file) => file.path)),
    issues: evidence.relatedIssues.map((issue) => issue.number).concat(view.issue.number),
    ...(memory && { notes: notesOf(memory, [persona.handle]) }),
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
    prompt: answerPrompt({ view, nonce, evidence, persona, question, asker: talk.actor, memory }),
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

/** Checks what may have changed since the comment was read, including the author's role (CMD-02). */
function mayAnswerQuestion(
  { talk }: TalkContext,
  { command = '/pm ask' }: Question,
  { view }: LookResult,
): Permit {
  const { issue, config, repository } = view;
  const needed = requiredPermission(config.access, command.split(' ')[1] ?? '', 'spend');
  // A listed App has no role of its own: its word was checked against the list.
  if (!talk.actor.isBot && !hasPermission(view.actorPermission, needed))
    return forbid(`It needs \`${needed}\` permission, which the person who asked no longer has.`);
  return permitUnless([
    [!config.enabled || repository.isArchived, 'Quorum is switched off here.'],
    [issue.isLocked, 'The conversation is locked.'],
    [issue.state === 'closed', 'The thread was closed in the meantime.'],
  ]);
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
  const notes = createNoteTaker(talk.seen?.notes ?? []);
  const text = notes.take(answer.data.text);
  const used = notes.used();
  countUse(step, talk.thread, used);
  const shown = renderAnswer({
    text,
    used,
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
  onSecondVoice(context, question, text);
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
  const handle = second ?? unaskedVoice(talk, question, spoken);
  if (handle === undefined) return;
  talk.questions.unshift({
    handle,
    text: question.text,
    depth: 1,
    after: { handle: question.handle, text },
  });
}

/** Now and then somebody who was not named adds something to an answer to a person, where the settings allow it. */
function unaskedVoice(
  talk: TalkContext['talk'],
  { handle, depth }: Question,
  spoken: readonly string[],
): string | undefined {
  const { secondVoice: probability = 0 } = talk;
  if (depth > 0 || probability === 0) return undefined;
  const silent = talk.team.filter(
    (each) => each.active && each.handle !== handle && !spoken.includes(each.handle),
  );
  return spontaneousVoice(silent, { place: 'github', probability, chance: chanceOf(talk.id) });
}

/** Looking or asking failed and is not retried. */
export function onAnswerFailed(
  context: TalkContext,
  { failure }: Extract<EventData, { kind: 'failed' }>,
): Outcome {
  const { talk } = context;
  const question = talk.questions.shift();
  // A second voice that fails is not missed.
  if (question !== undefined && question.depth === 0)
    talk.parts.push(quoted(question, wordsFor(failure)));
  if (isBudgetCode(failure.code)) talk.questions = [];
  return askNext(context);
}

function wordsFor(failure: Failure): string {
  const { code } = failure;
  const hostCap = capWords(failure);
  if (hostCap !== undefined) return hostCap;
  if (code === 'budget-thread') return 'The budget for answers in this thread is used up.';
  if (isBudgetCode(code)) return 'The budget for answers is used up for today.';
  return `It could not be answered (${asCode(code)}). Try again, or ask another member of the team.`;
}
