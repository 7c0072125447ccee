/** A job's log, cut to what a reader needs: bounded, in order, with the gaps named and nothing secret. */
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createLogCutter, cutLog } from '../../../src/domain/build/cut-log.ts';
import { verifies } from '../../verifies.ts';
import { EXAMPLES, logOf } from './logs/all.ts';
import { asLog, red } from './logs/example.ts';

const ESC = String.fromCharCode(27);
/** Assembled at run time, so that nothing in the sources looks like a secret. */
const TOKEN = ['gh', 'p_', 'a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8'].join('');

describe('what belongs to the runner', () => {
  test('is taken off: times, colours, ends of groups, what a progress bar overwrote', () => {
    const log = [
      '\u{feff}2026-03-02T09:00:00.1234567Z ##[group]Run npm test',
      `2026-03-02T09:00:00.1234567Z ${ESC}[36;1mnpm test${ESC}[0m`,
      '2026-03-02T09:00:00.1234567Z ##[endgroup]',
      '2026-03-02T09:00:01.1234567Z  10 %\r 50 %\r100 %\r',
      `2026-03-02T09:00:02.1234567Z ${ESC}]0;title${String.fromCharCode(7)}${red('Error: no')}`,
      '2026-03-02T09:00:03.1234567Z ##[error]Process completed with exit code 1.',
    ].join('\r\n');
    expect(cutLog(log).text).toBe(
      [
        '▸ Run npm test',
        'npm test',
        '100 %',
        'Error: no',
        'error: Process completed with exit code 1.',
      ].join('\n'),
    );
  });

  test('is left out where it tidies up after the job', () => {
    const cut = cutLog(asLog('Error: no'));
    expect(cut.text).not.toContain('git version');
    expect(cut.text).toMatch(/\(3 lines left out\)$/);
  });
});

describe('what matters', () => {
  const noise = (from: number, count: number): string =>
    Array.from({ length: count }, (_, n) => `step ${from + n} went well`).join('\n');

  test('is kept with the lines around it, and the gaps are named', () => {
    const log = `${noise(0, 5_000)}\n${logOf('Vitest')}\n${noise(5_000, 5_000)}`;
    const cut = cutLog(asLog(log));
    expect(cut.text).toContain("expected ' a' to be 'a'");
    expect(cut.text).toContain('❯ test/tidy.test.ts:9:22');
    expect(cut.text).toMatch(/^\(\d{4} lines left out\)/m);
    expect(cut.leftOut).toBe(
      cut.lines - cut.text.split('\n').filter((line) => !line.endsWith('left out)')).length,
    );
  });

  verifies('INJ-10: log', 'is the first errors and the end, when there are too many', () => {
    const many = Array.from({ length: 3_000 }, (_, n) => `src/a${n}.ts(1,1): error TS2304: no x`);
    const { text } = cutLog(asLog(many.join('\n')));
    expect(text).toContain('src/a0.ts');
    expect(text).toContain('src/a2999.ts');
    expect(text).not.toContain('src/a1500.ts');
  });

  test('is looked for in the steps that failed', () => {
    const at = (second: number, text: string) => `2026-03-02T09:00:${second}.0000000Z ${text}`;
    const log = [
      at(10, 'Error: of a step that may fail'),
      at(20, 'Error: of the step that failed'),
      at(30, 'Error: of a step that always runs'),
    ].join('\n');
    const steps = [{ from: '2026-03-02T09:00:19Z', to: '2026-03-02T09:00:21Z' }];
    expect(cutLog(log, { steps }).text).toBe(
      '(1 line left out)\nError: of the step that failed\n(1 line left out)',
    );
  });

  test('is looked for everywhere where the log tells no times', () => {
    const steps = [{ from: '2026-03-02T09:00:19Z', to: '2026-03-02T09:00:21Z' }];
    expect(cutLog('Error: no', { steps }).text).toBe('Error: no');
  });

  test('survives the cut, whatever the language', () => {
    for (const { title, log, says } of EXAMPLES) {
      const { text } = cutLog(asLog(`${noise(0, 2_000)}\n${log}\n${noise(0, 2_000)}`));
      const kept = says.split(/[:,]/)[0] ?? says;
      expect({ title, text }).toEqual({ title, text: expect.stringContaining(kept) as string });
    }
  });
});

