/** What somebody noticed past their own task in a standup, as it is kept (LS-7). */
import { createHash } from 'node:crypto';
import type { Persona } from '../persona/persona.ts';

export const INSIGHT_TYPES = [
  'cross-concern',
  'pattern',
  'process',
  'drift',
  'risk',
  'none',
] as const;
export type InsightType = (typeof INSIGHT_TYPES)[number];

/** A place that a message cites, at the run's head. */
export interface InsightRef {
  path: string;
  /** 1-based. */
  line?: number;
  endLine?: number;
}

/** What one answer took. An answer with several insights shares it among them, so that sums stay right. */
export interface AnswerCost {
  /** Provider's id of the model; `offline` for rules. */
  model: string;
  /** US dollars; undefined means unknown, never free. */
  costUsd: number | undefined;
  tokens: number;
  ms: number;
}

export interface Insight extends AnswerCost {
  /** 10 hexadecimal digits of what it says, by whom and in which run. */
  id: string;
  run: string;
  /** Handle. */
  from: string;
  role: string;
  /** Handle of the teammate whom it is for; absent when it is for nobody in particular. */
  to?: string;
  /** `none`: this participant saw no tension. */
  type: InsightType;
  /** One line, cleaned; empty for type `none`. */
  message: string;
  refs: InsightRef[];
  /** Whether somebody can do something about it. */
  actionable: boolean;
}

/** Who speaks, and in which run. */
export interface Speaker {
  run: string;
  persona: Pick<Persona, 'handle' | 'role' | 'style'>;
}

export function insightId({
  run,
  from,
  message,
}: Pick<Insight, 'run' | 'from' | 'message'>): string {
  return createHash('sha256').update(`${run}\n${from}\n${message}`).digest('hex').slice(0, 10);
}

/** Whether it says anything. */
export function isTension({ type }: Pick<Insight, 'type'>): boolean {
  return type !== 'none';
}

/** One share of `count` of what an answer took; the first one has what cannot be divided. */
export function shareOf(cost: AnswerCost, count: number, index: number): AnswerCost {
  const { model, costUsd, tokens, ms } = cost;
  const rest = index === 0 ? tokens % count : 0;
  return {
    model,
    costUsd: costUsd === undefined ? undefined : costUsd / count,
    tokens: Math.floor(tokens / count) + rest,
    ms,
  };
}
