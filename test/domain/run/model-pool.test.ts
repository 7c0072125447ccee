/** Whose choice of model counts. */
import { describe, expect } from 'vitest';
import {
  MODEL_SOURCES,
  resolveModel,
  wishFor,
  type ModelChoices,
} from '../../../src/domain/run/model-pool.ts';
import { verifies } from '../../verifies.ts';

describe('resolveModel', () => {
  verifies(
    'NW-16',
    'takes persona, thread, repository, organisation and environment in this order, then offline',
    () => {
      const choices: ModelChoices = {
        persona: 'a',
        thread: 'b',
        repository: 'c',
        organisation: 'd',
        environment: 'e',
      };
      const left = { ...choices };
      for (const source of MODEL_SOURCES) {
        expect(resolveModel(left, () => true)).toEqual({ name: choices[source], source });
        delete left[source];
      }
      expect(resolveModel(left, () => true)).toEqual({ name: 'offline', source: 'offline' });
    },
  );

  verifies('NW-16', 'passes over names that the pool does not know', () => {
    const found = resolveModel({ persona: 'typo', repository: 'sonnet' }, (n) => n === 'sonnet');
    expect(found).toEqual({ name: 'sonnet', source: 'repository' });
  });
});

describe('wishFor', () => {
  const aliases = { strong: 'opus' };
  const inline = { provider: 'anthropic', model: 'claude-x' };

  verifies('NW-16', 'a persona with a model of its own keeps it, whatever the thread chose', () => {
    for (const thread of [undefined, 'haiku', 'strong']) {
      expect(wishFor({ model: 'kimi' }, { aliases, thread })).toMatchObject({
        model: 'kimi',
        source: 'persona',
      });
      expect(wishFor({ model: inline }, { aliases, thread }).model).toBe('anthropic/claude-x');
    }
  });

  verifies('NW-16', 'one that names an alias takes the thread’s, else the repository’s', () => {
    const of = (model: string, thread?: string) => wishFor({ model }, { aliases, thread });
    expect(of('strong', 'haiku')).toMatchObject({
      model: 'haiku',
      tier: 'strong',
      source: 'thread',
    });
    expect(of('cheap', 'strong')).toMatchObject({ model: 'opus', tier: 'strong' });
    expect(of('strong')).toMatchObject({ model: 'opus', tier: 'strong', source: 'repository' });
    expect(of('cheap')).toMatchObject({ model: 'cheap', tier: 'cheap', source: 'environment' });
  });

  verifies('NW-16', 'one that works with pictures or sound answers questions by its tier', () => {
    const made = { image: 'painter', speech: 'reader', transcription: 'typist', embedding: 'map' };
    for (const model of Object.keys(made)) {
      const wish = wishFor({ model }, { aliases: made, thread: undefined });
      expect(wish).toMatchObject({ model: 'standard', tier: 'standard' });
      expect(wishFor({ model, tier: 'cheap' }, { aliases: {}, thread: undefined }).model).toBe(
        'cheap',
      );
    }
  });
});
