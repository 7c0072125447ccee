/** Chooses what the personas remember of the matter at hand, and uses only what is still true. */
import type { Config } from '../../domain/config/config.ts';
import { findStale } from '../../domain/memory/judge-memory.ts';
import { TEAM, type MemoryEntry } from '../../domain/memory/memory-entry.ts';
import type { RecalledMemory } from '../../domain/memory/recall/recalled.ts';
import { cutSelf } from '../../domain/memory/self/self-file.ts';
import {
  verifyByTree,
  verifyLines,
  type FileNow,
} from '../../domain/memory/recall/verify-memory.ts';
import { QuorumError } from '../../domain/event/errors.ts';
import type { Persona } from '../../domain/persona/persona.ts';
import { toRepositoryRef, type ThreadRef } from '../../domain/run/thread-ref.ts';
import type { BranchHead } from '../../ports/github/github-survey.ts';
import type { GitHubSession } from '../../ports/github/github.ts';
import type { IndexedEntry, MemoryIndex } from '../../ports/memory-index.ts';
import type { ActPorts } from '../ports.ts';
import { isRankedAgain, rankAgain, type Asker } from './rank-again.ts';
import { memorySessionOf, toMemoryPlace, type MemoryNow, type ReadMemory } from './read-memory.ts';

export interface RecallAsk {
  /** Who pays, where what is found is ordered by a model. */
  asker: Asker;
  thread: ThreadRef;
  session: GitHubSession;
  /** Tip of the default branch: what is cited is verified there. */
  headSha: string;
  config: Config;
  personas: readonly Persona[];
  /** The memory branch as the survey saw it. */
  branch?: BranchHead | undefined;
  /** What the matter is about: files, and texts from which search words are taken. */
  about: { paths: readonly string[]; terms: readonly string[] };
}

/** Notes a persona is given at most; the prompt has its own limit. */
const MOST_NOTES = 8;
/** Characters of a persona's own file that are kept of it; the prompt has its own limit. */
const MOST_OF_SELF = 4_000;
/** So many are chosen, as some may turn out to be stale. */
const MOST_CHOSEN = 12;
/** So many are found by words where they are then ordered by meaning. */
const MOST_FOUND = 40;
const MAX_BYTES = 200_000;

/** Undefined where nothing is remembered: switched off, or a host without memory. */
export type Recall = (ask: RecallAsk) => Promise<RecalledMemory | undefined>;

export function createRecall(ports: ActPorts, readMemory: ReadMemory): Recall {
  return async (ask) => {
    const session = memorySessionOf(ask.session);
    const { memoryIndex } = ports;
    if (session === undefined || memoryIndex === undefined || !ask.config.memory.enabled) {
      ports.onStaleNotes?.(ask.thread, 0);
      return undefined;
    }
    const place = toMemoryPlace(toRepositoryRef(ask.thread), ask.config);
    const memory = await readMemory(session, place, ask.branch).catch(withoutMemory(ports));
    if (memory === undefined) {
      ports.onStaleNotes?.(ask.thread, 0);
      return { head: undefined, notes: {} };
    }
    const usable = usableNow(memory, ask, ports);
    const limit = isRankedAgain(ask, ports) ? MOST_FOUND : MOST_CHOSEN;
    const found = await choose(ask, { memory, usable, memoryIndex, limit });
    const ranked = await rankAgain(ask, found, { ports, index: memoryIndex, toIndexed });
    const chosen = new Map([...ranked].map(([who, own]) => [who, own.slice(0, MOST_CHOSEN)]));
    const verified = await verify(ask, unique([...chosen.values()].flat()));
    const notes = Object.fromEntries(
      [...chosen].flatMap(([handle, entries]) => {
        const own = entries.flatMap(({ id }) => verified.get(id) ?? []).slice(0, MOST_NOTES);
        return own.length === 0 ? [] : [[handle, own] as const];
      }),
    );
    return { head: memory.head, notes, ...selvesFor(ask, memory) };
  };
}

/** The own files of those who may be asked. */
function selvesFor(
  { config, personas }: RecallAsk,
  { selves }: MemoryNow,
): Pick<RecalledMemory, 'selves'> {
  if (config.memory.self !== true) return {};
  const own = personas.flatMap(({ handle, active }): [string, string][] => {
    const text = active ? selves.get(handle) : undefined;
    return text === undefined ? [] : [[handle, cutSelf(text, MOST_OF_SELF)]];
  });
  return own.length === 0 ? {} : { selves: Object.fromEntries(own) };
}

