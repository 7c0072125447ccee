/** The numbered proposal that people see, and what becomes of it by an answer. */
import { codeSpan } from '../text/code-span.ts';
import { faultOfText } from './memory-text.ts';
import type { MemoryAnswer } from './role-answer.ts';
import { lineOf, ROLE_PATHS, ROLE_SECTIONS, type RoleOperation } from './role-memory.ts';

/** The proposal's Markdown; every text is shown as code, so that nothing in it acts. */
export function renderProposal(operations: readonly RoleOperation[]): string {
  const rows = operations.map((each, index) => `${index + 1}. ${describe(each)}`);
  return [
    'I would keep this from the work in this thread:',
    rows.join('\n'),
    'Answer `yes` to keep all of it or `no` to drop it. You can also answer `remove 3`, `add: …` or `change 1 to: …`. Without an answer I drop it after 24 hours.',
  ].join('\n\n');
}

function describe(operation: RoleOperation): string {
  if (operation.op === 'suggest-claude')
    return `A suggestion for \`CLAUDE.md\`, which only people edit: ${codeSpan(operation.text)}`;
  const path = ROLE_PATHS[operation.file];
  if (operation.op === 'replace')
    return `Change \`${path}\`: ${codeSpan(operation.old)} becomes ${codeSpan(operation.text)}`;
  const section = ROLE_SECTIONS[operation.file][operation.category];
  return `Add to \`${path}\`, ${section}: ${codeSpan(lineOf(operation))}`;
}

export interface AnsweredProposal {
  /** The proposal as it is now, to be numbered again. */
  operations: RoleOperation[];
  /** What could not be done, for people. */
  problems: string[];
}

/** Makes what a person asked for; all numbers are those of the proposal that was shown. */
export function applyAnswer(
  operations: readonly RoleOperation[],
  { remove, add, change }: Pick<MemoryAnswer, 'remove' | 'add' | 'change'>,
): AnsweredProposal {
  const problems = [...remove, ...change.map(({ number }) => number)]
    .filter((number) => number < 1 || number > operations.length)
    .map((number) => `The proposal has no number ${number}.`);
  const wording = new Map(change.map(({ number, text }) => [number, text]));
  const kept = operations.flatMap((operation, index): RoleOperation[] => {
    if (remove.includes(index + 1)) return [];
    const text = wording.get(index + 1);
    const fault = text === undefined ? undefined : faultOfText(text);
    if (fault !== undefined) problems.push(`Number ${index + 1} stays as it is: ${fault}.`);
    return [text === undefined || fault !== undefined ? operation : { ...operation, text }];
  });
  const added = add.flatMap((text): RoleOperation[] => {
    const fault = faultOfText(text);
    if (fault === undefined) return [{ op: 'append', file: 'pm', category: 'project', text }];
    problems.push(`Quorum cannot add ${codeSpan(text.slice(0, 60))}: ${fault}.`);
    return [];
  });
  return { operations: [...kept, ...added], problems: [...new Set(problems)] };
}
