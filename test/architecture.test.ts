/** Derives from the sources who imports whom, and holds it against the rooms' rules. Lint sees static imports; this sees all. */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { findCircles } from './house/circles.ts';
import { measure, type Figure } from './house/figures.ts';
import { readSources } from './house/source-tree.ts';

const SRC = path.resolve(import.meta.dirname, '../src');
const ROOMS = [
  'domain',
  'rules',
  'policy',
  'ports',
  'events',
  'decide',
  'act',
  'record',
  'adapters',
  'emulator',
  'demo',
  'hosts',
] as const;
/**
 * What the product is made of. The demonstration depends on it, and it depends on nothing of the
 * demonstration.
 */
const PRODUCT = ROOMS.filter((room) => room !== 'demo' && room !== 'hosts');
type Room = (typeof ROOMS)[number] | 'run' | 'retry' | 'index';

/** Which rooms each room may import, besides itself. */
const MAY_IMPORT: Readonly<Record<Room, readonly Room[]>> = {
  domain: [],
  rules: ['domain'],
  policy: ['domain'],
  ports: ['domain'],
  events: ['domain'],
  decide: ['domain', 'rules', 'policy'],
  act: ['domain', 'policy', 'ports', 'record'],
  record: ['domain'],
  adapters: ['domain', 'ports'],
  emulator: ['domain', 'ports'],
  demo: [...PRODUCT, 'hosts', 'run'],
  retry: ['domain', 'ports'],
  run: ['domain', 'ports', 'events', 'decide', 'act', 'record', 'retry'],
  hosts: [...PRODUCT, 'demo', 'run'],
  index: [...PRODUCT, 'hosts', 'run'],
};

/** Modules that do I/O: none of them in the pure rooms. */
const IO =
  /^(node:(fs|child_process|net|http|https|dns|tls|worker_threads|timers)|probot|octokit|@octokit\/|@actions\/|@slack\/|@atproto\/|pg$|pg-boss|music-metadata|openai|@anthropic-ai\/|simple-git)/;
