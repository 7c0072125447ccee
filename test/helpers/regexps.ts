/** Every regular expression of the sources, found in their syntax trees, and what recheck says of each. */
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { parse } from '@babel/parser';

const SRC = path.resolve(import.meta.dirname, '../../src');

export interface FoundPattern {
  source: string;
  flags: string;
  /** `file:line`, below `src`. */
  at: string;
}

/** A `new RegExp(…)`, with the parts that are put into its text. */
export interface MadePattern {
  at: string;
  file: string;
  /** At the top of a module: made once, from what the module itself says. */
  isConstant: boolean;
  /** Source of each part that is put in. */
  parts: string[];
  /** Undefined where the pattern is no template or plain string. */
  source: string | undefined;
  flags: string;
}

/** A pattern that recheck does not call safe, and why it is right all the same. */
export interface Accepted {
  source: string;
  flags: string;
  verdict: string;
  /** recheck's worst text for it: pieces in their order, those to be repeated marked. */
  attack: { text: string; isRepeated: boolean }[];
  /** Characters of the longest text that it is given. */
  reads: number;
  why: string;
}

export interface Verdicts {
  /** Digests of the patterns that recheck calls safe. */
  safe: string[];
  accepted: Accepted[];
}

export const VERDICTS = path.resolve(import.meta.dirname, '../fixtures/regexps.json');

export function readVerdicts(): Verdicts {
  return JSON.parse(readFileSync(VERDICTS, 'utf8')) as Verdicts;
}

/** Names a pattern with its flags. */
export function digestOf({ source, flags }: Pick<FoundPattern, 'source' | 'flags'>): string {
  return createHash('sha256').update(`${flags}/${source}`).digest('hex').slice(0, 12);
}

interface Node {
  type: string;
  start: number;
  end: number;
  loc: { start: { line: number } };
  [key: string]: unknown;
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && 'type' in value && 'loc' in value;
}

function isFunction({ type }: Node): boolean {
  return /Function|ObjectMethod|ClassMethod/.test(type);
}

/** Visits every node; `depth` counts the functions around it. */
function visit(value: unknown, depth: number, take: (node: Node, depth: number) => void): void {
  if (Array.isArray(value)) {
    for (const each of value) visit(each, depth, take);
    return;
  }
  if (!isNode(value)) return;
  take(value, depth);
  const below = depth + (isFunction(value) ? 1 : 0);
  for (const [key, child] of Object.entries(value))
    if (key !== 'loc' && !key.endsWith('Comments')) visit(child, below, take);
}

/** All literals, and all patterns that are made. */
export function findPatterns(): { literals: FoundPattern[]; made: MadePattern[] } {
  const literals: FoundPattern[] = [];
  const made: MadePattern[] = [];
  for (const file of readdirSync(SRC, { recursive: true, encoding: 'utf8' })) {
    if (!file.endsWith('.ts')) continue;
    const text = readFileSync(path.join(SRC, file), 'utf8');
    const tree = parse(text, { sourceType: 'module', plugins: ['typescript'] });
    visit(tree.program, 0, (node, depth) => {
      const at = `${file}:${node.loc.start.line}`;
      if (node.type === 'RegExpLiteral')
        literals.push({ source: String(node['pattern']), flags: String(node['flags']), at });
      const callee = node['callee'];
      if (isNode(callee) && callee['name'] === 'RegExp')
        made.push({ ...readMade(node, text), at, file, isConstant: depth === 0 });
    });
  }
  return { literals, made };
}

const PLACEHOLDER = 'a1';

function readMade(node: Node, text: string): Pick<MadePattern, 'parts' | 'source' | 'flags'> {
  const [first, second] = node['arguments'] as Node[];
  const flags = second?.type === 'StringLiteral' ? String(second['value']) : '';
  const isRaw = first?.type === 'TaggedTemplateExpression';
  const template = isRaw ? (first['quasi'] as Node) : first;
  if (template?.type !== 'TemplateLiteral') {
    const parts = template === undefined ? [] : [text.slice(template.start, template.end)];
    return { parts, source: undefined, flags };
  }
  const quasis = template['quasis'] as { value: { raw: string; cooked: string } }[];
  const expressions = template['expressions'] as Node[];
  return {
    parts: expressions.map(({ start, end }) => text.slice(start, end)),
    source: quasis.map(({ value }) => (isRaw ? value.raw : value.cooked)).join(PLACEHOLDER),
    flags,
  };
}

/** Names of the constants at the top of a file. */
export function constantsOf(file: string): Set<string> {
  const text = readFileSync(path.join(SRC, file), 'utf8');
  return new Set(Array.from(text.matchAll(/^(?:export )?const (\w+)/gm), ([, name = '']) => name));
}

/** The patterns that modules make while they are loaded, read from what they give to RegExp. */
export async function captureConstants(files: readonly string[]): Promise<FoundPattern[]> {
  const found: FoundPattern[] = [];
  const Original = globalThis.RegExp;
  class Recorder extends Original {
    constructor(source: string | RegExp, flags?: string) {
      super(source, flags);
      const at = madeBelow(new Error('where').stack ?? '');
      if (typeof source === 'string' && at !== undefined)
        found.push({ source, flags: flags ?? '', at });
    }
  }
  globalThis.RegExp = Recorder as typeof RegExp;
  try {
    for (const file of files) await import(path.join(SRC, file));
  } finally {
    globalThis.RegExp = Original;
  }
  return found;
}

/** Quorum's file that called the constructor; undefined where a library did. */
function madeBelow(stack: string): string | undefined {
  const caller = stack.split('\n')[2] ?? '';
  const at = caller.indexOf('/src/');
  return at === -1 || caller.includes('node_modules') ? undefined : caller.slice(at + 5);
}

/** The attack of an accepted pattern, as long as the longest text that it reads. */
export function attackOf({ attack, reads }: Accepted): string {
  const fixed = attack.filter(({ isRepeated }) => !isRepeated);
  const repeated = attack.filter(({ isRepeated }) => isRepeated);
  const room = reads - fixed.reduce((sum, { text }) => sum + text.length, 0);
  const unit = repeated.reduce((sum, { text }) => sum + text.length, 0);
  const times = unit === 0 ? 0 : Math.max(1, Math.floor(room / unit));
  return attack.map(({ text, isRepeated }) => (isRepeated ? text.repeat(times) : text)).join('');
}
