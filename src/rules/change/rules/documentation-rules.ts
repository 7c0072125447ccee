/** Rules about documents that no longer say what is so. */
import { escapePattern } from '../../../domain/text/pattern.ts';
import {
  bluntOpeners,
  flattenContainers,
  nodesOf,
  parseMarkdown,
} from '../../../domain/markdown/markdown-tree.ts';
import { isDocumentPath } from '../../../domain/repository/paths.ts';
import type { Change, ChangedFile } from '../read-change.ts';
import { resolveRelative } from '../syntax/relative-path.ts';
import { inFile } from '../change-rule.ts';
import type { ReviewRule, Sighting } from '../change-rule.ts';
import { wholeText } from '../syntax/workflow-file.ts';

/** Longest document, and most of them, that are parsed in one change. */
const MAX_MARKDOWN = 60_000;
const MAX_PARSED = 5;
/** Variables that every environment has, or that a platform sets. */
const USUAL =
  /^(?:NODE_ENV|CI|HOME|PATH|PWD|USER|SHELL|TERM|TZ|LANG|DEBUG|NO_COLOR|FORCE_COLOR|TMPDIR|TEMP|PORT|HOST|EDITOR|XDG_\w+|GITHUB_\w+|RUNNER_\w+|PG[A-Z]+|npm_\w+|VITEST\w*|JEST_\w+)$/;
