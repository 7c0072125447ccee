/** One lesson that a persona keeps, with where it comes from, and what is counted of its use. */
import { createHash } from 'node:crypto';
import type { Trust } from '../prompt/quarantine.ts';

export const MEMORY_CATEGORIES = [
  'PATTERN',
  'DECISION',
  'OBSERVATION',
  'HYPOTHESIS',
  'TODO',
] as const;
export type MemoryCategory = (typeof MEMORY_CATEGORIES)[number];

/** Lines of a file that an entry cites. */
export interface MemoryRef {
  path: string;
  /** First line, from 1. */
  from: number;
  /** Last line. */
  to: number;
  /** SHA of the file's blob when the entry was written or last verified. */
  blobSha?: string;
  /** Digest of the lines, see {@link linesDigest}. */
  digest?: string;
}

/** Where an entry comes from: a run of Quorum, a comment by a person, or a person's edit of the file. */
export type MemorySource =
  | { kind: 'run'; run: string; thread: number }
  | { kind: 'comment'; commentId: number; thread: number }
  | { kind: 'hand' };

/** Where an entry comes from, and who said it or whose words it grew from. */
export interface MemoryOrigin {
  source: MemorySource;
  author: { id: number; login: string } | undefined;
}

/** Only active entries reach a prompt. */
export const MEMORY_STATES = ['active', 'quarantined', 'stale'] as const;
export type MemoryState = (typeof MEMORY_STATES)[number];

export interface MemoryEntry extends MemoryOrigin {
  /** 10 characters, see {@link memoryId}; kept when a person edits the text. */
  id: string;
  /** Handle; {@link TEAM} for what holds for everybody. */
  persona: string;
  category: MemoryCategory;
  /** One line, at most {@link MAX_TEXT} characters, without URLs, HTML or code blocks. */
  text: string;
  refs: MemoryRef[];
  /** Search words that the reflecting model wrote with it, in lower case, at most {@link MAX_WORDS}. */
  words: string[];
  trust: Trust;
  /** ISO 8601 date. */
  createdAt: string;
  state: MemoryState;
  /** Origins of the entries that it was made of: it is forgotten with each of them. */
  grewFrom?: MemoryOrigin[];
}

/** What changes with use; kept apart in `state/memory.json`, so that the files that people edit stay as they are. */
export interface MemoryUse {
  uses: number;
  /** ISO 8601. */
  lastUsedAt?: string;
  /** ISO 8601. */
  verifiedAt?: string;
  /** Findings it caused that were kept. */
  kept: number;
  /** Findings it caused that were dismissed. */
  dismissed: number;
}

/** The persona of entries that hold for everybody. */
export const TEAM = 'team';
export const MAX_TEXT = 300;
export const MAX_WORDS = 8;
export const MAX_REFS = 8;
/** Origins that one entry may be made of. */
export const MAX_ORIGINS = 50;

/** An entry's name, from what it says and whose it is when it is made. */
export function memoryId(persona: string, text: string): string {
  const said = text.trim().replaceAll(/\s+/g, ' ');
  return createHash('sha256').update(`${persona}\n${said}`).digest('hex').slice(0, 10);
}

/** Digest of cited lines; trailing blanks and the kind of line end do not count. */
export function linesDigest(lines: readonly string[]): string {
  const text = lines.map((line) => line.trimEnd()).join('\n');
  return createHash('sha256').update(text).digest('hex').slice(0, 16);
}
