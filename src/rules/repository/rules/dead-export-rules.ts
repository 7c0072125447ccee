/** A rule about what scripts offer and nobody takes. */
import { isSourcePath, nameOf } from '../../../domain/repository/paths.ts';
import { parseJsonObject } from '../../change/syntax/manifest.ts';
import type { ReadLine } from '../../change/syntax/lex.ts';
import type { ChangedFile } from '../../change/read-change.ts';
import type { Sighting } from '../../change/change-rule.ts';
import type { Repository } from '../repository-links.ts';
import type { WatchRule } from '../watch-rule.ts';

const EXPORT =
  /^export\s+(?:declare\s+)?(?:abstract\s+)?(?:async\s+)?(?:function\*?|const|let|class|interface|type|enum)\s+([\w$]{3,})/;
/** Files whose exports a framework or a tool takes by name. */
const BY_CONVENTION =
  /(?:^|\/)(?:pages|app|routes|api|functions|migrations|seeds?|plugins|stories|locales|commands|handlers|lambdas?|workers?)\/|(?:^|\/)(?:index|main|middleware|instrumentation|mod|env|globals?|types?|constants|generated|schema)\.[a-z]+$|\.(?:config|stories|story|page|layout|route|server|client|worker|gen|generated|d)\.[cm]?[jt]sx?$/i;

/** Whether nobody outside the repository can import its files: it is private, or says what may be imported. */
function isClosed({ manifests, change }: Repository): boolean {
  const texts = [...manifests.keys()].map((path) => change.context.head.get(path) ?? '');
  return (
    texts.length > 0 &&
    texts.every((text) => {
      const { private: isPrivate, exports: offered } = parseJsonObject(text) ?? {};
      return isPrivate === true || offered !== undefined;
    })
  );
}

/** Files all of whose exports are passed on, or taken under one name: nobody can tell which are used. */
function takenWhole({ imports }: Repository): Set<string> {
  const found = new Set<string>();
  for (const each of imports.values())
    for (const { names, target } of each)
      if (target !== undefined && names.includes('*')) found.add(target);
  return found;
}

function isDecorated(file: ChangedFile, { line }: ReadLine): boolean {
  return /^\s*@\w/.test(file.lines.get(line - 1)?.code ?? '');
}

function neverTaken(repository: Repository): Sighting[] {
  const { files, identifiers, isWhole, imports } = repository;
  if (!isWhole || !isClosed(repository)) return [];
  const whole = takenWhole(repository);
  const imported = new Set([...imports.values()].flat().map(({ target }) => target));
  return files
    .filter(
      ({ path, language }) =>
        language === 'script' &&
        isSourcePath(path) &&
        !BY_CONVENTION.test(path) &&
        // A file that nobody imports is started by somebody: what it exports is for them.
        imported.has(path) &&
        !whole.has(path),
    )
    .flatMap((file) =>
      file.added.flatMap((line): Sighting[] => {
        const name = EXPORT.exec(line.code)?.[1];
        if (name === undefined || identifiers.get(name) !== 1 || isDecorated(file, line)) return [];
        return [
          {
            file,
            line: line.line,
            title: `\`${name}\` is exported and nothing uses it.`,
            evidence: `${name} appears nowhere else in the repository, ${nameOf(file.path)} included`,
            code: `export ${name}`,
          },
        ];
      }),
    );
}

const PRIVATE = '{ "private": true }';
const OFFER = 'export function used() {}\nexport function parseAll() {}';

export const DEAD_EXPORT_RULES: readonly WatchRule[] = [
  {
    id: 'export-never-used',
    area: 'dead code',
    severity: 'low',
    certainty: 0.85,
    personas: ['dev', 'carlos'],
    title: 'Something is exported and never used.',
    explanation: 'It is read, kept up to date and tested for nobody.',
    advice: 'delete it; the history keeps it',
    examples: {
      yes: [
        {
          'package.json': PRIVATE,
          'src/a.ts': OFFER,
          'src/b.ts': "import { used } from './a.ts';\nused();",
        },
      ],
      no: [
        {
          'package.json': PRIVATE,
          'src/a.ts': OFFER,
          'src/b.ts': "import { used, parseAll } from './a.ts';\nused(parseAll);",
        },
        {
          'package.json': '{ "name": "open" }',
          'src/a.ts': OFFER,
          'src/b.ts': "import { used } from './a.ts';\nused();",
        },
        {
          'package.json': PRIVATE,
          'src/a.ts': OFFER,
          'src/b.ts': "import * as all from './a.ts';\nall.used();",
        },
        { 'package.json': PRIVATE, 'src/a.ts': OFFER },
        {
          'package.json': PRIVATE,
          'src/a.ts': OFFER,
          'src/b.ts': "import { used } from './a.ts';\nused();\ncall('parseAll');",
        },
        {
          'package.json': PRIVATE,
          'src/pages/a.ts': OFFER,
          'src/b.ts': "import { used } from './pages/a.ts';\nused();",
        },
      ],
    },
    find: neverTaken,
  },
];