describe('a credential', () => {
  verifies('SEC-01', 'is named and not shown, wherever in a line it is', () => {
    const cut = cutLog(asLog(`Error: ${'x'.repeat(480)} ${TOKEN}\nError: used ${TOKEN} there`));
    expect(cut.text).not.toContain(TOKEN.slice(0, 12));
    expect(cut.text).toContain('(GitHub token removed)');
    expect(cut.secrets).toBeGreaterThan(0);
  });

  test('that is a key of many rows leaves none of them, though its first line was cut off', () => {
    const rows = Array.from({ length: 20 }, () => 'A1b2'.repeat(16));
    const edge = (word: string) => `-----${word} RSA PRIVATE KEY-----`;
    const key = [edge('BEGIN'), ...rows, edge('END')].join('\n');
    const noise = Array.from({ length: 2_000 }, (_, n) => `Error: number ${n}`).join('\n');
    for (const log of [
      key,
      `${noise}\n${key}\nlast`,
      `${noise}\n${key.split('\n').slice(0, 9).join('\n')}`,
    ])
      expect(cutLog(asLog(log)).text).not.toContain('A1b2A1b2');
  });

  test('beginning that never ends does not swallow the rest', () => {
    const log = `-----BEGIN RSA PRIVATE KEY-----\nnot a row of it!\nError: the real thing`;
    expect(cutLog(log).text).toContain('Error: the real thing');
  });
});

const hostile = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.constantFrom(
    '##[group]',
    '##[endgroup]',
    '##[error]x',
    'Post job cleanup.',
    `${ESC}[`,
    `${ESC}]`,
    '\r',
    '2026-03-02T09:00:00.1Z ',
    '-----BEGIN RSA PRIVATE KEY-----',
    'FAIL '.repeat(200),
    ' '.repeat(700),
  ),
);

describe('any log', () => {
  test('is taken, within the bounds', () => {
    fc.assert(
      fc.property(
        fc.array(hostile, { maxLength: 60 }),
        fc.integer({ min: 200, max: 4_000 }),
        (lines, maxChars) => {
          const cut = cutLog(lines.join('\n'), { maxChars });
          expect(cut.text.length).toBeLessThanOrEqual(maxChars);
          expect(cut.text.isWellFormed()).toBe(true);
          expect(cut.leftOut).toBeGreaterThanOrEqual(0);
        },
      ),
    );
  });

  test('is the same in one piece and in many', () => {
    fc.assert(
      fc.property(
        fc.array(hostile, { maxLength: 30 }),
        fc.integer({ min: 1, max: 50 }),
        (lines, size) => {
          const log = lines.join('\n');
          const cutter = createLogCutter();
          for (let at = 0; at < log.length; at += size) cutter.push(log.slice(at, at + size));
          expect(cutter.finish()).toEqual(cutLog(log));
        },
      ),
    );
  });

  test('of many megabytes is taken piece by piece and stays small', () => {
    const cutter = createLogCutter();
    const piece = '2026-03-02T09:00:00.1234567Z all is well with step 12345\n'.repeat(1_000);
    for (let megabytes = 0; megabytes < 20; megabytes += piece.length / 1e6) cutter.push(piece);
    cutter.push('2026-03-02T09:00:00.1234567Z Error: at last\n');
    const cut = cutter.finish();
    expect(cut.lines).toBeGreaterThan(300_000);
    expect(cut.text).toContain('Error: at last');
    expect(cut.text.length).toBeLessThanOrEqual(12_000);
  });

  test('that is one line without an end is cut in that line', () => {
    const cut = cutLog(`Error: ${'x'.repeat(5_000_000)}`);
    expect(cut.text).toMatch(/^Error: x+ \(\d+ more characters\)$/);
  });
});
