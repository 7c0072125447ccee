/**
 * The examples of what `index.ts` exports: each compiles, runs, and prints what the comments behind its `console.log`
 * say. A comment shows a value that is new at each run (an address) by its form.
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readSources } from './house/source-tree.ts';

const ROOT = path.resolve(import.meta.dirname, '..');
const BLOCK = /@example\n \* ```ts\n((?: \*.*\n)*?) \* ```/;
const LOG = /console\.log\(.*\); \/\/ (.*)$/gm;

const sources = new Map(readSources(ROOT).map((source) => [source.file, source]));
const values = sources.get('index.ts')?.passedOn ?? [];
const examples = new Map(values.map(({ name, from }) => [name, exampleOf(name, from)]));

let folder = '';
let printed = new Map<string, string[]>();
beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'quorum-examples-'));
  writeFileSync(path.join(folder, 'package.json'), JSON.stringify({ type: 'module' }));
  for (const [name, code] of examples) writeFileSync(fileOf(name), toModule(code));
  printed = runAll();
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test('every value has one', () => {
  expect([...examples].filter(([, code]) => code === '').map(([name]) => name)).toEqual([]);
  expect(examples.size).toBeGreaterThan(10);
});

test('all of them compile', () => {
  const files = [...examples.keys()].map(fileOf);
  const typeRoots = [path.join(ROOT, 'node_modules/@types')];
  const options = {
    extends: path.join(ROOT, 'tsconfig.json'),
    compilerOptions: { typeRoots },
    files,
  };
  const project = path.join(folder, 'tsconfig.json');
  writeFileSync(project, JSON.stringify({ ...options, include: [] }));
  expect(run(['node_modules/typescript/bin/tsc', '-p', project], ROOT)).toBe('');
});

for (const [name, code] of examples) {
  test(`${name}: it prints what it says`, () => {
    const said = [...code.matchAll(LOG)].map(([, value = '']) => withoutPort(value));
    expect(said.length).toBeGreaterThan(0);
    expect(printed.get(name)).toEqual(expect.arrayContaining(said));
  });
}

/** Runs them one after the other in one process, which takes a second to load the package. */
function runAll(): Map<string, string[]> {
  const lines = [...examples.keys()].map(
    (name) => `console.log('== ${name}');\nawait import('./${name}.ts');`,
  );
  const all = path.join(folder, 'all.ts');
  writeFileSync(all, lines.join('\n'));
  writeFileSync(path.join(folder, 'app.yml'), readFileSync(path.join(ROOT, 'app.yml')));
  const parts = run([all], folder).split(/^== /m).slice(1);
  return new Map(
    parts.map((part) => {
      const [name = '', ...rest] = part.split('\n');
      return [name, rest.map(withoutPort)];
    }),
  );
}

function exampleOf(name: string, from: string): string {
  const text = readFileSync(path.join(ROOT, 'src', from), 'utf8');
  const declared = new RegExp(`^export (?:async )?(?:function|class|const) ${name}\\b`, 'm');
  const before = text.slice(0, text.search(declared));
  const comment = before.slice(before.lastIndexOf('/**'));
  const [, lines = ''] = BLOCK.exec(comment) ?? [];
  return lines.replaceAll(/^ \* ?/gm, '');
}

function toModule(code: string): string {
  const index = JSON.stringify(path.join(ROOT, 'src/index.ts'));
  return code.replaceAll("from 'quorum'", `from ${index}`);
}

function fileOf(name: string): string {
  return path.join(folder, `${name}.ts`);
}

function run(args: string[], cwd: string): string {
  try {
    return execFileSync(process.execPath, args, { cwd, encoding: 'utf8', env: environment() });
  } catch (error) {
    const { stdout = '', stderr = '' } = error as { stdout?: string; stderr?: string };
    throw new Error(`${stdout}\n${stderr}`, { cause: error });
  }
}

function environment(): NodeJS.ProcessEnv {
  const { PATH, HOME, TMPDIR } = process.env;
  return { PATH, HOME, TMPDIR };
}

function withoutPort(line: string): string {
  return line.replace(/:\d+ /, ':PORT ');
}
