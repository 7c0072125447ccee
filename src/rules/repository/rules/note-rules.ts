/** Rules about notes in comments that say of themselves that something is wrong, or that their time has come. */
import type { ReadLine } from '../../change/syntax/lex.ts';
import type { Sighting } from '../../change/change-rule.ts';
import type { Repository } from '../repository-links.ts';
import type { WatchRule } from '../watch-rule.ts';

interface Note {
  mark: string;
  /** What follows the mark. */
  words: string;
}

const NOTE =
  /^\s*(?:\/\/+|#+|\/?\*+|--|<!--)?\s*@?(TODO|FIXME|BUG|XXX|HACK)\b(?:\s*\([^)]{0,60}\))?[\s:!-]*(.{0,300})/;
/** What people call a fault. */
const FAULT =
  /\b(?:bugs?|buggy|broken|breaks|wrong(?:ly)?|incorrect(?:ly)?|crash(?:es|ed)?|leaks?|leaking|race(?: condition)?|deadlocks?|hangs?|overflows?|corrupt(?:s|ed)?|data loss|loses|(?:is|are|gets?) lost|vulnerab\w+|insecure|unsafe|injection|does ?n[o']t (?:work|handle)|fails|flaky|not thread[- ]safe)\b/i;
/** A fault that somebody can use, or that destroys what people have. */
const GRAVE = /\b(?:data loss|loses|corrupt\w*|vulnerab\w+|insecure|unsafe|injection|security)\b/i;
const PLANNED = /#\d+|https?:\/\/|\b[A-Z]{2,10}-\d+\b/;

function noteIn({ comment }: ReadLine): Note | undefined {
  // A cheap search first: most lines have no note.
  if (!/TODO|FIXME|BUG|XXX|HACK/.test(comment)) return undefined;
  const [, mark = '', words = ''] = NOTE.exec(comment) ?? [];
  return mark === '' ? undefined : { mark, words: words.replace(/\s*(?:\*\/|-->)\s*$/, '') };
}

/** Every note of the repository, with the lines of the comment that it goes on in. */
function findIn(
  { files }: Repository,
  judge: (note: Note, line: ReadLine) => Partial<Sighting> | undefined,
): Sighting[] {
  return files.flatMap((file) =>
    file.added.flatMap((line) => {
      const note = noteIn(line);
      const seen = note === undefined ? undefined : judge(note, line);
      return seen === undefined ? [] : [{ file, line: line.line, ...seen }];
    }),
  );
}

const DATE = /\b(20\d\d)[-/.](0?[1-9]|1[0-2])(?:[-/.](0?[1-9]|[12]\d|3[01]))?\b/;
const DUE = /\b(?:after|until|till|by|before|due|expires?|remove|delete|drop)\b/i;
/** A note with its own date that nobody touched for so long is forgotten. */
const OLD_MS = 365 * 24 * 3_600_000;

function isOverdue(text: string, today: string): boolean {
  const [, year = '', month = '', day = '1'] = DATE.exec(text) ?? [];
  if (year === '') return false;
  const at = Date.UTC(Number(year), Number(month) - 1, Number(day));
  return Date.parse(today) - at > (DUE.test(text) ? 0 : OLD_MS);
}

/** Only issues of this repository: `owner/repo#12` is another's. */
const ISSUE = /(?<![\w/])#(\d{1,7})\b|\/issues\/(\d{1,7})\b/;

export const NOTE_RULES: readonly WatchRule[] = [
  {
    id: 'note-names-fault',
    area: 'leftovers',
    severity: 'medium',
    certainty: 0.6,
    personas: ['dev', 'priya'],
    title: 'A comment says that something here is broken.',
    explanation:
      'The author knew of a fault. As long as only a comment mentions it, nobody plans to fix it.',
    advice: 'write a test that shows the fault, then repair it; or delete the note if it is gone',
    examples: {
      yes: [
        { 'src/a.ts': '// FIXME: the last line is lost\nrun();' },
        { 'app/a.py': 'x = read()  # TODO: leaks a handle when it throws' },
        { 'a.go': '\t// BUG(ana): wrong for negative numbers' },
      ],
      no: [
        { 'src/a.ts': '// TODO: show the name as well\nrun();' },
        { 'src/a.ts': '// FIXME(#12): the last line is lost\nrun();' },
        { 'src/a.ts': "const mark = 'FIXME: broken';\n// Renders FIXME and TODO marks." },
        { 'src/a.ts': '// BUG-7 was repaired by this\nrun();' },
        { 'a.go': '\t// FIXME unused, should go with version 2' },
      ],
    },
    find: (repository) =>
      findIn(repository, ({ mark, words }, { text }) => {
        if (PLANNED.test(text) || words.trim() === '') return undefined;
        if (mark !== 'BUG' && !FAULT.test(words)) return undefined;
        return GRAVE.test(words) ? { severity: 'high' } : {};
      }),
  },
  {
    id: 'note-overdue',
    area: 'leftovers',
    severity: 'low',
    certainty: 0.8,
    personas: ['dev', 'carlos'],
    title: 'A note’s own date has passed.',
    explanation: 'It was put off to a day that is over; what it promised has not happened.',
    advice: 'do it now, or delete the note and what it speaks of',
    examples: {
      yes: [
        { 'src/a.ts': '// TODO: remove after 2024-06-30\nlegacy();' },
        { 'app/a.py': '# TODO(ana, 2021-03): faster parser' },
      ],
      no: [
        { 'src/a.ts': '// TODO: remove after 2090-01\nlegacy();' },
        { 'src/a.ts': '// Works since 2021-03-01.\nrun();' },
        { 'src/a.ts': "const text = 'TODO: remove after 2024-06-30';" },
      ],
    },
    find: (repository) =>
      findIn(repository, (_, { comment }) =>
        isOverdue(comment, repository.today) ? {} : undefined,
      ),
  },
  {
    id: 'note-outlives-issue',
    area: 'leftovers',
    severity: 'low',
    certainty: 0.75,
    personas: ['dev', 'carlos'],
    title: 'A note waits for an issue that is closed.',
    explanation:
      'Either the work is done and the note misleads, or it was forgotten when the issue was closed.',
    advice: 'do what the note says, or delete it',
    examples: {
      // Of the examples' repository the issues 1 to 9 are closed.
      yes: [{ 'src/a.ts': '// TODO(#7): drop the old name\nlegacy();' }],
      no: [
        { 'src/a.ts': '// TODO(#12): drop the old name\nlegacy();' },
        { 'src/a.ts': '// TODO: as acme/other#7 does\nlegacy();' },
        { 'src/a.ts': '// Since #7 there is one name.\nlegacy();' },
      ],
    },
    find: (repository) =>
      findIn(repository, (_, { comment }) => {
        const match = ISSUE.exec(comment);
        const number = Number(match?.[1] ?? match?.[2] ?? 0);
        return repository.closedIssues.has(number)
          ? { title: `A note waits for #${number}, which is closed.` }
          : undefined;
      }),
  },
];
