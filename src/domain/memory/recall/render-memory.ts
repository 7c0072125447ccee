/** The entries that go into a prompt, each with the name by which a finding cites it. */
import { refName } from '../file/entry-line.ts';
import type { MemoryEntry } from '../memory-entry.ts';

/** What memory may take of a prompt. */
export const MEMORY_TOKENS = 600;
/** A cautious guess: models count fewer for English. */
const CHARS_A_TOKEN = 3;

export interface RenderedMemory {
  /** Lines for the prompt; empty when nothing is to be shown. */
  text: string;
  /** Ids of the entries in it, in order. */
  ids: string[];
}

/**
 * Renders entries in the order given, the most relevant first, while the budget holds them. One that does not fit is
 * left out; smaller ones after it may still fit. Entries that are stale or wait for a person are never rendered.
 */
export function renderMemory(
  entries: readonly MemoryEntry[],
  { maxTokens = MEMORY_TOKENS }: { maxTokens?: number } = {},
): RenderedMemory {
  let left = maxTokens * CHARS_A_TOKEN;
  const shown = new Map<string, string>();
  for (const entry of entries) {
    if (entry.state !== 'active' || shown.has(entry.id)) continue;
    const line = renderLine(entry);
    if (line.length + 1 > left) continue;
    left -= line.length + 1;
    shown.set(entry.id, line);
  }
  return { text: [...shown.values()].join('\n'), ids: [...shown.keys()] };
}

/** `- [m:ab12cd34ef] PATTERN, #12: text (src/a.ts#L3-L9)` */
function renderLine({ id, category, text, refs, source, author }: MemoryEntry): string {
  const thread = source.kind === 'hand' ? [] : [`#${source.thread}`];
  const by = source.kind === 'comment' && author !== undefined ? [author.login] : [];
  const places = refs.length === 0 ? '' : ` (${refs.map(refName).join(', ')})`;
  return `- [m:${id}] ${[category, ...thread, ...by].join(', ')}: ${text}${places}`;
}

const CITED = /\[m:([0-9a-f]{10})\]/g;

/** Ids that a text cites, each once, in order. */
export function citedMemories(text: string): string[] {
  return [...new Set(Array.from(text.matchAll(CITED), ([, id = '']) => id))];
}
