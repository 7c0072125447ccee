/** What got in the way of a task: kept one a line on the memory branch, so that what repeats can be improved (TG-17). */
import * as z from 'zod';

export const FRICTION_CATEGORIES = ['gate', 'conflict', 'question', 'failure'] as const;
export type FrictionCategory = (typeof FRICTION_CATEGORIES)[number];

export const FRICTIONS_FILE = 'frictions.jsonl';
/** The oldest are dropped. */
const MOST_KEPT = 1_000;
const LONGEST_TEXT = 500;

const Friction = z.object({
  /** Of the event that shows it. */
  id: z.string().min(1).max(200),
  /** ISO 8601. */
  at: z.iso.datetime(),
  category: z.enum(FRICTION_CATEGORIES),
  /** Number of the plan. */
  thread: z.number().int().positive(),
  task: z.number().int().positive().optional(),
  /** One line. */
  text: z.string().max(LONGEST_TEXT),
});
export type Friction = z.infer<typeof Friction>;

/** Skips other lines: people may edit the file. */
export function parseFrictions(text: string): Friction[] {
  return text.split('\n').flatMap((line) => {
    const found = Friction.safeParse(parseLine(line));
    return found.success ? [found.data] : [];
  });
}

function parseLine(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}

/** The file with these added: what is there stays byte for byte, and an id that is there is not written again. */
export function withFrictions(before: string, frictions: readonly Friction[]): string {
  const known = new Set(parseFrictions(before).map(({ id }) => id));
  const fresh = frictions.filter(({ id }) => !known.has(id)).map(cutText);
  if (fresh.length === 0) return before;
  const gap = before === '' || before.endsWith('\n') ? '' : '\n';
  const lines = `${before}${gap}${fresh.map((each) => JSON.stringify(each)).join('\n')}`.split(
    '\n',
  );
  return `${lines.slice(-MOST_KEPT).join('\n')}\n`;
}

/** A longer one could not be read again. Half a pair is no character. */
function cutText(friction: Friction): Friction {
  const text = friction.text.slice(0, LONGEST_TEXT).replace(/[\uD800-\uDBFF]$/, '');
  return { ...friction, text };
}
