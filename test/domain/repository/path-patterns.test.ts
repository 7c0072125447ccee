/** Path patterns of a configuration: git's own rules, braces, and what is refused. */
import * as fc from 'fast-check';
import { afterAll, describe, expect, test } from 'vitest';
import { toPattern } from '../../../src/domain/repository/ignore-file.ts';
import {
  compilePatterns,
  findExcess,
  patternProblem,
} from '../../../src/domain/repository/path-patterns.ts';
import { aPath, aPattern, openGitOracle, tellShort } from '../../helpers/git-oracle.ts';

const git = openGitOracle();
afterAll(() => git[Symbol.dispose]());

const fits = (pattern: string, path: string, ignoresCase = false): boolean =>
  compilePatterns([pattern], { ignoresCase }).fits(path);

describe('a pattern', () => {
  test.each([
    ['infra/[ab].tf', 'infra/a.tf', true],
    ['infra/[ab].tf', 'infra/c.tf', false],
    ['infra/[!ab].tf', 'infra/c.tf', true],
    ['{infra,deploy}/**', 'deploy/x/y.sh', true],
    ['{infra,deploy}/**', 'docs/x.md', false],
    ['db/{1..3}.sql', 'db/2.sql', true],
    ['src/{a,b/{c,d}}.ts', 'src/b/d.ts', true],
    ['docs{,/**}', 'docs', true],
    ['a\\{b,c\\}', 'a{b,c}', true],
    ['a\\{b,c\\}', 'ab', false],
    ['a\\,{b,c}', 'a,b', true],
    ['CODEOWNERS', 'deep/down/CODEOWNERS', true],
    ['/CODEOWNERS', 'deep/CODEOWNERS', false],
    ['infra/', 'deep/infra/x', true],
    ['\\#odd', '#odd', true],
  ])('%j about %s: %s', (pattern, path, isFit) => {
    expect(patternProblem(pattern)).toBe(undefined);
    expect(fits(pattern, path)).toBe(isFit);
  });

  test('takes letters of any case where it is asked to', () => {
    expect(fits('Infra/[A-C].tf', 'infra/b.TF', true)).toBe(true);
    expect(fits('Infra/[A-C].tf', 'infra/b.TF')).toBe(false);
  });

  test.each([
    ['!docs/**', 'a pattern without `!`'],
    ['{a,!b}', 'a pattern without `!`'],
    ['# docs', 'write \\#'],
    ['/', 'a path'],
    ['//', 'a path'],
    ['infra/[ab', 'a [ ] with an end'],
    ['infra/[]', 'a [ ] with an end'],
    ['infra/[[:letters:]]', 'a class that git knows'],
    ['infra[/]x', 'a [ ] with an end'],
    ['infra\\', 'a character other than /'],
    ['infra\\/x', 'a character other than /'],
    ['{infra,deploy/**', 'braces as in {a,b}'],
    ['{infra}/**', 'braces as in {a,b}'],
    ['infra}', 'braces as in {a,b}'],
    ['a\nb', 'one line'],
    ['x'.repeat(201), 'at most 200 characters'],
    ['a/**/b/**/c/**/d/**/e', 'at most 3 `**`'],
    ['infra/x**', 'only slashes next to `**`'],
    ['infra/**.tf', 'only slashes next to `**`'],
    ['{a,b}'.repeat(40), 'at most 100 patterns'],
    ['{1..1000000000}', 'at most 100 patterns'],
    [`${'{'.repeat(60)}a,b${'}'.repeat(60)}`, 'braces as in {a,b}'],
  ])('%j is refused', (pattern, expected) => {
    expect(patternProblem(pattern)).toContain(expected);
    const compiled = compilePatterns([pattern, 'docs'], { ignoresCase: false });
    expect(compiled.isWhole).toBe(false);
    expect(compiled.fits('docs/x')).toBe(true);
  });

  test('a list has an end, before and after braces are expanded', () => {
    const many = Array.from({ length: 501 }, (_, at) => `p${at}`);
    expect(findExcess(many.slice(1))).toBe(undefined);
    expect(findExcess(many)).toEqual({ index: 500, expected: 'at most 500 patterns' });
    expect(compilePatterns(many, { ignoresCase: false }).isWhole).toBe(false);
    const wide = Array.from({ length: 30 }, (_, at) => `${at}/{1..100}`);
    expect(findExcess(wide)).toEqual({
      index: 20,
      expected: 'at most 2000 patterns after braces are expanded',
    });
  });
});

describe('git agrees', () => {
  const cases = fc.array(
    fc.record({
      pattern: aPattern,
      paths: fc.uniqueArray(aPath, { minLength: 30, maxLength: 30 }),
    }),
    { minLength: 150, maxLength: 150 },
  );

  test('on what each pattern that is accepted leaves out, and uses none that is refused', () => {
    let left = 0;
    fc.assert(
      fc.property(cases, fc.boolean(), (all, ignoresCase) => {
        const answers = git.ignored(all, ignoresCase);
        all.forEach(({ pattern, paths }, at) => {
          const expected = paths.filter((each) => answers[at]?.has(each));
          left += expected.length;
          const why = patternProblem(pattern);
          // Git matches what is refused for the number or the place of its `**`.
          if (why?.includes('`**`') === true) return;
          const { fits: isFit } = compilePatterns([pattern], { ignoresCase });
          expect({ pattern, fits: paths.filter(isFit) }).toEqual({ pattern, fits: expected });
        });
      }),
      { numRuns: 3, endOnFailure: true, reporter: tellShort },
    );
    expect(left).toBeGreaterThan(500);
  });

  test('on which paths a line of `.gitattributes` names', () => {
    let named = 0;
    fc.assert(
      fc.property(cases, (all) => {
        const answers = git.attributed(all);
        all.forEach(({ pattern, paths }, at) => {
          const [line] = toPattern(pattern);
          if (line === undefined || patternProblem(pattern)?.includes('`**`') === true) return;
          const expected = paths.filter((each) => answers[at]?.has(each));
          named += expected.length;
          expect({ pattern, names: paths.filter(line.names) }).toEqual({
            pattern,
            names: expected,
          });
        });
      }),
      { numRuns: 3, endOnFailure: true, reporter: tellShort },
    );
    expect(named).toBeGreaterThan(200);
  });
});

describe('patterns that were made to take for ever', { timeout: 30_000 }, () => {
  const deep = `${'a/'.repeat(99)}c`;
  test.each([
    ['*a'.repeat(99), `${'a'.repeat(4_000)}c`],
    [`${'*a'.repeat(60)}*b`, `b${'a'.repeat(4_000)}c`],
    [`${'**/'.repeat(60)}b`, deep],
    ['a/**/a/**/a/**/b', deep],
    ['**/*a*a*b/**/*a*a*b/**/x', `${`${'a'.repeat(200)}/`.repeat(15)}c`],
    [`${'[a-z]*'.repeat(30)}0`, 'a'.repeat(255)],
    [`${'?'.repeat(100)}${'*?'.repeat(40)}b`, 'a'.repeat(4_000)],
    ['x', 'a/'.repeat(2_000)],
  ])('%j ends', (pattern, path) => {
    expect(fits(pattern, path)).toBe(false);
  });
});
