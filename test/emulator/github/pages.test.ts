/** What people see: pages of threads and files, and Markdown that cannot do harm. */
import { array, assert, constantFrom, property } from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readRows } from '../../../src/emulator/github/pages/diff-table.ts';
import { renderMarkdown } from '../../../src/emulator/github/pages/markdown.ts';
import { NAME, REPO, start } from './start.ts';

function render(source: string): string {
  return renderMarkdown(source).text;
}

describe('Markdown', () => {
  test('tables, task lists, details, alerts and code come out as GitHub shows them', () => {
    expect(render('| a | b |\n|:-:|---|\n| 1 | `x<y` |')).toContain(
      '<td align="center">1</td><td><code>x&lt;y</code></td>',
    );
    expect(render('- [x] done\n- [ ] open')).toMatch(
      /class="tasks".*checked.*done.*disabled aria-label="task"> open/s,
    );
    expect(render('<details><summary>S</summary>\n\n**in**\n\n</details>')).toBe(
      '<details><summary>S</summary><p><strong>in</strong></p></details>',
    );
    expect(render('> [!NOTE]\n> Mind.')).toContain('alert-note');
    expect(render('```ts\nlet a;\n```')).toBe('<pre data-lang="ts"><code>let a;</code></pre>');
    expect(render('H<sub>2</sub>O')).toBe('<p>H<sub>2</sub>O</p>');
  });

  test('a line break ends the line in issues and comments, and is a space in files', () => {
    const fields = '**Status:** open\n**Files:** `a\nb`\n- x\n  y';
    const at = { mention: () => undefined, thread: () => undefined };
    expect(renderMarkdown(fields, { ...at, hasHardBreaks: true }).text).toBe(
      '<p><strong>Status:</strong> open<br>\n<strong>Files:</strong> <code>a\nb</code></p><ul><li>x<br>\ny</li></ul>',
    );
    expect(render(fields)).not.toContain('<br>');
  });

  test('a suggestion is shown as the change that it is', () => {
    const at = { mention: () => undefined, thread: () => undefined, replaced: ['old <a>', 'b'] };
    const cells = (source: string) =>
      [...renderMarkdown(source, at).text.matchAll(/<tr class="(\w+)">\s*<td[^>]*>([^<]*)/g)].map(
        ([, kind, text]) => `${kind} ${text}`,
      );
    expect(cells('```suggestion\nnew\n```')).toEqual(['del -old &lt;a&gt;', 'del -b', 'add +new']);
    expect(cells('```suggestion\n```')).toEqual(['del -old &lt;a&gt;', 'del -b']);
  });

  test('what a reader would not see is not there', () => {
    expect(render('a <!-- secret --> b')).not.toContain('secret');
    expect(render('a\n\n<!-- secret, never closed')).not.toContain('secret');
    expect(render('[x]: https://example.test "secret"')).toBe('');
  });

  test.each([
    '<script>alert(1)</script>',
    '<img src=x onerror=alert(1)>',
    '<a href="javascript:alert(1)">x</a>',
    '[x](javascript:alert(1))',
    '[x](data:text/html,x)',
    '<details ontoggle=alert(1) open>x</details>',
    '<b onclick="x">b</b>',
    '<style>*{display:none}</style>',
    '![x](https://example.test/pixel.png)',
    '<a href=" javascript:alert(1)">x</a>',
  ])('nothing in %s runs or loads', (source) => {
    const out = render(source);
    expect(out).not.toMatch(
      /<(?:script|img|style|iframe)\b|<[^>]*\son\w+=|href="\s*(?:javascript|data):/i,
    );
  });

  test('any text renders, its tags are balanced and none is outside the list', () => {
    const pieces = constantFrom(
      '<details>',
      '</details>',
      '<b>',
      '</b>',
      '<script>',
      '</div>',
      '<!--',
      '-->',
      '*',
      '_',
      '`',
      '[',
      '](',
      ')',
      '|',
      '\n',
      '> ',
      '- ',
      '#',
      '@alice',
      '#1',
      '&',
      '"',
      'text ',
    );
    assert(
      property(array(pieces, { maxLength: 40 }), (parts) => {
        const out = render(parts.join(''));
        const names = [...out.matchAll(/<(\/?)([a-z][a-z0-9]*)/g)];
        expect(names.map((one) => one[2])).not.toContain('script');
        for (const tag of ['details', 'b']) {
          const open = names.filter((one) => one[2] === tag && one[1] === '').length;
          const closed = names.filter((one) => one[2] === tag && one[1] === '/').length;
          expect(closed).toBe(open);
        }
      }),
    );
  });
});

