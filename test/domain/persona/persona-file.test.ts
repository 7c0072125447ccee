import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parsePersonaFile } from '../../../src/domain/persona/persona-file.ts';
import { aPersonaText } from '../../helpers/a-persona.ts';
import { verifies } from '../../verifies.ts';

const parse = (text: string) => parsePersonaFile({ file: 'personas/robin.md', text });

function problemsOf(text: string) {
  const result = parse(text);
  return result.kind === 'invalid' ? result.problems : [];
}

const FULL = `# Robin

## Who I am

I am Robin.

Second paragraph with \`code\`.

## Worldview

The world.

## Opinions

### Tests

Good ones.

\`\`\`
## not a heading
\`\`\`

### Speed

Measured.

## Examples I would say

- "One."
- "Two,
  on two lines."

## Examples I would never say

- "Never."
  Why: Because.

## Modes

### pr_review

Look.

### Issue review

Ask.

## Overwatch

Over.

## Phrases

- claim: Taking {{number}}, {{title}}: now.
- plan complete: {{title}} is done.
`;

describe('a valid file', () => {
  verifies('NW-1', 'front matter and sections become one persona', () => {
    const result = parse(aPersonaText('domains: [tests]\nlead: true\n', FULL));
    if (result.kind !== 'persona') throw new Error(JSON.stringify(result));
    expect(result.warnings).toEqual([]);
    expect(result.persona).toMatchObject({
      handle: 'robin',
      active: true,
      lead: true,
      domains: ['tests'],
      model: 'standard',
      style: { emoji: { policy: 'never' } },
      whoIAm: 'I am Robin.\n\nSecond paragraph with `code`.',
      opinions: [
        { domain: 'Tests', text: 'Good ones.\n\n```\n## not a heading\n```' },
        { domain: 'Speed', text: 'Measured.' },
      ],
      wouldSay: ['"One."', '"Two, on two lines."'],
      wouldNeverSay: [{ line: '"Never."', why: 'Because.' }],
      modes: { pr_review: 'Look.', issue_review: 'Ask.' },
      overwatch: 'Over.',
      phrases: { claim: 'Taking {{number}}, {{title}}: now.', planComplete: '{{title}} is done.' },
    });
  });

  test('CRLF, a byte order mark and trailing spaces change nothing', () => {
    const unix = parse(aPersonaText('', FULL));
    const windows = parse(`\uFEFF${aPersonaText('', FULL).replaceAll('\n', '\r\n')}`);
    expect(windows).toEqual(unix);
    expect(parse(aPersonaText('', FULL).replace('---\n', '---  \n'))).toEqual(unix);
  });

  test('opinions may be a list', () => {
    const result = parse(
      aPersonaText('', '## Who I am\n\nX\n\n## Opinions\n\n- **Tests**: good\n- plain\n'),
    );
    if (result.kind !== 'persona') throw new Error('should be fine');
    expect(result.persona.opinions).toEqual([
      { domain: 'Tests', text: 'good' },
      { domain: '', text: 'plain' },
    ]);
  });

  test('a model may be written out, without a key', () => {
    const inline = 'model: {provider: openai-compatible, model: kimi, temperature: 0.3}\n';
    const result = parse(aPersonaText(inline));
    expect(result.kind === 'persona' && result.persona.model).toMatchObject({ model: 'kimi' });
    const withKey = parse(aPersonaText('model: {provider: openai, model: x, apiKey: y}\n'));
    expect(withKey).toMatchObject({
      kind: 'invalid',
      problems: [{ key: 'model.apiKey', code: 'unknown-key', line: 7 }],
    });
  });

  test('a file that only says that a handle is not active removes it', () => {
    expect(parse('---\nhandle: maya\nactive: false\n---\n')).toEqual({
      kind: 'removal',
      file: 'personas/robin.md',
      handle: 'maya',
    });
    expect(parse('---\nhandle: maya\nactive: true\n---\n').kind).toBe('invalid');
  });

  test('an override needs no sections', () => {
    expect(parse(aPersonaText('systemPromptOverride: You are Robin.\n', '')).kind).toBe('persona');
  });

  test('a phrase without its placeholder is left out with a warning and fails nothing', () => {
    const body =
      '## Who I am\n\nX\n\n## Phrases\n\n- claim: Mine!\n- release: Free {{number}}: {{details}} {{secret}}\n- progress: At {{number}}, {{details}}\n';
    const result = parse(aPersonaText('', body));
    if (result.kind !== 'persona') throw new Error('should be fine');
    expect(result.persona.phrases).toEqual({ progress: 'At {{number}}, {{details}}' });
    expect(result.warnings).toMatchObject([
      {
        code: 'unfit-phrase',
        severity: 'warning',
        line: 15,
        message: 'is not used: it must contain {{number}}',
      },
      { code: 'unfit-phrase', line: 16, message: expect.stringContaining('{{secret}}') },
    ]);
  });
});

