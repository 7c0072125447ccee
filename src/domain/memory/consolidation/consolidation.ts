/** Memory that is proposed to be written shorter: repeated lessons as one, and long files condensed. */
import * as z from 'zod';
import type { Config } from '../../config/config.ts';
import type { Persona } from '../../persona/persona.ts';
import type { RunPhase } from '../../run/state/run-base.ts';
import type { MemoryEntry } from '../memory-entry.ts';
import { readRewrittenSelf, type SelfEdit, type SelfRewrite } from '../self/rewrite-self.ts';
import { condense, rewordPromotion, type Promotion } from './promote-memory.ts';

export type MemoryFileName = 'core' | 'working';

/** `evidence`: digest of what it rests on. What was rejected is proposed again only when this changes. */
export type Consolidation =
  | SelfRewrite
  | { kind: 'promote'; persona: string; evidence: string; promotions: Promotion[] }
  | {
      kind: 'condense';
      persona: string;
      evidence: string;
      file: MemoryFileName;
      /** The active ones; what waits for a person, or is stale, is not touched. */
      entries: MemoryEntry[];
    };

/** Entries that take the place of others. It is made whole or not at all. */
export interface MemoryEdit {
  from: MemoryFileName;
  to: MemoryFileName;
  /** With their texts: one that a person reworded or removed since is not replaced. */
  removes: { id: string; text: string }[];
  adds: MemoryEntry[];
}

/** What the model is asked to write. */
export const ConsolidationForm = z.object({
  lines: z
    .array(z.string().max(600))
    .max(200)
    .describe(
      'One line for each group, the bullets of the shorter file, or the lines of your file, in order',
    ),
});

/** What is read of an answer: each line is judged by itself. */
export const ConsolidationAnswer = z.object({ lines: z.array(z.string()) });

export type ReadConsolidation =
  | { kind: 'edits'; edits: MemoryEdit[] }
  | { kind: 'self'; edit: SelfEdit }
  | { kind: 'refused'; reason: string };

/** Reads a model's answer. It never throws. A promotion without a usable wording keeps the newest lesson's. */
export function readConsolidation(wanted: Consolidation, answer: unknown): ReadConsolidation {
  const { data } = ConsolidationAnswer.safeParse(answer);
  const lines = data?.lines ?? [];
  if (wanted.kind === 'self') return readRewrittenSelf(wanted, lines);
  return wanted.kind === 'promote'
    ? { kind: 'edits', edits: wanted.promotions.map((each, at) => toEdit(each, lines[at] ?? '')) }
    : readCondensed(wanted, lines);
}

function toEdit(promotion: Promotion, words: string): MemoryEdit {
  const { lesson, leaves } = rewordPromotion(promotion, words) ?? promotion;
  return { from: 'working', to: 'core', removes: leaves.map(toRemoved), adds: [lesson] };
}

function readCondensed(
  { file, entries }: Extract<Consolidation, { kind: 'condense' }>,
  lines: readonly string[],
): ReadConsolidation {
  const read = condense(entries, lines.join('\n'));
  if (read.kind === 'refused') return read;
  const kept = new Map(read.entries.map((each) => [each.id, each]));
  const removes = entries.filter((each) => kept.get(each.id) !== each).map(toRemoved);
  const same = new Set(entries);
  const adds = read.entries.filter((each) => !same.has(each));
  return { kind: 'edits', edits: [{ from: file, to: file, removes, adds }] };
}

function toRemoved({ id, text }: MemoryEntry): MemoryEdit['removes'][number] {
  return { id, text };
}

/** What the run reads first. */
export interface ConsolidationLook {
  /** Why nothing is proposed; absent where something may be. */
  off?: string;
  /** GitHub cannot say who pushed the newest commits: it may list a push a moment late. */
  isLagging?: true;
  config: Config;
  found?: Consolidation;
  persona?: Persona;
  nonce: string;
}

/** What became of a proposal. */
export interface ConsolidationPull {
  /** Absent where memory changed meanwhile, so that there was nothing to propose. */
  pull?: { number: number; url: string };
}

export interface ConsolidationRunState {
  phase:
    | RunPhase
    | { kind: 'condensing'; effectId: string; attempt: number }
    | { kind: 'publishing'; effectId: string };
  /** Handle of the persona whose memory it is about. */
  handle?: string;
  /** Name or alias of the model that is asked. */
  model?: string;
  /** Dropped at the end. */
  found?: Consolidation;
  soul?: Pick<Persona, 'handle' | 'name' | 'role' | 'lens' | 'domains'>;
}
