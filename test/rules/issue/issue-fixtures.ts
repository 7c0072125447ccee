/** Issues of different quality, as people write them, each with the verdict that a careful team would reach. */
import { aComment } from './small-repository.ts';
import type { IssueInput } from './small-repository.ts';

export interface IssueFixture {
  name: string;
  verdict: 'READY' | 'CLOSE' | 'DRAFT' | 'HUMAN';
  /** What the verdict must say somewhere. */
  says: RegExp;
  input: IssueInput;
}

export const ISSUES: readonly IssueFixture[] = [
  {
    name: 'a bug with a stack trace',
    verdict: 'READY',
    says: /src\/parse\.ts/,
    input: {
      title: 'Crash on an empty file',
      body: [
        'With 2.4.1, converting an empty file throws instead of printing an empty list:',
        '',
        '```',
        '$ touch empty.csv',
        '$ tabular convert empty.csv --to json',
        'TableError: row has 0 cells but the header has 1',
        '    at parseTable (/home/ana/tabular/src/parse.ts:15:13)',
        '    at runConvert (/home/ana/tabular/src/cli.ts:18:17)',
        '```',
        '',
        'Expected: `[]` and exit code 0.',
      ].join('\n'),
    },
  },
  {
    name: 'a small feature with its outcome',
    verdict: 'READY',
    says: /src\/render\.ts/,
    input: {
      title: 'Align columns in renderMarkdown',
      body: 'Markdown tables from `--to markdown` are hard to read in a terminal. `renderMarkdown` in `src/render.ts` should pad every cell to the width of its column, so that the bars line up.\n\n- [ ] cells are padded with spaces on the right\n- [ ] the output renders to the same table as before',
    },
  },
  {
    name: 'a typo in the docs',
    verdict: 'READY',
    says: /docs\/usage\.md/,
    input: {
      title: 'Docs: the delimiter section has no example',
      body: '`docs/usage.md` says "Use `--delimiter`" and shows no command. It should show `tabular convert data.txt --delimiter ";"`.',
    },
  },
  {
    name: 'a duplicate of an open issue',
    verdict: 'CLOSE',
    says: /#12/,
    input: {
      title: 'Quoted cells that contain the delimiter are split in two',
      body: 'My file has the cell `"Smith, John"` and I get two cells out of it, then the error that the row has 3 cells but the header has 2. `parseTable` seems to split on every delimiter and to ignore quotes.',
    },
  },
  {
    name: 'a request that was refused before',
    verdict: 'CLOSE',
    says: /#15/,
    input: {
      title: 'Please add a dark mode to the documentation site',
      body: 'The docs site hurts my eyes at night. A dark mode would be nice.',
    },
  },
  {
    name: 'a request that is done already',
    verdict: 'CLOSE',
    says: /#18/,
    input: {
      title: 'Support writing tables as Markdown',
      body: 'Please add `--to markdown` so that I can paste tables into issues.',
    },
  },
  {
    name: 'mashed keys',
    verdict: 'CLOSE',
    says: /nothing here to act on/,
    input: { title: 'asdf asdf', body: 'qweqwe jkl' },
  },
  {
    name: 'advertising',
    verdict: 'CLOSE',
    says: /nothing here to act on/,
    input: {
      title: 'Best SEO service for your project',
      body: 'We offer guaranteed backlinks at the best price, 50% discount. Click here https://cheap-seo.biz/tabular',
    },
  },
  {
    name: 'a question',
    verdict: 'CLOSE',
    says: /question/,
    input: {
      title: 'How do I convert a file with semicolons?',
      body: 'I am new to this tool. Is there a way to read files where the cells are separated by semicolons?',
    },
  },
  {
    name: 'a bug without anything to go by',
    verdict: 'DRAFT',
    says: /command or steps/,
    input: {
      title: 'Conversion is broken',
      body: 'It does not work on my machine. Very annoying, please fix soon.',
    },
  },
  {
    name: 'a rewrite',
    verdict: 'DRAFT',
    says: /first slice/,
    input: {
      title: 'Rewrite the whole project in Rust',
      body: 'Rust is faster and safer. We should rewrite the entire codebase from scratch.',
    },
  },
  {
    name: 'a feature that nobody could test',
    verdict: 'DRAFT',
    says: /example of input/,
    input: {
      title: 'Add better support for Excel',
      body: 'It would be great to support Excel better. Many people in my team use it every day.',
    },
  },
  {
    name: 'a speed claim without a figure',
    verdict: 'DRAFT',
    says: /measured/,
    input: {
      title: 'parseTable is slow',
      body: 'Converting big files is really slow. Please optimise `parseTable`.',
    },
  },
  {
    name: 'a choice for people',
    verdict: 'HUMAN',
    says: /--legacy/,
    input: {
      title: 'Remove the --legacy option',
      body: '`--legacy` in `src/cli.ts` reads the format of version 1, which nobody should need any more. Should we remove it in the next minor release, or keep it as an alias that warns for one release?',
    },
  },
  {
    name: 'a choice that a maintainer has made',
    verdict: 'READY',
    says: /bo answered/,
    input: {
      title: 'Remove the --legacy option',
      body: '`--legacy` in `src/cli.ts` reads the format of version 1, which nobody should need any more. Should we remove it in the next minor release, or keep it as an alias that warns for one release?',
      comments: [aComment('Keep it as an alias that warns for one release, then remove it.')],
    },
  },
  {
    name: 'a choice that a maintainer has answered with no',
    verdict: 'CLOSE',
    says: /bo decided/,
    input: {
      title: 'Remove the --legacy option',
      body: '`--legacy` in `src/cli.ts` reads the format of version 1. Should we remove it in the next minor release, or keep it as an alias?',
      comments: [aComment('Not planned: two of our customers depend on it. Let us close this.')],
    },
  },
  {
    name: 'a weakness described in public',
    verdict: 'HUMAN',
    says: /advisory/,
    input: {
      title: 'Path traversal in uploads',
      body: '`storeUpload` in `src/server/upload.ts` joins the name unchecked. An attacker can overwrite any file with the name `../../etc/cron.d/x`.',
    },
  },
  {
    name: 'a posted credential',
    verdict: 'HUMAN',
    says: /revoked/,
    input: {
      title: 'Upload fails with 401',
      body: `When I run \`tabular push\` with this token it fails:\n\n\`\`\`\nTOKEN=${['ghp', 'A1b2C3d4'.repeat(5)].join('_')}\n\`\`\``,
    },
  },
  {
    name: 'a change of stored data',
    verdict: 'HUMAN',
    says: /stored data/i,
    input: {
      title: 'Rename the column name to title in the tables table',
      body: 'We need a database migration that renames the column `name`, see `migrations/001_tables.sql`. This would break existing clients that read it.',
    },
  },
];
