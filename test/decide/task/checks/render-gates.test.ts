/** One check for all gates: it is a success only when each of them passed, and its text has the receipts. */
import { describe, expect, test } from 'vitest';
import { toGatesCheck } from '../../../../src/decide/task/checks/render-gates.ts';
import { GATES, type GateReceipt } from '../../../../src/domain/gates/receipt.ts';
import { verifies } from '../../../verifies.ts';

function receipts(over: Partial<GateReceipt> = {}, at: GateReceipt['gate'] = '2'): GateReceipt[] {
  return GATES.map((gate) => ({
    gate,
    result: 'passed',
    sentence: `gate ${gate} holds`,
    flags: [],
    headSha: 'b'.repeat(40),
    at: '2026-11-22T09:00:00Z',
    signature: `${gate}-signature-of-a-receipt`,
    ...(gate === at && over),
  }));
}

describe('the check of all gates', () => {
  verifies('TG-5', 'says that all passed, what the tests gave, and has a row for each', () => {
    const { name, conclusion, title, summary } = toGatesCheck(receipts());
    expect([name, conclusion, title]).toEqual([
      'quorum / gates',
      'success',
      'All 6 gates passed: gate 2 holds',
    ]);
    expect(summary.split('\n')).toHaveLength(8);
    expect(summary).toContain('| tests | passed | gate 2 holds | `2-signature-of-a` |');
  });

  verifies('TG-5', 'fails, and says which gate, when one did not pass', () => {
    const { conclusion, title } = toGatesCheck(
      receipts({ result: 'failed', sentence: '`npm test` ended with 1' }),
    );
    expect([conclusion, title]).toEqual(['failure', 'tests: npm test ended with 1']);
  });

  verifies('TG-5', 'fails when a gate has no receipt, or its last one did not pass', () => {
    const without = receipts().filter(({ gate }) => gate !== '4');
    expect(toGatesCheck(without)).toMatchObject({
      conclusion: 'failure',
      title: 'remote: not run',
    });
    const again = receipts({ result: 'failed', sentence: 'late' }, 'S').slice(1, 2);
    expect(toGatesCheck([...receipts(), ...again])).toMatchObject({ conclusion: 'failure' });
  });

  test('a sentence breaks neither out of its cell nor out of its row', () => {
    const { summary } = toGatesCheck(receipts({ sentence: 'one | two\nthree' }));
    expect(summary).toContain('| one \\| two three |');
  });

  test('has what a person should look at, and what was printed, below the table', () => {
    const { summary } = toGatesCheck(receipts({ flags: ['1 newly skipped'], log: 'ok 1' }));
    expect(summary).toContain('\n\n- tests: 1 newly skipped\n\n');
    expect(summary).toContain('End of the output of tests:\n\n```text\nok 1\n```');
  });
});
