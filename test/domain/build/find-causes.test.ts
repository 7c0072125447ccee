/** Why a build failed, read from logs of the common languages and of the machine itself. */
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { cutLog } from '../../../src/domain/build/cut-log.ts';
import {
  findCauses,
  fingerprintOf,
  type FailedJob,
} from '../../../src/domain/build/find-causes.ts';
import { EXAMPLES, logOf } from './logs/all.ts';
import { asLog } from './logs/example.ts';

function aJob(log: string, more: Partial<FailedJob> = {}): FailedJob {
  return {
    name: 'build',
    conclusion: 'failure',
    steps: ['Test'],
    log: cutLog(asLog(log)).text,
    notes: [],
    ...more,
  };
}

describe('the cause is found', () => {
  test.each(EXAMPLES)('of $title', ({ log, kind, says, subject, place }) => {
    const [first] = findCauses([aJob(log)]);
    expect(first).toMatchObject({ kind, job: 'build' });
    expect(first?.says).toContain(says);
    expect(first?.subject).toBe(subject ?? first?.subject);
    expect(first?.place).toEqual(place);
  });

  test('and one failure that a tool tells several times is one', () => {
    for (const { title, log } of EXAMPLES) {
      const kinds = findCauses([aJob(log)]).map(({ kind }) => kind);
      expect({ title, kinds }).toEqual({ title, kinds: kinds.slice(0, 1) });
    }
  });
});

describe('among several', () => {
  test('what others follow from comes first', () => {
    const both = `${logOf('Vitest')}\nsrc/a.ts(3,1): error TS2304: Cannot find name 'x'.`;
    expect(findCauses([aJob(both)]).map(({ kind }) => kind)).toEqual(['compile', 'test']);
  });

  test('a lost connection inside a test does not hide the test', () => {
    const log =
      ' FAIL  test/a.test.ts > asks\nError: connect ECONNREFUSED 127.0.0.1:5432\n ❯ test/a.test.ts:4:3';
    expect(findCauses([aJob(log)])[0]).toMatchObject({ kind: 'test', subject: 'asks' });
  });

  test('each job has its own', () => {
    const causes = findCauses([
      aJob(logOf('tsc on a terminal')),
      aJob(logOf('pytest'), { name: 'python' }),
    ]);
    expect(causes.map(({ job, kind }) => `${job} ${kind}`)).toEqual([
      'build compile',
      'python test',
    ]);
  });
});

describe('without a telling log', () => {
  test('reports the first line that names an error', () => {
    const causes = findCauses([aJob('all fine so far\nsomething: fatal: the moon is in the way')]);
    expect(causes).toMatchObject([{ kind: 'unknown', says: expect.stringContaining('the moon') }]);
  });

  test('reports the step', () => {
    expect(findCauses([aJob('', { log: '' })])).toMatchObject([
      { kind: 'unknown', says: 'the step "Test" failed' },
    ]);
  });

  test('how GitHub ended the job counts', () => {
    const late = findCauses([aJob('', { log: '', conclusion: 'timed_out' })]);
    const unstarted = findCauses([aJob('', { log: '', conclusion: 'startup_failure' })]);
    expect([late[0]?.kind, unstarted[0]?.kind]).toEqual(['timeout', 'workflow']);
  });

  test('what a check says at a place counts', () => {
    const notes = [{ path: 'src/a.ts', line: 4, message: 'This call can never return' }];
    expect(findCauses([aJob('', { log: '', notes })])).toMatchObject([
      { kind: 'check', place: { path: 'src/a.ts', line: 4 } },
    ]);
  });
});

describe('the same failure has the same name', () => {
  const nameOf = (log: string, source = 'workflow 1'): string =>
    fingerprintOf(source, findCauses([aJob(log)]));

  test('when lines, times and addresses differ', () => {
    const at = (line: number, ms: number): string =>
      ` FAIL  test/a.test.ts > asks\nError: timed out after ${ms}ms\n ❯ test/a.test.ts:${line}:3`;
    expect(nameOf(at(4, 5001))).toBe(nameOf(at(9, 5017)));
    const compile = (line: number): string =>
      `src/a.ts(${line},1): error TS2304: Cannot find name 'x'.`;
    expect(nameOf(compile(3))).toBe(nameOf(compile(30)));
  });

  test('and another failure, job or workflow another', () => {
    const different = EXAMPLES.filter(({ kind }) => kind !== 'test' && kind !== 'lint');
    const names = [
      ...different.map(({ log }) => nameOf(log)),
      nameOf(logOf('Vitest')),
      nameOf(logOf('Jest')),
      nameOf(logOf('Vitest'), 'workflow 2'),
    ];
    expect(new Set(names).size).toBe(names.length);
  });
});

test('any text is taken, and none takes long', () => {
  const words = fc.constantFrom(
    ...EXAMPLES.flatMap(({ log }) => log.split('\n')),
    'error: ',
    '●'.repeat(40),
    `at ${'('.repeat(300)}`,
    'a'.repeat(490),
    ' › '.repeat(150),
  );
  fc.assert(
    fc.property(fc.array(fc.oneof(words, fc.string()), { maxLength: 300 }), (lines) => {
      const causes = findCauses([aJob('', { log: lines.join('\n') })]);
      expect(causes.length).toBeGreaterThan(0);
      expect(causes.length).toBeLessThanOrEqual(12);
      for (const { says } of causes) expect(says.length).toBeLessThanOrEqual(240);
    }),
    { numRuns: 60 },
  );
});
