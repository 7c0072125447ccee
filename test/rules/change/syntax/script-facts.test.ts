/** What the tree of a script tells, where lines alone would mislead. */
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readScriptFacts } from '../../../../src/rules/change/syntax/script-facts.ts';

function factsOf(text: string, path = 'src/a.ts') {
  return readScriptFacts(text, path) ?? expect.fail('does not parse');
}

describe('readScriptFacts', () => {
  test('handlers that do nothing, unless a comment says why', () => {
    const text = [
      'try { a() } catch {',
      '',
      '}',
      'try { a() } catch { /* a hint only */ }',
      'p().catch(() => {});',
      'p.catch(report);',
    ];
    expect(
      factsOf(text.join('\n'))
        .emptyCatches.map(({ line }) => line)
        .toSorted((a, b) => a - b),
    ).toEqual([1, 5]);
  });

  test('statements behind one that leaves, over several lines', () => {
    const text = [
      'function f() {',
      '  return g(',
      '    1,',
      '  );',
      '  h();',
      '  function g() {}',
      '}',
      'switch (a) { case 1: throw b; case 2: c(); }',
    ];
    expect(factsOf(text.join('\n')).unreachable).toEqual([{ line: 5, endLine: 5 }]);
  });

  test('imports that nothing uses: neither code, types, JSX nor comments', () => {
    const text = [
      "import a, { b, type C, d as e } from './x.ts';",
      "import { F } from './y.ts';",
      "import { g } from './z.ts';",
      'let x: C = a; /** {@link g} */',
      'const y = <F />;',
    ];
    expect(
      factsOf(text.join('\n'), 'src/a.tsx')
        .unusedImports.map(({ name }) => name)
        .toSorted(),
    ).toEqual(['b', 'e']);
  });

  test('functions with their length, and tests with what they assert', () => {
    const text = [
      'const same = (a) => {',
      '  expect(a).toBe(1);',
      '};',
      "test('one', () => { same(f()); });",
      "test('two', () => { f(); });",
      "test.each([1])('three', () => { f(); });",
    ];
    const { functions, tests } = factsOf(text.join('\n'), 'test/a.test.ts');
    expect(functions.some(({ line, endLine }) => line === 1 && endLine === 3)).toBe(true);
    expect(Object.fromEntries(tests.map(({ title, isAsserting }) => [title, isAsserting]))).toEqual(
      {
        one: true,
        two: false,
      },
    );
  });

  test('what does not parse is left to the rules about lines, and nothing throws', () => {
    expect(readScriptFacts('const = ;', 'src/a.ts')).toBeUndefined();
    fc.assert(
      fc.property(
        fc.array(
          fc.constantFrom(
            '{',
            '}',
            '(',
            ')',
            'a',
            '=>',
            'return',
            'import',
            ';',
            '<',
            '/',
            '`',
            'class',
            'catch',
            'try',
            '\n',
          ),
          { maxLength: 30 },
        ),
        (words) => {
          expect(() => readScriptFacts(words.join(' '), 'src/a.tsx')).not.toThrow();
        },
      ),
    );
  });
});
