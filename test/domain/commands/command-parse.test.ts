/** Which comments hold commands, and which only look as if they did. */
import * as fc from 'fast-check';
import type { Nodes } from 'mdast';
import { fromMarkdown } from 'mdast-util-from-markdown';
import { gfmFromMarkdown } from 'mdast-util-gfm';
import { gfm } from 'micromark-extension-gfm';
import { describe, expect, test } from 'vitest';
import { parseCommands } from '../../../src/domain/commands/command-parse.ts';
import { COMMANDS } from '../../../src/domain/commands/registry.ts';
import { verifies } from '../../verifies.ts';

const names = (body: string): string[] => parseCommands(body).commands.map(({ name }) => name);
const codes = (body: string): string[] => parseCommands(body).ignored.map(({ code }) => code);

describe('grammar', () => {
  test.each<[string, { name: string; args: string[]; line: number }[]]>([
    ['/pm', [{ name: 'status', args: [], line: 1 }]],
    ['/pm status', [{ name: 'status', args: [], line: 1 }]],
    ['   /pm status', [{ name: 'status', args: [], line: 1 }]],
    ['/pm STATUS', [{ name: 'status', args: [], line: 1 }]],
    ['/PM Status', [{ name: 'status', args: [], line: 1 }]],
    ['/Pm ask Does it Work?', [{ name: 'ask', args: ['Does', 'it', 'Work?'], line: 1 }]],
    ['/pm  \tstatus  ', [{ name: 'status', args: [], line: 1 }]],
    ['/pm stop.', [{ name: 'stop', args: [], line: 1 }]],
    ['/pm stop,', [{ name: 'stop', args: [], line: 1 }]],
    ['/pm stop!', [{ name: 'stop', args: [], line: 1 }]],
    ['Thanks.\n\n/pm review maya priya', [{ name: 'review', args: ['maya', 'priya'], line: 3 }]],
    ['Thanks.\n  /pm help ask\nBye.', [{ name: 'help', args: ['ask'], line: 2 }]],
    [
      '/pm ask ¿por qué falla?\r\n/pm cost day\r\n',
      [
        { name: 'ask', args: ['¿por', 'qué', 'falla?'], line: 1 },
        { name: 'cost', args: ['day'], line: 2 },
      ],
    ],
    ['/pm add: tests run twice', [{ name: 'add', args: ['tests', 'run', 'twice'], line: 1 }]],
    ['/pm change 1 to tests', [{ name: 'change', args: ['1', 'to', 'tests'], line: 1 }]],
    ['/pm memory approve [1,3]', [{ name: 'memory', args: ['approve', '[1,3]'], line: 1 }]],
    ['/pm run task 3', [{ name: 'run', args: ['task', '3'], line: 1 }]],
    [
      '/pm ask what does `foo` do?',
      [{ name: 'ask', args: ['what', 'does', '`foo`', 'do?'], line: 1 }],
    ],
    ['/pm ask does it work? ❤️', [{ name: 'ask', args: ['does', 'it', 'work?', '❤️'], line: 1 }]],
  ])('%j', (body, expected) => {
    const { commands } = parseCommands(body);
    expect(commands.map(({ name, args, line }) => ({ name, args, line }))).toEqual(expected);
  });

  test.each([
    ['/pm stop..', 'unknown-command'],
    ['/pm statis please', 'unknown-command'],
    ['/pm status please', 'bad-arguments'],
    ['/pm.', 'mid-line'],
    ['/PM\u00a0status', 'look-alike'],
    ['\t/PM status', 'code'],
    ['/pm \u212aeep', 'look-alike'],
    ['\t/pm status', 'code'],
    ['a\n\t/pm status', 'indented'],
    ['a\n    /pm status', 'indented'],
    ['/pm\u00a0status', 'look-alike'],
  ])('%j is not run: %s', (body, code) => {
    expect(names(body)).toEqual([]);
    expect(codes(body)).toEqual(body === '/pm.' ? expect.any(Array) : [code]);
  });

  test.each(['/pmx', '/pm-status', 'http://a.b/pm status', 'docs/pm', 'no slash: pm status'])(
    '%j is ignored',
    (body) => {
      expect(parseCommands(body)).toEqual({ commands: [], ignored: [] });
    },
  );

  test('a misspelt name comes with the nearest one', () => {
    expect(parseCommands('/pm reveiw').ignored).toEqual([
      {
        line: 1,
        code: 'unknown-command',
        suggestion: 'review',
        reason: 'there is no command `/pm reveiw`; did you mean `/pm review`?',
      },
    ]);
    expect(parseCommands('/pm xyzzyxyzzy').ignored[0]).not.toHaveProperty('suggestion');
  });

  test('a model of the pool is short for switching to it', () => {
    expect(parseCommands('/pm Claude', { models: ['claude'] }).commands).toMatchObject([
      { name: 'model', args: ['claude'] },
    ]);
    expect(names('/pm claude')).toEqual([]);
    expect(parseCommands('/pm claude now', { models: ['claude'] }).commands).toEqual([]);
  });
});

