/** A small repository with history, and issue views on it: a command line tool that converts tables. */
import { Config } from '../../../src/domain/config/config.ts';
import type {
  CommentView,
  IssueView,
  PastIssue,
  SourceFile,
} from '../../../src/domain/run/view.ts';

const TEXTS: Readonly<Record<string, string>> = {
  'package.json':
    '{\n  "name": "tabular",\n  "version": "2.4.1",\n  "type": "module",\n  "bin": { "tabular": "dist/cli.js" }\n}\n',
  'README.md':
    '# tabular\n\nConverts tables between CSV and JSON.\n\n    tabular convert data.csv --to json\n',
  'CONTRIBUTING.md': '# Contributing\n\nTests first, please.\n',
  'docs/usage.md':
    '# Usage\n\n## Convert\n\n`tabular convert data.csv --to json`\n\n## Delimiters\n\nUse `--delimiter`.\n',
  'src/cli.ts': [
    "import { parseArgs } from 'node:util';",
    "import { readFileSync } from 'node:fs';",
    "import { parseTable } from './parse.ts';",
    "import { renderJson, renderMarkdown } from './render.ts';",
    "import { loadConfig } from './config.ts';",
    '',
    'const OPTIONS = {',
    "  to: { type: 'string', default: 'json' }, // --to",
    "  delimiter: { type: 'string' }, // --delimiter",
    "  quiet: { type: 'boolean' }, // --quiet",
    "  legacy: { type: 'boolean' }, // --legacy, the reader of version 1",
    '} as const;',
    '',
    'export function runConvert(argv: string[]): string {',
    '  const { values, positionals } = parseArgs({ args: argv, options: OPTIONS, allowPositionals: true });',
    "  const text = readFileSync(positionals[0] ?? '-', 'utf8');",
    '  const config = loadConfig();',
    '  const table = parseTable(text, { delimiter: values.delimiter ?? config.delimiter });',
    "  if (values.to === 'markdown') return renderMarkdown(table);",
    '  return renderJson(table);',
    '}',
    '',
  ].join('\n'),
  'src/parse.ts': [
    '/** Reads delimited text. */',
    'export interface Table {',
    '  header: string[];',
    '  rows: string[][];',
    '}',
    '',
    'export class TableError extends Error {}',
    '',
    'export function parseTable(text: string, { delimiter = "," } = {}): Table {',
    '  const lines = text.split("\\n");',
    '  const header = splitRow(lines[0]!, delimiter);',
    '  const rows = lines.slice(1).map((line) => splitRow(line, delimiter));',
    '  for (const row of rows)',
    '    if (row.length !== header.length)',
    '      throw new TableError(`row has ${row.length} cells but the header has ${header.length}`);',
    '  return { header, rows };',
    '}',
    '',
    'function splitRow(line: string, delimiter: string): string[] {',
    '  return line.split(delimiter);',
    '}',
    '',
  ].join('\n'),
  'src/render.ts': [
    "import type { Table } from './parse.ts';",
    '',
    'export function renderJson(table: Table): string {',
    '  return JSON.stringify(table.rows.map((row) => Object.fromEntries(row.map((cell, at) => [table.header[at], cell]))));',
    '}',
    '',
    'export function renderMarkdown(table: Table): string {',
    "  return [table.header, ...table.rows].map((row) => `| ${row.join(' | ')} |`).join('\\n');",
    '}',
    '',
  ].join('\n'),
  'src/config.ts': [
    "import { existsSync, readFileSync } from 'node:fs';",
    '',
    'export interface Settings {',
    '  delimiter?: string;',
    '}',
    '',
    'export function loadConfig(path = "tabular.json"): Settings {',
    '  return existsSync(path) ? JSON.parse(readFileSync(path, "utf8")) : {};',
    '}',
    '',
  ].join('\n'),
  'src/server/session.ts': [
    'const sessions = new Map<string, { user: string; expires: number }>();',
    '',
    'export function openSession(user: string, now: number): string {',
    '  const id = `${user}-${now}`;',
    '  sessions.set(id, { user, expires: now + 3_600_000 });',
    '  return id;',
    '}',
    '',
  ].join('\n'),
  'src/server/upload.ts': [
    "import { writeFileSync } from 'node:fs';",
    '',
    'export function storeUpload(folder: string, name: string, bytes: Uint8Array): void {',
    '  writeFileSync(`${folder}/${name}`, bytes);',
    '}',
    '',
  ].join('\n'),
  'migrations/001_tables.sql':
    'create table tables (id integer primary key, name text not null);\n',
  'test/cli.test.ts': "import { runConvert } from '../src/cli.ts';\n",
  'test/parse.test.ts': "import { parseTable } from '../src/parse.ts';\n",
  'test/render.test.ts': "import { renderJson } from '../src/render.ts';\n",
  '.github/workflows/ci.yml': 'on: push\njobs:\n  test:\n    runs-on: ubuntu-latest\n',
};