const PURE: readonly Room[] = [
  'domain',
  'rules',
  'policy',
  'ports',
  'events',
  'decide',
  'record',
  'retry',
];
/** Words that reach for the world without an import. */
const IMPURE =
  /\b(Date\.now\(|new Date\(\)|Math\.random\(|process\.|fetch\(|setTimeout\(|setInterval\(|performance\.)/;

interface Source {
  file: string;
  room: Room;
  text: string;
  imports: string[];
}

const IMPORT =
  /(?:^|\n)\s*(?:import|export)\b[^;'"]*?from\s+['"]([^'"]+)['"]|(?:^|\n)\s*import\s+['"]([^'"]+)['"]|\bimport\(\s*['"]([^'"]+)['"]/g;

function sources(): Source[] {
  return readdirSync(SRC, { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.tsx?$/.test(file))
    .map((file) => {
      const text = readFileSync(path.join(SRC, file), 'utf8');
      const imports = [...text.matchAll(IMPORT)].map(
        (match) => match[1] ?? match[2] ?? match[3] ?? '',
      );
      return { file, room: roomOf(file), text, imports };
    });
}

function roomOf(file: string): Room {
  const [first = ''] = file.split(path.sep);
  if (first === 'run.ts') return 'run';
  if (first === 'retry.ts') return 'retry';
  if (first === 'index.ts') return 'index';
  const room = ROOMS.find((each) => each === first);
  if (room === undefined) throw new Error(`${file} is in no room`);
  return room;
}

/** Relative imports, resolved to a path below src. */
function ownImports({ file, imports }: Source): string[] {
  return imports
    .filter((each) => each.startsWith('.'))
    .map((each) => path.relative(SRC, path.resolve(SRC, path.dirname(file), each)));
}

const all = sources();

test('the whole source was looked at', () => {
  expect(all.length).toBeGreaterThan(60);
  expect(all.flatMap((source) => source.imports).length).toBeGreaterThan(300);
});

test('every room imports only what it may', () => {
  const broken = all.flatMap((source) =>
    ownImports(source)
      .filter((target) => !target.startsWith('..'))
      .filter((target) => {
        const room = roomOf(target);
        return room !== source.room && !MAY_IMPORT[source.room].includes(room);
      })
      .map((target) => `${source.file} → ${target}`),
  );
  expect(broken).toEqual([]);
});

test('no circle of imports, types included, has more than three files', () => {
  const graph = new Map(all.map((source) => [source.file, new Set(ownImports(source))]));
  expect(findCircles(graph).filter((circle) => circle.length > 3)).toEqual([]);
});

test('only the commands `demo` and `emulator` import the demonstration', () => {
  const importers = all
    .filter((source) => source.room === 'hosts')
    .filter((source) => ownImports(source).some((target) => target.startsWith('demo/')))
    .map(({ file }) => file)
    .filter((file) => !/^hosts\/cli\/(?:commands\/(?:demo|emulator)\.ts$|demo\/)/.test(file));
  expect(importers).toEqual([]);
});

test('nothing outside src is imported but data', () => {
  const outside = all.flatMap((source) =>
    ownImports(source)
      .filter((target) => target.startsWith('..') && !target.endsWith('.json'))
      .map((target) => `${source.file} → ${target}`),
  );
  expect(outside).toEqual([]);
});

/** The folder below `adapters` or `emulator`: one outside world each. */
function worldOf(file: string): string {
  return file.split(path.sep).slice(0, 2).join('/');
}

test('no adapter imports another one, and no emulator', () => {
  const broken = all
    .filter((source) => source.room === 'adapters' || source.room === 'emulator')
    .flatMap((source) =>
      ownImports(source)
        .filter(
          (target) => roomOf(target) === source.room && worldOf(target) !== worldOf(source.file),
        )
        .map((target) => `${source.file} → ${target}`),
    );
  expect(broken).toEqual([]);
});

test('the pure rooms do no input or output', () => {
  const broken = all
    .filter((source) => PURE.includes(source.room))
    .flatMap((source) =>
      source.imports.filter((each) => IO.test(each)).map((each) => `${source.file} → ${each}`),
    );
  expect(broken).toEqual([]);
});

test('the pure rooms take time and chance as values', () => {
  const withoutComments = (text: string) => text.replaceAll(/\/\*[\s\S]*?\*\/|\/\/[^\n]*/g, '');
  const broken = all
    .filter((source) => PURE.includes(source.room) && source.room !== 'ports')
    // Rules of a review name such words to look for them; lint sees that they are not used.
    .filter((source) => !source.file.startsWith('rules/change/rules/'))
    .flatMap((source) => {
      const found = IMPURE.exec(withoutComments(source.text));
      return found === null ? [] : [`${source.file}: ${found[0]}`];
    });
  expect(broken).toEqual([]);
});

/** Anything but where programs, and the user's own settings for them, are found. */
const ENVIRONMENT = /\bprocess\.env\b(?!\['(?:PATH|HOME)'\])/;

test('only hosts read the environment', () => {
  const broken = all
    .filter((source) => source.room !== 'hosts' && ENVIRONMENT.test(source.text))
    .map((source) => source.file);
  expect(broken).toEqual([]);
});

/** What makes a block of other people's text, or vouches for text that goes to a model, and the files that may. */
const PROMPT_MAKERS: Readonly<Record<string, { pattern: RegExp; may: readonly string[] }>> = {
  'the marks of a block': { pattern: /<<<(?:data|end)\b/, may: ['domain/prompt/quarantine.ts'] },
  'text that is called checked': {
    pattern: /\b(?:as|is) PromptText\b/,
    may: ['domain/prompt/prompt-text.ts'],
  },
  'text that may instruct': {
    pattern: /import \{[^}]*\btrusted\b[^}]*\} from '[^']*prompt-text\.ts'/,
    may: [
      'domain/prompt/quarantine.ts',
      // Personas and rules.
      'hosts/cli/commands/persona-phrases.ts',
      'decide/talk/conversation/answer-prompt.ts',
      'decide/kinds/build/prompt.ts',
      'decide/run/prompt/prompt-parts.ts',
      'decide/kinds/code-watch/prompt.ts',
      'decide/kinds/standup/prompt.ts',
      'decide/kinds/reflection/prompt.ts',
      'decide/kinds/role-memory/prompt.ts',
      'decide/kinds/consolidation/prompt.ts',
      // The approved task; the guide of the default branch, and the answer of somebody who may give one.
      'decide/task/coder/coder-prompt.ts',
      'act/task/coder/code-task.ts',
      // What is wrong with a model's own call of a tool.
      'act/model/run-tool-loop.ts',
    ],
  },
};

test.each(Object.entries(PROMPT_MAKERS))(
  'nothing but the named files has %s',
  (_, { pattern, may }) => {
    const found = all.filter(({ text }) => pattern.test(text)).map(({ file }) => file);
    expect(found.toSorted()).toEqual(may.toSorted());
  },
);

const SWITCHED_OFF = /\/[/*]\s*(?:(?:oxlint|eslint)-disable|@ts-(?:ignore|nocheck|expect-error))/;

test('no rule of the house is switched off in a file', () => {
  const broken = all
    .filter((source) => !source.file.startsWith('rules/change/rules/'))
    .filter((source) => SWITCHED_OFF.test(source.text))
    .map((source) => source.file);
  expect(broken).toEqual([]);
});

test('a port has at most seven methods an interface', () => {
  const wide = all
    .filter((source) => source.room === 'ports')
    .flatMap(({ file, text }) =>
      [...text.matchAll(/export interface (\w+)[^{]*\{([\s\S]*?)\n\}/g)]
        .filter(([, , body = '']) => [...body.matchAll(/^ {2}\w+\(/gm)].length > 7)
        .map(([, name]) => `${file}: ${name}`),
    );
  expect(wide).toEqual([]);
});

test('no room is named so that anything fits', () => {
  const vague = all.filter(({ file }) =>
    /(^|\/)(utils?|helpers?|common|misc|manager|shared|scheduler)(\.ts|\/)/.test(file),
  );
  expect(vague.map((source) => source.file)).toEqual([]);
});

test('`run.ts` has at most 100 lines', () => {
  const page = all.find(({ file }) => file === 'run.ts');
  expect(page?.text.split('\n').length).toBeLessThanOrEqual(101);
});

/** What `npm run house` counts may fall below these, and then they fall too. Never raise one. */
const AT_MOST: Readonly<Record<string, number>> = {
  'folders with more than 15 files': 2,
  'basenames shared by sibling folders': 0,
  'pairs in decide/ that import each other': 0,
  'floors in decide/': 5,
  'rooms in decide/ besides kinds of run': 8,
  'names of exported functions that more than one file has': 0,
};

/** Folders that may have more than 15 files, since they are lists. */
const LISTS: Readonly<Record<string, string>> = {
  'hosts/cli/commands': 'a command of the terminal each',
  'rules/change/rules': 'a subject of rules each',
};

test('only lists are long', () => {
  const long = measured().find(({ name }) => name.startsWith('folders with more'))?.items ?? [];
  expect(long.map((item) => item.replace(/ \d+$/, '')).toSorted()).toEqual(
    Object.keys(LISTS).toSorted(),
  );
});

function measured(): Figure[] {
  return measure(readSources(path.resolve(import.meta.dirname, '..')));
}

test.each(Object.entries(AT_MOST))('%s: at most %i', (name, most) => {
  const found = measured().find((figure) => figure.name === name);
  expect(found).toBeDefined();
  expect(found?.items?.slice(most) ?? []).toEqual([]);
  expect(Number(found?.value)).toBeLessThanOrEqual(most);
});
