/** What the statistics keep of a run that has ended. */
import type { VerdictWord } from '../council.ts';
import type { CouncilTrigger } from '../run-trigger.ts';

export type RunStatus = 'active' | 'consensus' | 'blocked' | 'closed';
export type RunResult = 'approved' | 'changes_requested' | 'human_needed' | 'cancelled';

/** What one reviewer alone would have decided, and what the council made of it. */
export interface ValueMeter {
  leadAlone: VerdictWord | undefined;
  verdict: VerdictWord;
  changed: boolean;
  costUsd: number;
  isCostPartlyUnknown: boolean;
}

/** How a run ended, for statistics. */
export interface RunSummary {
  run: string;
  trigger: CouncilTrigger;
  /** Stream key of the thread. */
  key: string;
  status: RunStatus;
  result: RunResult | undefined;
  verdict: VerdictWord | undefined;
  meter: ValueMeter | undefined;
  endedAt: string;
}
