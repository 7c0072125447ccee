/** What is printed for people: comments, tables, colours and live progress. */
import { describe, expect, test } from 'vitest';
import { ConfigError } from '../../../src/domain/event/errors.ts';
import { createBoard } from '../../../src/hosts/cli/terminal/progress-display.ts';
import { renderComment } from '../../../src/hosts/cli/terminal/comment.ts';
import { reportFailure } from '../../../src/hosts/cli/report-failure.ts';
import { columnsOf } from '../../../src/hosts/cli/terminal/process-io.ts';
import { createPaint } from '../../../src/hosts/cli/terminal/paint.ts';
import { cutToWidth, renderTable, wrap } from '../../../src/hosts/cli/terminal/table.ts';
import { toTerminal } from '../../../src/hosts/cli/terminal/terminal-text.ts';

const plain = createPaint({ isTty: false, env: {} });

const ESC = '\u001b';

test('writes for 100 columns where the terminal does not know its width, and for at least 20', () => {
  expect(columnsOf({ isTTY: true, columns: 0 })).toBe(100);
  expect(columnsOf({ isTTY: false, columns: 7 })).toBe(100);
  expect(columnsOf({ isTTY: true, columns: 3 })).toBe(20);
  expect(columnsOf({ isTTY: true, columns: 132 })).toBe(132);
});

describe('what reaches a terminal', () => {
  const coloured = createPaint({ isTty: true, env: {} });

  test('is text in our colours, and nothing that steers the terminal or hides in it', () => {
    const ours = coloured.bold(coloured.red('high'));
    const theirs = `${ESC}[2J${ESC}[8mno${ESC}]8;;http://x${ESC}\\\u0007\u009b1A\u202e\u{e0041}\u200b\r`;
    expect(toTerminal(`${ours} ${theirs}\tend\n`, 'text')).toBe(
      `${ours} [2J[8mno]8;;http://x\\1A\n\tend\n`,
    );
    expect(toTerminal(`${ESC}[3A${ESC}[2Kx`, 'text')).toBe('[3A[2Kx');
    expect(toTerminal(`${ESC}[3A${ESC}[2Kx`, 'progress')).toBe(`${ESC}[3A${ESC}[2Kx`);
    expect(toTerminal('\u2764\ufe0f', 'text')).toBe('\u2764\ufe0f');
  });

  test('is on a board no title that moves the cursor, and in a failure no escape', () => {
    let written = '';
    const write = (text: string): void => void (written += text);
    const board = createBoard({ write, isLive: true, columns: 80, paint: plain });
    board.show([{ name: '#1', title: `a${ESC}[9Ab\u202e`, run: undefined }]);
    const foreign = written.replaceAll(`${ESC}[2K`, '');
    expect([foreign.includes(ESC), foreign.includes('\u202e')]).toEqual([false, false]);
    written = '';
    const io = { env: {}, out: write, err: write } as unknown as Parameters<
      typeof reportFailure
    >[0];
    reportFailure(
      io,
      new ConfigError({ code: 'file-missing', message: `no ${ESC}[9A file` }),
      false,
    );
    expect(written).toBe('quorum: no [9A file [file-missing]\n');
  });
});

describe('comments', () => {
  const comment = [
    '### Ready: small | first',
    '| voice | vote |\n|---|---|\n| Maya | ready `a\\|b` |',
    '- [ ] one **bold** thing\n- [x] done',
    '<details><summary>Why</summary>\n\nhidden reasons\n\n</details>',
    '<sub>Carlos closed it</sub>',
    '<!-- quorum:v1 e30.sig -->',
  ].join('\n\n');

  test('folded parts are named and kept back, markers are not shown', () => {
    const shown = renderComment(comment, { paint: plain, columns: 80, unfold: false });
    expect(shown).toBe(
      [
        'Ready: small | first\n\n',
        'voice  vote\nMaya   ready a|b\n\n',
        '☐ one bold thing\n☑ done\n\n',
        '▸ Why\n\n',
        'Carlos closed it\n',
      ].join(''),
    );
  });

  test('unfolded parts are shown, and open ones always', () => {
    const unfolded = renderComment(comment, { paint: plain, columns: 80, unfold: true });
    expect(unfolded).toContain('▸ Why\n\nhidden reasons\n');
    const open = comment.replace('<details>', '<details open>');
    expect(renderComment(open, { paint: plain, columns: 80, unfold: false })).toContain('hidden');
  });

  test('lines are wrapped to the width with the indent counted', () => {
    const shown = renderComment('word '.repeat(40), {
      paint: plain,
      columns: 30,
      indent: 4,
      unfold: true,
    });
    for (const line of shown.trimEnd().split('\n')) {
      expect(line.length).toBeLessThanOrEqual(30);
      expect(line.startsWith('    word')).toBe(true);
    }
  });
});

describe('tables', () => {
  test('columns are aligned by what is seen, and the last one is wrapped', () => {
    const coloured = createPaint({ isTty: true, env: {} });
    const rows = [
      [coloured.red('ab'), 'x'],
      ['a', 'word '.repeat(12).trim()],
    ];
    const lines = renderTable(rows, { columns: 40 }).split('\n');
    expect(lines[0]).toBe(`${coloured.red('ab')}  x`);
    expect(lines[1]).toBe('a   word word word word word word word');
    expect(lines[2]).toBe('    word word word word word');
  });

  test('wrapping keeps every word, and cutting says that something is gone', () => {
    expect(wrap('a bb ccc dddd', 4)).toEqual(['a bb', 'ccc', 'dddd']);
    expect(wrap('unbreakable', 4)).toEqual(['unbreakable']);
    expect(cutToWidth('abcdef', 4)).toBe('abc…');
    expect(cutToWidth('👩‍👩‍👧‍👧bc', 3)).toBe('👩‍👩‍👧‍👧bc');
  });
});

describe('colours', () => {
  test('only on a terminal, and never with NO_COLOR', () => {
    expect(createPaint({ isTty: true, env: {} }).red('x')).not.toBe('x');
    expect(createPaint({ isTty: true, env: { NO_COLOR: '1' } }).red('x')).toBe('x');
    expect(createPaint({ isTty: false, env: {} }).red('x')).toBe('x');
  });
});

describe('progress', () => {
  const watched = [{ name: '#8', title: 'A title', run: undefined }];
  const board = (isLive: boolean) => {
    const written: string[] = [];
    const write = (text: string) => void written.push(text);
    const { show } = createBoard({ write, isLive, columns: 60, paint: plain });
    return { written, show };
  };

  test('a terminal is drawn over, and only when something changed', () => {
    const { show, written } = board(true);
    show(watched);
    show(watched);
    expect(written).toHaveLength(1);
    show([{ ...watched[0], name: '#9', title: 'Other', run: undefined }]);
    expect(written[1]?.startsWith('\u001B[3A')).toBe(true);
  });

  test('elsewhere nothing is said before something happens', () => {
    const { show, written } = board(false);
    show(watched);
    expect(written).toEqual([]);
  });
});
