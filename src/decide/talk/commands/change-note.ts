/** `/pm change ID to …`: a person rewords a note that is remembered. */
import type { ParsedCommand } from '../../../domain/commands/command.ts';
import { trustOf } from '../../../domain/prompt/quarantine.ts';
import { tellTaken } from '../../../domain/memory/file/reword-entry.ts';
import { rememberWords, splitCategory } from '../../../domain/memory/remember.ts';
import {
  asCode,
  done,
  refused,
  type CommandContext,
  type CommandOutcome,
} from '../../run/command-context.ts';
import { SWITCHED_OFF, unquoted, wantChange } from './memory-commands.ts';
import { changeProposed } from './proposal-commands.ts';
import { noNote } from './show/show-notes.ts';

const NOTE = /^(?:m:)?([0-9a-f]{10})\s+to:?\s+(\S.*)$/is;

/** A note of the list by its id, or one of the proposal by its number. */
export function changeMemory(context: CommandContext, command: ParsedCommand): CommandOutcome {
  const [, id, words = ''] = NOTE.exec(command.text.trim()) ?? [];
  if (id === undefined) return changeProposed(context, command);
  return changeNote(context, { id: id.toLowerCase(), words: words.trim() });
}

/** The note cites the comment now, and keeps whose words it grew from. */
function changeNote(
  context: CommandContext,
  { id, words }: { id: string; words: string },
): CommandOutcome {
  const { talk, view, step } = context;
  if (!view.config.memory.enabled) return refused(SWITCHED_OFF);
  const named = (view.memory ?? []).filter((note) => note.id === id);
  const [note] = named;
  if (note === undefined) return refused(noNote(context));
  if (named.length > 1)
    return refused(
      `Several notes have the id \`${id}\`. Remove them with \`/pm forget ${id}\`, and say it with \`/pm remember …\`.`,
    );
  const said = unquoted(words);
  const entry = rememberWords(said, {
    persona: note.persona,
    author: { id: talk.actor.id, login: talk.actor.login },
    trust: trustOf(view.permission ?? 'none'),
    source: { kind: 'comment', commentId: talk.comment.id, thread: talk.thread.number },
    today: new Date(step.now).toISOString().slice(0, 10),
  });
  if ('refused' in entry) return refused(`This cannot be kept: ${entry.refused}.`);
  if (entry.id === id) return refused('The note says that already.');
  const taken = view.memory?.find((each) => each.id === entry.id);
  if (taken !== undefined) return refused(`The note was not reworded: ${tellTaken(taken)}.`);
  const { category } = splitCategory(said);
  wantChange(context, {
    name: 'change',
    change: { kind: 'reword', id, shown: note.text, entry, ...(category && { category }) },
  });
  return done(
    `The note ${asCode(note.text, 300)} says now: ${asCode(entry.text, 300)}${entry.state === 'active' ? '' : ' It waits until somebody with write access approves it.'}`,
  );
}
