/** Lenses on what the work left: files, reviews, and what was put off. */
import type { RecordTodo, StandupRecord } from '../../domain/standup/look-back/record.ts';
import { codeSpan } from '../../domain/text/code-span.ts';
import { isDocumentPath, isGeneratedPath, isLockfile } from '../../domain/repository/paths.ts';
import { lineCountOf, type Viewed } from '../../domain/standup/inventions.ts';
import { endQuote, listOf, toQuote, type Lens, type Sighted } from './lens.ts';

const MIN_TASKS = 3;

/** Files that every task may touch without anybody being in anybody's way. */
function isShared(path: string): boolean {
  return isLockfile(path) || isGeneratedPath(path) || isDocumentPath(path);
}

export const CROWDED_FILE: Lens = {
  name: 'crowded-file',
  words: 'design integrity concept two homes easier harder to change structure architecture module',
  find: ({ record, viewed }) =>
    record.files
      .filter(
        ({ path, tasks }) =>
          tasks.length >= MIN_TASKS && !isShared(path) && viewed.paths.includes(path),
      )
      .map(({ path, tasks }): Sighted => ({
        lens: 'crowded-file',
        type: 'cross-concern',
        message: `Tasks ${listOf(tasks)} all changed ${codeSpan(path)}.`,
        refs: [{ path }],
        actionable: true,
        weight: tasks.length,
      })),
};

export const OVERRULED_REVIEW: Lens = {
  name: 'overruled-review',
  words: 'trust boundaries approval review believe without asking luck got away with',
  find: ({ record, viewed }) =>
    record.overruled.flatMap((each): Sighted[] => {
      const { task, voices, by, what, why, path } = each;
      if (voices.length === 0 || what === '') return [];
      const at = placeOf(each, viewed);
      const who = by === '' ? 'A person' : codeSpan(by);
      const where = at === '' ? '' : ` at ${codeSpan(at)}`;
      const reason =
        toQuote(why) === '' ? ' No reason was given.' : ` The reason: ${endQuote(why)}`;
      return [
        {
          lens: 'overruled-review',
          type: 'risk',
          message: `${who} went on with task ${task} without what ${listOf(voices)} asked for${where}: ${endQuote(what)}${reason}`,
          refs: at === '' || path === undefined ? [] : [refOf(at, each)],
          actionable: true,
          weight: voices.length,
        },
      ];
    }),
};

function refOf(at: string, { path = '', line }: StandupRecord['overruled'][number]) {
  return line === undefined || at === path ? { path } : { path, line };
}

/** The place, as far as it exists at the head. */
function placeOf(
  { path, line }: StandupRecord['overruled'][number],
  { paths, texts = {}, lines = {} }: Viewed,
): string {
  if (path === undefined || !paths.includes(path)) return '';
  const count = Object.hasOwn(texts, path) ? lineCountOf(texts[path] ?? '') : lines[path];
  return line !== undefined && count !== undefined && line <= count ? `${path}:${line}` : path;
}

export const TODO_LEFT: Lens = {
  name: 'todo-left',
  words: 'code quality consistency workaround comment copy next one leave',
  find: ({ record, viewed }) =>
    record.todos.flatMap((todo): Sighted[] => {
      const at = lineAtHead(todo, viewed);
      if (at === undefined) return [];
      return [
        {
          lens: 'todo-left',
          type: 'drift',
          message: `Task ${todo.task} left ${codeSpan(`${todo.path}:${at}`)} for later: ${endQuote(todo.text)}`,
          refs: [{ path: todo.path, line: at }],
          actionable: true,
          about: todo.persona,
          weight: 1,
        },
      ];
    }),
};

/** Where the line is at the head: later tasks move lines, or take them out. */
function lineAtHead({ path, line, text }: RecordTodo, { texts = {} }: Viewed): number | undefined {
  if (!Object.hasOwn(texts, path)) return undefined;
  const lines = (texts[path] ?? '').split('\n');
  const matching = lines.flatMap((each, index) =>
    each.trim().startsWith(text) ? [index + 1] : [],
  );
  return matching.toSorted((a, b) => Math.abs(a - line) - Math.abs(b - line))[0];
}

export const CHANGE_LENSES: readonly Lens[] = [CROWDED_FILE, OVERRULED_REVIEW, TODO_LEFT];
