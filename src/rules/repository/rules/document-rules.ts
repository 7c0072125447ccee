/** Rules about documents that name files and commands which are not there. */
import {
  indexPaths,
  isGeneratedPath,
  knownExtension,
  nameOf,
  resolvePath,
} from '../../../domain/repository/paths.ts';
import type { PathIndex } from '../../../domain/repository/paths.ts';
import { resolveRelative } from '../../change/syntax/relative-path.ts';
import type { ChangedFile } from '../../change/read-change.ts';
import type { Sighting } from '../../change/change-rule.ts';
import { quoteLine, type Repository } from '../repository-links.ts';
import type { WatchRule } from '../watch-rule.ts';

/** Documents that tell of the past, of plans, or of somebody else's repository. */
const NOT_OF_NOW =
  /changelog|changes|history|release|upgrad|migrat|roadmap|todo|news|(?:^|\/)(?:decisions?|adrs?|rfcs?|proposals?|blog|posts|archive|templates?|examples?|fixtures?|\.changeset|\.github)\//i;
/** Where people look for how things are: not every text that ends like a document is one. */
const GUIDE = /^[^/]+$|(?:^|\/)(?:docs?|guides?|wiki|manual|handbook)\/|(?:^|\/)readme[^/]*$/i;
const SPAN = /`([\w@-][\w.@-]*(?:\/[\w.@-]+)+\.[a-z]{1,5})(?:[#:]L?\d[\w-]*)?`/g;
const PLACEHOLDER =
  /(?:^|[/_-])(?:your?|my|foo|bar|baz|example|path|name|some|xx+|abc)(?:$|[/._-])/i;
/** A document that names this many missing files, of those that it names, is about another repository. */
const MOSTLY_WRONG = 0.34;

/** Nobody reads further in one line. */
const MAX_LINE = 2_000;

interface Named {
  line: number;
  path: string;
}

interface ShownLine {
  line: number;
  text: string;
  /** What the fence around it says it is; undefined in running text. */
  fence: string | undefined;
}

/** Lines of a document without those that open and close a fence. */
function linesOf({ added }: ChangedFile): ShownLine[] {
  let open: { mark: string; info: string } | undefined;
  return added.flatMap(({ text, line }): ShownLine[] => {
    const [, mark = '', info = ''] = /^\s*(`{3,}|~{3,})\s*(\S*)/.exec(text) ?? [];
    if (mark === '' || (open !== undefined && !mark.startsWith(open.mark)))
      return [{ text: text.slice(0, MAX_LINE), line, fence: open?.info }];
    open = open === undefined ? { mark, info: info.toLowerCase() } : undefined;
    return [];
  });
}

/** Paths in code spans of running text; a fenced block may show anything. */
function pathsNamed(file: ChangedFile): Named[] {
  return linesOf(file)
    .filter(({ fence }) => fence === undefined)
    .flatMap(({ text, line }) =>
      Array.from(text.matchAll(SPAN), ([, path = '']) => ({ line, path })),
    );
}

interface Surroundings extends Pick<Repository, 'isMade'> {
  index: PathIndex;
  folders: ReadonlySet<string>;
}

/** Undefined when it is unknown: a build makes the path, or it is in somebody else's repository. */
function isThere(from: string, { path }: Named, { index, folders, isMade }: Surroundings) {
  const beside = resolveRelative(from, path);
  if (index.all.has(path) || (beside !== undefined && index.all.has(beside))) return true;
  if (resolvePath(path, index) !== undefined) return true;
  const isOurs = folders.has(path.split('/', 1)[0] ?? '') && knownExtension(nameOf(path));
  return !isOurs || isGeneratedPath(path) || isMade(path) || PLACEHOLDER.test(path)
    ? undefined
    : false;
}

function missingFiles(repository: Repository): Sighting[] {
  const index = indexPaths([...repository.paths]);
  const folders = new Set([...repository.paths].map((path) => path.split('/', 1)[0] ?? ''));
  const around = { index, folders, isMade: repository.isMade };
  return documents(repository).flatMap((file) => {
    const named = pathsNamed(file).map((each) => ({
      ...each,
      isThere: isThere(file.path, each, around),
    }));
    const missing = named.filter(({ isThere: found }) => found === false);
    const told = named.filter(({ isThere: found }) => found !== undefined);
    if (missing.length / told.length > MOSTLY_WRONG && !hasMoved(missing, index)) return [];
    return missing.map(({ line, path }) => ({
      file,
      line,
      title: `The document names \`${path}\`, which is not there.`,
      evidence: whereNow(path, index),
      code: path,
    }));
  });
}

function movedTo(path: string, { byName }: PathIndex): string | undefined {
  const found = byName.get(nameOf(path).toLowerCase()) ?? [];
  return found.length === 1 ? found[0] : undefined;
}

function hasMoved(missing: readonly Named[], index: PathIndex): boolean {
  return missing.every(({ path }) => movedTo(path, index) !== undefined);
}

function whereNow(path: string, index: PathIndex): string {
  const now = movedTo(path, index);
  return now === undefined
    ? `${path} is no path of the repository`
    : `${path} is no path of the repository; ${now} is`;
}