export const PATHS = Object.keys(TEXTS);

export const FILES: SourceFile[] = Object.entries(TEXTS).map(([path, text]) => ({
  path,
  text,
  isCut: false,
}));

function past(number: number, title: string, more: Partial<PastIssue>): PastIssue {
  return { number, title, body: '', state: 'open', labels: [], isPull: false, ...more };
}

export const PAST: PastIssue[] = [
  past(12, 'Quoted cells with a delimiter inside are split', {
    body: 'A cell such as `"a,b"` becomes two cells. `parseTable` splits each line on the delimiter and ignores quotes, so the row has more cells than the header.',
    labels: ['bug'],
  }),
  past(15, 'Add dark mode to the documentation site', {
    body: 'The docs hurt my eyes at night.',
    state: 'closed',
    stateReason: 'not_planned',
  }),
  past(18, 'Support writing Markdown tables', {
    body: 'Please add `--to markdown`, so that tables can be pasted into issues.',
    state: 'closed',
    stateReason: 'completed',
    labels: ['enhancement'],
  }),
  past(21, 'Crash on a file without a header', {
    body: 'An input with one empty line throws in `parseTable`.',
    state: 'closed',
    stateReason: 'completed',
    labels: ['bug'],
  }),
  past(23, 'Read from standard input', {
    body: '`tabular convert -` should read standard input.',
    state: 'closed',
    stateReason: 'completed',
  }),
  past(27, 'Publish a container image', { body: 'For CI without Node.' }),
];

export const ANA = { id: 501, login: 'ana', isBot: false };
export const BO = { id: 502, login: 'bo', isBot: false };
export const SELF = { id: 900, login: 'quorum[bot]', isBot: true };

export interface IssueInput {
  title: string;
  body?: string;
  labels?: string[];
  comments?: CommentView[];
  paths?: string[];
  files?: SourceFile[];
  pastIssues?: PastIssue[];
  isPrivate?: boolean;
}

/** A comment by a person; a maintainer's unless said otherwise. */
export function aComment(body: string, more: Partial<CommentView> = {}): CommentView {
  return {
    id: 7000,
    author: BO,
    permission: 'write',
    body,
    createdAt: '2026-05-02T10:00:00Z',
    updatedAt: '2026-05-02T10:00:00Z',
    ...more,
  };
}

/** A view on issue 40 of the repository. */
export function aView(input: IssueInput): IssueView {
  return {
    repository: {
      fullName: 'acme/tabular',
      isPrivate: input.isPrivate ?? false,
      isArchived: false,
      defaultBranch: 'main',
      headSha: 'a'.repeat(40),
    },
    issue: {
      number: 40,
      title: input.title,
      body: input.body ?? '',
      state: 'open',
      isLocked: false,
      isPull: false,
      author: ANA,
      authorPermission: 'read',
      labels: input.labels ?? [],
      assignees: [],
      url: 'https://github.com/acme/tabular/issues/40',
      createdAt: '2026-05-01T10:00:00Z',
      updatedAt: '2026-05-01T10:00:00Z',
    },
    comments: input.comments ?? [],
    actorPermission: 'write',
    config: Config.parse({}),
    problems: [],
    personas: [],
    paths: input.paths ?? PATHS,
    files: input.files ?? FILES,
    pastIssues: input.pastIssues ?? PAST,
    notRead: [],
    self: SELF,
  };
}