describe('CMD-03: placements that are no command', () => {
  const placements: readonly [string, string, string][] = [
    ['a quote', '> /pm stop', 'quote'],
    ['a fence', '```\n/pm stop\n```', 'code'],
    ['a fence of tildes', '~~~\n/pm stop\n~~~', 'code'],
    ['indented code', 'a\n\n    /pm stop', 'code'],
    ['inline code', '`/pm stop`', 'mid-line'],
    ['inline code over lines', '`a\n/pm stop\nb`', 'code'],
    ['an HTML comment', '<!--\n/pm stop\n-->', 'html'],
    ['an HTML comment in a paragraph', 'a <!--\n/pm stop\n-->', 'html'],
    ['a nested fence', '````\n```\n```\n/pm stop\n````', 'code'],
    ['an unclosed fence', '```\na\n\n/pm stop', 'code'],
    ['a folded section', '<details>\n\n/pm stop\n\n</details>', 'html'],
    ['a folded section in a paragraph', 'a <details> b\n\n/pm stop', 'html'],
    ['a list', '- /pm stop', 'list'],
    ['a numbered list', '1. /pm stop', 'list'],
    ['the second line of a list item', '- a\n/pm stop', 'list'],
    ['a task list', '- [ ] /pm stop', 'list'],
    ['a heading', '# /pm stop', 'heading'],
    ['an underlined heading', '/pm stop\n---', 'heading'],
    ['the middle of a line', 'please /pm stop', 'mid-line'],
    ['a lazy line of a quote', '> a\n/pm stop', 'quote'],
    ['a table', '| a |\n|---|\n/pm stop', 'table'],
    ['a link over lines', '[a\n/pm stop\nb](https://x.y)', 'inline'],
    ['a title of a link', '[a](b "\n/pm stop\n")', 'inline'],
    ['a title of a definition', '[a]: b "\n/pm stop\n"', 'definition'],
    ['a footnote', '[^1]: a\n/pm stop', 'definition'],
    ['struck out', '~~a\n/pm stop\nb~~', 'inline'],
    ['a tag’s attribute', 'a <b title="\n/pm stop\n">', 'html'],
    ['a block of HTML', '<div>\n/pm stop\n</div>', 'html'],
    ['between HTML tags', '<blockquote>\n\n/pm stop\n\n</blockquote>', 'html'],
    ['a section of character data', '<![CDATA[ > \n\n/pm stop\n\n]]>', 'html'],
    ['a processing instruction', '<?x\n\n/pm stop\n\n?>', 'html'],
    ['an image’s text', '![a\n/pm stop\nb](c)', 'inline'],
  ];
  for (const [where, body, code] of placements)
    verifies('CMD-03', `${where} holds no command`, () => {
      expect(names(body)).toEqual([]);
      expect(codes(body)).toEqual([code]);
    });

  test.each([
    ['after a quote and a blank line', '> a\n\n/pm stop'],
    ['after a folded section', '<details>\n\na\n\n</details>\n\n/pm stop'],
    ['beside types', 'It returns Promise<void> and List<String>.\n\n/pm stop'],
    ['after a tag in code', 'Use `<details>` here.\n\n/pm stop'],
    ['after a list', '- a\n\n/pm stop'],
    ['after a fence', '```\na\n```\n/pm stop'],
    ['after an array in a log', 'x[0] = [1, 2]\n\n/pm stop'],
    ['below a rule', '---\n/pm stop'],
  ])('%s it is one', (_where, body) => {
    expect(names(body)).toEqual(['stop']);
  });
});

