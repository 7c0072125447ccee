/** The act of memory: a maintainer looks at what was learned, and the next review of the same mistake rests on it. */
import * as z from 'zod';
import { parseMemory } from '../act/memory/read-memory.ts';
import { ofKind } from '../domain/run/state/run-record.ts';
import { concludePull, openPull, type DemoPull, type PullStory } from './open-pulls.ts';
import { MEMORY_PULL } from './project/memory-pull.ts';
import { MAINTAINER, REPOSITORY } from './project/people.ts';
import type { World } from './open-world.ts';
import type { Run } from '../domain/run/state/run-record.ts';

export interface DemoMemory {
  /** What is on the memory branch at the end. */
  entries: { persona: string; text: string }[];
  /** Notes that a later review cites. */
  cited: string[];
  /** Of the plan, on the memory branch. */
  journal: { path: string; bytes: number } | undefined;
  problems: string[];
}

/** What a maintainer wants to be kept, beside what the voices learned by themselves. */
export const REMEMBERED =
  'Files are handed to programs as a list of arguments, never in a shell command';

export async function openMemoryPull(
  world: World,
  reviewed: { number: number } | undefined,
): Promise<PullStory> {
  const maintainer = world.emulator.as(MAINTAINER);
  if (reviewed !== undefined)
    await maintainer.comment(REPOSITORY, reviewed.number, `/pm remember ${REMEMBERED}`);
  return openPull(world, MEMORY_PULL);
}

export async function concludeMemory(
  world: World,
  story: PullStory,
  run: Run | undefined,
): Promise<{ pull: DemoPull; memory: DemoMemory }> {
  const pull = concludePull(world, story, ofKind(run, 'pr_review'));
  const files = await readBranch(world);
  const { entries } = parseMemory(files, '1970-01-01');
  const [journal] = [...files].filter(([path]) => path.startsWith('journal/'));
  const ledger = ofKind(run, 'pr_review')?.review?.ledger.findings ?? [];
  const ids = new Set(ledger.flatMap(({ finding }) => finding.memory ?? []));
  const cited = entries.filter(({ id }) => ids.has(id)).map(({ text }) => text);
  return {
    pull,
    memory: {
      entries: entries.map(({ persona, text }) => ({ persona, text })),
      cited,
      journal: journal && { path: journal[0], bytes: Buffer.byteLength(journal[1]) },
      problems: [
        ...(entries.length === 0 ? ['nothing was remembered'] : []),
        ...(cited.length === 0 ? ['nothing that was remembered was used'] : []),
      ],
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
