/** Rules about names and files that the change uses and that are not there. */
import { escapePattern } from '../../../domain/text/pattern.ts';
import { isGeneratedPath } from '../../../domain/repository/paths.ts';
import { readBuildOutput } from '../build-output.ts';
import { candidatePaths, importedPath, readImports } from '../syntax/imports.ts';
import { languageOf } from '../syntax/language.ts';
import type { Change, ChangedFile } from '../read-change.ts';
import { inFile } from '../change-rule.ts';
import type { ReviewRule, Sighting } from '../change-rule.ts';

/** Endings that a build step provides, or that are no code. */
const MADE_BY_BUILD = /(?:^|\/)(?:\.[\w-]+|generated|__generated__|dist|build|out|pkg|gen)\//;
const EXPORT =
  /^\s*export\s+(?:declare\s+)?(?:default\s+)?(?:abstract\s+)?(?:async\s+)?(?:function\*?|const|let|class|interface|type|enum)\s+([\w$]+)/;

/** Imports of the new lines of a script. */
function newImports(file: ChangedFile): { specifier: string; line: number }[] {
  const numbers = [...file.addedNumbers];
  const [first, last] = [numbers[0], numbers.at(-1)];
  if (file.language !== 'script' || first === undefined || last === undefined) return [];
  const shown = [...file.lines.values()].map(({ live }) => live);
  const start = file.lines.keys().next().value ?? 1;
  // Lines that the diff leaves out would shift the count: then each new line is read alone.
  const isWhole = file.lines.size > 0 && file.lines.has(start + file.lines.size - 1);
  const read = isWhole
    ? readImports(shown.join('\n')).map(({ specifier, line }) => ({
        specifier,
        line: line + start - 1,
      }))
    : file.added.flatMap(({ live, line }) =>
        readImports(live).map(({ specifier }) => ({ specifier, line })),
      );
  return read.filter(
    ({ line }) =>
      file.addedNumbers.has(line) &&
      /\b(?:import|from|require)\b/.test(file.lines.get(line)?.code ?? ''),
  );
}

function folderOf(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf('/')));
}

/** Names that a build often writes, in any folder. */
const OFTEN_MADE =
  /(?:^|[/._-])(?:generated?|gen|version|build-?info|manifest|routeTree)(?:[./_-]|$)/i;

function missingImports(change: Change): Sighting[] {
  if (change.context.paths === undefined) return [];
  const paths = new Set(change.context.paths);
  const folders = new Set(change.context.paths.map(folderOf));
  const output = readBuildOutput(change.context);
  const isThere = (wanted: string): boolean =>
    paths.has(wanted) || candidatePaths(wanted).some((path) => paths.has(path));
  const mayBeMade = (wanted: string): boolean =>
    MADE_BY_BUILD.test(`${wanted}/`) ||
    isGeneratedPath(`${wanted}/x`) ||
    // A folder that holds nothing is made by a build.
    !folders.has(folderOf(wanted)) ||
    candidatePaths(wanted).some((path) => output.isMade(path)) ||
    (!output.isKnown && OFTEN_MADE.test(wanted));
  return change.files.flatMap((file) =>
    newImports(file).flatMap(({ specifier, line }): Sighting[] => {
      const wanted = importedPath(file.path, specifier);
      if (wanted === undefined || isThere(wanted) || mayBeMade(wanted)) return [];
      // A folder with a manifest is a package: what it gives is named there.
      if (paths.has(wanted === '' ? 'package.json' : `${wanted}/package.json`)) return [];
      const title = `\`${specifier}\` is imported and is not in the repository.`;
      return [{ file, line, title, ...(output.isKnown ? {} : { severity: 'medium' }) }];
    }),
  );
}

/** Scripts at hand at the head, with their imports resolved to paths. */
function importsAtHead({
  context,
}: Change): { path: string; line: number; target: string; names: readonly string[] }[] {
  return [...context.head].flatMap(([path, text]) =>
    languageOf(path) === 'script'
      ? readImports(text).flatMap(({ specifier, line, names }) => {
          const target = importedPath(path, specifier);
          return target === undefined ? [] : [{ path, line, target, names }];
        })
      : [],
  );
}

function removedButImported(change: Change): Sighting[] {
  const gone = change.files.filter(
    ({ file, language }) =>
      language === 'script' && (file.status === 'deleted' || file.status === 'renamed'),
  );
  if (gone.length === 0) return [];
  const imports = importsAtHead(change);
  return gone.flatMap((file): Sighting[] => {
    if (
      change.context.head.has(file.basePath) ||
      change.context.paths?.includes(file.basePath) === true
    )
      return [];
    const user = imports.find(({ target }) => {
      const candidates = candidatePaths(target);
      const isTaken = candidates.some(
        (path) => path !== file.basePath && (change.context.paths?.includes(path) ?? false),
      );
      return candidates.includes(file.basePath) && !isTaken;
    });
    if (user === undefined) return [];
    const isDeleted = file.file.status === 'deleted';
    return [
      {
        file,
        line: isDeleted ? (file.removed[0]?.line ?? 1) : (file.added[0]?.line ?? 1),
        side: isDeleted ? 'LEFT' : 'RIGHT',
        scope: 'file',
        evidence: `${user.path}, line ${user.line}, imports it`,
        code: file.basePath,
      },
    ];
  });
}

