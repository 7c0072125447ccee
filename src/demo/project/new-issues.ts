/** The three issues that the demonstration opens: one ready, one a duplicate, one that only a person can decide. */
import type { VerdictWord } from '../../domain/run/council.ts';

export interface NewIssue {
  /** For people who follow the demonstration. */
  kind: string;
  author: string;
  title: string;
  body: string;
  labels: readonly string[];
  expected: Expectation;
  /** What the maintainer replies when the team asks. */
  answer?: { body: string; expected: Expectation };
}

/** How the issue has to stand when the team is done with it. */
export interface Expectation {
  verdicts: readonly VerdictWord[];
  state: 'open' | 'closed';
  /** GitHub's `state_reason`. */
  reason: 'duplicate' | 'not_planned' | null;
  /** The outcome label that must be on; absent means that none may be. */
  label?: 'ready' | 'draft' | 'needs-human';
}

export const NEW_ISSUES: readonly NewIssue[] = [
  {
    kind: 'clear and small',
    author: 'ben-okafor',
    title: 'Name the line of a quoted field that is never closed',
    body: `When a quote is never closed, \`parseCsv\` in \`src/parse.ts\` throws \`CsvError\` with

\`\`\`
unterminated quoted field
\`\`\`

In a file with 40,000 rows nobody finds the place.

### Steps to reproduce

\`\`\`
printf 'id,name\\n1,"Ada\\n2,Bob\\n' > open.csv
csvpeek open.csv
\`\`\`

**Actual:** \`csvpeek: unterminated quoted field\`
**Expected:** \`csvpeek: unterminated quoted field that starts on line 2\`

### Acceptance criteria

- [ ] The message of \`CsvError\` names the line on which the field starts, counted from 1.
- [ ] Line breaks inside earlier quoted fields are counted.
- [ ] \`test/parse.test.ts\` covers a field on the first line and one after a quoted line break.
`,
    labels: ['enhancement'],
    expected: { verdicts: ['READY'], state: 'open', reason: null, label: 'ready' },
  },
  {
    kind: 'reported before',
    author: 'dario-perez',
    title: 'csvpeek crashes on an empty CSV file',
    body: `Opening an empty file crashes with a TypeError instead of printing nothing:

\`\`\`
csvpeek: Cannot read properties of undefined (reading 'map')
\`\`\`

Seen with version 1.0.0. \`renderTable\` seems to need at least one row.
`,
    labels: ['bug'],
    expected: { verdicts: ['CLOSE'], state: 'closed', reason: 'duplicate' },
  },
  {
    kind: 'a decision for people',
    author: 'ben-okafor',
    title: 'Remove --legacy in 2.0, or keep it as a hidden alias?',
    body: `\`--legacy\` prints the layout of 0.x through \`renderLegacy\` in \`src/render.ts\`. It is one more path to keep working for each new option.

Two ways to go on:

- **Option A:** remove \`--legacy\` in 2.0. A breaking change: scripts that cut at tabs stop working.
- **Option B:** keep it as a hidden alias for one more major release and warn on standard error.

Should we remove it or keep it? I can do either in an afternoon, but this is a promise to our users, so I do not want to choose alone.
`,
    labels: ['enhancement'],
    expected: { verdicts: ['HUMAN'], state: 'open', reason: null, label: 'needs-human' },
    answer: {
      body: 'Option B: keep `--legacy` as a hidden alias until 3.0 and warn on standard error. `renderLegacy` stays as it is. Done when the help text does not list it any more, the warning names 3.0, and a test in `test/render.test.ts` covers the tab layout.',
      expected: { verdicts: ['READY', 'DRAFT'], state: 'open', reason: null },
    },
  },
];
