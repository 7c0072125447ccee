/** What the PM plans by: the workflows and the knowledge in `memory/pm.md`, however people restructured it. */
import { plainHeading } from '../../markdown/plain-heading.ts';
import { BlockEnds } from '../file/file-blocks.ts';
import { ROLE_SECTIONS } from './role-memory.ts';

/** Characters that reach a prompt. */
export const PM_MEMORY_CHARS = 6_000;
const HEADING = /^ {0,3}(#{1,6})[ \t](.*)$/;

/**
 * The two sections with all that is below them. Both are shown: one that is long gives way to the other. A file without
 * either is shown from its beginning.
 */
export function pmMemory(source: string): string {
  const { project, workflow } = ROLE_SECTIONS.pm;
  const knowledge = sectionOf(source, project);
  const workflows = sectionOf(source, workflow);
  if (knowledge === '' && workflows === '') return cutAtLine(source.trim(), PM_MEMORY_CHARS);
  const half = PM_MEMORY_CHARS / 2;
  const first = cutAtLine(knowledge, Math.max(half, PM_MEMORY_CHARS - workflows.length - 2));
  const room = PM_MEMORY_CHARS - (first === '' ? 0 : first.length + 2);
  return [first, cutAtLine(workflows, room)].filter((each) => each !== '').join('\n\n');
}

/** A section by its title in any case, with its heading; empty where the section is missing or empty. */
export function sectionOf(source: string, title: string): string {
  const lines = source.split(/\r?\n/);
  const headings = headingsOf(lines);
  const from = headings.findIndex((each) => each.title === title.toLowerCase());
  const heading = headings[from];
  if (heading === undefined) return '';
  const next = headings.slice(from + 1).find(({ level }) => level <= heading.level);
  const text = lines.slice(heading.at, next?.at ?? lines.length);
  return text.slice(1).every((line) => line.trim() === '') ? '' : text.join('\n').trim();
}

interface Heading {
  at: number;
  level: number;
  title: string;
}

function headingsOf(lines: readonly string[]): Heading[] {
  const ends = new BlockEnds(lines);
  const found: Heading[] = [];
  let closes: ((line: string) => boolean) | undefined;
  for (const [at, line] of lines.entries()) {
    if (closes?.(line) === true) closes = undefined;
    else if (closes === undefined) {
      closes = ends.closing(line, at);
      const [, marks = '', title = ''] = HEADING.exec(line) ?? [];
      if (closes === undefined && marks !== '')
        found.push({ at, level: marks.length, title: plainHeading(title).toLowerCase() });
    }
  }
  return found;
}

function cutAtLine(text: string, most: number): string {
  if (text.length <= most) return text;
  const end = text.lastIndexOf('\n', most);
  return text.slice(0, end === -1 ? most : end).toWellFormed();
}