describe('CMD-05: replies by e-mail', () => {
  const headers = [
    'On Tue, Nov 3, 2026 at 9:00 AM Ana Lee <ana@x.com> wrote:',
    'On Tue, Nov 3, 2026 at 9:00 AM Ana Lee-Something <ana@x.com>\nwrote:',
    'Am Di., 3. Nov. 2026 um 09:00 Uhr schrieb Ana Lee <ana@x.com>:',
    'Le mar. 3 nov. 2026 à 09:00, Ana Lee <ana@x.com> a écrit :',
    'El mar, 3 nov 2026 a las 9:00, Ana Lee (<ana@x.com>) escribió:',
    'Il giorno mar 3 nov 2026 alle ore 09:00 Ana Lee <ana@x.com> ha scritto:',
    'Em ter., 3 de nov. de 2026 às 09:00, Ana Lee <ana@x.com> escreveu:',
    'Op di 3 nov 2026 om 09:00 schreef Ana Lee <ana@x.com>:',
    'W dniu wt., 3.11.2026 o 09:00 Ana Lee napisał(a):',
    'Den tis 3 nov. 2026 kl 09:00 skrev Ana Lee <ana@x.com>:',
    'вт, 3 нояб. 2026 г. в 09:00, Ana Lee <ana@x.com>:',
    '03.11.2026 09:00, Ana Lee пишет:',
    '2026年11月3日(火) 9:00 Ana Lee <ana@x.com>:',
    'Ana Lee <ana@x.com> 于2026年11月3日周二 09:00写道：',
    '2026년 11월 3일 (화) 오전 9:00, Ana Lee님이 작성:',
    '-----Original Message-----',
    '-----Ursprüngliche Nachricht-----',
    '-------- Message d’origine --------',
    'From: Ana Lee\nSent: Tuesday, November 3, 2026 9:00 AM\nTo: Bo',
    'Von: Ana Lee\nGesendet: Dienstag, 3. November 2026 09:00',
    'Reply to this email directly, view it on GitHub',
  ];
  for (const header of headers)
    verifies('CMD-05', `text below ${JSON.stringify(header)} is not run`, () => {
      const body = `/pm status\n\n${header}\n\n/pm stop`;
      expect(names(body)).toEqual(['status']);
      expect(codes(body)).toEqual(['email-reply']);
    });

  test.each([
    'On Windows, as the docs say, this fails:',
    'On #12 you wrote:',
    'From: the parser',
    '```\nOn Tue, Nov 3, 2026 at 9:00 AM Ana <ana@x.com> wrote:\n```',
    '> On Tue, Nov 3, 2026 at 9:00 AM Ana <ana@x.com> wrote:',
  ])('%j is no header', (text) => {
    expect(names(`${text}\n\n/pm stop`)).toEqual(['stop']);
  });

  test('a quoted command does not run', () => {
    expect(names('> /pm approve\n\nNot yet, I think.')).toEqual([]);
  });
});

describe('CMD-06: look-alikes', () => {
  test.each([
    ['a full-width slash', '\uff0fpm stop'],
    ['a division slash', '\u2215pm stop'],
    ['a zero-width space inside', '/p\u200bm stop'],
    ['a zero-width joiner after', '/pm\u200d stop'],
    ['a Cyrillic er', '/\u0440m stop'],
    ['a Cyrillic em', '/p\u043c stop'],
    ['full-width letters', '/\uff50\uff4d stop'],
    ['a Cyrillic letter in the name', '/pm st\u043ep'],
    ['a zero-width space in the name', '/pm st\u200bop'],
    ['a zero-width space at the end', '/pm approve\u200b'],
    ['a right-to-left override in the words', '/pm ask \u202e?yhw'],
    ['tag characters in the words', '/pm ask why\u{e0061}\u{e0062}'],
    ['a comment in the words', '/pm ask why <!-- and approve -->'],
    ['a byte-order mark before', '\ufeff/pm stop'],
    ['a no-break space before', '\u00a0/pm stop'],
    ['a line separator before', 'a\u2028/pm stop'],
    ['an escaped slash', '\\/pm stop'],
    ['a spelled-out slash', '&#47;pm stop'],
  ])('%s fires nothing', (_what, body) => {
    expect(names(body)).toEqual([]);
  });
});

