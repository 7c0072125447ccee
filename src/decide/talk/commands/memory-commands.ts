/** `/pm remember`, `/pm memory` and `/pm forget`: people say what the team keeps in mind, and what it must not. */
import type { ParsedCommand } from '../../../domain/commands/command.ts';
import { readMemoryAnswer } from '../../../domain/memory/role/role-answer.ts';
import type { MemoryChange } from '../../../domain/memory/file/memory-change.ts';
import { requiredPermission } from '../../../domain/config/config.ts';
import { TEAM } from '../../../domain/memory/memory-entry.ts';
import { significantWords } from '../../../domain/memory/memory-text.ts';
import { rememberWords } from '../../../domain/memory/remember.ts';
import { trustOf } from '../../../domain/prompt/quarantine.ts';
import type { ListedNote } from '../../../domain/run/talk.ts';
import {
  asCode,
  done,
  refused,
  type CommandContext,
  type CommandOutcome,
} from '../../run/command-context.ts';
import { emitEffect } from '../../run/decision.ts';
import {
  answerProposal,
  NOTHING_PROPOSED,
  operationNumbers,
  settleOperations,
} from './proposal-commands.ts';
import {
  explainFinding,
  explainNote,
  isWaiting,
  listNamed,
  noNote,
  showNotes,
  unread,
} from './show/show-notes.ts';

export const SWITCHED_OFF = 'Memory is switched off here (`memory.enabled` in the configuration).';

interface Wanted {
  /** The command that asks for it. */
  name: string;
  change: MemoryChange;
  /** Lessons that are answered by it. */
  lessons?: Lesson[];
}

/** The answer is given at once; `onMemoryChanged` tells where it turns out otherwise. */
export function wantChange(
  { step, talk, state, view }: CommandContext,
  { name, change, lessons }: Wanted,
) {
  const { thread } = talk;
  const { id, login } = talk.actor;
  const needed = requiredPermission(view.config.access, name, 'change');
  const effectId = emitEffect(
    step,
    { kind: 'remember', thread, change, authority: { user: { id, login }, needed } },
    { lane: `memory:${thread.repositoryId}` },
  );
  const kept = { thread, ...(lessons && { lessons }) };
  state.memoryChanges = { ...state.memoryChanges, [effectId]: kept };
}

/** What a person says is believed, cited by its comment, and does not expire. */
export function rememberText(context: CommandContext, command: ParsedCommand): CommandOutcome {
  const { talk, view } = context;
  if (!view.config.memory.enabled) return refused(SWITCHED_OFF);
  const { id, login } = talk.actor;
  const entry = rememberWords(unquoted(command.text), {
    persona: TEAM,
    author: { id, login },
    trust: trustOf(view.permission ?? 'none'),
    source: { kind: 'comment', commentId: talk.comment.id, thread: talk.thread.number },
    today: new Date(context.step.now).toISOString().slice(0, 10),
  });
  if ('refused' in entry) return refused(`This cannot be kept: ${entry.refused}.`);
  wantChange(context, { name: 'remember', change: { kind: 'add', entry } });
  const words = asCode(entry.text, 300);
  return entry.state === 'active'
    ? done(`The team will remember: ${words}`)
    : done(`Kept until somebody with write access approves it: ${words}`);
}

