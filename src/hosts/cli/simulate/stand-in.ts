/** Answers like the offline model, and records the requests for a real one, so that their cost can be estimated. */
import { createOfflineModel } from '../../../adapters/model/offline/offline.ts';
import { createPool } from '../../../adapters/model/pool/create-pool.ts';
import { type MemberState, type Pool } from '../../../adapters/model/pool/pool-state.ts';
import { expectUsd } from '../../../adapters/model/pool/prices.ts';
import { OFFLINE } from '../../../domain/run/model-pool.ts';
import type { ModelRequest } from '../../../ports/model.ts';
import { openModelPool, type Basics } from '../../host-parts.ts';

export interface StandIn {
  model: Pick<Pool, 'name' | 'generate' | 'estimateUsd'>;
  /** What was asked since the last call of this. */
  takeRequests(): ModelRequest[];
  /** What a real model would have taken for it; null when a price is not known. */
  priceOf(requests: readonly ModelRequest[]): Estimate;
  /** Labels of the models that would have been asked. */
  namesOf(requests: readonly ModelRequest[]): string[];
}

export interface Estimate {
  /** Likely: prompts that are shared are cached, answers are as long as they mostly are. */
  estimatedUsd: number | null;
  /** What a cap would reserve: nothing cached, every answer as long as it may be. */
  atMostUsd: number | null;
}

/** With the prices of this host's models; without any, those that one of Anthropic's keys would bring. */
export function createStandIn(basics: Basics): StandIn {
  const offline = createOfflineModel();
  const pool = openPricedPool(basics);
  const members = new Map(pool.describe().members.map((member) => [member.name, member]));
  const memberOf = ({ model, tier = 'standard' }: ModelRequest): MemberState | undefined =>
    members.get(pool.resolve(model) ?? pool.resolve(tier) ?? '');
  let asked: ModelRequest[] = [];
  return {
    model: {
      name: OFFLINE,
      generate(request) {
        asked.push(request);
        return offline.generate({ ...request, model: OFFLINE });
      },
      // No cap is to end a run that costs nothing.
      estimateUsd: () => 0,
    },
    takeRequests() {
      const taken = asked;
      asked = [];
      return taken;
    },
    priceOf: (requests) => ({
      estimatedUsd: expectUsd(requests, memberOf) ?? null,
      atMostUsd: sum(requests.map((request) => pool.estimateUsd(request))),
    }),
    namesOf: (requests) => [
      ...new Set(requests.map((request) => memberOf(request)?.label ?? request.model)),
    ],
  };
}

function sum(costs: readonly (number | undefined)[]): number | null {
  return costs.reduce<number | null>(
    (all, cost) => (all === null || cost === undefined ? null : all + cost),
    0,
  );
}

function openPricedPool(basics: Basics): Pool {
  const own = openModelPool(basics);
  if (own.resolve('standard') !== OFFLINE) return own;
  const { clock, random } = basics;
  // Nobody is asked, so the key need not open anything.
  const env = { ANTHROPIC_API_KEY: 'for-prices-only' };
  return createPool({
    entries: {},
    aliases: {},
    env,
    offline: createOfflineModel(),
    clock,
    random,
  });
}