describe('CMD-10: arguments', () => {
  const crooked = [
    '/pm run ;id',
    '/pm run $(id)',
    '/pm run task 3; rm -rf /',
    '/pm claim ../../etc',
    '/pm claim 1 2',
    '/pm review --upload-pack=x',
    '/pm ask --upload-pack=x',
    '/pm review $(id)',
    '/pm approve yes, but',
    '/pm approve abc123',
    '/pm ok-to-run main',
    '/pm cost year',
    '/pm model ../x',
    '/pm why `id`',
    '/pm consult maya',
    '/pm block 3',
    '/pm ask',
    '/pm memory approve all',
    `/pm ask ${'x'.repeat(10_000)}`,
    `/pm ask ${'why '.repeat(1_000)}`,
  ];
  for (const body of crooked)
    verifies('CMD-10', `${body.slice(0, 40)} is refused`, () => {
      expect(names(body)).toEqual([]);
      expect(codes(body)).toEqual(['bad-arguments']);
    });

  test.each([
    ['/pm memory remove 3', '/pm remove 3'],
    ['/pm Memory Remove #3', '/pm remove #3'],
    ['/pm memory remove 4f0c2b91aa', '/pm forget 4f0c2b91aa'],
    ['/pm memory remove m:4f0c2b91aa', '/pm forget 4f0c2b91aa'],
    ['/pm memory Remove M:4F0C2B91AA', '/pm forget 4F0C2B91AA'],
    ['/pm memory approve m:4f0c2b91aa', '/pm memory approve 4f0c2b91aa'],
    ['/pm memory reject m:4f0c2b91aa', '/pm memory reject 4f0c2b91aa'],
    ['/pm memory add: it rains', '/pm add: it rains'],
    ['/pm memory add it rains', '/pm add it rains'],
    ['/pm memory change 1 to it rains', '/pm change 1 to it rains'],
    ['/pm memory change 4f0c2b91aa to it rains', '/pm change 4f0c2b91aa to it rains'],
  ])('%s is %s', (long, short) => {
    const [command] = parseCommands(short).commands;
    expect(command).toBeDefined();
    expect(parseCommands(long).commands).toEqual([command]);
  });

  test.each(['remove', 'remove all', 'add', 'change 1', 'added'])(
    '/pm memory %s says nothing',
    (words) => expect(codes(`/pm memory ${words}`)).toEqual(['bad-arguments']),
  );

  test('arguments end with the line', () => {
    expect(parseCommands('/pm ask why\n--flag').commands).toMatchObject([
      { args: ['why'], text: 'why' },
    ]);
  });
});

describe('CMD-11: several commands', () => {
  test.each([
    ['/pm pause\n/pm resume', ['pause']],
    ['/pm resume\n/pm pause', ['pause']],
    ['/pm merge\n/pm hold', ['hold']],
    ['/pm approve\n/pm stop', ['stop']],
    ['/pm approve\n/pm reject', ['reject']],
    ['/pm hold\n/pm unhold\n/pm ask why?', ['hold', 'ask']],
    ['/pm stop\n/pm pause', ['stop', 'pause']],
    ['/pm block 3 waits\n/pm run task 3\n/pm run task 4', ['block', 'run']],
    ['/pm memory approve\n/pm memory reject', ['memory']],
    ['/pm status\n/pm status', ['status']],
    ['/pm unhold\n/pm resume', ['unhold', 'resume']],
  ])('%j runs %j', (body, expected) => {
    expect(names(body)).toEqual(expected);
  });

  test('the loser says who won', () => {
    expect(parseCommands('/pm resume\n\n/pm pause').ignored).toEqual([
      {
        line: 1,
        code: 'safer-wins',
        name: 'resume',
        reason: 'it contradicts `/pm pause` on line 3, which is the safer one',
      },
    ]);
    expect(parseCommands('/pm memory approve\n/pm memory reject').commands[0]?.args).toEqual([
      'reject',
    ]);
  });

  test('at most five run, the rest are named, and what holds work back is never left out', () => {
    const six = ['status', 'help', 'cost', 'config', 'doctor', 'conflicts'].map(
      (name) => `/pm ${name}`,
    );
    const { commands, ignored } = parseCommands(six.join('\n'));
    expect(commands.map(({ name }) => name)).toEqual([
      'status',
      'help',
      'cost',
      'config',
      'doctor',
    ]);
    expect(ignored).toMatchObject([{ line: 6, code: 'above-limit', name: 'conflicts' }]);
    expect(names([...six, '/pm stop'].join('\n'))).toEqual([
      'status',
      'help',
      'cost',
      'config',
      'stop',
    ]);
  });
});

function covers(node: Nodes, offset: number): boolean {
  const { position } = node;
  return (position?.start.offset ?? 0) <= offset && offset < (position?.end.offset ?? 0);
}

