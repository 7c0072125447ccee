/** The arithmetic of a session's budget: whatever is asked in whatever order, its cap holds. */
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { maxOutputTokens } from '../../../../../src/adapters/coder/claude/claude-args.ts';
import {
  createMeter,
  type OpenCall,
} from '../../../../../src/adapters/coder/claude/gateway/meter.ts';
import { boundTokens } from '../../../../../src/adapters/coder/claude/gateway/token-bound.ts';
import { systemClock } from '../../../../../src/adapters/system/system-clock.ts';
import { sumCost, type Usage } from '../../../../../src/domain/run/ledger.ts';
import { verifies } from '../../../../verifies.ts';
import { PRICE } from '../a-gateway.ts';

const model = {
  pool: 'sonnet',
  provider: 'anthropic',
  id: 'm',
  price: { ...PRICE, longPrompt: { overTokens: 5_000, ...PRICE, input: 9, cacheRead: 8 } },
  baseUrl: '',
  apiKey: '',
};

/** A share of a bound, split in three kinds of input. */
const Use = fc.record({
  input: fc.nat({ max: 10_000 }),
  output: fc.nat({ max: 10_000 }),
  shares: fc.tuple(...[1, 2, 3, 4].map(() => fc.double({ min: 0, max: 1, noNaN: true }))),
  known: fc.constantFrom('final' as const, 'partial' as const, 'none' as const, 'silent' as const),
  endsAfter: fc.nat({ max: 3 }),
});

type Use = typeof Use extends fc.Arbitrary<infer T> ? T : never;

function usageOf({ input, output, shares }: Use): Usage {
  const [a = 0, b = 0, c = 0, d = 0] = shares;
  const inputTokens = Math.floor(input * a);
  const cacheWriteTokens = Math.floor((input - inputTokens) * b);
  const cacheReadTokens = Math.floor((input - inputTokens - cacheWriteTokens) * c);
  return { inputTokens, cacheWriteTokens, cacheReadTokens, outputTokens: Math.floor(output * d) };
}

verifies('CB-14b', 'no order of calls and ends passes the cap', () => {
  fc.assert(
    fc.property(
      fc.array(Use, { maxLength: 40 }),
      fc.double({ min: 0, max: 1, noNaN: true }),
      (uses, usd) => {
        const meter = createMeter({ model, limits: { turns: 100, usd }, clock: systemClock });
        const open: { call: OpenCall; use: Use; left: number }[] = [];
        const end = ({ call, use }: (typeof open)[number]): void => {
          const usage = use.known === 'silent' ? undefined : usageOf(use);
          call.end({ outcome: 'ok', usage, known: use.known === 'silent' ? 'partial' : use.known });
        };
        for (const use of uses) {
          for (const one of open) one.left -= 1;
          for (const one of open.filter(({ left }) => left <= 0)) end(one);
          const call = meter.begin({ input: use.input, output: use.output });
          if ('end' in call) open.push({ call, use, left: use.endsAfter + 1 });
        }
        for (const one of open) end(one);
        expect(sumCost(meter.calls).usd).toBeLessThanOrEqual(usd + 1e-9);
        expect(meter.calls).toHaveLength(open.length);
      },
    ),
  );
});

test('a model without a price is bound by its turns', () => {
  const limits = { turns: 1, usd: 0.001 };
  const meter = createMeter({ model: { ...model, price: undefined }, limits, clock: systemClock });
  const call = meter.begin({ input: 1e9, output: 1e9 });
  if (!('end' in call)) throw new Error(call.why);
  call.end({ outcome: 'ok', usage: undefined, known: 'final' });
  expect(meter.calls).toMatchObject([{ costUsd: undefined }]);
});

test('a reservation is written down before its call and taken back after it', async () => {
  const told: number[] = [];
  const limits = { turns: 9, usd: 1 };
  const onReserved = async (usd: number): Promise<void> => void told.push(usd);
  const meter = createMeter({ model, limits, clock: systemClock, onReserved });
  const calls = [1, 2].map(() => meter.begin({ input: 0, output: 1_000 }));
  for (const call of calls)
    if ('end' in call) call.end({ outcome: 'error', usage: undefined, known: 'none' });
  expect(told).toEqual([0.01, 0.02, 0.01, 0]);
});

test('input is bounded by bytes; pictures and documents by what a model can read of them', () => {
  const bound = (content: unknown) =>
    boundTokens({ messages: [{ role: 'user', content }] }, 10).input;
  const file = (type: string, data: string) => ({ type, source: { type: 'base64', data } });
  const empty = bound('');
  for (const text of ['x', 'é', '汉', '👩‍👩‍👧', '"', '\n'])
    expect(bound(text) - empty).toBeGreaterThanOrEqual(Buffer.byteLength(text));
  const image = bound([file('image', 'A'.repeat(1_000_000))]);
  expect(image).toBeGreaterThan(empty + 4_784);
  expect(image).toBeLessThan(10_000);
  expect(bound([file('image', 'A'), file('image', 'A')])).toBeGreaterThan(empty + 2 * 4_784);
  expect(bound([{ type: 'tool_result', content: [file('document', 'A')] }])).toBeGreaterThan(1e6);
});

test('the output of one call reserves at most an eighth of the budget', () => {
  expect(maxOutputTokens(model, 5)).toBe(32_000);
  expect(maxOutputTokens(model, 0.8)).toBe(10_000);
  expect(maxOutputTokens(model, 0.01)).toBe(4_000);
  expect(maxOutputTokens({ price: undefined }, 0.01)).toBe(32_000);
});
