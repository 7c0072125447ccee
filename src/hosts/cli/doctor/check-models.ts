/** Which models can be asked. A call is made only on request: it costs money. */
import type { ErrorCode } from '../../../domain/event/error-codes.ts';
import { createOfflineModel } from '../../../adapters/model/offline/offline.ts';
import { entriesForText } from '../../../adapters/model/pool/members.ts';
import { tryKeys } from '../../../adapters/model/pool/try-keys.ts';
import { PROVIDERS } from '../../../adapters/model/providers.ts';
import type { Cost } from '../../../domain/run/ledger.ts';
import { readModelsFile } from '../../environment/models-file.ts';
import { openModelPool, type Basics } from '../../host-parts.ts';
import type { Finding } from './doctor-finding.ts';

/** One short question for each endpoint and key. */
export async function checkKeys({ env, clock, random }: Basics): Promise<Finding[]> {
  const { pool, aliases } = readModelsFile(env);
  const tried = await tryKeys({
    entries: entriesForText(pool, aliases),
    env,
    providers: PROVIDERS,
    offline: createOfflineModel(),
    clock,
    random,
  });
  if (tried.length === 0) return [{ level: 'ok', about: 'keys', says: 'none to try' }];
  return tried.map(({ name, endpoint, cost, failure }): Finding => {
    const about = `key of ${name}`;
    if (failure === undefined)
      return { level: 'ok', about, says: `${endpoint} answered, for ${renderPrice(cost)}` };
    return {
      level: 'fail',
      about,
      says: `${endpoint}: ${failure.message} [${failure.code}]`,
      fix: FIXES[failure.code] ?? 'docs/troubleshooting.md says what the code means.',
    };
  });
}

const FIXES: Readonly<Partial<Record<ErrorCode, string>>> = {
  'model-unauthorised': 'Replace the key in the environment, and start the App again.',
  'model-credits': "Add credit to the provider's account.",
  'model-unknown': 'Correct the name of the model in QUORUM_MODELS.',
  'model-unreachable': 'Check the base URL, and whether this machine reaches it.',
};

function renderPrice({ usd, isPartlyUnknown }: Cost): string {
  return isPartlyUnknown ? 'an unknown price' : `$${usd.toFixed(5)}`;
}

export async function checkModels(basics: Basics): Promise<Finding[]> {
  const { members, aliases } = openModelPool(basics).describe();
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
