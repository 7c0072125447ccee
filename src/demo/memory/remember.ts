/** The act of memory: a lesson is learned, proposed and approved, and the next review of the same mistake rests on it. */
import * as z from 'zod';
import { parseMemory } from '../../act/memory/read-memory.ts';
import type { MemoryEntry } from '../../domain/memory/memory-entry.ts';
import { ofKind } from '../../domain/run/state/run-record.ts';
import { until } from '../../hosts/follow-runs.ts';
import { judgeLessons } from './judge-lessons.ts';
import { concludePull, type DemoPull, type PullStory } from '../open-pulls.ts';
import { MAINTAINER, REPOSITORY } from '../project/people.ts';
import type { StandupTelling } from '../standup.ts';
import type { World } from '../open-world.ts';
import type { Run } from '../../domain/run/state/run-record.ts';

/** A lesson that waited for a person, and what became of it. */
export interface DemoLesson extends Pick<MemoryEntry, 'id' | 'persona' | 'text'> {
  learnedIn: number;
  approvedBy?: string;
  citedIn?: number;
}

export interface DemoMemory {
  /** What is on the memory branch at the end. */
  entries: { persona: string; text: string }[];
  /** What was proposed in the thread of an outsider. */
  lessons: DemoLesson[];
  /** Notes that a later review cites. */
  cited: string[];
  /** Of the plan, on the memory branch. */
  journal: { path: string; bytes: number } | undefined;
  problems: string[];
}

/** Both pull requests of the act, with their reviews and what was proposed after the first. */
export interface PlayedMemory {
  first: PullStory;
  second: PullStory;
  /** Their reviews. */
  runs: Record<'first' | 'second', Run | undefined>;
  proposed: readonly MemoryEntry[];
}

/** Waits for the proposal in a thread and approves it; returns the lessons that it is about. */
export async function approveLessons(
  world: World,
  { number }: PullStory,
  { clock, timeoutMs, onAct }: StandupTelling,
): Promise<MemoryEntry[]> {
  const waiting = { clock, timeoutMs, waitsFor: `an answer in #${number}` };
  const proposed = await until(waiting, () => proposedIn(world, number));
  const ids = proposed.map(({ id }) => `m:${id}`).join(' and ');
  onAct(`The team learned from #${number} and proposes to remember ${ids}`);
  onAct(`@${MAINTAINER} says \`/pm memory approve\` on #${number}`);
  const before = ownWords(world, number).length;
  await world.emulator.as(MAINTAINER).comment(REPOSITORY, number, '/pm memory approve');
  await until(waiting, () =>
    Promise.resolve(ownWords(world, number).length > before ? true : undefined),
  );
  return proposed;
}

/** The lessons that are waiting on the branch and that a comment in their thread names. */
async function proposedIn(world: World, number: number): Promise<MemoryEntry[] | undefined> {
  const proposal = ownWords(world, number).find((body) => body.startsWith('### To remember?'));
  if (proposal === undefined) return undefined;
  const { entries } = parseMemory(await readBranch(world), '1970-01-01');
  return entries.filter(({ id, state }) => state === 'quarantined' && proposal.includes(id));
}

function ownWords({ emulator, appId }: World, number: number): string[] {
  const { comments = [] } = emulator.repository(REPOSITORY).threads.get(number) ?? {};
  const { botId } = emulator.app(appId);
  return comments.filter(({ userId }) => userId === botId).map(({ body }) => body);
}

export async function concludeMemory(
  world: World,
  { first, second, runs, proposed }: PlayedMemory,
): Promise<{ pulls: DemoPull[]; memory: DemoMemory }> {
  const [firstRun, secondRun] = [ofKind(runs.first, 'pr_review'), ofKind(runs.second, 'pr_review')];
  const files = await readBranch(world);
  const { entries } = parseMemory(files, '1970-01-01');
  const [journal] = [...files].filter(([path]) => path.startsWith('journal/'));
  const ledger = secondRun?.review?.ledger.findings ?? [];
  const cited = new Set(ledger.flatMap(({ finding }) => finding.memory ?? []));
  const isApproved = (id: string): boolean =>
    entries.some((entry) => entry.id === id && entry.state === 'active');
  return {
    pulls: [concludePull(world, first, firstRun), concludePull(world, second, secondRun)],
    memory: {
      entries: entries.map(({ persona, text }) => ({ persona, text })),
      lessons: proposed.map(({ id, persona, text }) => ({
        id,
        persona,
        text,
        learnedIn: first.number,
        ...(isApproved(id) && { approvedBy: MAINTAINER }),
        ...(cited.has(id) && { citedIn: second.number }),
      })),
      cited: entries.filter(({ id }) => cited.has(id)).map(({ text }) => text),
      journal: journal && { path: journal[0], bytes: Buffer.byteLength(journal[1]) },
      problems: judgeLessons({ proposed, entries, cited }),
    },
  };
}

const Ref = z.object({ object: z.object({ sha: z.string() }) });
const Tree = z.object({
  tree: z.array(z.object({ path: z.string(), type: z.string(), sha: z.string() })),
});
const Blob = z.object({ content: z.string() });

/** As a person would read the branch, through GitHub's interface. */
async function readBranch({ emulator }: World): Promise<ReadonlyMap<string, string>> {
  const get = (path: string): Promise<unknown> =>
    emulator.as(MAINTAINER).request('GET', `/repos/${REPOSITORY}/git/${path}`);
  const ref = Ref.safeParse(await get('ref/heads/quorum/memory').catch(() => undefined)).data;
  if (ref === undefined) return new Map();
  const { tree } = Tree.parse(await get(`trees/${ref.object.sha}?recursive=1`));
  const files = new Map<string, string>();
  for (const { path, type, sha } of tree) {
    if (type !== 'blob') continue;
    const { content } = Blob.parse(await get(`blobs/${sha}`));
    files.set(path, Buffer.from(content, 'base64').toString());
  }
  return files;
}
