/** Reads a plan's issue and the settings that hold for it. */
import type { EffectData } from '../domain/effect.ts';
import type { ActPorts, Performed } from './ports.ts';
import type { ReadSettings } from './settings.ts';

const MAX_PATHS = 20_000;

/** Two reads and the configuration, which costs nothing while it is as it was. */
export async function lookAtPlan(
  { thread }: Extract<EffectData, { kind: 'look-plan' }>,
  { ports, readSettings }: { ports: ActPorts; readSettings: ReadSettings },
): Promise<Performed<'look-plan'>> {
  const session = ports.github.at(thread);
  const [repository, issue] = await Promise.all([
    session.read.repository(thread),
    session.read.issue(thread),
  ]);
  const { headSha } = repository;
  const { paths } =
    headSha === '' ? { paths: [] } : await session.read.paths(thread, headSha, MAX_PATHS);
  const { config } = await readSettings(thread, { session, facts: repository, paths });
  return {
    effectKind: 'look-plan',
    result: { repository, issue, config },
    githubCalls: session.counts,
  };
}
