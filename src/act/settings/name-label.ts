/** Finds out which of our labels a repository renamed to this one, if any. */
import type { EffectData } from '../../domain/event/effect.ts';
import type { ActPorts, Performed } from '../ports.ts';
import type { ReadSettings } from './read-settings.ts';

/** Reads the repository's configuration only; an unchanged one costs nothing. */
export async function nameLabel(
  data: Extract<EffectData, { kind: 'name-label' }>,
  { ports, readSettings }: { ports: ActPorts; readSettings: ReadSettings },
): Promise<Performed<'name-label'>> {
  const session = ports.github.at(data.thread);
  const facts = await session.read.repository(data.thread);
  const tree = await session.read.paths(data.thread, facts.headSha, 20_000);
  const { config } = await readSettings(data.thread, { session, facts, paths: tree.paths });
  const meaning = Object.entries(config.labels).find(([, name]) => name === data.label)?.[0];
  const { thread, actor, label, plan } = data;
  return {
    effectKind: 'name-label',
    result: {
      thread,
      actor,
      label,
      ...(plan === undefined ? {} : { plan }),
      ...(meaning === undefined ? {} : { meaning }),
    },
    githubCalls: session.counts,
  };
}
