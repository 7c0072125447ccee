/** Whether keys work: one short question to the cheapest model of each endpoint and key. */
import { toFailure, type Failure } from '../../../domain/event/errors.ts';
import { prompt } from '../../../domain/prompt/prompt-text.ts';
import { sumCost, type Cost } from '../../../domain/run/ledger.ts';
import { OFFLINE } from '../../../domain/run/model-pool.ts';
import { callsOf } from '../../../ports/model.ts';
import { buildMembers, type Member, type MemberSetup } from './members.ts';
import { comparablePrice } from './prices.ts';

export interface TriedKey {
  /** Name of the model that was asked. */
  name: string;
  endpoint: string;
  cost: Cost;
  /** Why there was no answer. */
  failure?: Failure;
}

/** Some models answer with nothing shorter. */
const MAX_OUTPUT_TOKENS = 16;
const TIMEOUT_MS = 30_000;

/** Nothing is retried: who asks wants to know how it is now. */
export async function tryKeys(setup: Omit<MemberSetup, 'retry'>): Promise<TriedKey[]> {
  const retry = { tries: 1, totalWaitMs: 0, firstWaitMs: 0 };
  const members = [...buildMembers({ ...setup, retry }).values()].filter(
    ({ model, client }) => model !== undefined && client !== OFFLINE,
  );
  const byKey = Map.groupBy(members, ({ client }) => client);
  return Promise.all(
    [...byKey.values()].flatMap((each) => each.toSorted(byPrice)[0] ?? []).map(tryKey),
  );
}

function byPrice(a: Member, b: Member): number {
  return comparablePrice(a.price) - comparablePrice(b.price);
}

async function tryKey({ name, endpoint, entry, model }: Member): Promise<TriedKey> {
  const answer = model?.generate({
    model: entry.model ?? '',
    system: [],
    messages: [{ role: 'user', content: [{ text: prompt`Answer with the word ok.` }] }],
    maxOutputTokens: MAX_OUTPUT_TOKENS,
    timeoutMs: TIMEOUT_MS,
  });
  try {
    return { name, endpoint, cost: sumCost((await answer)?.calls ?? []) };
  } catch (error) {
    return { name, endpoint, cost: sumCost(callsOf(error)), failure: toFailure(error) };
  }
}
