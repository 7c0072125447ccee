/** Git's own answers about patterns and paths: each pattern is in a folder of its own, so that one call is enough. */
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import * as fc from 'fast-check';

export interface Case {
  pattern: string;
  paths: readonly string[];
}

export interface GitOracle {
  /** For each case the paths that git leaves out. */
  ignored(cases: readonly Case[], ignoresCase: boolean): Set<string>[];
  /** For each case the paths that git gives an attribute. */
  attributed(cases: readonly Case[]): Set<string>[];
  [Symbol.dispose](): void;
}

export function openGitOracle(): GitOracle {
  const root = mkdtempSync(path.join(tmpdir(), 'quorum-git-oracle-'));
  execFileSync('git', ['init', '--quiet', root]);
  const ask = (args: string[], cases: readonly Case[]): string[] => {
    const asked = cases.flatMap(({ paths }, at) => paths.map((each) => `${at}/${each}`));
    const { stdout } = spawnSync('git', ['-C', root, ...args], {
      input: asked.join('\0'),
      encoding: 'utf8',
      env: { ...process.env, GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_SYSTEM: '/dev/null' },
    });
    return stdout.split('\0');
  };
  const write = (name: string, cases: readonly Case[], toLine: (pattern: string) => string) => {
    cases.forEach(({ pattern }, at) => {
      mkdirSync(path.join(root, String(at)), { recursive: true });
      writeFileSync(path.join(root, String(at), name), `${toLine(pattern)}\n`);
    });
  };
  const byCase = (cases: readonly Case[], found: readonly string[]): Set<string>[] =>
    cases.map((_, at) => {
      const prefix = `${at}/`;
      return new Set(
        found.filter((each) => each.startsWith(prefix)).map((each) => each.slice(prefix.length)),
      );
    });
  return {
    ignored(cases, ignoresCase) {
      write('.gitignore', cases, (pattern) => pattern);
      const options = ['-c', `core.ignorecase=${ignoresCase}`];
      const args = [...options, 'check-ignore', '--no-index', '--stdin', '-z'];
      return byCase(cases, ask(args, cases));
    },
    attributed(cases) {
      write('.gitattributes', cases, (pattern) => `${pattern} linguist-generated`);
      const told = ask(['check-attr', '--stdin', '-z', 'linguist-generated'], cases);
      const found = told.filter((_, at) => at % 3 === 0 && told[at + 2] === 'set');
      return byCase(cases, found);
    },
    [Symbol.dispose]() {
      rmSync(root, { recursive: true, force: true });
    },
  };
}

const name = fc
  .string({ unit: fc.constantFrom(...Array.from('aabbcA.-_1 [{,}')), minLength: 1, maxLength: 4 })
  .filter((each) => !/^\.+$/.test(each) && each.trim() === each);

/** Paths that the patterns of {@link aPattern} often fit. */
export const aPath = fc.array(name, { minLength: 1, maxLength: 4 }).map((parts) => parts.join('/'));

const SIGNS = Array.from('aabbcA.-_1+()$^|');
const GLOBS = ['*', '?', '[ab]', '[!a]', '[^b]', '[a-c]', '[]a]', '[[:alpha:]]', '[', '[[:no:]]'];
const part = fc.oneof(
  {
    weight: 5,
    arbitrary: fc
      .array(
        fc.oneof(
          { weight: 6, arbitrary: fc.constantFrom(...SIGNS) },
          { weight: 3, arbitrary: fc.constantFrom(...GLOBS, '\\a', '\\*', '\\[') },
        ),
        { minLength: 1, maxLength: 4 },
      )
      .map((atoms) => atoms.join('')),
  },
  { weight: 3, arbitrary: fc.constantFrom('**', '*', 'a**b', '**a', '***') },
);

/** A pattern as in an ignore file, without braces. */
export const aPattern = fc
  .tuple(
    fc.constantFrom('', '', '/'),
    fc.array(part, { minLength: 1, maxLength: 4 }),
    fc.constantFrom('', '', '/'),
  )
  .map(([first, parts, last]) => first + parts.join('/') + last);

/** Reports what differs and the seed: the whole counterexample has thousands of paths. */
export function tellShort({
  failed,
  seed,
  errorInstance,
}: {
  failed: boolean;
  seed: number;
  errorInstance: unknown;
}): void {
  if (failed) throw new Error(`seed ${seed}`, { cause: errorInstance });
}
