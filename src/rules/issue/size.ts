/** How big the work is, roughly: by the files that an issue points to and how far its words reach. */
import type { Evidence } from '../../domain/run/evidence.ts';
import { isTestPath } from '../../domain/repository/paths.ts';
import type { Reading } from './read-issue.ts';
import type { IssueRule } from './issue-rule.ts';
import { CLARITY_RULES } from './rules/clarity-rules.ts';

const SMALL = 2;
const MEDIUM = 5;
const MANY_CRITERIA = 10;

function isWide(reading: Reading): boolean {
  const rule = CLARITY_RULES.find(({ id }) => id === 'large-scope');
  return (rule?.find(reading).length ?? 0) > 0;
}

/** Files that the work touches, tests aside. */
function touchedBy({ ground }: Reading): string[] {
  return ground.files
    .filter(({ path, score }) => score >= 5 && !isTestPath(path))
    .map(({ path }) => path);
}

/** `unknown` when nothing in the repository could be tied to the issue. */
export function decideSize(reading: Reading): Evidence['size'] {
  const touched = touchedBy(reading).length;
  const boxes = reading.body.match(/^[ \t]*[-*+] \[[ xX]\]/gm)?.length ?? 0;
  if (isWide(reading) || touched > MEDIUM + 2 || boxes > MANY_CRITERIA) return 'large';
  if (touched > SMALL || boxes > MEDIUM) return 'medium';
  if (touched > 0) return 'small';
  return reading.ground.files.length > 0 ? 'medium' : 'unknown';
}

export const SIZE_RULES: readonly IssueRule[] = [
  {
    id: 'size-small',
    severity: 'info',
    concerns: ['dev', 'carlos', 'implementation', 'product'],
    explanation: 'Work on one or two known files can be begun at once.',
    find: (reading) => {
      const touched = touchedBy(reading);
      if (decideSize(reading) !== 'small') return [];
      return [
        {
          title: `The work is small: ${touched.length} ${touched.length === 1 ? 'file' : 'files'}.`,
          evidence: touched.map((path) => `\`${path}\``).join(' and '),
        },
      ];
    },
  },
];
