/** What a persona experienced, with its source: from this it rewrites its own file, `self.md` (TG-16). */
import { MAX_MEMORY_FILE_BYTES } from '../file/branch-files.ts';
import * as z from 'zod';
import type { ForgetTarget } from '../forget-memory.ts';

export const EXPERIENCE_KINDS = [
  'owner_guidance',
  'learned_something',
  'helped_someone',
  'was_challenged',
  'idea_resonated',
  'question_emerged',
  'connection_formed',
  'saw_perspective',
  'chose_silence',
] as const;
export type ExperienceKind = (typeof EXPERIENCE_KINDS)[number];

/** Ten of these are a reason to reflect before six hours are over. */
const SIGNIFICANT: ReadonlySet<ExperienceKind> = new Set<ExperienceKind>([
  'owner_guidance',
  'learned_something',
  'helped_someone',
  'was_challenged',
  'saw_perspective',
]);

/** The oldest are dropped. */
const MOST_KEPT = 300;
/** Above a megabyte the file would be refused, with all that is written with it; each look at a changed memory reads it. */
const MOST_BYTES = MAX_MEMORY_FILE_BYTES / 5;
const LONGEST_TEXT = 4_000;

const Experience = z.object({
  /** Names what it comes from: the same happening is recorded once. */
  id: z.string().min(1).max(200),
  /** ISO 8601. */
  at: z.iso.datetime(),
  kind: z.enum(EXPERIENCE_KINDS),
  /** Number of the issue or pull request. */
  thread: z.number().int().positive(),
  /** Id of the run. */
  run: z.string().max(200),
  author: z.object({ id: z.number().int(), login: z.string().max(100) }).optional(),
  /** The lowest of those whose words were in view. */
  trust: z.enum(['stranger', 'contributor', 'maintainer']),
  text: z.string().max(LONGEST_TEXT),
});
export type Experience = z.infer<typeof Experience>;

/** Before the moment is known at which it is recorded. */
export type NewExperience = Omit<Experience, 'at'>;

export function isSignificant({ kind }: Pick<Experience, 'kind'>): boolean {
  return SIGNIFICANT.has(kind);
}

/** Skips other lines: people may edit the file. */
export function parseExperiences(text: string): Experience[] {
  return text.split('\n').flatMap((line) => parseExperience(line) ?? []);
}

function parseExperience(line: string): Experience | undefined {
  try {
    return Experience.safeParse(JSON.parse(line)).data;
  } catch {
    return undefined;
  }
}

/**
 * The file with these added. What is there stays byte for byte, and a known id is not written again. A connection is formed
 * once with each author.
 */
export function withExperiences(
  before: string,
  experiences: readonly NewExperience[],
  at: string,
): string {
  const there = parseExperiences(before);
  const known = new Set(there.map(({ id }) => id));
  const met = new Set(there.flatMap(({ author }) => author?.id ?? []));
  const fresh = experiences.filter(
    ({ id, kind, author }) =>
      !known.has(id) &&
      (kind !== 'connection_formed' || (author !== undefined && !met.has(author.id))),
  );
  if (fresh.length === 0) return before;
  const lines = fresh.map((each) => renderExperience({ ...each, at }));
  const old = before.split('\n').filter((line) => line !== '');
  return `${newest([...old, ...lines]).join('\n')}\n`;
}

function newest(lines: readonly string[]): string[] {
  const kept: string[] = [];
  let bytes = 0;
  for (const line of lines.slice(-MOST_KEPT).toReversed()) {
    bytes += Buffer.byteLength(line) + 1;
    if (bytes > MOST_BYTES) break;
    kept.unshift(line);
  }
  return kept;
}

/** A longer text could not be read again. Half a pair is no character. */
function renderExperience(experience: Experience): string {
  const text = experience.text.slice(0, LONGEST_TEXT).replace(/[\uD800-\uDBFF]$/, '');
  return JSON.stringify({ ...experience, text });
}

export interface ForgottenExperiences {
  text: string;
  /** Ids of what was removed. */
  ids: string[];
}

/** Removes what grew from a lesson, a run, or an author's words. */
export function forgetExperiences(before: string, target: ForgetTarget): ForgottenExperiences {
  const gone = parseExperiences(before).filter((each) => isMeant(each, target));
  const ids = new Set(gone.map(({ id }) => id));
  const text = changeLines(before, (line, experience) =>
    experience !== undefined && ids.has(experience.id) ? undefined : line,
  );
  return { text: ids.size === 0 ? before : text, ids: [...ids] };
}

function isMeant({ id, run, author }: Experience, target: ForgetTarget): boolean {
  if (target.kind === 'entry') return id.endsWith(`/${target.id}`);
  return target.kind === 'run' ? run === target.run : author?.id === target.id;
}

/** Lines for which nobody vouches count as a stranger's words. */
export function distrustExperiences(before: string, doubtful: ReadonlySet<string>): string {
  return changeLines(before, (line, experience) =>
    experience !== undefined && experience.trust !== 'stranger' && doubtful.has(line.trim())
      ? renderExperience({ ...experience, trust: 'stranger' })
      : line,
  );
}

function changeLines(
  text: string,
  change: (line: string, experience: Experience | undefined) => string | undefined,
): string {
  const lines = text.split('\n').map((line) => change(line, parseExperience(line)));
  return lines.filter((line) => line !== undefined).join('\n');
}
