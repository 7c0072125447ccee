/** The pull request that proposes a consolidation, for people: what is there now, and what would be. */
import { codeSpan } from '../../text/code-span.ts';
import { renderLesson } from '../file/entry-line.ts';
import type { SelfEdit } from '../self/rewrite-self.ts';
import type { MemoryEdit } from './consolidation.ts';

/** GitHub takes 65,536 characters; the diff shows the rest. */
const MAX_BODY = 30_000;

/** The branch of a proposal: another evidence is another branch, and so another proposal. */
export function consolidationBranch(persona: string, evidence: string): string {
  return `${prefixOf(persona)}${evidence}`;
}

/** Whether a branch holds a proposal for this persona. */
export function isConsolidationOf(persona: string, branch: string): boolean {
  const prefix = prefixOf(persona);
  return branch.startsWith(prefix) && /^[0-9a-f]{10}$/.test(branch.slice(prefix.length));
}

/** Whether a branch holds a proposal for any persona. */
export function isConsolidation(branch: string): boolean {
  return /^quorum\/consolidate-[a-z][a-z0-9-]{0,38}-[0-9a-f]{10}$/.test(branch);
}

function prefixOf(persona: string): string {
  return `quorum/consolidate-${persona}-`;
}

export interface Consolidated {
  persona: string;
  edits: readonly MemoryEdit[];
  /** The persona's own file, rewritten. */
  self?: SelfEdit;
}

export function renderConsolidation({ persona, edits, self }: Consolidated): {
  title: string;
  body: string;
} {
  if (self !== undefined) return renderSelf(persona, self);
  const isPromotion = edits.some(({ from, to }) => from !== to);
  const [file] = edits.map(({ from }) => from);
  const title = isPromotion
    ? `Memory of ${persona}: keep ${edits.length === 1 ? 'a lesson' : `${edits.length} lessons`} for good`
    : `Memory of ${persona}: condense ${file ?? 'working'}.md`;
  const rows = edits.map(renderEdit).join('\n\n');
  const shown = rows.length > MAX_BODY ? `${rows.slice(0, MAX_BODY)}…` : rows;
  return { title, body: [introduction(isPromotion), shown, ANSWER].join('\n\n').toWellFormed() };
}

/** The diff shows the old file: here it would only be twice as long. */
function renderSelf(
  persona: string,
  { before, after, seen }: SelfEdit,
): {
  title: string;
  body: string;
} {
  const count = seen.length === 1 ? 'one experience' : `${seen.length} experiences`;
  const lines = after.split('\n').filter((line) => line !== '');
  const shown = lines.map((line) => `- ${codeSpan(line)}`).join('\n');
  const body = [
    `${codeSpan(persona)} wrote its own file, \`self.md\`, ${before === '' ? 'for the first time' : 'again'}, after ${count}. When you merge this, its prompts in this repository include the file.`,
    `**The file would say:**`,
    shown.length > MAX_BODY ? `${shown.slice(0, MAX_BODY)}…` : shown,
    'Merge this pull request to accept it, after any edits that you want to make here. Close it to keep the file as it is; Quorum then proposes it again only after further experiences.',
  ];
  return { title: `Memory of ${persona}: rewrite self.md`, body: body.join('\n\n').toWellFormed() };
}

function introduction(isPromotion: boolean): string {
  return isPromotion
    ? 'These lessons came up on at least three dates. One lesson in `core.md` takes their place in `working.md`.'
    : 'The file is longer than a prompt reads. These lines would say the same in less space.';
}

const ANSWER =
  'Merge this pull request to accept it, after any edits that you want to make here. Close it to keep memory as it is; Quorum then proposes it again only when there are new lessons to consolidate.';

function renderEdit({ from, to, removes, adds }: MemoryEdit): string {
  const old = removes.map(({ text }) => `- ${codeSpan(text)}`);
  const made = adds.map((entry) => `- ${codeSpan(renderLesson(entry).slice('- '.length))}`);
  return [
    `**Removed from \`${from}.md\`:**`,
    old.join('\n'),
    `**Added to \`${to}.md\`:**`,
    made.length === 0 ? '- nothing' : made.join('\n'),
  ].join('\n\n');
}
