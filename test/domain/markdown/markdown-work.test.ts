/** No text makes the parser work much longer than its length justifies: counted in its steps, not in time. */
import { execFile } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  bluntOpeners,
  flattenContainers,
  parseMarkdown,
} from '../../../src/domain/markdown/markdown-tree.ts';
import { parsingWork } from '../../../src/domain/markdown/markdown-work.ts';
import { visibleText } from '../../../src/domain/text/visible-text.ts';

const here = (file: string): string => fileURLToPath(new URL(file, import.meta.url));

/** For each text how many steps the parser took, or null when it was not asked. */
function stepsFor(texts: readonly string[]): Promise<(number | null)[]> {
  return new Promise((resolve, reject) => {
    const options = { maxBuffer: 2 ** 24 };
    const child = execFile(
      process.execPath,
      ['--experimental-strip-types', '--no-warnings', here('markdown-steps.ts')],
      options,
      (error, out) => (error === null ? resolve(JSON.parse(out)) : reject(error)),
    );
    child.stdin?.end(JSON.stringify(texts));
  });
}

/** Some 300 are usual, tables and links take more. */
const STEPS_PER_CHARACTER = 2_500;
const LENGTH = 30_000;

/** Each repeated to the length. */
const UNITS: Readonly<Record<string, string>> = {
  'items of one letter': '- a\n',
  'list markers': '- ',
  'markers alone on their lines': '-\n',
  'quotes in items': '- > a\n',
  'items in items': '- - a\n',
  'deep items that text goes on without': `${'- '.repeat(24)}a\n${'a\n'.repeat(2_000)}`,
  'twenty markers a line': `${'- '.repeat(20)}a\n`,
  'quotes that a heading ends': '> a\n# b\n',
  'items that an indented heading ends': '- a\n # b\n',
  'numbered items that an indented heading ends': '10. a\n   # b\n',
  'items that indented text ends after a blank line': '- a\n\n b\n',
  'items of far text that a heading ends': '-   a\n   # b\n',
  'footnotes in items': '- [^a]: b\n',
  'underlined headings': '=\n',
  'underlined headings in a quote': '> =\n',
  brackets: '[a](',
  images: '![',
  emphasis: '*a_ ',
  'struck out': '~~a ',
  tables: 'a|b\n-|-\n',
  'one table': '|a',
  backticks: '` `` ',
  fences: '```\n',
  'raw HTML': '<a b=',
  comments: '<!--',
  references: '&a',
  addresses: 'http://a.b(',
};

/** Those in which each piece differs from the one before. */
const GROWING: Readonly<Record<string, (n: number) => string>> = {
  'ever longer backticks': (n) => `${'`'.repeat(n)} `,
  'ever deeper items': (n) => `${'  '.repeat(n)}- a\n`,
  'ever new definitions': (n) => `[a${n}]: b\n`,
};

function build(piece: (n: number) => string): string {
  let text = '';
  for (let n = 1; text.length < LENGTH; n += 1) text += piece(n);
  return text.slice(0, LENGTH);
}

const safe = (text: string): string => bluntOpeners(flattenContainers(text));

describe('30 kB that mean no good', () => {
  const hostile = Object.entries({
    ...Object.fromEntries(Object.entries(UNITS).map(([name, unit]) => [name, () => unit])),
    ...GROWING,
  });

  test('take no more steps than 30 kB may, or are not parsed', { timeout: 240_000 }, async () => {
    const steps = await stepsFor(hostile.map(([, piece]) => safe(build(piece))));
    const tooMany = hostile
      .map(([name], at) => [name, steps[at] ?? 0] as const)
      .filter(([, count]) => count > STEPS_PER_CHARACTER * LENGTH);
    expect(tooMany).toEqual([]);
  });

  test('and are not parsed are shown without their markup', () => {
    const text = build(() => '- > <b>a</b>\n');
    expect(parseMarkdown(text)).toBeUndefined();
    const shown = visibleText(text);
    expect(shown.hidden).toHaveProperty('hostile-markup');
    expect(shown.text).not.toContain('<');
  });
});

/** The beginnings of those texts for which the estimate is far below what the parser does. */
async function tooLow(texts: readonly ((size: number) => string)[]): Promise<string[]> {
  const steps = await stepsFor(texts.flatMap((text) => [text(3_000), text(6_000)]));
  const far = texts.filter((text, at) => {
    const [half, whole] = [steps[2 * at] ?? 0, steps[2 * at + 1] ?? 0];
    // The part that grows faster than the length.
    const growing = 2 * (whole - 2 * half);
    return growing > 2 * parsingWork(text(6_000)) + 1_000_000;
  });
  return far.map((text) => text(100));
}

describe('the estimate', () => {
  const START = [
    '',
    '  ',
    '    ',
    '- ',
    '> ',
    '>',
    '1. ',
    '- - ',
    '> - ',
    '- > ',
    '  - ',
    '    - ',
  ];
  const TEXT = ['a', '# b', '=', '---', '```', '|a|b|', '|-|-|', '', '<div>', '[^a]: b', '[a]: b'];
  const line = fc
    .tuple(fc.constantFrom(...START), fc.constantFrom(...TEXT))
    .map(([start, text]) => `${start}${text}\n`);
  const unit = fc.array(line, { minLength: 1, maxLength: 5 }).map((lines) => lines.join(''));

  test('is not far below what the parser does', { timeout: 240_000 }, async () => {
    const texts = fc
      .sample(unit, 12)
      .map((each) => (size: number) => safe(each.repeat(size).slice(0, size)));
    expect(await tooLow(texts)).toEqual([]);
  });

  test('counts text as inside an item only from the column of its content', async () => {
    const units = [
      '1. a\n  # b\n',
      '- a\n # b\n',
      '10. a\n   # b\n',
      '- a\n\n b\n',
      '-   a\n   # b\n',
    ];
    const texts = units.map((each) => (size: number) => safe(each.repeat(size).slice(0, size)));
    expect(await tooLow(texts)).toEqual([]);
    expect(parsingWork('- a\n  # b\n'.repeat(600))).toBeLessThan(10_000);
    expect(parsingWork('10. a\n    # b\n'.repeat(600))).toBeLessThan(10_000);
  });

  test('lets pass what people write', () => {
    const folder = here('../../../docs/');
    const pages = readdirSync(folder).filter((name) => name.endsWith('.md'));
    const refused = pages.filter(
      (name) => parseMarkdown(readFileSync(`${folder}${name}`, 'utf8')) === undefined,
    );
    expect(pages.length).toBeGreaterThan(5);
    expect(refused).toEqual([]);
    const list = '- An item of a list, as long as items are\n  - and one below it\n'.repeat(900);
    expect(parseMarkdown(list)).toBeDefined();
  });
});
