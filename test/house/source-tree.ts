/**
 * The files below `src/`: imports, exported functions, interfaces, examples. Prettier has formatted them, so that what is
 * declared at the top of a file begins a line.
 */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

export interface Source {
  /** Below `src/`, with `/`. */
  file: string;
  lines: number;
  /** Files of this repository that it imports, types included. */
  imports: string[];
  /** Names of its exported functions. */
  functions: string[];
  /** Fields of each interface, without those that it extends. */
  interfaces: ReadonlyMap<string, string[]>;
  /** Names of what it exports itself, and whether the comment before each has an example. */
  examples: ReadonlyMap<string, boolean>;
  /** Values that it exports from other files. */
  passedOn: readonly { name: string; from: string }[];
}

export function readSources(root: string): Source[] {
  const src = path.join(root, 'src');
  return readdirSync(src, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts'))
    .map((file) => file.split(path.sep).join('/'))
    .toSorted()
    .map((file) => readSource(file, readFileSync(path.join(src, file), 'utf8')));
}

const IMPORT =
  /^(?:import|export)\b[^;'"]*?\bfrom '(\.[^']+)'|^import '(\.[^']+)'|\bimport\('(\.[^']+)'/gm;
const FUNCTION = /^export (?:async )?function\*? (\w+)/gm;
const INTERFACE = /^(?:export )?interface (\w+)[^{]*\{\n([\s\S]*?)^\}/gm;
const FIELD = /^ {2}(?:readonly )?(\w+)\??[:(<]/gm;
const EXPORTED =
  /(\/\*\*(?:(?!\*\/)[\s\S])*\*\/\n)?^export (?:async )?(?:abstract )?(?:function\*?|class|interface|type|const) (\w+)/gm;
const PASSED_ON = /^export \{([^}]*)\} from '(\.[^']+)'/gm;

export function readSource(file: string, text: string): Source {
  const resolve = (from = ''): string => path.posix.join(path.posix.dirname(file), from);
  const imports = matches(text, IMPORT).map(([, a, b, c]) => resolve(a ?? b ?? c));
  return {
    file,
    lines: text.split('\n').length - 1,
    imports: [...new Set(imports)],
    functions: matches(text, FUNCTION).map(([, name = '']) => name),
    interfaces: new Map(
      matches(text, INTERFACE).map(([, name = '', body = '']) => [
        name,
        matches(body, FIELD).map(([, field = '']) => field),
      ]),
    ),
    examples: new Map(
      matches(text, EXPORTED).map(([, comment = '', name = '']) => [
        name,
        comment.includes('@example'),
      ]),
    ),
    passedOn: matches(text, PASSED_ON).flatMap(([, names = '', from]) =>
      names
        .split(',')
        .map((name) => name.trim())
        .filter((name) => name !== '' && !name.startsWith('type '))
        .map((name) => ({ name, from: resolve(from) })),
    ),
  };
}

function matches(text: string, pattern: RegExp): RegExpMatchArray[] {
  return [...text.matchAll(pattern)];
}
