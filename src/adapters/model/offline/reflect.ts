/** What voices learned, by rules: what people decided, and what it found in the code. Nothing else is known for sure. */
import type { ReflectedFinding, ReflectionMaterial } from '../../../domain/memory/reflection.ts';
import type { OfflineBrief } from '../../../domain/run/evidence.ts';

/** Worth remembering from here on: lesser ones are matters of one change. */
const WORTH: ReadonlySet<string> = new Set(['critical', 'high']);
const MOST = 2;
const MAX_TEXT = 300;

interface Lesson {
  for: string[];
  category: 'PATTERN' | 'DECISION';
  text: string;
  refs: { path: string; from: number; to: number }[];
  words: string[];
}

export function reflect({ reflection }: OfflineBrief): { lessons: Lesson[] } {
  if (reflection === undefined) return { lessons: [] };
  const found = reflection.voices.flatMap(({ handle, findings }) =>
    findings
      .filter(({ severity }) => WORTH.has(severity))
      .slice(0, MOST)
      .flatMap((finding) => toLesson(finding, handle)),
  );
  return { lessons: [...decided(reflection), ...found] };
}

function decided({ answered, headline, voices }: ReflectionMaterial): Lesson[] {
  if (answered === undefined) return [];
  const { question, by, words = headline } = answered;
  const text = plain(`Asked "${question}", ${by} answered: ${words}`);
  const all = voices.map(({ handle }) => handle);
  return [{ for: all, category: 'DECISION', text, refs: [], words: wordsOf(answered.question) }];
}

/** A lesson about a defect cites no lines, because they disappear when the defect is fixed. */
function toLesson({ title, path }: ReflectedFinding, handle: string): Lesson[] {
  if (path === undefined) return [];
  const text = plain(`Seen in ${path}: ${title}. Look for it in the next change there.`);
  return [{ for: [handle], category: 'PATTERN', text, refs: [], words: wordsOf(title) }];
}

/** One line without what memory refuses. */
function plain(text: string): string {
  const flat = text.replaceAll(/[`<>]/g, "'").replaceAll(/\s+/g, ' ').trim();
  return flat.length > MAX_TEXT ? `${flat.slice(0, MAX_TEXT - 1)}…` : flat;
}

function wordsOf(text: string): string[] {
  const words = text.toLowerCase().match(/[a-z]{5,20}/g) ?? [];
  return [...new Set(words)].slice(0, 6);
}