test('lines of a patch have the numbers of both sides', () => {
  const patch =
    '@@ -3,3 +3,3 @@ f\n a\n-b\n+c\n d\n\\ No newline at end of file\n@@ -9 +9,0 @@\n-z';
  expect(readRows(patch).map((row) => [row.kind, row.old, row.new])).toEqual([
    ['hunk', undefined, undefined],
    ['same', 3, 3],
    ['del', 4, undefined],
    ['add', undefined, 4],
    ['same', 5, 5],
    ['same', undefined, undefined],
    ['hunk', undefined, undefined],
    ['del', 9, undefined],
  ]);
});

describe('pages', () => {
  test('a thread shows its people, labels, reactions and events', async () => {
    const { github, octokit } = await start();
    await github
      .as('alice')
      .openIssue(NAME, { title: 'It <breaks>', body: 'See **this**.', labels: ['bug'] });
    const at = { ...REPO, issue_number: 1 };
    await octokit.rest.reactions.createForIssue({ ...at, content: 'rocket' });
    await octokit.rest.issues.createComment({ ...at, body: '### READY\n<!-- quorum:v1 x -->' });
    await github.as('alice').close(NAME, 1, 'not_planned');
    const response = await fetch(`${github.url}/${NAME}/issues/1`);
    const page = (await response.text()).replaceAll(/\s+/g, ' ');
    expect(response.status).toBe(200);
    expect(response.headers.get('content-security-policy')).toContain("default-src 'none'");
    for (const part of [
      'It &lt;breaks&gt;',
      '<strong>this</strong>',
      '🚀 1',
      '<h3>READY</h3>',
      'class="badge">bot',
      'Closed as not planned',
      '>bug</span',
      'closed this',
    ])
      expect(page).toContain(part);
    expect(page).not.toContain('quorum:v1');
  });

  test('every page of a repository is there, and no other', async () => {
    const { github } = await start();
    await github.as('alice').openIssue(NAME, { title: 'x' });
    const statuses: Record<string, number> = {};
    for (const path of [
      '',
      '/issues',
      '/pulls',
      '/issues/1',
      '/blob/main/README.md',
      '/tree/main/src',
      '/raw/main/src/a.ts',
      '/issues/9',
      '/pull/1/files',
      '/nowhere',
    ])
      statuses[path] = (await fetch(`${github.url}/${NAME}${path}`)).status;
    expect(statuses).toEqual({
      '': 200,
      '/issues': 200,
      '/pulls': 200,
      '/issues/1': 200,
      '/blob/main/README.md': 200,
      '/tree/main/src': 200,
      '/raw/main/src/a.ts': 200,
      '/issues/9': 404,
      '/pull/1/files': 404,
      '/nowhere': 404,
    });
    const person = await fetch(`${github.url}/bob`);
    expect(await person.text()).toMatch(/href="\/acme\/widgets"[^]*?write/);
    const bot = await fetch(`${github.url}/quorum`);
    expect(await bot.text()).toContain('quorum[bot]');
    expect((await fetch(`${github.url}/nobody`)).status).toBe(404);
    const home = await fetch(`${github.url}/`, { headers: { accept: 'text/html' } });
    expect(await home.text()).toContain(NAME);
    expect((await fetch(`${github.url}/avatars/alice.svg`)).headers.get('content-type')).toBe(
      'image/svg+xml',
    );
  });
});
