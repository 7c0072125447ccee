/** What one effect asked of its ports and what came of it: enough to carry it out again without any outside world. */
import type { Effect } from '../../src/domain/event/effect.ts';
import type { Attempt } from '../../src/act/effect-context.ts';
import type { Plain } from './plain.ts';

/** How a function ended; absent where it did not. */
export type Ending = { returned: Plain } | { threw: Plain };

/** A function of the caller's that the port called while it was at work. */
export interface CallBack {
  /** Where it was among the arguments. */
  path: string;
  args: Plain;
  isAsync?: true;
  ending?: Ending;
}

export interface Call {
  /** The function: its path from the ports, through the calls that returned it. */
  fn: string;
  args: Plain;
  isAsync?: true;
  ending?: Ending;
  back?: CallBack[];
}

export interface Tape {
  /** Which test recorded it. */
  from: string;
  /** When the process began, for what must not be overtaken. */
  openedAt: number;
  now: number;
  /** What `random` gave, in order. */
  random: (string | number)[];
  /** The ports' own shape: plain values, and where their functions are. */
  ports: Plain;
  effect: Effect;
  attempt: Attempt;
  calls: Call[];
  ending: Ending;
}
