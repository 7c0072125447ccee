/**
 * `memory/pm.md` and `memory/artist.md`: sections of one entry a line, sorted, so that two branches that both add one
 * merge without a conflict. People restructure these files as they like; an addition finds its section, or makes it.
 */
import { plainHeading } from '../../markdown/plain-heading.ts';
import { ATTRIBUTES_FILE } from '../../repository/git-attributes.ts';
import { BlockEnds } from '../file/file-blocks.ts';

/** For `.gitattributes`: of two lines added in one place both stay. */
const UNION_MERGE = 'memory/*.md merge=union';

/** Whether Quorum may write the file when it remembers something for a role. */
export function isRolePath(path: string): boolean {
  return path === ATTRIBUTES_FILE || path === 'memory/pm.md' || path === 'memory/artist.md';
}

/** `.gitattributes` with the line, wherever people have it. */
export function withUnionMerge(source = ''): string {
  const lines = source.split(/\r?\n/).map((line) => line.trim().replaceAll(/\s+/g, ' '));
  if (lines.includes(UNION_MERGE)) return source;
  const end = source.includes('\r\n') ? '\r\n' : '\n';
  const before = source === '' || source.endsWith('\n') ? source : `${source}${end}`;
  return `${before}${UNION_MERGE}${end}`;
}

interface Heading {
  at: number;
  title: string;
}

interface RoleLines {
  lines: string[];
  /** Indices outside fences and comments. */
  isText: (at: number) => boolean;
  headings: Heading[];
  end: string;
}

const HEADING = /^ {0,3}#{1,6}[ \t](.*)$/;
const BULLET = /^[-*+][ \t]+/;
const CONTINUED = /^(?: {2,}|\t)\S/;

function titleOf(line: string): string | undefined {
  const words = HEADING.exec(line)?.[1];
  return words === undefined ? undefined : plainHeading(words);
}

function readLines(source: string): RoleLines {
  const lines = source.split('\n').map((line) => line.replace(/\r$/, ''));
  const ends = new BlockEnds(lines);
  const inBlock = new Set<number>();
  let closes: ((line: string) => boolean) | undefined;
  for (const [at, line] of lines.entries()) {
    if (closes === undefined) closes = ends.closing(line, at);
    else if (closes(line)) {
      inBlock.add(at);
      closes = undefined;
    }
    if (closes !== undefined) inBlock.add(at);
  }
  const isText = (at: number): boolean => !inBlock.has(at);
  const headings = lines.flatMap((line, at): Heading[] => {
    const title = isText(at) ? titleOf(line) : undefined;
    return title === undefined ? [] : [{ at, title }];
  });
  return { lines, isText, headings, end: source.includes('\r\n') ? '\r\n' : '\n' };
}

/** How entries and titles are compared: the case of letters and marks around words do not count. */
function keyOf(text: string): string {
  const plain = text.replace(BULLET, '').replaceAll(/[*_`]/g, '');
  return plain.normalize('NFKC').toLowerCase().replaceAll(/\s+/g, ' ').trim();
}

/** Whether the file has the entry already, in any section. */
export function hasLine(source: string, text: string): boolean {
  const { lines, isText } = readLines(source);
  const key = keyOf(text);
  return lines.some((line, at) => isText(at) && BULLET.test(line) && keyOf(line) === key);
}

/** Adds an entry to a section, in its place among the section's entries. A section that is missing is made at the end. */
export function appendLine(source: string, section: string, text: string): string {
  if (hasLine(source, text)) return source;
  const file = readLines(source);
  const { lines, headings, end } = file;
  const index = headings.findIndex(({ title }) => keyOf(title) === keyOf(section));
  const heading = headings[index];
  if (heading === undefined) {
    const before = source.trimEnd();
    return [...(before === '' ? [] : [before, '']), `## ${section}`, '', `- ${text}`, ''].join(end);
  }
  const next = headings[index + 1]?.at ?? lines.length;
  const place = placeOf(file, { from: heading.at + 1, to: next }, text);
  const isLast = place.at === lines.length;
  const added = [
    ...(place.isApart ? [''] : []),
    `- ${text}`,
    ...(isLast || isGlued(lines[place.at]) ? [''] : []),
  ];
  return lines.toSpliced(place.at, 0, ...added).join(end);
}

/** Whether the line behind a new entry would be read as part of it. */
function isGlued(line: string | undefined): boolean {
  return line !== undefined && line.trim() !== '' && !BULLET.test(line);
}

/** Before the first greater entry, else behind the last one, else behind what the section says. */
function placeOf(
  { lines, isText }: RoleLines,
  range: { from: number; to: number },
  text: string,
): { at: number; isApart: boolean } {
  const inRange = lines
    .map((line, at) => ({ line, at }))
    .filter(({ at }) => at >= range.from && at < range.to);
  const entries = inRange.filter(({ line, at }) => isText(at) && BULLET.test(line));
  const greater = entries.find(({ line }) => keyOf(line) > keyOf(text));
  if (greater !== undefined) return { at: greater.at, isApart: false };
  const last = entries.at(-1);
  if (last !== undefined) {
    let at = last.at + 1;
    while (at < range.to && CONTINUED.test(lines[at] ?? '')) at += 1;
    return { at, isApart: false };
  }
  const said = inRange.findLast(({ line }) => line.trim() !== '');
  return { at: (said?.at ?? range.from - 1) + 1, isApart: true };
}

const MARK = /^[ \t]*(?:[-*+]|\d{1,3}[.)])[ \t]+/;

/** Replaces exactly one line. A mark of a list before it stays, whether or not it was named. */
export function replaceLine(
  source: string,
  old: string,
  text: string,
): { text: string } | { refused: string } {
  const { lines, end } = readLines(source);
  const bareOf = (line: string): string => line.replace(MARK, '').trim();
  const wanted = bareOf(old);
  const found = lines.flatMap((line, at) => (bareOf(line) === wanted ? [at] : []));
  const [at] = found;
  if (wanted === '' || at === undefined) return { refused: 'the line is not in the file' };
  if (found.length > 1) return { refused: 'the line is in the file more than once' };
  const mark = MARK.exec(lines[at] ?? '')?.[0] ?? '';
  return { text: lines.toSpliced(at, 1, `${mark}${bareOf(text)}`).join(end) };
}
