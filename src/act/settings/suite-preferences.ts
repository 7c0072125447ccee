/** Keeps GitHub from opening an empty, queued check suite for our App on each push. */
import type { EffectData } from '../../domain/event/effect.ts';
import { RefusedError } from '../../domain/event/errors.ts';
import type { ActPorts, Performed } from '../ports.ts';

/** A rate limit repeats the effect from its start, so one effect must fit into a minute's writes. */
const MAX_REPOSITORIES = 25;

/** Result: what is left. A repository that refuses it, or that is gone, keeps its suites: they block nothing but auto-merge. */
export async function setSuitePreferences(
  { installationId, repositories }: Extract<EffectData, { kind: 'suite-preferences' }>,
  { github }: Pick<ActPorts, 'github'>,
): Promise<Performed<'suite-preferences'>> {
  const all =
    repositories.length > 0 ? repositories : await github.app.repositories(installationId);
  for (const ref of all.slice(0, MAX_REPOSITORIES)) {
    try {
      await github.at(ref).write.ensureNoEmptySuites(ref);
    } catch (error) {
      if (!(error instanceof RefusedError)) throw error;
    }
  }
  const left = all.slice(MAX_REPOSITORIES);
  return { effectKind: 'suite-preferences', result: { left }, githubCalls: {} };
}
