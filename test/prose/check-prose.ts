/** Counts what our English avoids in documents, sources and titles of tests, and holds it to `allowed.json`. */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { findLongSentences, findPhrases, type ProseFinding } from './phrases.ts';
import { commentsOf, paragraphsOf, stringsOf, titlesOf } from './read-prose.ts';

export const ROOT = path.resolve(import.meta.dirname, '../..');
export const ALLOWED_FILE = path.join(import.meta.dirname, 'allowed.json');

/** Made from strings of the sources, which are read there. */
const GENERATED = new Set(['docs/commands.md', 'docs/configuration-reference.md', 'docs/rules.md']);

/** How many findings a file may have. A file that is not listed may have none. */
export type Allowed = Record<string, number>;

export function proseFiles(): string[] {
  const below = (folder: string, ending: string): string[] =>
    readdirSync(path.join(ROOT, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith(ending))
      .map((name) => path.join(folder, name));
  const sources = ['src', 'action', 'test'].flatMap((folder) => below(folder, '.ts'));
  return ['README.md', ...below('docs', '.md'), ...sources].filter((file) => !GENERATED.has(file));
}

/** Sentences of documents and comments are short too; a string of the sources may be half a sentence or many. */
export function findInText(file: string, text: string): ProseFinding[] {
  if (!file.endsWith('.ts')) return paragraphsOf(text).flatMap(findBoth);
  if (file.startsWith('test')) return [...commentsOf(text), ...titlesOf(text)].flatMap(findPhrases);
  return [...stringsOf(text).flatMap(findPhrases), ...commentsOf(text).flatMap(findBoth)];
}

function findBoth(text: string): ProseFinding[] {
  return [...findPhrases(text), ...findLongSentences(text)];
}

/** Findings of all files that have any. */
export function findProse(): Map<string, ProseFinding[]> {
  return new Map(
    proseFiles().flatMap((file): [string, ProseFinding[]][] => {
      const found = findInText(file, readFileSync(path.join(ROOT, file), 'utf8'));
      return found.length === 0 ? [] : [[file, found]];
    }),
  );
}

export function readAllowed(): Allowed {
  return JSON.parse(readFileSync(ALLOWED_FILE, 'utf8')) as Allowed;
}

/** What is wrong: a file with more findings than it may have, or a figure that is too high now. */
export function judgeProse(found: ReadonlyMap<string, ProseFinding[]>, allowed: Allowed): string[] {
  const more = [...found].flatMap(([file, findings]) => {
    const limit = allowed[file] ?? 0;
    if (findings.length <= limit) return [];
    const list = findings.map(({ name, text }) => `\n  ${name}: ${text}`).join('');
    return [`${file} has ${findings.length} findings, ${limit} allowed:${list}`];
  });
  const fewer = Object.entries(allowed).flatMap(([file, limit]) => {
    const count = found.get(file)?.length ?? 0;
    if (count >= limit) return [];
    return [`${file} has ${count} findings now: run node test/prose/lower-allowed.ts`];
  });
  return [...more, ...fewer];
}

/** The list with each figure lowered to what a file has now; it never raises one. */
export function lowerAllowed(
  found: ReadonlyMap<string, ProseFinding[]>,
  allowed: Allowed,
): Allowed {
  const lowered = Object.entries(allowed).map(([file, limit]): [string, number] => [
    file,
    Math.min(limit, found.get(file)?.length ?? 0),
  ]);
  return Object.fromEntries(lowered.filter(([, limit]) => limit > 0));
}
