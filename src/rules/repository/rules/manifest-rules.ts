/** Rules about what `package.json` declares and what the scripts beside it use. */
import { escapePattern } from '../../../domain/text/pattern.ts';
import { isDocumentPath, isGeneratedPath, isLockfile } from '../../../domain/repository/paths.ts';
import { isRecord } from '../../../domain/config/yaml.ts';
import { parseJsonObject } from '../../change/syntax/manifest.ts';
import { resolveRelative } from '../../change/syntax/relative-path.ts';
import type { ChangedFile } from '../../change/read-change.ts';
import type { Sighting } from '../../change/change-rule.ts';
import { lineOf, quoteLine, type Repository } from '../repository-links.ts';
import type { WatchRule } from '../watch-rule.ts';
import { ELSEWHERE, findUndeclared } from '../undeclared-packages.ts';

const NAME_IN_TEXT = /@?[a-z0-9][\w.-]*(?:\/[\w.-]+)*/gi;

/** Everything in the repository that could be a package's name; manifests count without what they declare. */
function namesWritten({ change }: Repository): Set<string> {
  const found = new Set<string>();
  for (const [path, text] of change.context.head) {
    if (isDocumentPath(path) || isLockfile(path)) continue;
    const shown = /(?:^|\/)package\.json$/.test(path) ? withoutDependencies(text) : text;
    for (const [word] of shown.matchAll(NAME_IN_TEXT)) {
      const parts = word.split('/');
      found.add(parts.slice(0, word.startsWith('@') ? 2 : 1).join('/'));
      for (const part of parts) found.add(part);
    }
  }
  return found;
}

function withoutDependencies(text: string): string {
  const rest = Object.entries(parseJsonObject(text) ?? {}).filter(
    ([key]) => !/dependencies$/i.test(key) && key !== 'name' && key !== 'keywords',
  );
  return JSON.stringify(Object.fromEntries(rest));
}

/** What others need beside them, and what is used by being there. */
const USED_UNSEEN =
  /^@types\/|polyfill|^typescript$|^tslib$|^core-js|^@babel\/runtime|^regenerator-runtime/;

function neverUsed(repository: Repository): Sighting[] {
  if (!repository.isWhole) return [];
  const written = namesWritten(repository);
  return repository.files.flatMap((file): Sighting[] => {
    const dependencies = toDependencies(file);
    return dependencies
      .filter((name) => !USED_UNSEEN.test(name) && !isWritten(name, written))
      .map((name) => ({
        file,
        line: lineOf(file.headText ?? '', keyPattern(name)) ?? 1,
        title: `\`${name}\` is declared and nothing uses it.`,
        evidence: `no file but a manifest or a document names ${name}`,
        code: name,
      }));
  });
}

/** A program that a package brings is called by the last part of its name, as a rule. */
function isWritten(name: string, written: ReadonlySet<string>): boolean {
  return written.has(name) || written.has(name.split('/').at(-1) ?? name);
}

/** What runs with the program: tools of development are used in ways that no file shows. */
function toDependencies({ path, headText }: ChangedFile): string[] {
  if (!/(?:^|\/)package\.json$/.test(path) || ELSEWHERE.test(path)) return [];
  const wanted = parseJsonObject(headText ?? '')?.['dependencies'];
  return Object.keys(isRecord(wanted) ? wanted : {});
}

/** The line of a key in JSON. */
function keyPattern(name: string): RegExp {
  return new RegExp(`^\\s*${escapePattern(JSON.stringify(name))}\\s*:`);
}

/** Files that a script of the manifest hands to a program that reads them. */
const SCRIPT_FILE =
  /(?:^|&&|\|\||;)\s*(?:\w+=\S+\s+)*(?:node|tsx|ts-node|bun|python3?|bash|sh)\s+(?:--?[\w-]+(?:=\S+)?\s+){0,5}((?:\.\/)?[\w@][\w@./-]*\.(?:[cm]?[jt]s|py|sh))(?=\s|$|&|;)/g;

function missingScriptFiles(repository: Repository): Sighting[] {
  return [...repository.manifests].flatMap(([path, { scripts }]) => {
    const file = repository.files.find((each) => each.path === path);
    if (file === undefined || ELSEWHERE.test(path)) return [];
    return [...scripts].flatMap(([name, script]): Sighting[] => {
      // From another folder the same words mean another file.
      const named = /\bcd\s/.test(script) ? [] : [...script.matchAll(SCRIPT_FILE)];
      const missing = named
        .map(([, written = '']) => written)
        .find((written) => isMissing(resolveRelative(path, written), repository));
      if (missing === undefined) return [];
      const line = lineOf(file.headText ?? '', keyPattern(name)) ?? 1;
      return [
        {
          file,
          line,
          title: `The script \`${name}\` runs \`${missing}\`, which is not there.`,
          evidence: quoteLine(file, line),
          code: `${name} ${missing}`,
        },
      ];
    });
  });
}

