/** When a persona rewrites its own file, what it is shown for that, and what may come of it (TG-16). */
import { createHash } from 'node:crypto';
import { faultOfModelText, isOrder } from '../memory-text.ts';
import { isSignificant, parseExperiences, type Experience } from './experience.ts';
import {
  experiencesPath,
  parseReflected,
  reflectedPath,
  renderReflected,
  selfPath,
  type Reflected,
} from './self-file.ts';

const HOUR_MS = 3_600_000;
const PAUSE_MS = 6 * HOUR_MS;
const ENOUGH = 10;
/** Experiences that one rewriting is shown: the newest. */
const MOST_SHOWN = 60;
const MAX_LINES = 200;

/** A rewriting that is due. `evidence` is the same for all of one pause, so that a rejection holds for as long. */
export interface SelfRewrite {
  kind: 'self';
  persona: string;
  evidence: string;
  /** The file as it is now. */
  before: string;
  experiences: Experience[];
}

/** What a person is asked to accept. It is made only while the file still says what it said. */
export interface SelfEdit {
  before: string;
  after: string;
  /** Ids of the experiences that were in view. */
  seen: string[];
}

/**
 * Due every six hours when something is new, or after ten significant experiences. Only what grew from the words of people
 * with write access counts, and nothing that reads like an instruction (MEM-01).
 */
export function findSelfRewrite(
  files: ReadonlyMap<string, string>,
  { persona, at }: { persona: string; at: string },
): SelfRewrite | undefined {
  const reflected = parseReflected(files.get(reflectedPath(persona)) ?? '');
  const fresh = freshIn(files.get(experiencesPath(persona)) ?? '', reflected?.seen ?? []);
  if (fresh.length === 0) return undefined;
  const pause = pauseOf(fresh, reflected, at);
  if (pause === undefined) return undefined;
  return {
    kind: 'self',
    persona,
    evidence: digestOf(['self', reflected?.at ?? '', ...pause]),
    before: files.get(selfPath(persona)) ?? '',
    experiences: fresh.slice(-MOST_SHOWN),
  };
}

/** What is the same for all of one pause, once that is over; undefined before. */
function pauseOf(
  fresh: readonly Experience[],
  reflected: Reflected | undefined,
  at: string,
): string[] | undefined {
  const tens = Math.floor(fresh.filter(isSignificant).length / ENOUGH);
  const since = Date.parse(reflected?.at ?? fresh[0]?.at ?? at);
  if (tens === 0 && Date.parse(at) - since < PAUSE_MS) return undefined;
  const newest = Date.parse(fresh.at(-1)?.at ?? at);
  return [String(Math.floor(newest / PAUSE_MS)), String(tens)];
}

/** What counts and was not in view yet. */
function freshIn(text: string, seen: readonly string[]): Experience[] {
  const known = new Set(seen);
  return parseExperiences(text).filter(
    (each) => each.trust === 'maintainer' && !isOrder(each.text) && !known.has(each.id),
  );
}

function digestOf(parts: readonly string[]): string {
  return createHash('sha256').update(parts.join('\n')).digest('hex').slice(0, 10);
}

export type RewrittenSelf = { kind: 'self'; edit: SelfEdit } | { kind: 'refused'; reason: string };

/** Reads the lines of a model's answer. One bad line refuses all of it: the file is prose, and each line needs the others. */
export function readRewrittenSelf(
  { before, experiences }: SelfRewrite,
  answer: readonly string[],
): RewrittenSelf {
  const lines = answer.flatMap((each) => each.split('\n')).map((line) => line.trimEnd());
  if (lines.length > MAX_LINES) return refuse(`it has more than ${MAX_LINES} lines`);
  for (const [at, line] of lines.entries()) {
    const fault = line === '' ? undefined : faultOfLine(line);
    if (fault !== undefined) return refuse(`line ${at + 1}: ${fault}`);
  }
  const text = lines.join('\n').trim();
  if (text === '') return refuse('it is empty');
  if (text === before.trim()) return refuse('the file did not change');
  const seen = experiences.map(({ id }) => id);
  return { kind: 'self', edit: { before, after: `${text}\n`, seen } };
}

function faultOfLine(line: string): string | undefined {
  return faultOfModelText(line) ?? (isOrder(line) ? 'it reads like an instruction' : undefined);
}

function refuse(reason: string): RewrittenSelf {
  return { kind: 'refused', reason };
}

/** The files that change: none where somebody else changed the file since. Pure and idempotent. */
export function applySelfEdit(
  files: ReadonlyMap<string, string>,
  { before, after, seen }: SelfEdit,
  { persona, at }: { persona: string; at: string },
): Map<string, string> {
  const [file, state] = [selfPath(persona), reflectedPath(persona)];
  if ((files.get(file) ?? '') !== before) return new Map();
  const known = parseReflected(files.get(state) ?? '')?.seen ?? [];
  const there = new Set(
    parseExperiences(files.get(experiencesPath(persona)) ?? '').map(({ id }) => id),
  );
  const all = [...new Set([...known.filter((id) => there.has(id)), ...seen])];
  return new Map([
    [file, after],
    [state, renderReflected({ at, seen: all })],
  ]);
}
