/** The numbered proposal that people see, and what becomes of it by an answer. */
import type { ErrorCode } from '../../event/error-codes.ts';
import { codeSpan } from '../../text/code-span.ts';
import { faultOfText } from '../memory-text.ts';
import type { MemoryAnswer } from './role-answer.ts';
import { describeOperation, ROLE_PATHS, ROLE_SECTIONS, type RoleOperation } from './role-memory.ts';

/** The branch of the pull request with what was approved in a thread. */
export function roleBranch(thread: number): string {
  return `quorum/memory-${thread}`;
}

/** Whether a branch holds such a pull request of any thread. */
export function isRoleBranch(branch: string): boolean {
  return /^quorum\/memory-\d{1,15}$/.test(branch);
}

/** The proposal's Markdown, numbered from `first`; every text is shown as code, so that nothing in it acts. */
export function renderProposal(operations: readonly RoleOperation[], first = 1): string {
  return [
    'I would keep this from the work in this thread:',
    listed(operations, first),
    'Answer `yes` to keep all of it or `no` to drop it. You can also answer `remove 3`, `add: …` or `change 1 to: …`. Without an answer I drop it after 24 hours.',
  ].join('\n\n');
}

function listed(operations: readonly RoleOperation[], first: number): string {
  return operations.map((each, index) => `${first + index}. ${describe(each)}`).join('\n');
}

function describe(operation: RoleOperation): string {
  if (operation.op === 'suggest-claude')
    return `A suggestion for \`CLAUDE.md\`, which only people edit: ${codeSpan(operation.text)}`;
  const path = ROLE_PATHS[operation.file];
  if (operation.op === 'replace')
    return `Change \`${path}\`: ${codeSpan(operation.old)} becomes ${codeSpan(operation.text)}`;
  const section = ROLE_SECTIONS[operation.file][operation.category];
  return `Add to \`${path}\`, ${section}: ${codeSpan(describeOperation(operation))}`;
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
  first = 1,
): AnsweredProposal {
  const last = first + operations.length - 1;
  const problems = [...remove, ...change.map(({ number }) => number)]
    .filter((number) => number < first || number > last)
    .map((number) => `The proposal has no number ${number}.`);
  const wording = new Map(change.map(({ number, text }) => [number, text]));
  const kept = operations.flatMap((operation, index): RoleOperation[] => {
    const number = first + index;
    if (remove.includes(number)) return [];
    const text = wording.get(number);
    const fault = text === undefined ? undefined : faultOfText(text);
    if (fault !== undefined) problems.push(`Number ${number} stays as it is: ${fault}.`);
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

/** How a proposal came to its end, in place of the proposal. */
export type RoleOutcome =
  | { kind: 'opened'; number: number; refused: readonly string[] }
  | { kind: 'there'; refused: readonly string[] }
  | { kind: 'dropped'; by: string }
  | { kind: 'late' }
  | { kind: 'failed'; code: ErrorCode };

export function renderAnswered(outcome: RoleOutcome, operations: readonly RoleOperation[]): string {
  const rows = operations.map((each) => `- ${describe(each)}`).join('\n');
  const refused = 'refused' in outcome ? outcome.refused : [];
  const left =
    refused.length === 0
      ? ''
      : `Left out, because the files changed since: ${[...new Set(refused)].join('; ')}.`;
  return [headOf(outcome), rows, left].filter((part) => part !== '').join('\n\n');
}

function headOf(outcome: RoleOutcome): string {
  switch (outcome.kind) {
    case 'opened':
      return `Approved. Pull request #${outcome.number} adds this:`;
    case 'there':
      return 'Approved. The files need no change for this:';
    case 'dropped':
      return `${codeSpan(outcome.by)} turned this down, so I keep nothing of it:`;
    case 'late':
      return 'Nobody answered within 24 hours, so I keep nothing of this:';
    case 'failed':
      return `I could not open a pull request with this (\`${outcome.code}\`):`;
  }
}

const MAX_TITLE = 60;

/** The pull request that makes approved operations, for people. */
export function renderRolePull(
  operations: readonly RoleOperation[],
  { login, thread }: { login: string; thread: number },
): { title: string; body: string } {
  const [head] = operations;
  const text = head === undefined ? 'nothing' : head.text.replaceAll(/[`@#<>]/g, '');
  const short = text.length > MAX_TITLE ? `${text.slice(0, MAX_TITLE - 1).trimEnd()}…` : text;
  const more = operations.length > 1 ? ` (and ${operations.length - 1} more)` : '';
  const rows = operations.map((each) => `- ${describe(each)}`).join('\n');
  return {
    title: `Remember: ${short}${more}`.toWellFormed(),
    body: `${codeSpan(login)} approved this in #${thread}:\n\n${rows}\n\nQuorum reads these files before it plans. Edit them here or later, as you like.`,
  };
}
