/** What a pool is made of, and what it reports about its members. */
import type { Price } from '../../../domain/run/ledger.ts';
import type { Clock, Random } from '../../../ports/clock.ts';
import type { Model, ModelRequest } from '../../../ports/model.ts';
import type { Providers } from '../providers.ts';
import type { RetryRules } from '../round-trip.ts';
import type { Health, MemberReport, PoolNotice } from './pool-health.ts';
import type { ModelBreak } from '../../../domain/run/model-breaks.ts';
import type { Env, Member, PoolAliases, PoolEntries } from './members.ts';
import type { WarmUp } from './warm-up.ts';

export interface PoolOptions {
  /** Configured models by name; a key in the environment brings some of its own. */
  entries: PoolEntries;
  aliases: PoolAliases;
  /** The environment as a value: keys and base URLs are read from it. */
  env: Env;
  /** Answers when nobody else can. */
  offline: Model;
  clock: Clock;
  random: Random;
  retry?: RetryRules;
  providers?: Providers;
  /** Called once for each model that becomes unavailable or available again. */
  onNotice?: (notice: PoolNotice) => void;
  /** Told of each breaker that opens or closes here, so that other workers can {@link Pool.adopt} it. */
  onBreak?: (told: ModelBreak) => void;
}

export interface MemberState extends MemberReport {
  name: string;
  provider: string;
  model: string;
  label: string;
  endpoint: string;
  price: Price | undefined;
}

export interface Pool extends Model {
  /** What is in the pool and what state it is in, for `doctor` and `config show`, or as one installation sees it. */
  describe(installation?: number): { members: MemberState[]; aliases: Record<string, string> };
  /** Takes over the breakers that other workers found open; those that are not among them any more close. */
  adopt(breaks: readonly ModelBreak[]): void;
  /** Whether a name or alias is in the pool. */
  has(name: string): boolean;
  /**
   * What a request may cost at most by its length, in US dollars; undefined when the price is unknown. Where what it
   * shares is cached, by a call that goes before it, that much is taken as read from there.
   */
  estimateUsd(request: ModelRequest, known?: { isCached: boolean }): number | undefined;
  /** The smallest context window that is declared, in tokens; absent where none is. */
  contextTokens?: number;
  /** Returns the name of the member that a name or alias stands for, if any. */
  resolve(name: string): string | undefined;
}

export interface State {
  members: Map<string, Member>;
  /** Alias to name. */
  aliases: ReadonlyMap<string, string>;
  /** Aliases that are set to what cannot be asked. */
  missing: ReadonlyMap<string, string>;
  health: Health;
  /** Names that were asked for and are not there; told once each. */
  unknown: Set<string>;
  warmUp: WarmUp;
  notify: (notice: PoolNotice) => void;
}