function documents({ files }: Repository): ChangedFile[] {
  return files.filter(
    ({ path, language, isTest }) =>
      language === 'markdown' && !isTest && GUIDE.test(path) && !NOT_OF_NOW.test(path),
  );
}

const RUN = /\b(?:npm|pnpm|yarn)\s+run(?:-script)?\s+([a-z][\w:.-]*\w)(?=$|[\s`'"),;&|.])/gi;
/** Words that show that another project is meant. */
const ELSEWHERE = /\bcd\s|--prefix|-C\s|--workspace|\s-w\s|--filter/;

function missingScripts(repository: Repository): Sighting[] {
  const { manifests, files } = repository;
  const scripts = new Set([...manifests.values()].flatMap((each) => [...each.scripts.keys()]));
  if (scripts.size === 0) return [];
  const workflows = files.filter(({ language }) => language === 'workflow');
  return [...workflows, ...documents(repository)].flatMap((file) => {
    const named = commandsIn(file).flatMap(({ text, line }) =>
      Array.from(text.matchAll(RUN), ([, name = '']) => ({ name, line })),
    );
    const missing = named.filter(({ name }) => !scripts.has(name) && !PLACEHOLDER.test(name));
    const first = new Map(missing.toReversed().map((each) => [each.name, each]));
    return [...first.values()].map((each) => toMissingScript(file, each));
  });
}

/** Blocks of other languages quote what somebody else runs. */
const SHELL = /^(?:sh|bash|zsh|shell|console|shell-session|terminal)?$/;

/** Lines that say what is to be run here. */
function commandsIn(file: ChangedFile): { text: string; line: number }[] {
  const shown =
    file.language === 'workflow'
      ? file.added.map(({ live, line }) => ({ text: live, line }))
      : linesOf(file).filter(({ fence }) => fence === undefined || SHELL.test(fence));
  return shown.filter(({ text }) => !ELSEWHERE.test(text));
}

function toMissingScript(
  file: ChangedFile,
  { name, line }: { name: string; line: number },
): Sighting {
  const isRun = file.language === 'workflow';
  return {
    file,
    line,
    ...(isRun ? { severity: 'medium' as const } : {}),
    title: `${isRun ? 'The workflow runs' : 'The document names'} the script \`${name}\`, which no \`package.json\` has.`,
    evidence: quoteLine(file, line),
    code: `run ${name}`,
  };
}

const MANIFEST = '{ "scripts": { "build": "tsc", "test": "vitest" } }';

export const DOCUMENT_RULES: readonly WatchRule[] = [
  {
    id: 'document-names-missing-file',
    area: 'documentation',
    severity: 'low',
    certainty: 0.6,
    personas: ['carlos', 'dev'],
    title: 'A document names a file that is not there.',
    explanation: 'Readers who follow it find nothing, and trust the rest of the page less.',
    advice: 'name the file that took its place, or take the sentence out',
    examples: {
      yes: [
        {
          'README.md': 'Begin in `src/main.ts`, then `src/read.ts` and `src/gone.ts`.',
          'src/main.ts': '',
          'src/read.ts': '',
        },
        { 'docs/use.md': 'See `src/old/parse.ts#L3`.', 'src/new/parse.ts': '' },
      ],
      no: [
        { 'README.md': 'Begin in `src/main.ts` and `old/gone.ts`.', 'src/main.ts': '' },
        { 'README.md': '```\n`src/gone.ts`\n```\nYours is `src/my/name.ts`.', 'src/main.ts': '' },
        { 'README.md': 'It writes `src/made/a.ts`.', 'src/b.ts': '', '.gitignore': 'src/made/' },
        { 'CHANGELOG.md': 'Removed `src/gone.ts`.', 'src/main.ts': '' },
        { 'README.md': 'Put `src/x.ts` and `src/y.ts` there.', 'src/main.ts': '' },
      ],
    },
    find: missingFiles,
  },
  {
    id: 'document-names-missing-script',
    area: 'documentation',
    severity: 'low',
    certainty: 0.85,
    personas: ['dev', 'carlos'],
    title: 'A document or a workflow runs a script that no manifest has.',
    explanation: 'Readers who follow it get an error at the first step.',
    advice: 'name the script that took its place, or add it',
    examples: {
      yes: [
        { 'package.json': MANIFEST, 'README.md': 'Then `npm run biuld`.' },
        { 'package.json': MANIFEST, 'docs/use.md': '```sh\npnpm run lint\n```' },
        {
          'package.json': MANIFEST,
          '.github/workflows/ci.yml': 'jobs:\n  a:\n    steps:\n      - run: npm run lint\n',
        },
      ],
      no: [
        { 'package.json': MANIFEST, 'README.md': 'Then `npm run build` and `npm run test -- -u`.' },
        { 'package.json': MANIFEST, 'README.md': 'In `web`: `cd web && npm run lint`.' },
        { 'package.json': MANIFEST, 'README.md': 'Run `npm run <name>` or `npm run your-script`.' },
        { 'README.md': 'Then `npm run lint`.' },
        { 'package.json': MANIFEST, 'README.md': 'Like this:\n\n```text\nnpm run lint\n```' },
      ],
    },
    find: missingScripts,
  },
];
