/** A coder's question to a person: how it is asked, and which comment answers it (CB-7). */
import { speakPlainly } from '../../../domain/persona/speak-as.ts';
import { cleanOutput } from '../../../domain/text/clean-output.ts';
import { isOfTask } from '../../../domain/plan/plan-digest.ts';
import {
  questionKey,
  type Answer,
  type Exchange,
  type Said,
} from '../../../domain/task/exchange.ts';
import type { TaskRun, TaskStream } from '../../../domain/task/task.ts';
import { visibleText } from '../../../domain/text/visible-text.ts';
import { emitEffect } from '../../run/decision.ts';
import { taskLane, type TaskContext } from '../task-context.ts';

/** More is a document: it belongs into the plan. */
const MAX_ANSWER_CHARS = 4_000;
const MAX_QUESTION_CHARS = 4_000;

/** Asks the person who approved the plan, in its thread. */
export function askApprover({ run, step }: TaskContext): void {
  const { ref } = run.order;
  emitEffect(
    step,
    {
      kind: 'comment',
      thread: ref.plan,
      marker: { kind: 'run', run: run.id, key: questionKey(ref.task) },
      body: renderQuestion(run),
    },
    { ...taskLane(run), isUnheard: true },
  );
}

function renderQuestion({ order, question, accountHost }: TaskRun): string {
  const { plan, task } = order.ref;
  const clean = (text: string): string =>
    cleanOutput(speakPlainly(text.slice(0, MAX_QUESTION_CHARS)), {
      repository: `${plan.owner}/${plan.repo}`,
      host: accountHost,
    }).text.trim();
  const { question: asked = '', options = [], tried = '' } = question ?? {};
  return [
    `Coder asks: ${clean(asked)}`,
    ...(options.length === 0 ? [] : [options.map((each) => `- ${clean(each)}`).join('\n')]),
    ...(tried === '' ? [] : [`What was tried: ${clean(tried)}`]),
    `@${order.approvedBy.login}, task ${task} waits for this. Somebody with write access answers with a comment here, or with \`/pm unblock ${task} answer\`; the same session goes on with it.`,
  ].join('\n\n');
}

/** For each task that waits, what was said first after its question; a comment answers the last question before it. */
export function findAnswers(said: readonly Said[], waiting: readonly number[]): Answer[] {
  const open: number[] = [];
  const answers = new Map<number, Answer>();
  const close = (task: number): void => {
    const at = open.indexOf(task);
    if (at !== -1) open.splice(at, 1);
  };
  for (const each of said)
    if (each.kind === 'question') {
      // Asked again: earlier comments answer an earlier question.
      close(each.task);
      answers.delete(each.task);
      if (waiting.includes(each.task)) open.push(each.task);
    } else {
      const task = open.pop();
      if (task !== undefined) answers.set(task, { task, by: each.by, text: each.text });
    }
  return [...answers.values()];
}

/** Keeps a person's answer until the task is claimed again. Without an open question it is not an answer. */
export function saveAnswer(
  stream: TaskStream,
  answer: { by: { id: number; login: string }; text: string },
): boolean {
  const { run } = stream;
  if (run?.question === undefined || run.asked === undefined) return false;
  stream.answer = { by: answer.by, text: visibleText(answer.text, MAX_ANSWER_CHARS).text };
  return true;
}

/** A new attempt resumes the session that asked, with the answer, as long as the task is the same. */
export function resumeExchanges(stream: TaskStream, run: TaskRun, last: TaskRun | undefined): void {
  const { answer } = stream;
  delete stream.answer;
  if (answer === undefined || last?.question === undefined) return;
  if (!isOfTask(last.order.digest, run.order.digest)) return;
  run.exchanges = [...(run.exchanges ?? []), toExchange(last.question.question, answer)];
  // A session cannot resume without its transcript. The task then starts over, with the answer.
  if (last.asked === undefined || last.asked.transcript === '') return;
  run.resume = { ...last.asked, answer: `${answer.text}\n\n(${answer.by.login} answered.)` };
}

function toExchange(
  question: string,
  { by, text }: { by: { login: string }; text: string },
): Exchange {
  return { question, answer: text, source: by.login, isEscalated: true };
}

/** For people and for the coder that works on it next. */
export function renderExchange({ question, answer, source, isEscalated }: Exchange): string {
  const who = isEscalated ? `${source} answered` : `the PM answered, from ${source}`;
  return `Asked: ${question} - ${answer} (${who})`;
}
