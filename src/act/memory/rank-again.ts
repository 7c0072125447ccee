/** Brings what was found by words into an order that heeds meaning: an option, and never a reason for a run to fail. */
import type { Config } from '../../domain/config/config.ts';
import { toFailure } from '../../domain/event/errors.ts';
import {
  vectorCloseness,
  packVector,
  rankByMeaning,
  unpackVector,
} from '../../domain/memory/recall/rank-by-meaning.ts';
import type { MemoryEntry } from '../../domain/memory/memory-entry.ts';
import { threadKey, type ThreadRef } from '../../domain/run/thread-ref.ts';
import { redactSecrets } from '../../domain/secrets/secret-text.ts';
import type { Embeddings } from '../../ports/embeddings.ts';
import type { IndexedEntry, MemoryIndex } from '../../ports/memory-index.ts';
import { payForCall } from '../model/pay-for-call.ts';
import type { ActPorts } from '../ports.ts';

/** A look waits for it. */
const TIMEOUT_MS = 5_000;
/** Entries that get a vector in one look: servers refuse long lists, and the others have their turn in later looks. */
const MOST_AT_ONCE = 24;
/** As much of a matter as says what it is about; models take some 8,000 tokens. */
const MAX_QUERY = 6_000;
/** In the ledger. */
const ROLE = 'embeddings';

/** The effect that looks, and its run. */
export interface Asker {
  run: string;
  effectId: string;
}

export interface RankAsk {
  asker: Asker;
  thread: ThreadRef;
  config: Config;
  about: { paths: readonly string[]; terms: readonly string[] };
}

type Ports = Pick<
  ActPorts,
  'store' | 'clock' | 'random' | 'hostCaps' | 'log' | 'embeddings' | 'onUnranked'
>;

/** Whether anything is ranked again: then more is to be found than will be used. */
export function isRankedAgain({ config }: Pick<RankAsk, 'config'>, ports: Ports): boolean {
  return config.memory.embeddings === true && ports.embeddings !== undefined;
}

/**
 * The same entries by handle in another order. They keep the order that they came in where the model cannot be asked or a
 * cap is reached, and that is counted.
 */
export async function rankAgain(
  ask: RankAsk,
  found: ReadonlyMap<string, readonly MemoryEntry[]>,
  { ports, index, toIndexed }: Ranking,
): Promise<ReadonlyMap<string, readonly MemoryEntry[]>> {
  const { embeddings } = ports;
  const entries = [...new Map([...found.values()].flat().map((each) => [each.id, each])).values()];
  if (!isRankedAgain(ask, ports) || embeddings === undefined || entries.length < 2) return found;
  try {
    const closeness = await closenessOf(ask, entries.map(toIndexed), { ports, index, embeddings });
    return new Map([...found].map(([handle, own]) => [handle, inOrder(own, closeness)]));
  } catch (error) {
    const { code } = toFailure(error);
    ports.onUnranked?.(code);
    ports.log?.warn({ code }, 'memory not ranked by meaning; ranked by words');
    return found;
  }
}

interface Ranking {
  ports: Ports;
  index: MemoryIndex;
  toIndexed: (entry: MemoryEntry) => IndexedEntry;
}

function inOrder(
  entries: readonly MemoryEntry[],
  closeness: ReadonlyMap<string, number>,
): MemoryEntry[] {
  const byId = new Map(entries.map((entry) => [entry.id, entry]));
  return rankByMeaning([...byId.keys()], closeness).flatMap((id) => byId.get(id) ?? []);
}

interface Asking extends Omit<Ranking, 'toIndexed'> {
  embeddings: Embeddings;
}

/** One request: the matter, and the first entries that have no vector yet. */
async function closenessOf(
  ask: RankAsk,
  entries: readonly IndexedEntry[],
  { ports, index, embeddings }: Asking,
): Promise<Map<string, number>> {
  const of = { repository: ask.thread.repositoryId, model: embeddings.model };
  const known = await index.vectors(of, entries);
  const missing = entries.filter(({ id }) => !known.has(id)).slice(0, MOST_AT_ONCE);
  const texts = [queryOf(ask), ...missing.map(({ text, words }) => [text, ...words].join(' '))];
  const [query = [], ...made] = await paidFor(ask, texts, { ports, embeddings });
  const added = missing.map((entry, at) => ({ entry, vector: packVector(made[at] ?? []) }));
  if (added.length > 0) await index.keepVectors(of, added);
  const vectors = new Map([
    ...known,
    ...added.map(({ entry, vector }) => [entry.id, vector] as const),
  ]);
  const matter = unpackVector(packVector(query));
  return new Map(
    [...vectors].map(([id, vector]) => [id, vectorCloseness(matter, unpackVector(vector))]),
  );
}

function queryOf({ about }: RankAsk): string {
  return redactSecrets([...about.paths, ...about.terms].join('\n')).slice(0, MAX_QUERY) || '-';
}

/** Within the caps of discussions, and in the ledger like each call of a model. */
async function paidFor(
  { thread, config, asker }: RankAsk,
  texts: readonly string[],
  { ports, embeddings }: Omit<Asking, 'index'>,
): Promise<number[][]> {
  const { installationId, repositoryId } = thread;
  const { council, perDayUsd } = config.budget;
  const payment = {
    id: `${asker.effectId}/${ROLE}`,
    account: {
      installationId,
      repositoryId,
      key: threadKey(thread),
      run: asker.run,
      role: ROLE,
      persona: ROLE,
    },
    caps: {
      threadUsd: council.perThreadUsd,
      dayUsd: council.perDayUsd,
      repositoryDayUsd: perDayUsd,
    },
    model: embeddings.model,
    estimateUsd: embeddings.estimateUsd(texts),
  };
  const ask = () => embeddings.embed({ texts, timeoutMs: TIMEOUT_MS });
  return (await payForCall(payment, ports, ask)).vectors;
}
