/** Receipts of gates: what was signed is believed, and nothing else. */
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  GATES,
  isGenuine,
  signReceipt,
  type GateReceipt,
  type Judgement,
} from '../../../src/domain/gates/receipt.ts';

const signing = { secret: ['for', 'tests'].join('-'), scope: 'thread:7/12#3' };
const headSha = 'a'.repeat(40);
const at = { headSha, baseSha: 'b'.repeat(40), at: '2026-11-05T10:00:00.000Z' };

const judgement: fc.Arbitrary<Judgement> = fc.record(
  {
    gate: fc.constantFrom(...GATES),
    result: fc.constantFrom('passed', 'failed', 'not-run', 'timed-out'),
    sentence: fc.string(),
    flags: fc.array(fc.string(), { maxLength: 3 }),
    command: fc.string(),
    exitCode: fc.nat(255),
    tests: fc.record({ passed: fc.nat(), failed: fc.nat(), skipped: fc.nat() }),
    durationMs: fc.nat(),
  },
  { requiredKeys: ['gate', 'result', 'sentence', 'flags'] },
);

const passed = (gate: Judgement['gate'], over: Partial<Judgement> = {}): GateReceipt =>
  signReceipt({ gate, result: 'passed', sentence: 'Fine.', flags: [], ...over }, at, signing);

describe('a receipt', () => {
  test('is believed after a way through JSON, with its keys in any order', () => {
    fc.assert(
      fc.property(judgement, (each) => {
        const receipt = signReceipt(each, at, signing);
        const read = JSON.parse(JSON.stringify(receipt)) as GateReceipt;
        const turned = Object.fromEntries(Object.entries(read).toReversed());
        expect(isGenuine(turned as unknown as GateReceipt, signing)).toBe(true);
      }),
    );
  });

  test('that was changed in any field is not believed', () => {
    const changed = (value: unknown): unknown => {
      if (typeof value === 'string') return `${value}x`;
      if (typeof value === 'number') return value + 1;
      if (Array.isArray(value)) return [...value, 'x'];
      return { ...(value as object), passed: -1 };
    };
    fc.assert(
      fc.property(judgement, (each) => {
        const receipt = signReceipt(each, at, signing);
        for (const [key, value] of Object.entries(receipt)) {
          expect(isGenuine({ ...receipt, [key]: changed(value) }, signing)).toBe(false);
          const without = Object.fromEntries(
            Object.entries(receipt).filter(([name]) => name !== key),
          );
          if (key !== 'signature')
            expect(isGenuine(without as unknown as GateReceipt, signing)).toBe(false);
        }
        expect(isGenuine({ ...receipt, more: 1 } as GateReceipt, signing)).toBe(false);
      }),
    );
  });

  test('is signed without what was printed', () => {
    const receipt = passed('2', { log: 'ok 1' });
    const { log, ...without } = receipt;
    expect(log).toBe('ok 1');
    expect(receipt.signature).toBe(passed('2').signature);
    expect(isGenuine(without, signing)).toBe(true);
  });

  test('of another task or secret is not believed', () => {
    const receipt = passed('2');
    expect(isGenuine(receipt, { ...signing, scope: 'thread:7/12#4' })).toBe(false);
    expect(isGenuine(receipt, { ...signing, secret: 'other' })).toBe(false);
  });
});
