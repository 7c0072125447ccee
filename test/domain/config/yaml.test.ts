import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { MAX_YAML_BYTES, readYaml, renderProblem } from '../../../src/domain/config/yaml.ts';
import { verifies } from '../../verifies.ts';

const read = (text: string) => readYaml({ file: 'a.yml', text });

function problemsOf(text: string) {
  const result = read(text);
  return result.ok ? [] : result.problems;
}

/** Ten lists of ten references each: ten thousand million values when expanded. */
const LAUGHS = Array.from({ length: 10 }, (_, level) => {
  const previous = level === 0 ? '"lol"' : `*a${level - 1}`;
  return `a${level}: &a${level} [${Array.from({ length: 10 }, () => previous).join(', ')}]`;
}).join('\n');

/** Few aliases that still double at each of their steps. */
const DOUBLING = Array.from({ length: 10 }, (_, level) =>
  level === 0
    ? `a0: &a0 [${Array.from({ length: 200 }, () => 'x').join(',')}]`
    : `a${level}: &a${level} [*a${level - 1}, *a${level - 1}]`,
).join('\n');

describe('readYaml', () => {
  test('reads plain data with the place of each key', () => {
    const result = read('a: 1\nb:\n  c: [x, {d: 2}]\n');
    if (!result.ok) throw new Error('should be fine');
    expect(result.reading.value).toEqual({ a: 1, b: { c: ['x', { d: 2 }] } });
    expect(result.reading.placeOf(['a'])).toEqual({ line: 1, column: 1 });
    expect(result.reading.placeOf(['b', 'c', 1, 'd'])).toEqual({ line: 3, column: 11 });
    expect(result.reading.placeOf(['b', 'missing'])).toEqual({ line: 2, column: 1 });
  });

  test.each(['', '\n\n', '# only a comment\n', '---\n', '\uFEFF'])(
    'takes %j for an empty mapping',
    (text) => {
      const result = read(text);
      expect(result.ok && result.reading.value).toEqual({});
    },
  );

  verifies(
    'CFG-02',
    'a byte order mark, CRLF and words like on and 1e9 are read as they are',
    () => {
      const result = read('\uFEFFon: yes\r\nsize: 1e9\r\noctal: 0o17\r\n');
      expect(result.ok && result.reading.value).toEqual({ on: 'yes', size: 1e9, octal: 15 });
    },
  );

  verifies('CFG-02', 'a file that is no plain data is refused with its line', () => {
    const table: [string, string, string, number][] = [
      ['duplicate key', 'a: 1\nb: 2\na: 3\n', 'duplicate-key', 3],
      ['tab', 'a:\n\tb: 1\n', 'tab', 2],
      ['tag', 'ok: 1\na: !!js/function "return 1"\n', 'tag', 2],
      ['prototype', 'a: 1\n__proto__:\n  isAdmin: true\n', 'bad-key', 2],
      ['constructor', 'a:\n  constructor: x\n', 'bad-key', 2],
      ['key that is a list', '? [a]\n: 1\n', 'bad-key', 1],
      ['key that is a number', '1: x\n', 'bad-key', 1],
      ['two documents', 'a: 1\n---\nb: 2\n', 'multiple-documents', 2],
      ['a list', '- a\n', 'not-a-mapping', 1],
      ['text', 'hello\n', 'not-a-mapping', 1],
      ['unknown alias', 'b: 1\na: *nothing\n', 'unknown-alias', 2],
      ['open quote', 'a: "x\n', 'yaml-syntax', 2],
    ];
    for (const [name, text, code, line] of table) {
      expect([name, problemsOf(text)[0]]).toMatchObject([name, { code, line, file: 'a.yml' }]);
    }
    expect({}).not.toHaveProperty('isAdmin');
  });

  verifies('CFG-02', 'bombs are refused without being expanded', () => {
    expect(problemsOf(LAUGHS)[0]?.code).toBe('too-many-aliases');
    expect(problemsOf(DOUBLING)[0]?.code).toBe('too-many-aliases');
    expect(problemsOf('a: &a [*a]\n')[0]?.code).toBe('too-many-aliases');
    expect(problemsOf(`a: ${'['.repeat(30_000)}`)[0]?.code).toBe('too-deep');
    expect(problemsOf(`a:\n${'- '.repeat(20_000)}x`)[0]).toMatchObject({
      code: 'too-deep',
      line: 2,
    });
    expect(problemsOf(`a: ${'x'.repeat(MAX_YAML_BYTES)}`)[0]?.code).toBe('too-large');
    const stairs = Array.from({ length: 200 }, (_, depth) => `${' '.repeat(depth)}a:`).join('\n');
    expect(problemsOf(`${stairs} 1`)[0]?.code).toBe('too-deep');
  });

  verifies('CFG-02', 'many aliases are refused even when they stay small', () => {
    const uses = (count: number) =>
      `a: &a 1\nb: [${Array.from({ length: count }, () => '*a').join(', ')}]\n`;
    expect(problemsOf(uses(20))).toEqual([]);
    expect(problemsOf(uses(21))[0]?.code).toBe('too-many-aliases');
  });

  test('a few aliases are fine', () => {
    const result = read('a: &x {b: 1}\nc: *x\n');
    expect(result.ok && result.reading.value).toEqual({ a: { b: 1 }, c: { b: 1 } });
  });

  test('counts lines from where the text starts in its file', () => {
    const result = readYaml({ file: 'a.md', text: 'a: 1\na: 2\n', firstLine: 10 });
    expect(result.ok ? [] : result.problems.map(({ line }) => line)).toEqual([11]);
  });

  test('answers anything with data or with problems that have a place', () => {
    const anything = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 200 }),
      fc
        .array(
          fc.constantFrom(
            'a',
            ':',
            ' ',
            '\n',
            '- ',
            '[',
            '{',
            ']',
            '}',
            '&x',
            '*x',
            '"',
            '|',
            '!',
            '\t',
            '?',
            '#',
            '%',
          ),
          { maxLength: 60 },
        )
        .map((parts) => parts.join('')),
    );
    fc.assert(
      fc.property(anything, (text) => {
        const result = read(text);
        if (result.ok) expect(Object.getPrototypeOf(result.reading.value)).toBe(Object.prototype);
        else {
          expect(result.problems.length).toBeGreaterThan(0);
          for (const { line, column } of result.problems) {
            expect(line).toBeGreaterThanOrEqual(1);
            expect(column).toBeGreaterThanOrEqual(1);
          }
        }
      }),
      { numRuns: 2_000 },
    );
  });

  test('renders a problem as one line that says where, what and what was meant', () => {
    const problem = {
      file: 'a.yml',
      key: 'councl',
      code: 'unknown-key',
      message: 'is not a known key',
    } as const;
    expect(
      renderProblem({ ...problem, line: 3, column: 1, severity: 'error', nearest: 'council' }),
    ).toBe('a.yml:3:1: `councl` is not a known key; did you mean `council`?');
  });
});
