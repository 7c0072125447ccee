/** What each loop of a sweep found and did, for the summary of the job. */

export interface LoopReport {
  loop: string;
  /** Markdown; foreign words in it are escaped. */
  lines: readonly string[];
  /** It was not run to its end. */
  isFailed?: true;
}

export function renderSweep(title: string, reports: readonly LoopReport[]): string {
  const parts = reports.flatMap(({ loop, lines, isFailed }) => [
    `#### ${loop}${isFailed === true ? ': not finished' : ''}`,
    '',
    ...(lines.length === 0 ? ['Nothing to do.'] : lines.map((line) => `- ${line}`)),
    '',
  ]);
  return [`### Quorum: ${title}`, '', ...parts].join('\n');
}
