/** A repository's roadmap: sections of a Markdown file with what is done and what is left (NW-15), and what each voice sees. */
import { plainHeading } from '../markdown/plain-heading.ts';
import { BlockEnds } from '../memory/file/file-blocks.ts';
import type { Persona } from '../persona/persona.ts';

/** Characters of the file that are read. */
const MAX_CHARS = 6_000;

/** The beginning of the file, as it was read. */
export interface RoadmapText {
  path: string;
  text: string;
}

export interface RoadmapSection {
  /** Empty for what is above the first heading. */
  title: string;
  done: number;
  total: number;
  /** Titles of what is not done, in the file's order. */
  pending: string[];
}

const HEADING = /^ {0,3}#{1,6}[ \t](.*)$/;
const BOX = /^\s*(?:[-*+]|\d{1,9}[.)])[ \t]+\[([ xX])\][ \t]+(\S.*)$/;
const MAX_TITLE = 160;

/** The part of a file that is read: whole lines. */
export function cutRoadmap(text: string): string {
  if (text.length <= MAX_CHARS) return text;
  const end = text.lastIndexOf('\n', MAX_CHARS);
  return text.slice(0, end === -1 ? MAX_CHARS : end).toWellFormed();
}

/** Never throws. Boxes in fences and comments do not count; a section without boxes is kept for its title. */
export function parseRoadmap(text: string): RoadmapSection[] {
  const lines = cutRoadmap(text).split(/\r?\n/);
  const ends = new BlockEnds(lines);
  const sections: RoadmapSection[] = [{ title: '', done: 0, total: 0, pending: [] }];
  let closes: ((line: string) => boolean) | undefined;
  for (const [at, line] of lines.entries()) {
    if (closes?.(line) === true) closes = undefined;
    else if (closes === undefined) {
      closes = ends.closing(line, at);
      if (closes === undefined) readLine(sections, line);
    }
  }
  return sections.filter(isKept);
}

function readLine(sections: RoadmapSection[], line: string): void {
  const heading = HEADING.exec(line)?.[1];
  if (heading !== undefined)
    sections.push({ title: toTitle(heading), done: 0, total: 0, pending: [] });
  const [, mark, words = ''] = BOX.exec(line) ?? [];
  const section = sections.at(-1);
  if (mark === undefined || section === undefined) return;
  section.total += 1;
  if (mark === ' ') section.pending.push(toTitle(words));
  else section.done += 1;
}

/** Without comments and the marks that may close a heading. */
function toTitle(words: string): string {
  const plain = words
    .split('<!--')
    .map((piece, at) => (at === 0 ? piece : piece.slice(piece.indexOf('-->') + '-->'.length)))
    .join('');
  return plainHeading(plain).slice(0, MAX_TITLE).toWellFormed();
}

/** The file's own title says nothing of what is left. */
function isKept({ title, total }: RoadmapSection, at: number, all: RoadmapSection[]): boolean {
  const isFileTitle = at === 1 && all[0]?.total === 0 && all.length > 2;
  return total > 0 || (title !== '' && !isFileTitle);
}

/** What everybody sees: totals, and a few titles of each section. */
const BRIEF = { perSection: 5, most: 600 };
/** What those see who plan: every title that there is room for. */
const FULL = { perSection: Infinity, most: 2_000 };

/** For all voices. Empty where there is nothing to show. */
export function briefRoadmap(sections: readonly RoadmapSection[]): string {
  return overlay(sections, BRIEF);
}

/** For lead roles; empty where it says no more than {@link briefRoadmap}. */
export function fullRoadmap(sections: readonly RoadmapSection[]): string {
  const full = overlay(sections, FULL);
  return full === briefRoadmap(sections) ? '' : full;
}

/** All sections first; then titles of what is left, as far as there is room for them. */
function overlay(
  sections: readonly RoadmapSection[],
  { perSection, most }: { perSection: number; most: number },
): string {
  const heads = headsWithin(sections, most);
  let left = most - heads.reduce((sum, head) => sum + head.length + 1, 0);
  const lines = heads.flatMap((head, at) => {
    const titles = (sections[at]?.pending ?? []).slice(0, perSection).map((each) => `  - ${each}`);
    const room = titles.findIndex((title) => (left -= title.length + 1) < 0);
    const shown = room === -1 ? titles : titles.slice(0, room);
    if (room !== -1) left = 0;
    return [head, ...shown];
  });
  return lines.join('\n');
}

/** Room for a line that says how many sections are not shown. */
const MORE_CHARS = 40;

function headsWithin(sections: readonly RoadmapSection[], most: number): string[] {
  const heads = sections.map(toHead);
  const length = heads.reduce((sum, head) => sum + head.length + 1, 0);
  if (length <= most) return heads;
  let left = most - MORE_CHARS;
  const end = heads.findIndex((head) => (left -= head.length + 1) < 0);
  return [...heads.slice(0, end), `- ${heads.length - end} more sections`];
}

function toHead({ title, done, total }: RoadmapSection): string {
  const name = title === '' ? 'Without a heading' : title;
  return total === 0 ? `- ${name}` : `- ${name}: ${done} of ${total} done`;
}

const LEADS = /\b(?:lead|architect|product|manager|pm|director)\b/i;

/** Whether a persona's role is one that sees the whole roadmap. */
export function seesWholeRoadmap({ role, lead }: Pick<Persona, 'role' | 'lead'>): boolean {
  return lead || LEADS.test(role);
}
