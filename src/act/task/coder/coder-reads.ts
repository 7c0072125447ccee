/** What a coder may read of the team while it works: what is remembered, and which threads are open. Each once a session. */
import type { Config } from '../../../domain/config/config.ts';
import { findStale } from '../../../domain/memory/judge-memory.ts';
import { renderLesson } from '../../../domain/memory/file/entry-line.ts';
import { newestFirst } from '../../../domain/memory/recall/listed-entry.ts';
import { TEAM } from '../../../domain/memory/memory-entry.ts';
import { sectionOf } from '../../../domain/memory/role/pm-memory.ts';
import { ROLE_PATHS } from '../../../domain/memory/role/role-memory.ts';
import { joinPrompt, NOTHING, type PromptText } from '../../../domain/prompt/prompt-text.ts';
import { quarantine, quarantineRules, type Trust } from '../../../domain/prompt/quarantine.ts';
import { toRepositoryRef, type RepositoryRef } from '../../../domain/run/thread-ref.ts';
import type { CoderPlace } from '../../../ports/coder.ts';
import type { GitHubSession } from '../../../ports/github/github.ts';
import { memorySessionOf, toMemoryPlace, type ReadMemory } from '../../memory/read-memory.ts';
import type { ActPorts } from '../../ports.ts';

interface Reads {
  session: GitHubSession;
  thread: RepositoryRef;
  /** Handle of the persona that the task is done as. */
  persona: string;
  config: Config;
  /** `memory/pm.md` of the default branch. */
  pmFile: string | undefined;
}

/** Of one block; the answer of a tool is cut at 20,000, and the end of a block must not be. */
const MOST_CHARS = 8_000;
const NOTES = 'notes';

/** Nothing is asked of GitHub before a tool is used. */
export function createCoderReads(
  reads: Reads,
  { ports, readMemory }: { ports: ActPorts; readMemory: ReadMemory },
): Required<Pick<CoderPlace, 'memory' | 'threads'>> {
  let notes: Promise<string> | undefined;
  let threads: Promise<string> | undefined;
  return {
    memory: async (section) => {
      const file = await pmFileOf(reads, ports);
      const wanted = section.trim().toLowerCase();
      const isAll = wanted === '';
      const told = isAll ? file : sectionOf(file, wanted);
      const said =
        isAll || wanted === NOTES ? await (notes ??= readNotes(reads, { ports, readMemory })) : '';
      const nonce = ports.random.id();
      const blocks = [
        toBlock(told, { source: ROLE_PATHS.pm, trust: 'maintainer' }, nonce),
        toBlock(said, { source: NOTES, trust: 'stranger' }, nonce),
      ];
      return blocks.every((block) => block === NOTHING)
        ? undefined
        : joinPrompt([quarantineRules(nonce), ...blocks]);
    },
    threads: async () => {
      const nonce = ports.random.id();
      const text = await (threads ??= readThreads(reads));
      const about = { source: 'open issues and pull requests', trust: 'stranger' as const };
      return joinPrompt([quarantineRules(nonce), toBlock(text || 'none', about, nonce)]);
    },
  };
}

async function pmFileOf({ pmFile }: Reads, { roleDefaults }: ActPorts): Promise<string> {
  return pmFile ?? (await roleDefaults?.())?.pm ?? '';
}

function toBlock(text: string, about: { source: string; trust: Trust }, nonce: string): PromptText {
  if (text.trim() === '') return NOTHING;
  return quarantine({ ...about, text, isMarkdown: true, most: MOST_CHARS }, nonce).block;
}

/** Of the team and of the task's persona: those that may be used, newest first. */
async function readNotes(
  { session, thread, persona, config }: Reads,
  { ports, readMemory }: { ports: ActPorts; readMemory: ReadMemory },
): Promise<string> {
  const reached = memorySessionOf(session);
  if (reached === undefined || !config.memory.enabled) return '';
  const memory = await readMemory(reached, toMemoryPlace(toRepositoryRef(thread), config));
  if (memory === undefined) return '';
  const today = new Date(ports.clock.now()).toISOString().slice(0, 10);
  const { entries, uses } = memory;
  const expiry = { today, days: config.memory.expireDays };
  const stale = new Set(findStale(entries, uses, expiry).map(({ entry }) => entry.id));
  const usable = entries.filter(
    (entry) =>
      (entry.persona === persona || entry.persona === TEAM) &&
      entry.state === 'active' &&
      !stale.has(entry.id),
  );
  return newestFirst(usable).map(renderLesson).join('\n');
}

async function readThreads({ session, thread }: Reads): Promise<string> {
  const open = await session.code.threads(thread, { state: 'open' });
  return open
    .map(
      ({ number, isPull, title }) => `- #${number} (${isPull ? 'pull request' : 'issue'}) ${title}`,
    )
    .join('\n');
}
