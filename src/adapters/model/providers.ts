/** The one place that knows which adapter serves which provider; a new provider is a new line here. */
import type { Model } from '../../ports/model.ts';
import { createAnthropicClient, createAnthropicModel } from './anthropic/anthropic-model.ts';
import {
  createCompatibleModel,
  createOpenAiClient,
  createOpenAiModel,
} from './openai/openai-model.ts';
import type { Endpoint, ModelOptions } from './model-options.ts';

/** Opens a client for an endpoint and key, and makes models that share it. */
export type OpenProvider = (endpoint: Endpoint) => (options: ModelOptions) => Model;

export interface ProviderEntry {
  open: OpenProvider;
  /** Environment variables used when an entry names none. */
  keyEnv: string | undefined;
  baseUrlEnv: string | undefined;
  /** Works without a key: a local server. */
  isKeyOptional: boolean;
}

export type Providers = Readonly<Record<string, ProviderEntry>>;

export const PROVIDERS: Providers = {
  anthropic: {
    open: (endpoint) => {
      const client = createAnthropicClient(endpoint);
      return (options) => createAnthropicModel(client, options);
    },
    keyEnv: 'ANTHROPIC_API_KEY',
    baseUrlEnv: 'ANTHROPIC_BASE_URL',
    isKeyOptional: false,
  },
  openai: {
    open: (endpoint) => {
      const client = createOpenAiClient(endpoint);
      return (options) => createOpenAiModel(client, options);
    },
    keyEnv: 'OPENAI_API_KEY',
    baseUrlEnv: 'OPENAI_BASE_URL',
    isKeyOptional: false,
  },
  'openai-compatible': {
    open: (endpoint) => {
      const client = createOpenAiClient(endpoint);
      return (options) => createCompatibleModel(client, options);
    },
    keyEnv: undefined,
    baseUrlEnv: undefined,
    isKeyOptional: true,
  },
};
