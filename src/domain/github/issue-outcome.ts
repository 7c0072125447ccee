/** What became of an issue that was to be opened. */

/** What became of an issue that was wanted: `closed` was closed by somebody and is left alone, `full` was not opened. */
export type IssueOutcome =
  | {
      outcome: 'created' | 'edited' | 'unchanged' | 'reopened' | 'closed';
      number: number;
      url: string;
    }
  | { outcome: 'full' };
