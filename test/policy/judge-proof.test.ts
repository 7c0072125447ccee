/** What stored receipts prove of a head and the base that it would merge into. */
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { judgeProof } from '../../src/policy/gates/judge-proof.ts';
import {
  GATES,
  signReceipt,
  type GateReceipt,
  type Judgement,
} from '../../src/domain/gates/receipt.ts';
import { verifies } from '../verifies.ts';

const signing = { secret: ['for', 'tests'].join('-'), scope: 'thread:7/12#3' };
const headSha = 'a'.repeat(40);
const baseSha = 'b'.repeat(40);
const later = 'c'.repeat(40);
const at = { headSha, baseSha, signing };

function said(
  gate: Judgement['gate'],
  result: Judgement['result'] = 'passed',
  of: { headSha?: string; baseSha?: string } = { baseSha },
): GateReceipt {
  const judgement = { gate, result, sentence: 'So it is.', flags: [] };
  return signReceipt(judgement, { headSha, at: '2026-11-05T10:00:00.000Z', ...of }, signing);
}

const all = GATES.map((gate) => said(gate));

describe('receipts', () => {
  verifies(['TG-5', 'TG-6'], 'prove a head at which each gate has passed, and no other', () => {
    expect(judgeProof({ receipts: all }, at)).toEqual({
      unproved: [],
      isOfBase: true,
      isRetested: false,
    });
    const other = judgeProof({ receipts: all }, { ...at, headSha: 'd'.repeat(40) });
    expect(other.unproved).toHaveLength(GATES.length);
    expect(other.isOfBase).toBe(false);
  });

  verifies(['TG-5', 'TG-6'], 'prove nothing where one is anything but passed and signed', () => {
    const HOW: Record<string, RegExp> = {
      failed: /has not passed/,
      'not-run': /has not passed/,
      'timed-out': /has not passed/,
      gone: /has not passed/,
      'of another head': /has not passed/,
      'of another task': /not as it was signed/,
      forged: /not as it was signed/,
    };
    const elsewhere = { ...signing, scope: 'thread:7/12#4' };
    fc.assert(
      fc.property(fc.constantFrom(...GATES), fc.constantFrom(...Object.keys(HOW)), (gate, how) => {
        const receipts = all.flatMap((each): GateReceipt[] => {
          if (each.gate !== gate) return [each];
          if (how === 'gone') return [];
          if (how === 'forged') return [{ ...said(gate, 'failed'), result: 'passed' }];
          if (how === 'of another head') return [said(gate, 'passed', { headSha: later })];
          if (how !== 'of another task') return [said(gate, how as 'failed')];
          const { signature: _, ...rest } = each;
          return [signReceipt(rest, { headSha, baseSha, at: rest.at }, elsewhere)];
        });
        const { unproved } = judgeProof({ receipts }, at);
        expect(unproved).toEqual([expect.stringMatching(HOW[how] ?? /^$/)]);
        expect(unproved[0]).toContain(`gate ${gate} (`);
      }),
    );
  });

  verifies('TG-5', 'of one gate count by the last of them', () => {
    const failed = said('2', 'failed');
    expect(judgeProof({ receipts: [...all, failed] }, at).unproved).toHaveLength(1);
    expect(judgeProof({ receipts: [failed, ...all] }, at).unproved).toEqual([]);
  });

  verifies('TG-6', 'are of one base: on a later one its own tests have to pass', () => {
    const onLater = { ...at, baseSha: later };
    const retested = (retest: GateReceipt) => judgeProof({ receipts: all, retest }, onLater);
    expect(judgeProof({ receipts: all }, onLater)).toMatchObject({
      unproved: [],
      isOfBase: false,
      isRetested: false,
    });
    const passed = said('2', 'passed', { baseSha: later });
    expect(retested(passed)).toMatchObject({ isRetested: true });
    const NOT: GateReceipt[] = [
      said('2'),
      said('2', 'failed', { baseSha: later }),
      said('2', 'passed', { baseSha: later, headSha: later }),
      said('1', 'passed', { baseSha: later }),
      { ...said('2'), baseSha: later },
      { ...said('2', 'failed', { baseSha: later }), result: 'passed' },
    ];
    for (const retest of NOT) expect(retested(retest)).toMatchObject({ isRetested: false });
  });

  verifies('TG-5', 'that were signed before they told their base are of the head’s', () => {
    const older = GATES.map((gate) => said(gate, 'passed', {}));
    expect(judgeProof({ receipts: older }, at)).toMatchObject({ unproved: [], isOfBase: true });
  });
});

test('a gate that never ran is not called forged because another one is', () => {
  const receipts: GateReceipt[] = [
    { ...said('S', 'failed'), result: 'passed' },
    { ...said('2', 'failed', { headSha: later }), result: 'passed' },
  ];
  expect(judgeProof({ receipts }, at).unproved.map((each) => each.replace(/ \(.*?\)/, ''))).toEqual(
    GATES.map((gate) =>
      gate === 'S'
        ? 'gate S: its receipt is not as it was signed, so it proves nothing'
        : `gate ${gate} has not passed for this head`,
    ),
  );
});
