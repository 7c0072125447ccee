/** Issues of csvpeek's past: fixed ones, refused ones, and two that are still open. */

export interface PastIssue {
  author: string;
  title: string;
  body: string;
  labels: readonly string[];
  /** How long ago it was opened, in days. */
  daysAgo: number;
  comments: readonly { author: string; body: string; daysAgo: number }[];
  closed?: { by: string; daysAgo: number; reason: 'completed' | 'not_planned' };
}

/** In the order of their numbers, from 1. */
export const PAST_ISSUES: readonly PastIssue[] = [
  {
    author: 'ben-okafor',
    title: 'Quoted fields with a line break are cut',
    body: 'A cell such as `"12 High St\nLondon"` ends at the line break and the rest becomes a row of its own.\n\n`parseCsv` splits lines before it looks at quotes.',
    labels: ['bug'],
    daysAgo: 134,
    comments: [
      {
        author: 'chloe-marchetti',
        body: 'Happens with every address export of ours.',
        daysAgo: 131,
      },
      {
        author: 'ben-okafor',
        body: 'The parser now walks the text sign by sign; a test keeps it so.',
        daysAgo: 80.4,
      },
    ],
    closed: { by: 'ben-okafor', daysAgo: 80.4, reason: 'completed' },
  },
  {
    author: 'chloe-marchetti',
    title: '--columns ignores names that do not exist',
    body: '`csvpeek --columns nmae people.csv` prints an empty table. A typo should be an error that lists the columns.',
    labels: ['bug'],
    daysAgo: 118,
    comments: [{ author: 'ana-lund', body: 'Agreed. An error, exit code 1.', daysAgo: 117 }],
    closed: { by: 'chloe-marchetti', daysAgo: 98.1, reason: 'completed' },
  },
  {
    author: 'dario-perez',
    title: 'Read Excel workbooks',
    body: 'It would be great to open .xlsx workbooks as well, most of my colleagues send those.',
    labels: ['enhancement'],
    daysAgo: 109,
    comments: [
      {
        author: 'ana-lund',
        body: 'That needs a zip and an XML reader, and csvpeek stays without dependencies. Export to CSV first.',
        daysAgo: 105,
      },
    ],
    closed: { by: 'ana-lund', daysAgo: 105, reason: 'not_planned' },
  },
  {
    author: 'ben-okafor',
    title: 'Semicolons as delimiter',
    body: 'Spreadsheets in half of Europe write semicolons. An option `--delimiter` would do.',
    labels: ['enhancement'],
    daysAgo: 92,
    comments: [],
    closed: { by: 'ben-okafor', daysAgo: 80.4, reason: 'completed' },
  },
  {
    author: 'dario-perez',
    title: 'Colour the header row',
    body: 'Bold or green, so that one sees where the data starts.',
    labels: ['enhancement'],
    daysAgo: 52,
    comments: [
      {
        author: 'ana-lund',
        body: 'Most output is piped on, where colours are noise. Not for now.',
        daysAgo: 50,
      },
    ],
    closed: { by: 'ana-lund', daysAgo: 50, reason: 'not_planned' },
  },
  {
    author: 'mei-tanaka',
    title: 'Crash on an empty file: Cannot read properties of undefined',
    body: "An export without any rows is an empty file here, and `csvpeek empty.csv` crashes:\n\n```\ncsvpeek: Cannot read properties of undefined (reading 'map')\n```\n\n`renderTable` in `src/render.ts` takes the first row for granted. I would expect no output and exit code 0.",
    labels: ['bug'],
    daysAgo: 12,
    comments: [
      {
        author: 'ana-lund',
        body: 'Confirmed on 1.0.0, with `--format markdown` too. No output and exit code 0 is right.',
        daysAgo: 11,
      },
    ],
  },
  {
    author: 'mei-tanaka',
    title: 'Wide characters break the alignment',
    body: 'Japanese names take two columns in a terminal, so everything to the right of them is shifted.',
    labels: ['bug'],
    daysAgo: 9,
    comments: [],
  },
];