function removedExports(change: Change): Sighting[] {
  const again = new Set(
    change.files.flatMap((file) =>
      [...file.lines.values()].map(({ code }) => EXPORT.exec(code)?.[1] ?? ''),
    ),
  );
  const suspects = change.files
    .filter(({ language, file }) => language === 'script' && file.status !== 'deleted')
    .flatMap((file) =>
      file.removed.flatMap((line) => {
        const name = EXPORT.exec(line.code)?.[1];
        return name === undefined ||
          again.has(name) ||
          new RegExp(`\\b${escapePattern(name)}\\b`).test(file.headText ?? name)
          ? []
          : [{ file, line, name }];
      }),
    );
  if (suspects.length === 0) return [];
  const imports = importsAtHead(change);
  return suspects.flatMap(({ file, line, name }): Sighting[] => {
    const user = imports.find(
      ({ target, names }) => names.includes(name) && candidatePaths(target).includes(file.path),
    );
    return user === undefined
      ? []
      : [
          {
            file,
            line: line.line,
            side: 'LEFT',
            title: `\`${name}\` is removed and still imported.`,
            evidence: `${user.path}, line ${user.line}, imports \`${name}\``,
          },
        ];
  });
}

const AT_HAND = { 'src/a.ts': '' };

export const REFERENCE_RULES: readonly ReviewRule[] = [
  {
    id: 'import-of-missing-file',
    area: 'correctness',
    severity: 'high',
    personas: ['dev', 'priya'],
    title: 'A file is imported that is not in the repository.',
    explanation: 'It was perhaps not committed; everybody else’s copy does not start.',
    advice: 'add the file, or correct the path',
    examples: {
      yes: [
        {
          change: { 'src/b.ts': "+import { x } from './missing.ts';\n+x();" },
          repository: AT_HAND,
        },
      ],
      no: [
        {
          change: {
            'src/b.ts':
              "+import { x } from './a.ts';\n+import { y } from './a.js';\n+import { z } from './a';\n+x(y, z);",
          },
          repository: AT_HAND,
        },
        {
          change: {
            'src/b.ts': "+// import { x } from './missing.ts';\n+import y from 'missing';\n+y();",
          },
          repository: AT_HAND,
        },
        {
          change: {
            'src/b.ts':
              "+import { x } from './missing.ts';\n+import { y } from '../lib/y.js';\n+x(y);",
          },
          repository: { ...AT_HAND, '.gitignore': 'src/missing.ts' },
        },
        {
          change: { 'src/b.ts': "+import { x } from './messages.gen.js';\n+x();" },
          repository: { ...AT_HAND, '.gitignore': '# made\n*.gen.ts\n' },
        },
        {
          change: { 'test/b.test.js': "+const x = require('../lib');\n+const y = require('..');" },
          repository: { 'package.json': '{ "main": "./lib/index.js" }', 'test/a.test.js': '' },
        },
        inFile('src/b.ts', "+import { x } from './missing.ts';\n+x();"),
      ],
    },
    find: missingImports,
  },
  {
    id: 'removed-file-still-imported',
    area: 'correctness',
    severity: 'high',
    personas: ['dev'],
    title: 'A file is removed or renamed and something still imports it.',
    explanation: 'Whatever imports it no longer starts.',
    advice: 'change the import, or keep the file',
    examples: {
      yes: [
        {
          change: { 'src/old.ts': '-export const x = 1;' },
          repository: { 'src/b.ts': "import { x } from './old.ts';" },
        },
      ],
      no: [
        {
          change: { 'src/old.ts': '-export const x = 1;' },
          repository: { 'src/b.ts': "import { x } from './new.ts';", 'src/new.ts': '' },
        },
      ],
    },
    find: removedButImported,
  },
  {
    id: 'removed-export-still-imported',
    area: 'correctness',
    severity: 'high',
    personas: ['dev'],
    title: 'Something that others import is removed.',
    explanation: 'Whatever imports it no longer compiles, or gets `undefined`.',
    advice: 'change those who import it in the same change',
    examples: {
      yes: [
        {
          change: { 'src/a.ts': ' export const y = 2;\n-export const x = 1;' },
          repository: { 'src/b.ts': "import { x } from './a.ts';" },
        },
      ],
      no: [
        {
          change: { 'src/a.ts': ' export const y = 2;\n-export const x = 1;' },
          repository: { 'src/b.ts': "import { y } from './a.ts';" },
        },
        {
          change: {
            'src/a.ts': ' export const y = 2;\n-export const x = 1;\n+export const x = 2;',
          },
          repository: { 'src/b.ts': "import { x } from './a.ts';" },
        },
      ],
    },
    find: removedExports,
  },
];