function isMissing(path: string | undefined, { paths, isMade }: Repository): boolean {
  // A file beside the manifest may be put there by a build (a server that a framework writes).
  if (path === undefined || !path.includes('/') || paths.has(path)) return false;
  if (isGeneratedPath(path) || isMade(path)) return false;
  // A folder that holds nothing is made by a build.
  const folder = path.slice(0, path.lastIndexOf('/') + 1);
  return [...paths].some((each) => each.startsWith(folder));
}

const manifest = (value: object): string => JSON.stringify(value, undefined, 2);

const WITH_LEFT = manifest({ dependencies: { left: '^1.0.0' } });

export const MANIFEST_RULES: readonly WatchRule[] = [
  {
    id: 'dependency-not-declared',
    area: 'supply chain',
    severity: 'medium',
    certainty: 0.85,
    personas: ['dev', 'maya'],
    title: 'A package is imported and not declared.',
    explanation:
      'It is there by chance, because something else brings it, in whatever version that wants; one day it is gone, or is somebody else’s.',
    advice: 'declare it in the nearest `package.json` with the version that is in use',
    examples: {
      yes: [
        { 'package.json': WITH_LEFT, 'src/a.ts': "import { pad } from 'right/pad';\npad();" },
        { 'package.json': WITH_LEFT, 'src/a.js': "const pad = require('@scope/right');\npad();" },
      ],
      no: [
        {
          'package.json': WITH_LEFT,
          'src/a.ts': "import { pad } from 'left';\nimport 'fs';\npad();",
        },
        {
          'package.json': WITH_LEFT,
          'src/a.ts': "// import 'right';\nconst x = \"import 'right'\";",
        },
        {
          'package.json': WITH_LEFT,
          'src/a.ts': "import x from '@/right';\nimport y from '#right';",
        },
        {
          'package.json': WITH_LEFT,
          'tsconfig.json': '{ "compilerOptions": { "paths": { "right/*": ["./lib/*"] } } }',
          'src/a.ts': "import x from 'right/x';",
        },
        {
          'package.json': WITH_LEFT,
          'packages/right/package.json': '{ "name": "right" }',
          'src/a.ts': "import x from 'right';",
        },
        { 'package.json': WITH_LEFT, 'src/a.ts': "try {\n  await import('right');\n} catch {}" },
        { 'src/a.ts': "import x from 'right';" },
      ],
    },
    find: findUndeclared,
  },
  {
    id: 'dependency-never-used',
    area: 'supply chain',
    severity: 'low',
    certainty: 0.6,
    personas: ['dev', 'maya'],
    title: 'A package is declared and never used.',
    explanation:
      'Everybody who installs this downloads it and everything below it, and it has to be kept up to date for nothing.',
    advice: 'remove it from `package.json`, or say in the code what needs it',
    examples: {
      yes: [{ 'package.json': WITH_LEFT, 'src/a.ts': 'run();' }],
      no: [
        { 'package.json': WITH_LEFT, 'src/a.ts': "import 'left/pad';" },
        { 'package.json': WITH_LEFT, 'vite.config.ts': "plugins(['left']);" },
        {
          'package.json': manifest({ scripts: { build: 'left src' }, dependencies: { left: '1' } }),
        },
        { 'package.json': manifest({ devDependencies: { left: '1' } }), 'src/a.ts': 'run();' },
      ],
    },
    find: neverUsed,
  },
  {
    id: 'script-runs-missing-file',
    area: 'correctness',
    severity: 'medium',
    certainty: 0.9,
    personas: ['dev'],
    title: 'A script of the manifest runs a file that is not there.',
    explanation: 'It fails for everybody who runs it, and nobody knows for how long.',
    advice: 'correct the path, or remove the script',
    examples: {
      yes: [
        {
          'package.json': manifest({ scripts: { seed: 'node --no-warnings scripts/seed.js' } }),
          'scripts/other.js': '',
        },
      ],
      no: [
        {
          'package.json': manifest({ scripts: { seed: 'node scripts/seed.js' } }),
          'scripts/seed.js': '',
        },
        {
          'package.json': manifest({ scripts: { start: 'node dist/a.js && node out.js' } }),
          '.gitignore': 'out.js',
        },
        { 'package.json': manifest({ scripts: { start: 'cd web && node scripts/seed.js' } }) },
      ],
    },
    find: missingScriptFiles,
  },
];
