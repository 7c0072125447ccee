/** What the code watch looks for: its own rules, and those of a review that make sense without a change. */
import type { Area, ReviewRule } from '../change/change-rule.ts';
import { REVIEW_RULES } from '../change/review-rules.ts';
import { DEAD_EXPORT_RULES } from './rules/dead-export-rules.ts';
import { DOCUMENT_RULES } from './rules/document-rules.ts';
import { DUPLICATE_RULES } from './rules/duplicate-rules.ts';
import { LENGTH_RULES } from './rules/length-rules.ts';
import { MANIFEST_RULES } from './rules/manifest-rules.ts';
import { NOTE_RULES } from './rules/note-rules.ts';
import { UNTESTED_RULES } from './rules/untested-rules.ts';
import type { SureWords, WatchRule } from './watch-rule.ts';

/** Rules that only a whole repository can answer. */
export const WATCH_RULES: readonly WatchRule[] = [
  ...NOTE_RULES,
  ...LENGTH_RULES,
  ...DUPLICATE_RULES,
  ...UNTESTED_RULES,
  ...MANIFEST_RULES,
  ...DEAD_EXPORT_RULES,
  ...DOCUMENT_RULES,
];

/** Rules about what a change does, or about a habit that is not worth a report in existing code. */
export const ONLY_IN_CHANGES: ReadonlySet<string> = new Set([
  // What was taken away.
  'guard-removed',
  'tests-removed',
  'assertions-removed',
  'removed-file-still-imported',
  'removed-export-still-imported',
  'documented-option-removed',
  // What goes with what.
  'dependency-added',
  'install-script-added',
  'lockfile-out-of-date',
  'lockfile-without-manifest',
  'lockfile-other-host',
  'workflow-may-write',
  'change-too-large',
  'formatting-mixed-in',
  // A migration that is there has run: it is not to be changed any more.
  'migration-loses-data',
  'migration-column-without-default',
  'migration-index-blocks-writes',
  'migration-edited',
  'sql-changes-every-row',
  // A custom of the house, or a linter's business.
  'check-switched-off',
  'debug-print-left',
  'unused-import',
  'variable-undocumented',
  // The code watch has its own.
  'code-without-tests',
  'duplicated-lines',
  'todo-without-issue',
]);

/** Where a review's rule says that something is new, and here nothing is. */
const REWORDED: Readonly<Record<string, string>> = {
  'file-too-large': 'A file is very long.',
  'function-too-long': 'A function is longer than a screen.',
  'key-file-added': 'A private key or key store is in the repository.',
};

/** A review's rules that read a file as if all of it were new. */
export const STANDING_RULES: readonly ReviewRule[] = REVIEW_RULES.filter(
  ({ id }) => !ONLY_IN_CHANGES.has(id),
).map((rule) => ({
  ...rule,
  title: REWORDED[rule.id] ?? rule.title,
  find: (change) =>
    rule.find(change).map((sighting) => {
      const { title } = sighting;
      return title === undefined
        ? sighting
        : { ...sighting, title: title.replace(/^A new /, 'A ') };
    }),
}));

/**
 * How often a review's finding in an area is right: an estimate. Findings read as structure (workflows, containers,
 * manifests) are surer than those read line by line. Least sure are those that depend on where a value comes from.
 */
const CERTAINTY: Readonly<Partial<Record<Area, number>>> = {
  workflow: 0.9,
  'supply chain': 0.85,
  containers: 0.85,
  tests: 0.8,
  correctness: 0.8,
  'dead code': 0.8,
  'hidden text': 0.85,
  secrets: 0.75,
  authentication: 0.65,
  cryptography: 0.6,
  injection: 0.55,
};
const USUAL_CERTAINTY = 0.7;

const BY_ID: ReadonlyMap<string, SureWords> = new Map<string, SureWords>([
  ...STANDING_RULES.map(
    (rule) => [rule.id, { ...rule, certainty: CERTAINTY[rule.area] ?? USUAL_CERTAINTY }] as const,
  ),
  ...WATCH_RULES.map((rule) => [rule.id, rule] as const),
]);

/** The words of a rule, and how sure it is. */
export function watchRule(id: string): SureWords | undefined {
  return BY_ID.get(id);
}
