/** The end of a log, as people and the next attempt get it. */
import { expect, test } from 'vitest';
import { tailOfLog } from '../../../src/domain/gates/log-tail.ts';

test('keeps the last 3,000 characters, without colours, hidden characters and carriage returns', () => {
  const long = `${'x'.repeat(5_000)}end`;
  expect(tailOfLog(long)).toHaveLength(3_000);
  expect(tailOfLog(long).endsWith('xend')).toBe(true);
  expect(tailOfLog('\n\u001b[31mone\u001b[0m\r\ntwo\u200b\rthree\n')).toBe('one\ntwo\nthree');
});

test('takes a key out before it cuts', () => {
  const key = ['gh', 'p_', 'Ab1'.repeat(12)].join('');
  const shown = tailOfLog(`${key} ${'x'.repeat(2_990)}`);
  expect(shown).not.toContain('Ab1');
});
