/** Rules about what comes from others: dependencies and their install scripts. */
import { nameOf } from '../../../domain/repository/paths.ts';
import { changedDependencies, jsonKeyLine, newScripts } from '../syntax/manifest.ts';
import type { ReviewRule, Sighting } from '../change-rule.ts';

const FROM_ELSEWHERE =
  /^(?:git(?:\+\w+)?:|github:|gitlab:|bitbucket:|https?:|[\w-]+\/[\w.-]+(?:#|$))|^@\s*(?:git\+|https?:)/;
/** Well-known things that applications do after an install; they say what they are. */
const USUAL_SCRIPT =
  /^(?:npx\s+)?(?:husky|patch-package|electron-builder install-app-deps|prisma generate|lefthook install|simple-git-hooks|playwright install|ngcc)\b[^&|;]*$/;

const LOCK_EXAMPLE = {
  'package.json': ' {\n   "dependencies": {\n+    "left": "^1.0.0"\n   }\n }',
};

export const DEPENDENCY_RULES: readonly ReviewRule[] = [
  {
    id: 'dependency-added',
    area: 'supply chain',
    severity: 'info',
    personas: ['carlos', 'maya'],
    title: 'A dependency is added.',
    explanation:
      'Its code runs with the rights of the program, and its upkeep is now this project’s too.',
    advice: 'look at who keeps it, how large it is, and whether a few lines would do',
    examples: {
      yes: [
        { change: LOCK_EXAMPLE },
        { change: { 'requirements.txt': ' flask==3.1\n+requests==2.32' } },
      ],
      no: [
        {
          change: {
            'package.json':
              ' {\n   "dependencies": {\n-    "left": "^1.0.0"\n+    "left": "^1.1.0"\n   }\n }',
          },
        },
        { change: { 'package.json': '+{\n+  "dependencies": {\n+    "left": "^1.0.0"\n+  }\n+}' } },
      ],
    },
    find: (change) => {
      const news = changedDependencies(change).filter(({ isNew, file }) => isNew && !file.isNew);
      const byFile = Map.groupBy(news, ({ file }) => file);
      return [...byFile].map(([file, added]) => {
        const names = added.map(({ name }) => `\`${name}\``);
        const shown =
          names.slice(0, 8).join(', ') + (names.length > 8 ? ` and ${names.length - 8} more` : '');
        return {
          file,
          line: added[0]?.line ?? 1,
          title: `${added.length === 1 ? 'A dependency is' : `${added.length} dependencies are`} added: ${shown}.`,
          evidence: added
            .slice(0, 8)
            .map(({ name, version }) => `${name} ${version}`.trim())
            .join(', '),
        };
      });
    },
  },
  {
    id: 'dependency-not-from-registry',
    area: 'supply chain',
    severity: 'medium',
    personas: ['maya', 'carlos'],
    title: 'A dependency has no fixed version, or comes from outside the registry.',
    explanation:
      'What is behind a branch, an address or `*` can change at any time, without a new version to look at.',
    advice: 'use a released version from the registry, or a full commit',
    examples: {
      yes: [
        {
          change: {
            'package.json':
              ' {\n   "dependencies": {\n+    "left": "github:someone/left#main"\n   }\n }',
          },
        },
        { change: { 'package.json': ' {\n   "dependencies": {\n+    "left": "*"\n   }\n }' } },
      ],
      no: [
        { change: LOCK_EXAMPLE },
        {
          change: {
            'package.json':
              ' {\n   "dependencies": {\n+    "left": "workspace:*",\n+    "right": "file:../right"\n   }\n }',
          },
        },
        {
          change: {
            'package.json': ` {\n   "dependencies": {\n+    "left": "github:someone/left#${'0a1b2c3d'.repeat(5)}"\n   }\n }`,
          },
        },
      ],
    },
    find: (change) =>
      changedDependencies(change)
        .filter(
          ({ version }) =>
            version === '*' ||
            version === 'latest' ||
            (FROM_ELSEWHERE.test(version) && !/#[0-9a-f]{40}$|@[0-9a-f]{40}$/.test(version)),
        )
        .filter(({ file }) => nameOf(file.path) !== 'go.mod')
        .map(({ file, line, name, version }) => ({
          file,
          line,
          title: `\`${name}\` is wanted as \`${version}\`, which can change at any time.`,
        })),
  },
  {
    id: 'install-script-added',
    area: 'supply chain',
    severity: 'high',
    personas: ['maya'],
    title: 'A script runs on every machine that installs this package.',
    explanation:
      'It runs before anybody looked at the package, with the rights of the user who installs it.',
    advice: 'do the work in the build, or at the first run',
    examples: {
      yes: [
        {
          change: {
            'package.json': ' {\n   "scripts": {\n+    "postinstall": "node setup.js"\n   }\n }',
          },
        },
        { change: { 'package.json': '+{"scripts":{"postinstall":"node setup.js"}}' } },
      ],
      no: [
        {
          change: {
            'package.json': ' {\n   "scripts": {\n+    "postbuild": "node setup.js"\n   }\n }',
          },
        },
        {
          change: {
            'package.json': ' {\n   "scripts": {\n+    "postinstall": "patch-package"\n   }\n }',
          },
        },
      ],
    },
    find: ({ files }) =>
      files
        .filter(({ path }) => nameOf(path) === 'package.json')
        .flatMap((file) =>
          newScripts(file).flatMap(([name, script]): Sighting[] => {
            const line = jsonKeyLine(file, name);
            return line === undefined || USUAL_SCRIPT.test(script) ? [] : [{ file, line }];
          }),
        ),
  },
];
