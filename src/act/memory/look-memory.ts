/** Reads what a reflection needs: the settings and the team as they are now, and what is remembered already. */
import type { EffectData } from '../../domain/event/effect.ts';
import { TEAM } from '../../domain/memory/memory-entry.ts';
import { toRepositoryRef } from '../../domain/run/thread-ref.ts';
import type { EffectContext } from '../effect-context.ts';
import type { Performed } from '../ports.ts';
import { settingsNow } from '../read/survey.ts';
import { memorySessionOf, toMemoryPlace } from './read-memory.ts';

/** So many of what a persona knows are shown to it, newest first: it is not to say them again. */
const MOST_KNOWN = 6;

export async function lookAtMemory(
  { thread, handles }: Extract<EffectData, { kind: 'look-memory' }>,
  { ports, readSettings, readMemory }: EffectContext,
): Promise<Performed<'look-memory'>> {
  const session = ports.github.at(thread);
  const { config, personas } = await settingsNow(thread, session, { readSettings });
  const place = toMemoryPlace(toRepositoryRef(thread), config);
  const reached = memorySessionOf(session);
  const memory = reached === undefined ? undefined : await readMemory(reached, place);
  const newest = (memory?.entries ?? []).toSorted((a, b) => b.createdAt.localeCompare(a.createdAt));
  const known = Object.fromEntries(
    handles.map((handle) => {
      const own = newest.filter(({ persona }) => persona === handle || persona === TEAM);
      return [handle, own.slice(0, MOST_KNOWN).map(({ text }) => text)] as const;
    }),
  );
  const result = {
    config,
    personas: personas.filter(({ handle }) => handles.includes(handle)),
    known,
    nonce: ports.random.id(),
  };
  return { effectKind: 'look-memory', result, githubCalls: session.counts };
}
