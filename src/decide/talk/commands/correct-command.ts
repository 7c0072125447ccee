/** `/pm correct N …`: a person corrects an answer that the report shows, and memory with it (CB-13). */
import type { ParsedCommand } from '../../../domain/commands/command.ts';
import { TEAM } from '../../../domain/memory/memory-entry.ts';
import { significantWords } from '../../../domain/memory/memory-text.ts';
import { rememberWords } from '../../../domain/memory/remember.ts';
import { trustOf } from '../../../domain/prompt/quarantine.ts';
import type { ListedNote, ReportedAnswer } from '../../../domain/run/talk.ts';
import {
  asCode,
  done,
  refused,
  type CommandContext,
  type CommandOutcome,
} from '../../run/command-context.ts';
import { SWITCHED_OFF, unquoted, wantChange } from './memory-commands.ts';

/** A question is shortened, so that the answer fits into one entry. */
const MAX_QUESTION = 110;
const MOST_FORGOTTEN = 5;

export function correctAnswer(context: CommandContext, command: ParsedCommand): CommandOutcome {
  const { view } = context;
  if (!view.config.memory.enabled) return refused(SWITCHED_OFF);
  const number = Number(/\d+/.exec(command.args[0] ?? '')?.[0] ?? 0);
  const { answers } = view;
  if (answers === undefined)
    return refused('The report could not be read this time. Repeat the command.');
  const answer = answers.find((each) => each.number === number);
  if (answer === undefined) return refused(unknown(number, answers));
  return correct(context, answer, proseOf(command));
}

/** What is behind the number. */
function proseOf({ text }: ParsedCommand): string {
  return unquoted(text.replace(/^\s*#?\d{1,6}(?:\s+|$)/, ''));
}

function unknown(number: number, answers: readonly ReportedAnswer[]): string {
  return answers.length === 0
    ? 'The report of this thread has no answer that could be corrected.'
    : `The report has no answer ${number}; it has 1 to ${answers.length}. See \`/pm report\`.`;
}

function correct(
  context: CommandContext,
  { number, question, answer }: ReportedAnswer,
  words: string,
): CommandOutcome {
  const { talk, view } = context;
  const { id, login } = talk.actor;
  const entry = rememberWords(`Asked "${shorten(question)}", the answer is: ${words}`, {
    persona: TEAM,
    author: { id, login },
    trust: trustOf(view.permission ?? 'none'),
    source: { kind: 'comment', commentId: talk.comment.id, thread: talk.thread.number },
    today: new Date(context.step.now).toISOString().slice(0, 10),
  });
  if ('refused' in entry) return refused(`This cannot be kept: ${entry.refused}.`);
  for (const note of outdatedBy({ question, answer }, view.memory ?? [])) {
    const target = { kind: 'entry' as const, id: note.id };
    wantChange(context, { name: 'correct', change: { kind: 'forget', target } });
  }
  const corrects = { number, by: login, text: words.slice(0, MAX_SHOWN), question };
  wantChange(context, { name: 'correct', change: { kind: 'add', entry, corrects } });
  return done(`Answer ${number} is corrected. The team will remember: ${asCode(entry.text, 300)}`);
}

/** The report shows it on one line. */
const MAX_SHOWN = 300;

/** Notes that repeat the question with the old answer. Other notes may disagree with it, and stay. */
function outdatedBy(
  { question, answer }: Pick<ReportedAnswer, 'question' | 'answer'>,
  notes: readonly ListedNote[],
): ListedNote[] {
  const wanted = [...significantWords(shorten(question)), ...significantWords(answer)];
  if (wanted.length === 0) return [];
  return notes
    .filter(({ text }) => {
      const words = significantWords(text);
      return wanted.every((word) => words.has(word));
    })
    .slice(0, MOST_FORGOTTEN);
}

/** Without what memory refuses, and never in the middle of a character. */
function shorten(text: string): string {
  const flat = text
    .replaceAll(/[`<>@"]/g, "'")
    .replaceAll(/https?:\/\/\S+/g, '(link)')
    .replaceAll(/\s+/g, ' ')
    .trim();
  return flat.length > MAX_QUESTION ? `${flat.slice(0, MAX_QUESTION - 1).toWellFormed()}…` : flat;
}
