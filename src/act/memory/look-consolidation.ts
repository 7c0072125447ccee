/** Reads a persona's memory, and which consolidation of it people have not been asked about yet. */
import type { Consolidation } from '../../domain/memory/consolidation/consolidation.ts';
import { findConsolidations } from '../../domain/memory/consolidation/find-consolidation.ts';
import {
  consolidationBranch,
  isConsolidationOf,
} from '../../domain/memory/consolidation/render-consolidation.ts';
import { corePath, workingPath } from '../../domain/memory/file/apply-change.ts';
import { findSelfRewrite } from '../../domain/memory/self/rewrite-self.ts';
import { experiencesPath, reflectedPath, selfPath } from '../../domain/memory/self/self-file.ts';
import { holdBack } from '../../domain/memory/file/hold-back.ts';
import { toRepositoryRef } from '../../domain/run/thread-ref.ts';
import type { DataOf, EffectContext } from '../effect-context.ts';
import type { Performed } from '../ports.ts';
import { settingsNow } from '../read/survey.ts';
import type { MemoryBranch, MemoryPlace } from '../../ports/github/memory-branch.ts';
import type { PullInto, WorkSession } from '../../ports/github/work.ts';
import { workAt } from '../task/coder/coding-runtime.ts';
import { memorySessionOf, toMemoryPlace } from './read-memory.ts';

export async function lookAtConsolidation(
  { thread, persona: handle }: DataOf<'look-consolidation'>,
  { ports, readSettings, at }: Pick<EffectContext, 'ports' | 'readSettings' | 'at'>,
): Promise<Performed<'look-consolidation'>> {
  const session = workAt(ports, thread);
  const { config, personas } = await settingsNow(thread, session, { readSettings });
  const done = (
    result: Pick<Performed<'look-consolidation'>['result'], 'off' | 'found' | 'isLagging'>,
  ): Performed<'look-consolidation'> => {
    const persona = personas.find((each) => each.handle === handle);
    const read = { config, nonce: ports.random.id(), ...(persona && { persona }) };
    return {
      effectKind: 'look-consolidation',
      result: { ...read, ...result },
      githubCalls: session.counts,
    };
  };
  const { enabled, memory } = config;
  const reached = memorySessionOf(session);
  if (reached === undefined || !enabled || !memory.enabled || !memory.proposals)
    return done({ off: 'proposals for memory are switched off here' });
  const place = toMemoryPlace(toRepositoryRef(thread), config);
  const paths = [corePath, workingPath, selfPath, experiencesPath, reflectedPath].map((of) =>
    of(handle),
  );
  const today = at.slice(0, 10);
  const vouched = await readVouched(reached.memory, place, { paths, today });
  if (typeof vouched === 'string') return done(UNTOLD[vouched]);
  const self = memory.self === true ? findSelfRewrite(vouched, { persona: handle, at }) : undefined;
  const notes = findConsolidations(vouched, { persona: handle, today });
  const due = self === undefined ? notes : [...notes, self];
  if (due.length === 0) return done({ off: 'nothing is to be consolidated' });
  const asked = await session.work.pullsInto(thread, place.branch);
  // Two proposals for the same files would be in each other's way.
  const open = asked.filter(({ head, isOpen }) => isOpen && isConsolidationOf(handle, head));
  if (open.length > 0) {
    const found = await findConflicting(open, {
      due,
      handle,
      place,
      session,
      memory: reached.memory,
    });
    return done(found === undefined ? { off: 'a proposal for this persona is open' } : { found });
  }
  const heads = new Set(asked.map(({ head }) => head));
  const isNews = ({ evidence }: Consolidation): boolean =>
    !heads.has(consolidationBranch(handle, evidence));
  const found = due.find(isNews);
  return done(found === undefined ? { off: 'people were asked about it before' } : { found });
}

const WHO = 'GitHub does not say who pushed this memory';
const UNTOLD = { all: { off: WHO, isLagging: true }, untold: { off: WHO } } as const;

/** Lines for which nobody vouches wait (MEM-03). A person who merges a proposal would vouch for them unseen. */
async function readVouched(
  memory: MemoryBranch,
  place: MemoryPlace,
  { paths, today }: { paths: string[]; today: string },
): Promise<ReadonlyMap<string, string> | 'all' | 'untold'> {
  const { head, files } = await memory.read(place, { paths });
  const doubtful = head === undefined ? new Set<string>() : await memory.doubtful(place, head);
  return typeof doubtful === 'string'
    ? doubtful
    : new Map([...files, ...holdBack(files, doubtful, today)]);
}

interface Proposing {
  due: readonly Consolidation[];
  handle: string;
  place: MemoryPlace;
  session: WorkSession;
  memory: MemoryBranch;
}

/**
 * An open proposal that cannot be merged any more, as memory moved, is made again. One that somebody else edited stays,
 * and so does one whose present head is approved.
 */
async function findConflicting(
  open: readonly PullInto[],
  { due, handle, place, session, memory }: Proposing,
): Promise<Consolidation | undefined> {
  for (const { number, head } of open) {
    const same = due.find(({ evidence }) => consolidationBranch(handle, evidence) === head);
    if (same === undefined) continue;
    const facts = await session.tasks.mergeFacts({ ...place.repository, number });
    const isAccepted = facts.isAutoMerge || facts.reviews.some(({ state }) => state === 'approved');
    if (facts.isMergeable !== false || isAccepted) continue;
    if (await memory.isOnlyOurs({ ...place, branch: head })) return same;
  }
  return undefined;
}