/** The environment's name in two parts, so that this file reads none. */
const ENV = ['process', 'env'].join('.');
const READS = [
  /\bprocess\s?\.\s?env(?:\.([A-Z][A-Z0-9_]{2,60})|\[\s*["']([A-Z][A-Z0-9_]{2,60})["']\s*\])/g,
  /\bos\.(?:environ(?:\.get)?[[(]|getenv\()\s*["']([A-Z][A-Z0-9_]{2,60})["']/g,
  /\bos\.(?:Getenv|LookupEnv)\(\s*"([A-Z][A-Z0-9_]{2,60})"/g,
];
/** Programs for those who work on the project: they read the program before they run it. */
const OWN_USE =
  /(?:^|\/)(?:scripts?|tools?|bench(?:marks?)?|examples?|\.github)\/|\.config\.[cm]?[jt]s$/i;
const VARIABLE = /\b[A-Z][A-Z0-9]*_[A-Z0-9_]+\b/;

function linkTarget(from: string, url: string): string | undefined {
  if (/^[a-z][a-z0-9+.-]*:|:\/\/|^\/\/|^#|[{}<>$]|^$/i.test(url)) return undefined;
  const bare = decode(url.replace(/[?#].*$/, ''));
  if (bare === undefined || bare === '') return undefined;
  // `/guide` is a page of a site; only `/docs/guide.md` is surely a file of the repository.
  if (bare.startsWith('/') && !/\.\w{1,5}$/.test(bare)) return undefined;
  // A link that leaves the repository leads to GitHub's own pages, such as `../../issues`.
  return resolveRelative(from, bare);
}

function decode(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    // Not a link that anything could follow; the renderer's business.
    return undefined;
  }
}

/** A link as it is written, in a line that may be code after all. */
const WRITTEN = /\]\(\s*<?([^\s()<>]{1,300})|^\s{0,3}\[[^\]]{1,100}\]:\s*<?([^\s<>]{1,300})/g;

function isBroken(from: string, url: string, known: ReadonlySet<string>): boolean {
  const target = linkTarget(from, url);
  return target !== undefined && !PAGES.some((ending) => known.has(target + ending));
}

/** Sites leave out what their pages are made from: `../cli` is made from `../cli.md`. */
const PAGES = ['', '.md', '.mdx', '.rst', '.html'];

/** Whether the lines look as if a link were broken: most do not, and parsing costs a second for each 100 kB. */
function seemsBroken(file: ChangedFile, known: ReadonlySet<string>): boolean {
  return file.added.some(({ text }) =>
    Array.from(text.slice(0, 2000).matchAll(WRITTEN)).some((match) =>
      isBroken(file.path, match[1] ?? match[2] ?? '', known),
    ),
  );
}

function brokenLinks(file: ChangedFile, known: ReadonlySet<string>): Sighting[] {
  const text = wholeText(file);
  if (text === undefined || text.length > MAX_MARKDOWN) return [];
  const root = parseMarkdown(flattenContainers(bluntOpeners(text)));
  if (root === undefined) return [];
  const told = new Set<string>();
  return nodesOf(root).flatMap((node): Sighting[] => {
    if (node.type !== 'link' && node.type !== 'image' && node.type !== 'definition') return [];
    const line = node.position?.start.line ?? 0;
    if (!file.addedNumbers.has(line) || told.has(node.url)) return [];
    told.add(node.url);
    const title = `The link to \`${node.url}\` leads nowhere.`;
    return isBroken(file.path, node.url, known) ? [{ file, line, title }] : [];
  });
}

/** Every path and every folder. */
function pathsAndFolders(paths: readonly string[]): Set<string> {
  const known = new Set<string>(['']);
  for (const path of paths) {
    known.add(path);
    for (let at = path.lastIndexOf('/'); at > 0; at = path.lastIndexOf('/', at - 1)) {
      const folder = path.slice(0, at);
      if (known.has(folder)) break;
      known.add(folder);
    }
  }
  return known;
}

/** Documents at hand, changed or not. */
function documents({ context }: Change): [string, string][] {
  return [...context.head].filter(
    ([path]) =>
      (isDocumentPath(path) && !/changelog|history/i.test(path)) ||
      /\.env\.(?:example|sample|template)$/.test(path),
  );
}

function undocumentedVariables(change: Change): Sighting[] {
  const texts = documents(change).map(([, text]) => text);
  // Only where documents name variables at all is one missing.
  if (!texts.some((text) => VARIABLE.test(text))) return [];
  const told = new Set<string>();
  return change.files
    .filter(
      ({ isTest, language, path }) =>
        !isTest && ['script', 'python', 'go'].includes(language) && !OWN_USE.test(path),
    )
    .flatMap((file) =>
      file.added.flatMap((line) =>
        READS.flatMap((pattern) => [...line.live.matchAll(pattern)]).flatMap(
          (match): Sighting[] => {
            const name = match[1] ?? match[2] ?? '';
            if (USUAL.test(name) || told.has(name) || texts.some((text) => text.includes(name)))
              return [];
            if (file.baseText?.includes(name) === true) return [];
            told.add(name);
            return [
              { file, line: line.line, title: `\`${name}\` is read and no document names it.` },
            ];
          },
        ),
      ),
    );
}

const OPTION = /["'`](--[a-z][a-z0-9-]{2,40})\b/g;

function removedOptions(change: Change): Sighting[] {
  const docs = documents(change);
  if (docs.length === 0) return [];
  const kept = change.files
    .flatMap((file) => [...file.lines.values()].map(({ text }) => text))
    .join('\n');
  return change.files
    .filter(({ isTest, language }) => !isTest && ['script', 'python', 'go'].includes(language))
    .flatMap((file) =>
      file.removed.flatMap((line) =>
        [...line.live.matchAll(OPTION)].flatMap((match): Sighting[] => {
          const option = match[1] ?? '';
          if (
            kept.includes(option) ||
            [...change.context.head].some(
              ([path, text]) => !isDocumentPath(path) && text.includes(option),
            )
          )
            return [];
          const doc = docs.find(([, text]) =>
            new RegExp(`${escapePattern(option)}(?![\\w-])`).test(text),
          );
          if (doc === undefined) return [];
          const at = doc[1].slice(0, doc[1].indexOf(option)).split('\n').length;
          return [
            {
              file,
              line: line.line,
              side: 'LEFT',
              title: `\`${option}\` is removed and still documented.`,
              evidence: `${doc[0]}, line ${at}, names \`${option}\``,
            },
          ];
        }),
      ),
    );
}

export const DOCUMENTATION_RULES: readonly ReviewRule[] = [
  {
    id: 'broken-relative-link',
    area: 'documentation',
    severity: 'low',
    personas: ['carlos'],
    title: 'A link leads to a file that is not there.',
    explanation: 'Readers who follow it find nothing, and trust the rest of the page less.',
    advice: 'correct the path, or add the file',
    examples: {
      yes: [
        {
          change: { 'docs/use.md': '+See [the guide](guide.md).' },
          repository: { 'docs/other.md': '' },
        },
      ],
      no: [
        {
          change: {
            'docs/use.md':
              '+See [the guide](guide.md#start), [issues](../../issues), [site](/guide/) and `[x](y.md)`.',
          },
          repository: { 'docs/guide.md': '' },
        },
        {
          change: { 'docs/api/use.md': '+See [the command](../cli#doctor).' },
          repository: { 'docs/cli.md': '' },
        },
        inFile('docs/use.md', '+See [the guide](guide.md).'),
      ],
    },
    find: ({ files, context }) => {
      if (context.paths === undefined) return [];
      const markdown = files.filter(({ language, isTest }) => language === 'markdown' && !isTest);
      const known = markdown.length === 0 ? new Set<string>() : pathsAndFolders(context.paths);
      return markdown
        .filter((file) => seemsBroken(file, known))
        .slice(0, MAX_PARSED)
        .flatMap((file) => brokenLinks(file, known));
    },
  },
  {
    id: 'variable-undocumented',
    area: 'documentation',
    severity: 'low',
    personas: ['carlos', 'dev'],
    title: 'An environment variable is read and no document names it.',
    explanation: 'People who run the program cannot know that it may or must be set.',
    advice: 'name it where the others are named',
    examples: {
      yes: [
        {
          change: { 'src/a.ts': `+const size = ${ENV}.CACHE_SIZE;` },
          repository: { 'README.md': 'Set `API_URL`.' },
        },
      ],
      no: [
        {
          change: { 'src/a.ts': `+const size = ${ENV}.CACHE_SIZE;` },
          repository: { 'README.md': 'Set `CACHE_SIZE`.' },
        },
        {
          change: { 'src/a.ts': `+const size = ${ENV}.CACHE_SIZE;` },
          repository: { 'README.md': 'Run it.' },
        },
      ],
    },
    find: undocumentedVariables,
  },
  {
    id: 'documented-option-removed',
    area: 'documentation',
    severity: 'medium',
    personas: ['carlos', 'dev'],
    title: 'An option is removed and still documented.',
    explanation:
      'Readers who follow the document get an error, and cannot know that the document is wrong.',
    advice: 'take it out of the document in the same change',
    examples: {
      yes: [
        {
          change: { 'src/cli.ts': " run();\n-option('--legacy');" },
          repository: { 'docs/use.md': 'Use `--legacy` for old files.' },
        },
      ],
      no: [
        {
          change: { 'src/cli.ts': " run();\n-option('--legacy');" },
          repository: { 'docs/use.md': 'Use `--legacy-mode`.' },
        },
        {
          change: {
            'src/cli.ts': " run();\n-option('--legacy');\n+option('--legacy', 'old files');",
          },
          repository: { 'docs/use.md': 'Use `--legacy`.' },
        },
      ],
    },
    find: removedOptions,
  },
];
