/** Lists of path patterns in a configuration: each that is wrong is an error with its line. */
import * as z from 'zod';
import { MAX_PATTERN } from '../repository/path-bounds.ts';
import { findExcess, MAX_PATTERNS, patternProblem } from '../repository/path-patterns.ts';

const Pattern = z
  .string()
  .trim()
  .min(1, { abort: true })
  .max(MAX_PATTERN, { abort: true })
  .superRefine((pattern, context) => {
    const expected = patternProblem(pattern);
    if (expected !== undefined) context.addIssue({ code: 'custom', message: expected });
  });

/** The schema of one list; `about` is what the reference says of it. */
export function patterns(about: string) {
  return z
    .array(Pattern)
    .superRefine((all, context) => {
      const excess = findExcess(all);
      if (excess !== undefined)
        context.addIssue({ code: 'custom', message: excess.expected, path: [excess.index] });
    })
    .meta({ maxItems: MAX_PATTERNS })
    .default([])
    .describe(about);
}