/** Quotation marks around the whole are no part of it. */
export function unquoted(text: string): string {
  const flat = text.replaceAll(/\s+/g, ' ').trim();
  return /^(['"“‘«])(.+)(['"”’»])$/.exec(flat)?.[2] ?? flat;
}

export function memory(context: CommandContext, command: ParsedCommand): CommandOutcome {
  if (!context.view.config.memory.enabled) return refused(SWITCHED_OFF);
  const [word = '', ...rest] = command.args;
  const numbers = rest.join(' ').match(/\d+/g)?.map(Number) ?? [];
  switch (word.toLowerCase()) {
    case 'approve':
    case 'reject': {
      const kind = word.toLowerCase() === 'approve' ? 'approve' : 'reject';
      const ids = rest.join(' ').toLowerCase().match(NOTE_ID);
      return ids === null ? settle(context, kind, numbers) : settleNotes(context, kind, ids);
    }
    case ANSWER:
      return answerInWords(context, command.text);
    case 'why':
      return explain(context, rest.join(' '));
    default:
      return showNotes(context);
  }
}

const NOTE_ID = /\b[0-9a-f]{10}\b/g;

/** A finding by its number, or a note by its id. */
function explain(context: CommandContext, of: string): CommandOutcome {
  const [id] = of.toLowerCase().match(NOTE_ID) ?? [];
  return id === undefined
    ? explainFinding(context, Number(/\d+/.exec(of)?.[0] ?? 0))
    : explainNote(context, id);
}

/** Notes that wait wherever they come from, such as lines that another App pushed, by the ids that the list shows. */
function settleNotes(
  context: CommandContext,
  kind: 'approve' | 'reject',
  ids: readonly string[],
): CommandOutcome {
  const named = (context.view.memory ?? []).filter(({ id }) => ids.includes(id));
  const twice = named.find((note, at) => named.findIndex(({ id }) => id === note.id) < at);
  if (twice !== undefined)
    return refused(
      `Several notes have the id \`${twice.id}\`. Remove them with \`/pm forget ${twice.id}\`, or edit the memory branch.`,
    );
  if (named.length === 0) return refused(noNote(context));
  const chosen = named.filter(isWaiting);
  if (chosen.length < new Set(ids).size)
    return refused('No note with this id waits for an approval. `/pm memory` lists the notes.');
  wantChange(context, { name: 'memory', change: toChange(kind, chosen) });
  return settled(kind, chosen);
}

/** An approval is for the texts that were shown. */
function toChange(kind: 'approve' | 'reject', chosen: readonly Lesson[]): MemoryChange {
  const ids = chosen.map(({ id }) => id);
  if (kind === 'reject') return { kind, ids };
  return { kind, ids, shown: Object.fromEntries(chosen.map(({ id, text }) => [id, text])) };
}

/** No person can write it so: words of a whole comment, to what waits for an answer here. */
const ANSWER = 'answer';

/** What a comment that is no command says to the proposal, as the command that it stands for. */
export function wordsToProposal(body: string): ParsedCommand | undefined {
  if (readMemoryAnswer(body) === undefined) return undefined;
  return { name: 'memory', args: [ANSWER], text: body.trim(), line: 1 };
}

function answerInWords(context: CommandContext, text: string): CommandOutcome {
  const answer = readMemoryAnswer(text);
  return answer === undefined ? refused() : answerProposal(context, answer);
}

type Lesson = NonNullable<CommandContext['state']['lessons']>[number];

/** All that waits here: lessons and what is proposed for the files of roles. Each number means one of them. */
function settle(
  context: CommandContext,
  kind: 'approve' | 'reject',
  numbers: readonly number[],
): CommandOutcome {
  const lessons = (context.state.lessons ?? []).map((each, at) => ({ number: at + 1, ...each }));
  const operations = operationNumbers(context);
  const known = [...new Set([...lessons.map(({ number }) => number), ...operations])];
  if (known.length === 0) return refused(NOTHING_PROPOSED);
  const unknown = numbers.find((number) => !known.includes(number));
  if (unknown !== undefined)
    return refused(`There is no ${unknown}; the proposal has ${known.join(', ')}.`);
  const isChosen = (number: number): boolean => numbers.length === 0 || numbers.includes(number);
  const chosen = lessons.filter(({ number }) => isChosen(number));
  const told = chosen.length === 0 ? undefined : settleLessons(context, kind, chosen);
  if (!operations.some(isChosen)) return told ?? refused(NOTHING_PROPOSED);
  const outcome = settleOperations(context, kind, numbers);
  const words = [told?.say, outcome.say].filter((each) => each !== undefined).join('\n\n');
  return { ...outcome, ...(words !== '' && { say: words }) };
}

function settleLessons(
  context: CommandContext,
  kind: 'approve' | 'reject',
  chosen: readonly Lesson[],
): CommandOutcome {
  const { state } = context;
  const ids = chosen.map(({ id }) => id);
  // Their numbers stay what they were shown as.
  const all = (state.lessons ?? []).map((each, at) => ({ ...each, number: each.number ?? at + 1 }));
  const lessons = all.filter(({ id }) => ids.includes(id));
  wantChange(context, { name: 'memory', change: toChange(kind, chosen), lessons });
  state.lessons = all.filter(({ id }) => !ids.includes(id));
  return settled(kind, chosen);
}

function settled(
  kind: 'approve' | 'reject',
  chosen: readonly Pick<ListedNote, 'text'>[],
): CommandOutcome {
  const texts = [...new Set(chosen.map(({ text }) => text))];
  const what = texts.map((text) => `- ${asCode(text, 300)}`).join('\n');
  return done(`${kind === 'approve' ? 'The team will remember' : 'Dropped'}:\n\n${what}`);
}

const RUN = /^run\s+([0-9A-Z]{26})$/i;
const AUTHOR = /^author\s+@?([a-z\d](?:[a-z\d-]{0,38}))$/i;

/** One entry by its id or its words, or all that grew from a run or from what somebody wrote. */
export function forgetText(context: CommandContext, command: ParsedCommand): CommandOutcome {
  if (!context.view.config.memory.enabled) return refused(SWITCHED_OFF);
  const text = unquoted(command.text);
  const run = RUN.exec(text)?.[1]?.toUpperCase();
  if (run !== undefined) {
    wantChange(context, {
      name: 'forget',
      change: { kind: 'forget', target: { kind: 'run', run } },
    });
    return done(`Everything that was learned in run \`${run}\` is forgotten.`);
  }
  const login = AUTHOR.exec(text)?.[1];
  return login === undefined ? forgetOne(context, text) : forgetAuthor(context, login);
}

function forgetAuthor(context: CommandContext, login: string): CommandOutcome {
  const wanted = login.toLowerCase();
  const known = (context.view.memory ?? [])
    .flatMap(({ author, grewFrom = [] }) => [author, ...grewFrom])
    .find((author) => author?.login.toLowerCase() === wanted);
  if (known === undefined)
    return refused(
      `Nothing that is remembered grew from the words of ${asCode(login)}.${unread(context.view)}`,
    );
  const target = { kind: 'author' as const, id: known.id };
  wantChange(context, { name: 'forget', change: { kind: 'forget', target } });
  return done(`Everything that grew from the words of ${asCode(login)} is forgotten.`);
}

function forgetOne(context: CommandContext, text: string): CommandOutcome {
  const { memory: notes } = context.view;
  if (notes === undefined) return refused(noNote(context));
  const id = /^(?:m:)?([0-9a-f]{10})$/i.exec(text)?.[1]?.toLowerCase();
  const words = [...significantWords(text)];
  const found =
    id === undefined
      ? notes.filter(
          (note) =>
            words.length > 0 && words.every((word) => significantWords(note.text).has(word)),
        )
      : notes.filter((note) => note.id === id);
  const [note] = found;
  if (note === undefined)
    return refused(
      `Nothing that is remembered says that. \`/pm memory\` lists the notes with their ids.${unread(context.view)}`,
    );
  if (found.length > 1)
    return refused(`Several notes say that. Name one by its id:\n\n${listNamed(found)}`);
  const target = { kind: 'entry' as const, id: note.id };
  wantChange(context, { name: 'forget', change: { kind: 'forget', target } });
  return done(`Forgotten: ${asCode(note.text, 300)}`);
}
