/** The models that Claude Code can use here: those of the host's pool that speak Anthropic's Messages API and have a key. */
import { findPrice } from '../../adapters/model/pool/prices.ts';
import { gatherEntries } from '../../adapters/model/pool/members.ts';
import { PROVIDERS } from '../../adapters/model/providers.ts';
import type { ClaudeModel } from '../../adapters/coder/claude/claude-model.ts';
import type { ModelEntry } from '../../domain/run/model-pool.ts';
import type { Env } from './env-file.ts';
import { readModelsFile } from './models-file.ts';
import { filled } from './host-settings.ts';

const ANTHROPIC = 'https://api.anthropic.com';
/** Writing code is what the strongest of those that cost the usual is for. */
const FIRST = 'sonnet';

/** The coder's own default first. */
export function claudeModels(env: Env): ClaudeModel[] {
  const { pool } = readModelsFile(env);
  const found = Object.entries(gatherEntries(pool, env)).flatMap(([name, entry]) =>
    toClaudeModel(name, entry, env),
  );
  return found.toSorted((a, b) => Number(b.pool === FIRST) - Number(a.pool === FIRST));
}

function toClaudeModel(name: string, entry: ModelEntry, env: Env): ClaudeModel[] {
  const { anthropic } = PROVIDERS;
  if (entry.provider !== 'anthropic' || entry.model === undefined) return [];
  const apiKey = filled(env[entry.keyEnv ?? anthropic?.keyEnv ?? '']);
  if (apiKey === undefined) return [];
  const baseUrl = entry.baseUrl ?? filled(env[anthropic?.baseUrlEnv ?? '']) ?? ANTHROPIC;
  const price = findPrice(entry);
  return [{ pool: name, provider: entry.provider, id: entry.model, price, baseUrl, apiKey }];
}
