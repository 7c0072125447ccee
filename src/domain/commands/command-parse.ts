/** Finds the `/pm` commands of a comment in its Markdown (spec 05), and says of every other `/pm` why it is not one. */
import type { IgnoredCode, IgnoredLine, ParsedCommand, ParsedComment } from './command.ts';
import { hasHidden, readArguments } from './arguments.ts';
import { findEmailReply } from './email-reply.ts';
import { lookInto, readCommentBlocks, refusalOf, splitLines, type Block } from './placement.ts';
import { findCommand, suggestCommand } from './registry.ts';
import { chooseCommands } from './safer.ts';

export interface ParseOptions {
  /** Names of the models that `/pm <model>` may switch to. */
  models?: readonly string[];
}

/** As {@link isCommandLine} has it, with what follows. */
const COMMAND = /^ {0,3}\/[pP][mM](?:[ \t](.*))?$/;
/** Anywhere, in any case: worth a reason why it is not run. */
const MENTIONED = /(?:^|[^\w/.:-])\/pm(?![\w/-])/i;
/** Slashes and letters of other scripts, and what hides between letters, that look like the real thing. */
const LOOK_ALIKE =
  /(?:^|[^\w/.:-])[/\u2044\u2215\u29f8\uff0f][\p{Cf}\p{M}]{0,5}[pP\u0420\u0440\u03c1\u2374\uff30\uff50][\p{Cf}\p{M}]{0,5}[mM\u041c\u043c\uff2d\uff4d](?![\w/-])/u;

const REASONS: Readonly<Partial<Record<IgnoredCode, string>>> = {
  code: 'it is in code',
  definition: 'it is in a link definition or a footnote',
  'email-reply': 'it is below the header of a quoted e-mail',
  heading: 'it is in a heading',
  'hidden-characters': 'the line contains invisible characters',
  html: 'it is in HTML or in a folded section',
  indented: 'at most three spaces may come before it, and no tab',
  inline: 'it is inside a link or other formatting',
  list: 'it is in a list',
  'look-alike': 'it is not `/pm` in plain letters',
  'mid-line': 'it is not at the start of its line',
  quote: 'it is in a quote',
  table: 'it is in a table',
  'too-complex': 'the text around it has too much markup to be sure',
  'too-long': 'it is beyond the length that GitHub allows for a comment',
};

/**
 * Parses a comment's body. Total and bounded: it never throws, and what is longer than GitHub's limit is not read.
 * The commands are those to run, in their order, after contradictions are settled and the limit is kept.
 */
export function parseCommands(source: string, options: ParseOptions = {}): ParsedComment {
  const lines = splitLines(source);
  const candidates = [...lines.keys()].filter((index) => isCandidate(lines[index] ?? ''));
  if (candidates.length === 0) return { commands: [], ignored: [] };
  const refusals = placeAll(source, lines, candidates);
  const found: ParsedCommand[] = [];
  const ignored: IgnoredLine[] = [];
  for (const index of candidates) {
    const line = lines[index] ?? '';
    const code = refusals.get(index) ?? spellingOf(line);
    const read = code === undefined ? readLine(line, options) : because(code);
    if ('code' in read) ignored.push({ line: index + 1, ...read });
    else found.push({ ...read, line: index + 1 });
  }
  const chosen = chooseCommands(found);
  const all = [...ignored, ...chosen.ignored].toSorted((a, b) => a.line - b.line);
  return { commands: chosen.commands, ignored: all };
}

function isCandidate(line: string): boolean {
  return MENTIONED.test(line) || LOOK_ALIKE.test(line);
}

type Ignored = Omit<IgnoredLine, 'line'>;

function because(code: IgnoredCode, reason = REASONS[code] ?? code): Ignored {
  return { code, reason };
}

/** What is wrong with a line as it is written, wherever it is. */
function spellingOf(line: string): IgnoredCode | undefined {
  if (COMMAND.test(line)) return hasHidden(line) ? 'hidden-characters' : undefined;
  if (/^(?:\t| {4})\s*\/pm/i.test(line) || /^ +\t\s*\/pm/i.test(line)) return 'indented';
  if (!MENTIONED.test(line)) return 'look-alike';
  return /^\s*\/pm/i.test(line) ? 'look-alike' : 'mid-line';
}

/** Reads a line in a place where a command may be. */
function readLine(line: string, options: ParseOptions): Omit<ParsedCommand, 'line'> | Ignored {
  const words = shorten(COMMAND.exec(line)?.[1]?.trim() ?? '');
  const [verb = ''] = words.split(/[ \t]/, 1);
  const rest = words.slice(verb.length);
  const name = rest.trim() === '' ? verb.replace(/[.,!]$/, '') : verb;
  if (name === '')
    return verb === '' ? { name: 'status', args: [], text: '' } : unknown(verb, options);
  const entry = findCommand(name);
  if (entry === undefined) return readModel(name, rest, options) ?? unknown(name, options);
  const read = readArguments(entry, rest);
  if ('refused' in read) return { code: 'bad-arguments', name: entry.name, reason: read.refused };
  return { name: entry.name, ...read };
}