describe('a bad file', () => {
  verifies('NW-1', 'is refused with file, line, key, expectation and the nearest key', () => {
    const table: [string, string, Record<string, unknown>][] = [
      [
        'typo in a key',
        aPersonaText('trigers: [pr_review]\n'),
        { key: 'trigers', line: 7, code: 'unknown-key', nearest: 'triggers' },
      ],
      [
        'typo in a nested key',
        aPersonaText('style:\n  tnoe: dry\n'),
        { key: 'style.tnoe', line: 8, nearest: 'tone' },
      ],
      [
        'typo in a value',
        aPersonaText('triggers: [pr_reviw]\n'),
        { key: 'triggers.0', line: 7, nearest: 'pr_review' },
      ],
      [
        'wrong type',
        aPersonaText('domains: tests\n'),
        { key: 'domains', line: 7, code: 'wrong-type', expected: 'a list' },
      ],
      [
        'null in a list',
        aPersonaText('domains: [null]\n'),
        { key: 'domains.0', line: 7, message: 'is empty' },
      ],
      [
        'number out of range',
        aPersonaText('relationships:\n  maya: {trust: 2, rapport: 0, tension: 0}\n'),
        { key: 'relationships.maya.trust', line: 8, expected: 'at most 1' },
      ],
      [
        'bad team',
        aPersonaText().replace('team: engineering', 'team: enginering'),
        { key: 'team', line: 5, nearest: 'engineering' },
      ],
      [
        'bad handle',
        aPersonaText().replace('handle: robin', 'handle: Robin!'),
        { key: 'handle', line: 2, code: 'bad-value' },
      ],
      [
        'missing key',
        aPersonaText().replace('lens: things\n', ''),
        { key: 'lens', code: 'missing-key', message: 'is missing' },
      ],
      [
        'avatar over http',
        aPersonaText('avatar: http://x.example/a.png\n'),
        { key: 'avatar', expected: 'an https address' },
      ],
      ['duplicate key', aPersonaText('name: Again\n'), { code: 'duplicate-key', line: 7 }],
      ['tab', aPersonaText('style:\n\ttone: x\n'), { code: 'tab', line: 8 }],
      ['prototype', aPersonaText('__proto__: {active: false}\n'), { code: 'bad-key', line: 7 }],
      ['bomb', aPersonaText(`domains: ${'['.repeat(5_000)}\n`), { code: 'too-deep', line: 7 }],
      ['no front matter', '# Robin\n\nHello.\n', { code: 'missing-front-matter', line: 1 }],
      ['four hyphens', aPersonaText().replace('---', '----'), { code: 'missing-front-matter' }],
      [
        'unterminated front matter',
        '---\nhandle: robin\n\n## Who I am\n',
        { code: 'unterminated-front-matter' },
      ],
      ['front matter that is a list', '---\n- a\n---\n', { code: 'not-a-mapping', line: 2 }],
      ['huge', aPersonaText('', `## Who I am\n\n${'x'.repeat(70_000)}`), { code: 'too-large' }],
      ['empty', '', { code: 'missing-front-matter' }],
      [
        'no Who I am',
        aPersonaText('', '## Worldview\n\nX\n'),
        { code: 'missing-section', key: 'who i am' },
      ],
      [
        'typo in a heading',
        aPersonaText('', '## Who I am\n\nX\n\n## Boundries\n\nY\n'),
        { code: 'unknown-section', key: 'Boundries', line: 13, nearest: 'boundaries' },
      ],
      [
        'section twice',
        aPersonaText('', '## Who I am\n\nX\n\n## Who I am\n\nY\n'),
        { code: 'duplicate-section', line: 13 },
      ],
      [
        'text before the headings',
        aPersonaText('', 'Hello.\n\n## Who I am\n\nX\n'),
        { code: 'stray-text', line: 9 },
      ],
      [
        'unknown mode',
        aPersonaText('', '## Who I am\n\nX\n\n## Modes\n\n### pr_reviw\n\nY\n'),
        { key: 'Modes › pr_reviw', line: 15, nearest: 'pr_review' },
      ],
      [
        'unknown phrase',
        aPersonaText('', '## Who I am\n\nX\n\n## Phrases\n\n- cliam: {{number}}\n'),
        { key: 'Phrases › cliam', nearest: 'claim' },
      ],
      [
        'never without why',
        aPersonaText('', '## Who I am\n\nX\n\n## Examples I would never say\n\n- "A"\n'),
        { code: 'missing-why', line: 15 },
      ],
    ];
    for (const [name, text, expected] of table) {
      expect([name, problemsOf(text)[0]]).toMatchObject([
        name,
        {
          file: 'personas/robin.md',
          severity: 'error',
          ...expected,
        },
      ]);
    }
  });

  test('all problems are reported together', () => {
    const text = aPersonaText(
      'trigers: []\nleed: true\n',
      '## Who I am\n\nX\n\n## Wordlview\n\nY\n',
    );
    expect(problemsOf(text).map(({ nearest }) => nearest)).toEqual([
      'triggers',
      'lead',
      'worldview',
    ]);
  });

  test('any text at all gets an answer', () => {
    const piece = fc.constantFrom(
      '---\n',
      'handle: a\n',
      '## Who I am\n',
      '- x\n',
      'Why: y',
      '```\n',
      '### z\n',
      '\r\n',
      '\uFEFF',
      'a: [',
      '> ',
      '## ',
    );
    const text = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.array(piece).map((parts) => parts.join('')),
    );
    fc.assert(
      fc.property(text, (anything) => {
        for (const whole of [anything, aPersonaText(anything), aPersonaText('', anything)]) {
          const result = parse(whole);
          if (result.kind === 'invalid') expect(result.problems.length).toBeGreaterThan(0);
        }
      }),
      { numRuns: 500 },
    );
  });
});
