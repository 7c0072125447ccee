/** Which models can be asked. No call is made: that would cost money. */
import { openPool, type Basics } from '../../host-parts.ts';
import type { Finding } from './doctor-finding.ts';

export async function checkModels(basics: Basics): Promise<Finding[]> {
  const { members, aliases } = openPool(basics).describe();
  const named = members.filter(({ provider }) => provider !== 'offline');
  const ready = named.filter(({ state }) => state === 'ready').map(({ name }) => name);
  const broken = named.filter(({ state }) => state !== 'ready');
  const summary: Finding =
    ready.length === 0
      ? { level: 'ok', about: 'models', says: 'offline rules only: no key is set, nothing costs' }
      : {
          level: 'ok',
          about: 'models',
          says: `${ready.join(', ')}; lead: ${aliases['strong'] ?? 'offline'}`,
        };
  return [
    summary,
    ...broken.map(({ name, reason, state }): Finding => ({
      level: 'warn',
      about: `model ${name}`,
      says: reason ?? state,
      fix: 'Set what is missing in the environment, or take the model out of the pool.',
    })),
  ];
}
