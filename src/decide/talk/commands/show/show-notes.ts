/** The notes of memory, as `/pm memory` shows them, and the one that led to a finding. */
import type { StaleReason } from '../../../../domain/memory/judge-memory.ts';
import type { LedgerFinding } from '../../../../domain/review/review.ts';
import type { ListedNote } from '../../../../domain/run/talk.ts';
import {
  asCode,
  done,
  refused,
  type CommandContext,
  type CommandOutcome,
} from '../../../run/command-context.ts';

const MOST_LISTED = 20;

/** Which note led to a finding. */
export function explainFinding({ state, view }: CommandContext, number: number): CommandOutcome {
  const findings = state.ledger?.findings ?? [];
  const entry = findings.find(({ number: own }) => own === number);
  if (entry === undefined)
    return refused(
      `There is no finding ${number} in this pull request. A note is named by its id: \`/pm memory why ID\`.`,
    );
  const ids = entry.finding.memory ?? [];
  if (ids.length === 0)
    return done(
      `Nothing that the team remembers led to finding ${number}: ${asCode(entry.finding.title)}.`,
    );
  const notes = (view.memory ?? []).filter(({ id }) => ids.includes(id));
  const gone = ids.length - notes.length;
  // Of a large memory not all notes were read.
  const isAll = view.memoryMore === undefined;
  const parts = [
    `Finding ${number} rests on:`,
    listNamed(notes),
    gone === 0 ? '' : `Removed since${isAll ? '' : ', or too old to be read here'}: ${gone}.`,
  ];
  return done(parts.filter((part) => part !== '').join('\n\n'));
}

/** Which findings a note led to. */
export function explainNote(context: CommandContext, id: string): CommandOutcome {
  const { state, view } = context;
  const note = (view.memory ?? []).find((each) => each.id === id);
  if (note === undefined) return refused(noNote(context));
  const findings = (state.ledger?.findings ?? []).filter(
    ({ finding }) => finding.memory?.includes(id) === true,
  );
  const led =
    findings.length === 0
      ? 'It led to no finding in this thread.'
      : `Findings in this thread that rest on it: ${findings.map(nameFinding).join(', ')}.`;
  return done(`${listNamed([note])}\n\n${led}`);
}

/** One with a conversation at its line has no number. */
function nameFinding({ number, finding: { path, line } }: LedgerFinding): string {
  return number === undefined ? asCode(`${path}:${line}`) : String(number);
}

/** What an id that the list does not have gets as its answer. */
export function noNote({ view }: Pick<CommandContext, 'view'>): string {
  if (view.memory === undefined) return UNREADABLE;
  return `There is no note with this id. \`/pm memory\` lists the notes with their ids.${unread(view)}`;
}

/** Old notes that were not looked through. */
export function unread({ memoryMore = 0 }: Pick<CommandContext['view'], 'memoryMore'>): string {
  if (memoryMore === 0) return '';
  return ` The oldest ${memoryMore} were not looked through: \`quorum memory list\` shows them, and \`quorum memory forget ID\` removes one.`;
}

const UNREADABLE = 'The memory could not be read.';

export function isWaiting({ state }: ListedNote): boolean {
  return state === 'quarantined';
}

const UNTOLD =
  'This GitHub does not tell Quorum who pushed to the memory branch, so Quorum uses none of these notes. It needs `GET /repos/{owner}/{repo}/activity`: upgrade GitHub Enterprise Server, or let the App read contents. Quorum asks again every hour.';

/** Why notes are not used any more, as people read it. */
const STALE: Readonly<Record<StaleReason, string>> = {
  gone: 'what it cites is gone',
  expired: 'not confirmed for too long',
  dismissed: 'most findings that it led to were dismissed',
};

function isStale({ state }: ListedNote): boolean {
  return state === 'stale';
}

export function showNotes({ view }: CommandContext): CommandOutcome {
  const { memory: notes } = view;
  if (notes === undefined) return refused(UNREADABLE);
  if (notes.length === 0) return done('Nothing is remembered here yet.');
  const waiting = notes.filter(isWaiting).length;
  const stale = notes.filter(isStale).length;
  const inOrder = [
    ...notes.filter(isWaiting),
    ...notes.filter(isStale),
    ...notes.filter(({ state }) => state === 'active'),
  ];
  const all = notes.length + (view.memoryMore ?? 0);
  const more = all - MOST_LISTED;
  const counts = [
    `**${all} ${all === 1 ? 'note' : 'notes'}**`,
    waiting === 0 ? '' : `${waiting} of them waiting for an approval`,
    stale === 0 ? '' : `${stale} stale`,
  ];
  const parts = [
    view.memoryUntold === true ? UNTOLD : '',
    counts.filter((each) => each !== '').join(', '),
    listNamed(inOrder),
    more > 0 ? `${more} more: \`quorum memory list\` shows all of them.` : '',
    `${stale === 0 ? 'Take one out' : 'Stale notes are not used. Take out these, or any other'}: \`/pm forget ID\`.${waiting === 0 ? '' : ' Use one that waits: `/pm memory approve ID`.'}`,
  ];
  return done(parts.filter((part) => part !== '').join('\n\n'));
}

/** The first twenty. */
export function listNamed(notes: readonly ListedNote[]): string {
  return notes
    .slice(0, MOST_LISTED)
    .map(({ id, persona, text, state, why, uses }) => {
      const facts = [
        persona,
        state === 'active' ? '' : state + (why === undefined ? '' : `: ${STALE[why]}`),
        uses === 0 ? '' : `used ${uses} ${uses === 1 ? 'time' : 'times'}`,
      ];
      return `- \`${id}\` ${asCode(text, 300)} (${facts.filter((fact) => fact !== '').join(', ')})`;
    })
    .join('\n');
}
