/** One reading of a change, made once and given to every rule. */
import type { Diff, DiffFile, DiffLine } from '../../domain/diff/diff.ts';
import { isLockfile, isTestPath } from '../../domain/repository/paths.ts';
import type { ReviewContext } from './context.ts';
import { readScriptFacts } from './syntax/script-facts.ts';
import type { ScriptFacts } from './syntax/script-facts.ts';
import { newElements } from './syntax/elements.ts';
import type { MarkupElement } from './syntax/elements.ts';
import { languageOf } from './syntax/language.ts';
import type { Language } from './syntax/language.ts';
import { leftOutReason } from '../../domain/repository/left-out.ts';
import type { LeftOutReason } from '../../domain/repository/left-out.ts';
import { lexLines } from './syntax/lex.ts';
import type { LexedLine, ReadLine } from './syntax/lex.ts';
import { findMoved } from '../../domain/diff/moved.ts';
import type { Moved } from '../../domain/diff/moved.ts';

export interface ChangedFile {
  file: DiffFile;
  path: string;
  basePath: string;
  language: Language;
  isTest: boolean;
  isNew: boolean;
  /** New lines, moved ones left out. */
  added: readonly ReadLine[];
  /** Removed lines, moved ones left out. */
  removed: readonly ReadLine[];
  /** Lines at the head by number: all of them when the text is at hand, else those the diff shows. */
  lines: ReadonlyMap<number, ReadLine>;
  /** Numbers of the new lines, moved ones included. */
  addedNumbers: ReadonlySet<number>;
  headText: string | undefined;
  baseText: string | undefined;
  /** Elements that new lines of markup begin; read once, when first asked for. */
  elements: () => readonly MarkupElement[];
  /** What the syntax tree of a script tells; undefined when it is no script, not whole at hand, or does not parse. */
  script: () => ScriptFacts | undefined;
}

export interface Change {
  diff: Diff;
  /** Files that rules look at. */
  files: readonly ChangedFile[];
  leftOut: readonly { path: string; reason: LeftOutReason }[];
  /** Text files that are left out of everything but the search for credentials; not lexed. */
  unread: readonly ChangedFile[];
  context: ReviewContext;
}

/** Reads a change. Linear in the diff and in the texts at hand. */
export function readChange(diff: Diff, context: ReviewContext): Change {
  const moved = findMoved(diff);
  const files: ChangedFile[] = [];
  const unread: ChangedFile[] = [];
  const leftOut: { path: string; reason: LeftOutReason }[] = [];
  for (const file of diff.files) {
    const headText = file.status === 'deleted' ? undefined : context.head.get(file.path);
    const wish = context.leftOut?.(file.path);
    const reason = wish === 'ignored' ? wish : (leftOutReason(file, headText) ?? wish);
    if (reason === undefined) files.push(readFile(file, { context, moved, headText }));
    else leftOut.push({ path: file.path, reason });
    if (reason !== undefined && file.content === 'text' && !isLockfile(file.path))
      unread.push(readFile(file, { context, moved, headText: undefined, language: 'other' }));
  }
  return { diff, files, leftOut, unread, context };
}

interface Sources {
  context: ReviewContext;
  moved: Moved;
  headText: string | undefined;
  language?: Language;
}

function readFile(file: DiffFile, sources: Sources): ChangedFile {
  const { context, moved, headText, language = languageOf(file.path) } = sources;
  const basePath = file.oldPath ?? file.path;
  const lines = headLines(file, language, headText);
  const added: ReadLine[] = [];
  const addedNumbers = new Set<number>();
  for (const line of file.hunks.flatMap((hunk) => hunk.lines)) {
    if (line.kind !== 'added') continue;
    addedNumbers.add(line.newLine);
    const read = lines.get(line.newLine);
    if (read !== undefined && !moved.added.has(line)) added.push(read);
  }
  let elements: readonly MarkupElement[] | undefined;
  let facts: { script: ScriptFacts | undefined } | undefined;
  const whole = language === 'script' ? wholeOf(file, headText) : undefined;
  return {
    file,
    path: file.path,
    basePath,
    language,
    isTest: isTestPath(file.path),
    isNew: file.status === 'added',
    added,
    removed: removedLines(file, language, moved),
    lines,
    addedNumbers,
    headText,
    baseText: context.base.get(basePath),
    elements: () => (elements ??= newElements({ path: file.path, language, added, lines })),
    script: () =>
      (facts ??= {
        script: whole === undefined ? undefined : readScriptFacts(whole, file.path),
      }).script,
  };
}

/** A script's text at the head, when all of it is known: given and right, or new and so in the diff. */
function wholeOf(file: DiffFile, headText: string | undefined): string | undefined {
  if (headText !== undefined && isText(file, headText.replaceAll('\r\n', '\n').split('\n')))
    return headText;
  if (file.status !== 'added') return undefined;
  return file.hunks.flatMap(({ lines }) => lines.map(({ text }) => text)).join('\n');
}

/** A text that does not hold the lines that the diff shows is not the head's: then only the diff is believed. */
function isText(file: DiffFile, text: readonly string[]): boolean {
  return file.hunks.every(({ lines }) =>
    lines.every(
      (line) =>
        line.kind === 'removed' || line.isCut === true || text[line.newLine - 1] === line.text,
    ),
  );
}

function headLines(
  file: DiffFile,
  language: Language,
  headText: string | undefined,
): Map<number, ReadLine> {
  const whole = headText?.replaceAll('\r\n', '\n').split('\n');
  const numbered = new Map<number, ReadLine>();
  if (whole !== undefined && isText(file, whole)) {
    for (const [index, lexed] of lexLines(whole, language).entries())
      numbered.set(index + 1, { line: index + 1, text: whole[index] ?? '', ...lexed });
    return numbered;
  }
  for (const hunk of file.hunks) {
    const shown = hunk.lines.filter((line) => line.kind !== 'removed');
    const lexed = lexLines(
      shown.map(({ text }) => text),
      language,
    );
    for (const [index, { newLine, text }] of shown.entries())
      numbered.set(newLine, { line: newLine, text, ...(lexed[index] ?? EMPTY) });
  }
  return numbered;
}

const EMPTY: LexedLine = { code: '', live: '', comment: '' };

function removedLines(file: DiffFile, language: Language, moved: Moved): ReadLine[] {
  const found: ReadLine[] = [];
  for (const hunk of file.hunks) {
    const shown = hunk.lines.filter((line) => line.kind !== 'added');
    if (!shown.some((line) => line.kind === 'removed')) continue;
    const lexed = lexLines(
      shown.map(({ text }) => text),
      language,
    );
    for (const [index, line] of shown.entries())
      if (isRemoved(line) && !moved.removed.has(line))
        found.push({ line: line.oldLine, text: line.text, ...(lexed[index] ?? EMPTY) });
  }
  return found;
}

function isRemoved(line: DiffLine): line is DiffLine & { kind: 'removed' } {
  return line.kind === 'removed';
}
