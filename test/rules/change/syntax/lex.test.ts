/** Code, strings and comments told apart, line by line. */
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Language } from '../../../../src/rules/change/syntax/language.ts';
import { lexLines } from '../../../../src/rules/change/syntax/lex.ts';

function codeOf(language: Language, ...lines: string[]): string[] {
  return lexLines(lines, language).map(({ code }) => code.trimEnd());
}

describe('lexLines', () => {
  test.each<[Language, string[], string[]]>([
    ['script', ["a('x // y'); // z"], ["a('      ');"]],
    ['script', ['const a = `x ${b + `y ${c}`} z`;'], ['const a = `  ${b + `  ${c}`}  `;']],
    ['script', ['a = `one', 'eval(x)', '`; eval(y)'], ['a = `', '', '`; eval(y)']],
    ['script', ['a /* b', 'c */ d'], ['a', '     d']],
    ['script', ["if (/['`]/.test(a)) b / c / d;"], ['if (/    /.test(a)) b / c / d;']],
    ['script', ["it's", 'eval(x)'], ["it'", 'eval(x)']],
    ['python', ['a = """x', 'eval(y)', '""" + b  # c'], ['a = """', '', '""" + b']],
    ['python', ["a = 'it\\'s' # b"], ["a = '     '"]],
    ['go', ['a := `x', 'y` + b // c'], ['a := `', ' ` + b']],
    ['sql', ["SELECT 'a -- b' -- c"], ["SELECT '      '"]],
    ['yaml', ['a: b#c # d'], ['a: b#c']],
    ['shell', ['echo $# # a'], ['echo $#']],
    ['markup', ['<a> <!-- b', 'c --> <d>'], ['<a>', '      <d>']],
    ['script', [' * eval(x)', ' */', 'eval(y)'], ['', '', 'eval(y)']],
    ['other', ['# all of it'], ['# all of it']],
  ])('%s %j', (language, lines, code) => {
    expect(codeOf(language, ...lines)).toEqual(code);
  });

  test('the three views cover each line once, in its columns, for any text', () => {
    const piece = fc.oneof(
      fc.constantFrom(
        '`',
        '${',
        '}',
        '"',
        "'",
        '/*',
        '*/',
        '//',
        '/',
        '\\',
        '#',
        '--',
        '"""',
        '<!--',
        '-->',
        'a',
        ' ',
      ),
      fc.string({ unit: 'binary', maxLength: 4 }),
    );
    const line = fc
      .array(piece, { maxLength: 20 })
      .map((pieces) => pieces.join('').replaceAll('\n', ''));
    const language = fc.constantFrom<Language>(
      'script',
      'python',
      'go',
      'sql',
      'yaml',
      'shell',
      'markup',
      'style',
      'json',
      'other',
    );
    fc.assert(
      fc.property(language, fc.array(line, { maxLength: 8 }), (name, lines) => {
        for (const [index, { code, live, comment }] of lexLines(lines, name).entries()) {
          const text = lines[index] ?? '';
          for (const view of [code, live]) expect(view).toHaveLength(text.length);
          for (let at = 0; at < text.length; at += 1) {
            expect([text[at], ' ']).toContain(code[at]);
            expect([text[at], ' ']).toContain(live[at]);
            if (code[at] !== ' ') expect(comment[at] ?? ' ').toBe(' ');
          }
        }
      }),
    );
  });
});