/** A run goes on without memory where that cannot be read; what may pass is tried again with the whole look. */
function withoutMemory({ log }: Pick<ActPorts, 'log'>): (error: unknown) => undefined {
  return (error) => {
    if (!(error instanceof QuorumError) || error.retryable) throw error;
    log?.warn({ err: error }, 'the memory cannot be read; the run goes on without it');
    return undefined;
  };
}

/** Neither quarantined, nor expired, nor demoted by what became of the findings that it caused. */
function usableNow(
  { entries, uses }: MemoryNow,
  { config, thread }: Pick<RecallAsk, 'config' | 'thread'>,
  { clock, onStaleNotes }: Pick<ActPorts, 'clock' | 'onStaleNotes'>,
): MemoryEntry[] {
  const today = new Date(clock.now()).toISOString().slice(0, 10);
  const expiry = { today, days: config.memory.expireDays };
  const stale = new Set(findStale(entries, uses, expiry).map(({ entry }) => entry.id));
  onStaleNotes?.(thread, stale.size);
  return entries.filter(({ id, state }) => state === 'active' && !stale.has(id));
}

interface Chosen {
  memory: MemoryNow;
  usable: readonly MemoryEntry[];
  memoryIndex: MemoryIndex;
  limit: number;
}

/** By handle; the team's own entries are found for everybody. */
async function choose(
  { thread, personas, about }: RecallAsk,
  { memory, usable, memoryIndex, limit }: Chosen,
): Promise<Map<string, MemoryEntry[]>> {
  const { repositoryId } = thread;
  const byId = new Map(usable.map((entry) => [entry.id, entry]));
  const withMemory = new Set(usable.map(({ persona }) => persona));
  const asked = personas.filter(
    ({ handle, active }) => active && (withMemory.has(handle) || withMemory.has(TEAM)),
  );
  const chosen = new Map<string, MemoryEntry[]>();
  for (const { handle } of asked) {
    const query = { repository: repositoryId, head: memory.head, persona: handle, ...about };
    const find = () => memoryIndex.find({ ...query, limit });
    let ids = await find();
    if (ids === undefined) {
      await memoryIndex.put(repositoryId, memory.head, usable.map(toIndexed));
      ids = (await find()) ?? [];
    }
    chosen.set(
      handle,
      ids.flatMap((id) => byId.get(id) ?? []),
    );
  }
  return chosen;
}

function toIndexed({ id, persona, text, words, refs }: MemoryEntry): IndexedEntry {
  const paths = [...refs.map(({ path }) => path), ...pathsIn(text)];
  return { id, persona, text, words, paths };
}

/** Blobs that did not change need no reading; the texts of the others come in one request. */
async function verify(
  { thread, session, headSha }: RecallAsk,
  entries: readonly MemoryEntry[],
): Promise<Map<string, MemoryEntry>> {
  if (entries.length === 0) return new Map();
  const hasRefs = entries.some(({ refs }) => refs.length > 0);
  const tree = hasRefs ? await session.code.blobs(thread, headSha) : new Map<string, string>();
  const byTree = verifyByTree(entries, tree);
  const wanted = new Set(
    [...byTree.values()].flatMap((each) => (each.kind === 'lines-wanted' ? each.paths : [])),
  );
  const texts =
    wanted.size === 0
      ? []
      : await session.read.files(thread, headSha, { paths: [...wanted], maxBytes: MAX_BYTES });
  const files = new Map(
    texts.map(({ path, text }): [string, FileNow] => [
      path,
      { text, blobSha: tree.get(path) ?? '' },
    ]),
  );
  return new Map(
    entries.flatMap((entry): [string, MemoryEntry][] => {
      const found = byTree.get(entry.id);
      const known = found?.kind === 'lines-wanted' ? verifyLines(found, files) : found;
      if (known === undefined || known.kind === 'stale') return [];
      const refs = known.kind === 'verified' ? known.refs : [];
      return [[entry.id, { ...entry, refs }]];
    }),
  );
}

/** Files that a sentence names, such as `src/parse.ts`. */
function pathsIn(text: string): string[] {
  return text.match(/(?<![\w./-])[\w-][\w.-]{0,60}(?:\/[\w-][\w.-]{0,60}){1,8}/g) ?? [];
}

function unique(entries: readonly MemoryEntry[]): MemoryEntry[] {
  return [...new Map(entries.map((entry) => [entry.id, entry])).values()];
}
