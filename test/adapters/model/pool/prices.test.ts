/** What a run is likely to cost: prompts that share a beginning are paid for once. */
import { describe, expect, test } from 'vitest';
import { trusted } from '../../../../src/domain/prompt/prompt-text.ts';
import { expectUsd } from '../../../../src/adapters/model/pool/prices.ts';
import type { Price } from '../../../../src/domain/run/ledger.ts';
import type { ModelRequest } from '../../../../src/ports/model.ts';

/** Input alone, so that a sum is one of tokens. */
const PRICE: Price = { input: 1, output: 0, cacheWrite: 1.25, cacheRead: 0.1 };
const memberOf = ({ model }: ModelRequest) => ({
  name: model,
  price: model === 'stranger' ? undefined : PRICE,
});

function asked(own: string, over: Partial<ModelRequest> = {}): ModelRequest {
  return {
    model: 'sonnet',
    system: [{ text: trusted('shared '.repeat(1_000)), cache: true }, { text: trusted(own) }],
    messages: [{ role: 'user', content: [{ text: trusted('Now.') }] }],
    maxOutputTokens: 2_000,
    timeoutMs: 1_000,
    ...over,
  };
}

function tokens(...requests: ModelRequest[]): number {
  return (expectUsd(requests, memberOf) ?? Number.NaN) * 1_000_000;
}

describe('the expected cost of a run', () => {
  test('the first prompt writes what is shared, the next ones read it', () => {
    const [alone, both] = [tokens(asked('a')), tokens(asked('a'), asked('b'))];
    expect(alone).toBeGreaterThan(1.2 * (7_000 / 3));
    expect(both - alone).toBeLessThan(alone / 5);
  });

  test('another model, another beginning or another form of answer shares nothing', () => {
    const alone = tokens(asked('a'));
    const output = { name: 'verdict', schema: {} };
    const others = [
      asked('a', { model: 'opus' }),
      asked('a', { output }),
      asked('a', { system: [{ text: trusted('other '.repeat(1_000)), cache: true }] }),
    ];
    for (const other of others) expect(tokens(asked('a'), other)).toBeGreaterThan(1.8 * alone);
  });

  test('a prompt without a mark is paid in full each time', () => {
    const plain = asked('a', { system: [{ text: trusted('shared '.repeat(1_000)) }] });
    expect(tokens(plain, plain)).toBeCloseTo(2 * tokens(plain), 6);
  });

  test('one unknown price makes all of it unknown', () => {
    expect(expectUsd([asked('a'), asked('b', { model: 'stranger' })], memberOf)).toBeUndefined();
    expect(expectUsd([], memberOf)).toBe(0);
  });
});
