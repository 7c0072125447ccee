/** Finds where names are defined in source files, without a parser for each language. */
import { escapePattern } from '../../domain/text/pattern.ts';
import type { Place } from '../../domain/review/signal.ts';
import { isSourcePath, isTestPath } from '../../domain/repository/paths.ts';
import type { SourceFile } from '../../domain/run/view.ts';

const WORD = /[A-Za-z_$][\w$]*/g;
const DEFINING =
  /\b(?:function\*?|class|interface|type|enum|const|let|var|def|func|fn|struct|trait|impl|module|export)\s+(?:async\s+|default\s+|abstract\s+|function\s+|const\s+|class\s+|type\s+)*$|^\s*(?:(?:public|private|protected|static|async|readonly|get|set)\s+)*$/;
/** A definition longer than this is pointed to by its beginning. */
const MAX_SPAN = 60;

interface Sighting {
  path: string;
  line: number;
  /** Definitions in sources before uses, tests last. */
  rank: number;
}

/** The place of each name that occurs in the sources: its definition, or else its first use. */
export function findDefinitions(
  names: readonly string[],
  files: readonly SourceFile[],
): { name: string; place: Place }[] {
  const wanted = new Map<string, string>();
  for (const name of names) wanted.set(name.split(/\.|::|#/).at(-1) ?? name, name);
  const best = new Map<string, Sighting>();
  for (const file of files.filter(({ path }) => isSourcePath(path) || isTestPath(path)))
    sight(file, wanted, best);
  return names.flatMap((name) => {
    const sighting = best.get(name);
    const file = files.find(({ path }) => path === sighting?.path);
    if (sighting === undefined || file === undefined) return [];
    return [{ name, place: placeOf(file, sighting) }];
  });
}

function sight(
  file: SourceFile,
  wanted: ReadonlyMap<string, string>,
  best: Map<string, Sighting>,
): void {
  for (const [at, line] of file.text.split('\n').entries()) {
    if (line.length > 2000) continue;
    for (const match of line.matchAll(WORD)) {
      const name = wanted.get(match[0]);
      if (name === undefined) continue;
      if (isPlain(name) && !isNamed(line, name)) continue;
      const sighting = { path: file.path, line: at + 1, rank: rankOf(file.path, line, match) };
      if (sighting.rank < (best.get(name)?.rank ?? Number.POSITIVE_INFINITY))
        best.set(name, sighting);
    }
  }
}

/** A word like `name` is everywhere: only a declaration of that name counts. */
function isPlain(name: string): boolean {
  return /^[a-z]+$/.test(name);
}

function isNamed(line: string, name: string): boolean {
  return new RegExp(
    `\\b(?:function|class|interface|type|enum|def|func|fn|struct)\\s+${escapePattern(name)}\\b`,
  ).test(line);
}

function rankOf(path: string, line: string, match: RegExpExecArray): number {
  const before = line.slice(0, match.index);
  const after = line.slice(match.index + match[0].length);
  const isKeyword =
    /\b(?:function|class|interface|type|enum|const|let|var|def|func|fn|struct)\b/.test(before);
  const isMember = /^\s*[(=:]/.test(after) && !/^\s*[(]/.test(after) ? 1 : 0;
  const isDefinition = DEFINING.test(before) && (isKeyword || /^\s*(?:[:=]|\([^;]*$)/.test(after));
  const test = isTestPath(path) ? 10 : 0;
  const isImport = /^\s*(?:import|from|require|use)\b/.test(line) ? 3 : 0;
  return test + isImport + (isDefinition ? 0 : 4 - isMember);
}

function placeOf(file: SourceFile, { path, line, rank }: Sighting): Place {
  if (rank % 10 !== 0) return { path, line };
  const endLine = endOfBlock(file.text.split('\n'), line);
  return endLine === line ? { path, line } : { path, line, endLine };
}

function indentOf(line: string): number {
  return line.length - line.trimStart().length;
}

/** The last line of a block by its indentation: braces, `end` or a dedent close it. */
function endOfBlock(lines: readonly string[], start: number): number {
  const indent = indentOf(lines[start - 1] ?? '');
  let last = start;
  for (let at = start; at < Math.min(lines.length, start + MAX_SPAN); at += 1) {
    const line = lines[at] ?? '';
    if (line.trim() === '') continue;
    if (indentOf(line) <= indent) return /^\s*(?:[})\]]|end\b)/.test(line) ? at + 1 : last;
    last = at + 1;
  }
  return last;
}

/** The first line in which a pattern matches. */
export function findLine(pattern: RegExp, files: readonly SourceFile[]): Place | undefined {
  for (const { path, text } of files) {
    const match = pattern.exec(text);
    if (match !== null) return { path, line: text.slice(0, match.index).split('\n').length };
  }
  return undefined;
}