/** Before a command that has a name of its own, `memory` says nothing more. An entry is named by its id, with `m:` or without, a proposed one by its number. */
function shorten(words: string): string {
  return words
    .replace(/^memory[ \t]{1,9}remove[ \t]{1,9}(?:m:)?(?=[0-9a-f]{10}$)/i, 'forget ')
    .replace(/^(memory[ \t]{1,9}(?:approve|reject)[ \t]{1,9})m:(?=[0-9a-f]{10}$)/i, '$1')
    .replace(/^memory[ \t]{1,9}(?=(?:remove|add|change)(?![\w-]))/i, '');
}

/** `/pm claude` is short for `/pm model claude`. */
function readModel(
  name: string,
  rest: string,
  { models = [] }: ParseOptions,
): Omit<ParsedCommand, 'line'> | undefined {
  const model = models.find((each) => each.toLowerCase() === name.toLowerCase());
  if (model === undefined || rest.trim() !== '') return undefined;
  return { name: 'model', args: [model], text: model };
}

const SHOWN_CHARS = 40;

function unknown(name: string, { models = [] }: ParseOptions): Ignored {
  const isPlain = /^[\x21-\x7e]+$/.test(name);
  if (!isPlain) return because('look-alike', 'a command is written in plain letters');
  const shown = name.slice(0, SHOWN_CHARS).replaceAll('`', "'");
  const suggestion = suggestCommand(name.replace(/(?<![.,!?:;])[.,!?:;]+$/, ''), models);
  const meant = suggestion === undefined ? '' : `; did you mean \`/pm ${suggestion}\`?`;
  return {
    code: 'unknown-command',
    reason: `there is no command \`/pm ${shown}\`${meant}`,
    ...(suggestion === undefined ? {} : { suggestion }),
  };
}

/** For each candidate line: why no command can be there, if so. */
function placeAll(
  source: string,
  lines: readonly string[],
  candidates: readonly number[],
): Map<number, IgnoredCode> {
  const refusals = new Map<number, IgnoredCode>();
  const blocks = readCommentBlocks(source);
  if (blocks === undefined) return new Map(candidates.map((index) => [index, 'too-complex']));
  const byBlock = groupByBlock(blocks, candidates, (index) => refusals.set(index, 'too-long'));
  for (const [block, inside] of byBlock) placeInBlock({ block, lines }, inside, refusals);
  refuseQuotedMail({ blocks, lines }, candidates, refusals);
  return refusals;
}

function groupByBlock(
  blocks: readonly Block[],
  candidates: readonly number[],
  onOutside: (index: number) => void,
): Map<Block, number[]> {
  const grouped = new Map<Block, number[]>();
  let at = 0;
  for (const index of candidates) {
    while (at < blocks.length && (blocks[at]?.last ?? 0) < index) at += 1;
    const block = blocks[at];
    if (block === undefined || index < block.first) onOutside(index);
    else {
      const inside = grouped.get(block) ?? [];
      inside.push(index);
      grouped.set(block, inside);
    }
  }
  return grouped;
}

function placeInBlock(
  { block, lines }: { block: Block; lines: readonly string[] },
  inside: readonly number[],
  refusals: Map<number, IgnoredCode>,
): void {
  const whole = refusalOf(block);
  if (whole !== undefined) {
    for (const index of inside) refusals.set(index, whole);
    return;
  }
  const wellSpelt = inside.filter((index) => COMMAND.test(lines[index] ?? ''));
  if (wellSpelt.length === 0) return;
  const codes = lookInto(
    lines.slice(block.first, block.last + 1),
    wellSpelt.map((index) => index - block.first),
  );
  for (const [at, index] of wellSpelt.entries()) {
    const code = codes[at];
    if (code !== undefined) refusals.set(index, code);
  }
}

const QUOTING = new Set<Block['type']>(['blockquote', 'code', 'html']);

function refuseQuotedMail(
  { blocks, lines }: { blocks: readonly Block[]; lines: readonly string[] },
  candidates: readonly number[],
  refusals: Map<number, IgnoredCode>,
): void {
  const read = lines.slice(0, (blocks.at(-1)?.last ?? -1) + 1);
  const isText = (index: number): boolean => {
    const block = blocks.find((each) => each.first <= index && index <= each.last);
    return block !== undefined && !QUOTING.has(block.type);
  };
  const start = findEmailReply(read, isText);
  if (start === undefined) return;
  for (const index of candidates)
    if (index >= start && !refusals.has(index)) refusals.set(index, 'email-reply');
}
