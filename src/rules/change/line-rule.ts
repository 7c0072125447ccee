/** Makes the `find` of a rule that looks at new lines one by one. */
import type { Severity } from '../../domain/review/signal.ts';
import type { Language } from './syntax/language.ts';
import type { LexedLine, ReadLine } from './syntax/lex.ts';
import type { Change, ChangedFile } from './read-change.ts';
import type { Sighting } from './change-rule.ts';

export interface LinePattern {
  in: readonly Language[];
  /** Looked for in each new line. Must be linear and without the `g` flag. */
  pattern: RegExp;
  /** Which view of the line is searched; `code` when absent. */
  view?: keyof LexedLine | 'text';
  /** What makes the line fine after all, looked for in its whole text. */
  unless?: RegExp;
  /** Whether test files are looked at; they are not when absent. */
  tests?: 'skip' | 'only' | 'both';
  /** Paths that are left out, or the only ones. */
  notPath?: RegExp;
  onlyPath?: RegExp;
  title?: string | ((match: RegExpExecArray) => string);
  severity?: Severity;
  /** The line as it should be; undefined when that is unknown. */
  suggest?: (line: ReadLine, match: RegExpExecArray) => string | undefined;
  /** A last look, with the lines around. */
  confirm?: (line: ReadLine, file: ChangedFile, match: RegExpExecArray) => boolean;
}

/** Finds every pattern in the new lines of a change; a line is found once, by the first that fits. */
export function lines(...patterns: readonly LinePattern[]): (change: Change) => Sighting[] {
  return ({ files }) => files.flatMap((file) => inFile(file, patterns));
}

function inFile(file: ChangedFile, patterns: readonly LinePattern[]): Sighting[] {
  const fitting = patterns.filter((pattern) => fits(pattern, file));
  if (fitting.length === 0) return [];
  const found: Sighting[] = [];
  for (const line of file.added) {
    const sighting = firstOf(line, file, fitting);
    if (sighting !== undefined) found.push(sighting);
  }
  return found;
}

function fits(pattern: LinePattern, { language, isTest, path }: ChangedFile): boolean {
  if (!pattern.in.includes(language)) return false;
  const tests = pattern.tests ?? 'skip';
  if (tests !== 'both' && isTest !== (tests === 'only')) return false;
  return pattern.notPath?.test(path) !== true && pattern.onlyPath?.test(path) !== false;
}

function firstOf(
  line: ReadLine,
  file: ChangedFile,
  patterns: readonly LinePattern[],
): Sighting | undefined {
  for (const each of patterns) {
    const match = each.pattern.exec(line[each.view ?? 'code']);
    if (match === null || each.unless?.test(line.text) === true) continue;
    if (each.view === 'live' && !beginsInCode(line, match)) continue;
    if (each.confirm?.(line, file, match) === false) continue;
    return toSighting(line, { file, pattern: each, match });
  }
  return undefined;
}

/** What is written in a string is not done here: a match that begins inside one is a quotation of code. */
function beginsInCode({ code, live }: ReadLine, match: RegExpExecArray): boolean {
  const at = match.index + Math.max(0, match[0].search(/\S/));
  return code[at] === live[at];
}

function toSighting(
  line: ReadLine,
  { file, pattern, match }: { file: ChangedFile; pattern: LinePattern; match: RegExpExecArray },
): Sighting {
  const { title, suggest, severity } = pattern;
  const suggestion = suggest?.(line, match);
  return {
    file,
    line: line.line,
    ...(title === undefined ? {} : { title: typeof title === 'string' ? title : title(match) }),
    ...(severity === undefined ? {} : { severity }),
    ...(suggestion === undefined ? {} : { suggestion }),
  };
}

/** The text of the lines around one, joined, as far as they are known. */
export function around(
  file: ChangedFile,
  line: number,
  { before = 0, after = 0, view = 'code' as keyof LexedLine | 'text' },
): string {
  const found: string[] = [];
  for (let at = line - before; at <= line + after; at += 1) {
    const read = file.lines.get(at);
    if (read !== undefined) found.push(read[view]);
  }
  return found.join('\n');
}
