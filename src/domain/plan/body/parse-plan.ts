/** Reads a plan's body (TG-3). Never throws, and never changes a byte: edits are spliced in by `edit-plan.ts`. */
import { findPlanProblems } from '../plan-problems.ts';
import { maskComments } from './mask-comments.ts';
import { readPlanBlocks, type Block } from './plan-blocks.ts';
import { createLines, type BodyLines } from './body-lines.ts';
import { readTask } from './parse-task.ts';
import type { Plan, PlanCheck, PlanProblem, PlanTask, Span } from '../plan.ts';

/** GitHub takes no longer body; more is read nowhere. */
export const MAX_BODY = 2_000_000;

const SECTIONS = ['goal', 'context', 'tasks', 'verification'] as const;
type SectionName = (typeof SECTIONS)[number];

/** A heading and all blocks up to the next one that ends it. */
interface Part {
  heading: Extract<Block, { kind: 'heading' }>;
  name: SectionName | 'task' | 'plan' | 'other';
  blocks: Block[];
  /** Line on which the next part begins. */
  end: number;
}

/** Marks before a word, such as emoji and numbers of chapters. */
const BEFORE = String.raw`^[^\p{L}\p{N}]*(?:\d+[.)]\s*)?`;
const TASK = new RegExp(String.raw`${BEFORE}task\s+#?(\d{1,6})(?!\d)\s*[:.)–—-]?\s*(.*)$`, 'isu');
const PLAN = /\[plan\]\s*:?\s*/i;

export function parsePlan(source: string): Plan {
  if (source.length > MAX_BODY) return tooLong(source);
  const shown = maskComments(source);
  const lines = createLines(shown);
  const parts = splitParts(readPlanBlocks(shown), lines.count);
  const problems: PlanProblem[] = [];
  const tasks = parts
    .filter(({ name }) => name === 'task')
    .map((part) => toTask(part, lines, problems));
  const verification = parts
    .filter(({ name }) => name === 'verification')
    .flatMap(({ blocks }) => readChecks(blocks, lines));
  const plan = {
    source,
    title: titleOf(parts),
    goal: textOf(parts, 'goal', lines),
    context: textOf(parts, 'context', lines),
    tasks,
    verification,
    sections: sectionsOf(parts, lines),
  };
  return { ...plan, problems: [...problems, ...findPlanProblems(tasks)].toSorted(byLine) };
}

function byLine(a: PlanProblem, b: PlanProblem): number {
  return a.line - b.line;
}

function tooLong(source: string): Plan {
  const message = `The plan has ${source.length} characters; at most ${MAX_BODY} are read. Move what is not about its tasks elsewhere.`;
  const problems: PlanProblem[] = [{ code: 'too-long', line: 1, message }];
  return { source, title: '', goal: '', context: '', tasks: [], verification: [], problems };
}

function splitParts(blocks: readonly Block[], lineCount: number): Part[] {
  const parts: Part[] = [];
  for (const block of blocks) {
    const last = parts.at(-1);
    if (block.kind === 'heading' && begins(block, last)) {
      if (last !== undefined) last.end = block.lines.first;
      parts.push({ heading: block, name: nameOf(block), blocks: [], end: lineCount });
    } else last?.blocks.push(block);
  }
  return parts;
}

type Heading = Part['heading'];

/** Headings deeper than a task's own are part of what it says; a known one of any depth begins a part. */
function begins(heading: Heading, last: Part | undefined): boolean {
  const name = nameOf(heading);
  if (name === 'task' || last === undefined) return true;
  if (last.name !== 'task') return true;
  if (heading.level > last.heading.level) return false;
  return true;
}

function nameOf({ text, level }: Heading): Part['name'] {
  if (level >= 2 && level <= 4 && TASK.test(text)) return 'task';
  if (level === 1) return 'plan';
  const word = text
    .replaceAll(/[^\p{L}\p{N}\s]/gu, '')
    .trim()
    .toLowerCase();
  return SECTIONS.find((known) => known === word || `${known}s` === word) ?? 'other';
}

function titleOf(parts: readonly Part[]): string {
  const { heading } = parts.find(
    ({ name, heading: { text } }) => name === 'plan' && PLAN.test(text),
  ) ??
    parts.find(({ name }) => name === 'plan') ?? { heading: undefined };
  const text = heading?.text ?? '';
  const mark = PLAN.exec(text);
  return (mark === null ? text : text.slice(mark.index + mark[0].length)).trim();
}

function textOf(parts: readonly Part[], wanted: SectionName, lines: BodyLines): string {
  const part = parts.find(({ name }) => name === wanted);
  if (part === undefined) return '';
  return lines.text({ first: part.heading.lines.end, end: part.end }).trim();
}

function sectionsOf(parts: readonly Part[], lines: BodyLines): NonNullable<Plan['sections']> {
  const found = (['goal', 'context'] as const).flatMap((wanted) => {
    const part = parts.find(({ name }) => name === wanted);
    return part === undefined
      ? []
      : [[wanted, lines.span({ first: part.heading.lines.end, end: part.end })] as const];
  });
  return Object.fromEntries(found);
}

function toTask(part: Part, lines: BodyLines, problems: PlanProblem[]): PlanTask {
  const [, number = '', title = ''] = TASK.exec(part.heading.text) ?? [];
  return readTask({
    number: Number(number),
    title: title.replace(/(?<!\s)\s+#+$/, '').trim(),
    heading: part.heading.lines,
    blocks: part.blocks,
    end: part.end,
    lines,
    problems,
  });
}

const BOX = /^[ \t]*(?:[-*+]|\d{1,9}[.)])[ \t]+\[([ xX])\][ \t](.*)$/;

function readChecks(blocks: readonly Block[], lines: BodyLines): PlanCheck[] {
  return blocks.flatMap((block): PlanCheck[] => {
    if (block.kind !== 'item') return [];
    const match = BOX.exec(lines.line(block.lines.first));
    if (match === null) return [];
    const at = lines.start(block.lines.first) + match[0].indexOf('[') + 1;
    const box: Span = { start: at, end: at + 1 };
    const isTicked = match[1] !== ' ';
    return [{ text: (match[2] ?? '').trim(), isTicked, line: block.lines.first + 1, box }];
  });
}