describe('any text', () => {
  const piece = fc.constantFrom(
    ...'/pm|/pm stop|/pm resume|/pm ask why|> |- |1. |    |\t|```|~~~|`|<details>|</details>|<!--|-->|\n|\n\n|\r\n|\r|[a](|)|[^1]: |# |---|| a ||\u2028|\0|\ufeff|~~|*|\\|&#47;|On 3 Nov 2026 9:00 A <a@b.c> wrote:'
      .split('|')
      .filter((each) => each !== ''),
  );

  test('never throws, and every line is accounted for once', () => {
    fc.assert(
      fc.property(
        fc.array(fc.oneof(piece, fc.string({ unit: 'binary' })), { maxLength: 40 }),
        (pieces) => {
          const body = pieces.join('');
          const { commands, ignored } = parseCommands(body);
          const lines = [...commands, ...ignored].map(({ line }) => line);
          expect(new Set(lines).size).toBe(lines.length);
          expect(commands.length).toBeLessThanOrEqual(5);
          const source = body.split(/\r\n|\n|\r/);
          for (const { line } of commands) expect(source[line - 1]).toMatch(/^ {0,3}\/pm([ \t]|$)/);
        },
      ),
      { numRuns: 2_000 },
    );
  });

  test('a whole parse agrees: every command is running text of a top-level paragraph', () => {
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 30 }), (pieces) => {
        const body = pieces.join('').replaceAll(/[\r\0\ufeff]/g, '');
        const { commands } = parseCommands(body);
        const root = fromMarkdown(body, {
          extensions: [gfm()],
          mdastExtensions: [gfmFromMarkdown()],
        });
        const lines = body.split('\n');
        for (const { line } of commands) {
          const before = lines.slice(0, line - 1).join('\n').length + (line > 1 ? 1 : 0);
          const at = before + (lines[line - 1] ?? '').indexOf('/');
          const block = root.children.find((node) => covers(node, at));
          expect(block?.type).toBe('paragraph');
          const parts = block?.type === 'paragraph' ? block.children : [];
          expect(parts.find((node) => covers(node, at))?.type).toBe('text');
        }
      }),
      { numRuns: 2_000 },
    );
  });

  test('what is wrapped in a fence, a quote or a folded section runs nothing', () => {
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 20 }), (pieces) => {
        const body = pieces.join('').replaceAll(/\r\n?/g, '\n');
        const quoted = body.replaceAll(/^/gm, '> ').replaceAll('\u2028', ' ');
        expect(names(quoted)).toEqual([]);
        const inner = body.replaceAll(/[`~]/g, '');
        expect(names(`\`\`\`\n${inner}\n\`\`\``)).toEqual([]);
      }),
      { numRuns: 500 },
    );
  });

  // Each of these took a plain parser seconds to minutes at 64 kB; the time limit of the suite is the guard.
  test.each([
    '[',
    ']',
    '[]',
    '[a](',
    '`',
    '<a ',
    '<',
    '*a_ ',
    '> ',
    '- a\n',
    '[a]: b\n',
    '|a|\n',
    '/pm stop\n',
    '/pm stop\n\n',
    '/',
    '\u200b',
    '<details>',
    'On 3:00 ',
  ])('a megabyte of %j ends', (pattern) => {
    const body = `${pattern.repeat(Math.ceil(1_000_000 / pattern.length))}\n\n/pm stop`;
    expect(parseCommands(body).commands.length).toBeLessThanOrEqual(5);
  });

  test('beyond what GitHub takes nothing is run, and the lines are named', () => {
    const body = `/pm status\n\n${'words '.repeat(20_000)}\n\n/pm stop`;
    const { commands, ignored } = parseCommands(body);
    expect(commands.map(({ name }) => name)).toEqual(['status']);
    expect(ignored).toMatchObject([{ line: 5, code: 'too-long' }]);
  });
});

verifies(
  'CMD-11: one comment',
  'of every two commands that contradict each other, in either order, the safer one alone is run',
  () => {
    const holding = COMMANDS.filter(({ safety }) => safety > 0);
    const starting = COMMANDS.filter(({ safety }) => safety < 0);
    expect([holding.length > 2, starting.length > 5]).toEqual([true, true]);
    for (const safe of holding)
      for (const other of starting) {
        const words = [safe, other].map(({ examples: [first = ''] }) => withTask(first));
        // What holds a task back contradicts what is about that task.
        const isOfTask = /\b3\b/.test(words[0] ?? '');
        if (isOfTask && !/\b3\b/.test(words[1] ?? '')) continue;
        for (const lines of [words, words.toReversed()])
          expect([
            lines,
            parseCommands(lines.join('\n'), { models: [] }).commands.map(({ name }) => name),
          ]).toEqual([lines, [safe.name]]);
      }
  },
);

/** About one and the same task, where it is about one. */
function withTask(words: string): string {
  return words.replace(/#?\b\d+\b/, '3');
}
