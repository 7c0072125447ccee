/** Reads one task: its heading's lines, and the blocks up to the next task or section. */
import type { BodyLines } from './body-lines.ts';
import { matchField, type Block, type Lines } from './plan-blocks.ts';
import { readDependencies, readFile, readStatus, pathProblem } from './task-words.ts';
import {
  TASK_STATUSES,
  type FieldName,
  type FieldPlace,
  type PlannedFile,
  type PlanProblem,
  type PlanTask,
} from '../plan.ts';

interface TaskPart {
  number: number;
  title: string;
  heading: Lines;
  blocks: readonly Block[];
  /** Line on which the next part begins. */
  end: number;
  lines: BodyLines;
  /** What is wrong is added here. */
  problems: PlanProblem[];
}

type Fields = Partial<Record<FieldName, Lines>>;

/** A field's place, and what is written there. */
type Value = FieldPlace & { text: string };
type Values = Partial<Record<FieldName, Value>>;

export function readTask(part: TaskPart): PlanTask {
  const { number, title, heading, lines } = part;
  const found = findFields(part);
  const values: Values = Object.fromEntries(
    Object.entries(found).map(([name, at]) => [name, readValue(at, lines)]),
  );
  const text = (name: FieldName): string => values[name]?.text ?? '';
  const status = readStatus(firstLine(text('status')));
  const dependencies = readDependencies(text('dependencies'));
  const files = readFiles(part, found['files']);
  const lineOf = (name: FieldName): number => values[name]?.line ?? heading.first + 1;
  part.problems.push(
    ...titleProblems(part),
    ...(status === undefined ? [statusProblem(text('status'), lineOf('status'))] : []),
    ...dependencies.unread.map((word) => dependencyProblem(word, lineOf('dependencies'))),
    ...files.flatMap(pathProblems),
  );
  return {
    number,
    title,
    status: status?.status ?? 'pending',
    statusReason: status?.reason ?? '',
    assignee: firstLine(text('assignee')),
    estimate: firstLine(text('estimate')),
    dependencies: dependencies.numbers,
    files,
    description: text('description'),
    line: heading.first + 1,
    heading: lines.span(heading),
    whole: lines.span({ first: heading.first, end: part.end }),
    fields: values,
  };
}

function titleProblems({ number, title, heading }: TaskPart): PlanProblem[] {
  if (/[\p{L}\p{N}]/u.test(title)) return [];
  const message = `Task ${number} has no title. Write it behind the number: \`### Task ${number}: What to do\`.`;
  return [{ code: 'missing-title', line: heading.first + 1, message }];
}

function statusProblem(text: string, line: number): PlanProblem {
  const message = `\`${shorten(text)}\` is no status. Use one of ${TASK_STATUSES.join(', ')}.`;
  return { code: 'bad-status', line, message };
}

function dependencyProblem(word: string, line: number): PlanProblem {
  const message = `\`${shorten(word)}\` names no task. Write numbers of tasks, such as \`Task 1, Task 3\`, or \`none\`.`;
  return { code: 'unknown-dependency', line, message };
}

function pathProblems({ path, line }: PlannedFile): PlanProblem[] {
  const why = pathProblem(path);
  if (why === undefined) return [];
  const message = `\`${shorten(path)}\` ${why}. Write paths from the repository's root, such as \`src/parse.ts\`.`;
  return [{ code: 'bad-path', line, message }];
}

/** Each field's lines, from its name to the next field or the end. A second one of a name is text of the first. */
function findFields({ blocks, end }: TaskPart): Fields {
  const found: Fields = {};
  let last: Lines | undefined;
  for (const block of blocks) {
    if (block.kind !== 'field' || found[block.name] !== undefined) continue;
    if (last !== undefined) last.end = block.lines.first;
    last = { first: block.lines.first, end };
    found[block.name] = last;
  }
  return found;
}

const SEPARATOR = /^[ \t]*(?:-[ \t]*){3,}$/;

/** Without blank lines, and the rule between two tasks, behind what is written. */
function trimBehind(text: string): string {
  const whole = text.trimEnd();
  const last = Math.max(whole.lastIndexOf('\n'), whole.lastIndexOf('\r')) + 1;
  return SEPARATOR.test(whole.slice(last)) ? whole.slice(0, last).trimEnd() : whole;
}

function readValue(at: Lines, lines: BodyLines): Value {
  const whole = lines.span(at);
  const source = lines.text(at);
  const line = lines.line(at.first);
  const bullet = /^[ \t]*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+)*/.exec(line)?.[0].length ?? 0;
  const behind = bullet + (matchField(line.slice(bullet))?.length ?? 0);
  const rest = source.slice(behind);
  const lead = /^\s*/.exec(rest)?.[0].length ?? 0;
  const text = trimBehind(rest.slice(lead));
  const start = whole.start + behind + (text === '' ? 0 : lead);
  const end = start + firstLine(text).length;
  return { line: at.first + 1, text, value: { start, end }, whole };
}

/** From a list below the field, and from the field's own line. */
function readFiles({ blocks, lines }: TaskPart, at: Lines | undefined): PlannedFile[] {
  if (at === undefined) return [];
  const own = readValue({ first: at.first, end: at.first + 1 }, lines).text;
  const named = own
    .split(',')
    .map((text) => ({ text: text.trim(), line: at.first + 1 }))
    .filter(({ text }) => text !== '');
  const below = blocks
    .filter((block) => block.kind === 'item')
    .filter(({ lines: { first } }) => first > at.first && first < at.end);
  const depth = Math.min(...below.map((item) => item.depth));
  // Anything deeper is about the file above it.
  const items = below
    .filter((item) => item.depth === depth)
    .map(({ text, lines: { first } }) => ({ text, line: first + 1 }));
  return [...named, ...items].flatMap(({ text, line }) => {
    const file = readFile(text);
    return file === undefined ? [] : [{ ...file, line }];
  });
}

function firstLine(text: string): string {
  return (/^[^\r\n]*/.exec(text)?.[0] ?? '').trim();
}

function shorten(text: string): string {
  const line = firstLine(text).replaceAll('`', "'");
  return line.length > 60 ? `${line.slice(0, 59)}…` : line;
}
