/** Makes proposed edits of memory on a branch of its own, and opens a pull request onto the memory branch. */
import { RefusedError } from '../../domain/event/errors.ts';
import { applyMemoryEdits } from '../../domain/memory/consolidation/apply-memory-edits.ts';
import {
  consolidationBranch,
  renderConsolidation,
} from '../../domain/memory/consolidation/render-consolidation.ts';
import { corePath, workingPath } from '../../domain/memory/file/apply-change.ts';
import { applySelfEdit } from '../../domain/memory/self/rewrite-self.ts';
import { experiencesPath, reflectedPath, selfPath } from '../../domain/memory/self/self-file.ts';
import { toRepositoryRef } from '../../domain/run/thread-ref.ts';
import type { DataOf, EffectContext } from '../effect-context.ts';
import type { Performed } from '../ports.ts';
import { settingsNow } from '../read/survey.ts';
import { workAt } from '../task/coder/coding-runtime.ts';
import { memorySessionOf, toMemoryPlace } from './read-memory.ts';

export async function openConsolidation(
  { thread, persona, evidence, edits, self, proposedBy }: DataOf<'open-consolidation'>,
  { ports, readSettings, at }: EffectContext,
): Promise<Performed<'open-consolidation'>> {
  const session = workAt(ports, thread);
  const reached = memorySessionOf(session);
  const { config } = await settingsNow(thread, session, { readSettings });
  if (reached === undefined || !config.enabled || !config.memory.enabled)
    throw new RefusedError({
      code: 'switched-off',
      message: 'Memory is now switched off here (`memory.enabled`): nothing is written.',
    });
  const repository = toRepositoryRef(thread);
  const base = toMemoryPlace(repository, config).branch;
  const branch = consolidationBranch(persona, evidence);
  const { title, body } = renderConsolidation({ persona, edits, ...(self && { self }) });
  const { head } = await reached.memory.update(
    { repository, branch },
    {
      paths: [corePath, workingPath, selfPath, experiencesPath, reflectedPath].map((of) =>
        of(persona),
      ),
      message: title,
      from: base,
      holds: 'memory',
      // What people changed in an open proposal stays.
      isRenewed: await reached.memory.isOnlyOurs({ repository, branch }),
      change: (files) =>
        self === undefined
          ? applyMemoryEdits(files, edits, { persona, today: at.slice(0, 10) })
          : applySelfEdit(files, self, { persona, at }),
    },
  );
  const done = (pull?: { number: number; url: string }): Performed<'open-consolidation'> => ({
    effectKind: 'open-consolidation',
    result: pull === undefined ? {} : { pull },
    githubCalls: session.counts,
  });
  // What was to be replaced is not there any more.
  if (head === undefined) return done();
  const { number, url } = await session.tasks.ensurePull(repository, {
    marker: { kind: 'proposal', run: proposedBy, key: `consolidate-${persona}` },
    head: branch,
    headSha: head,
    base,
    title,
    body,
    isDraft: false,
  });
  return done({ number, url });
}
