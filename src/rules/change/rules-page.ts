/** The page of all rules for people, made from the rules themselves. */
import { codePointName, replaceInvisible } from '../../domain/text/invisible.ts';
import { redactSecrets } from '../../domain/secrets/secret-text.ts';
import { REVIEW_RULES } from './review-rules.ts';
import { AREAS } from './change-rule.ts';
import type { ReviewRule, RuleExample, RuleWords } from './change-rule.ts';
import { ONLY_IN_CHANGES, WATCH_RULES } from '../repository/watch-rules.ts';
import type { WatchExample, WatchRule } from '../repository/watch-rule.ts';

/** Where it is published. */
export const RULES_FILE = 'docs/rules.md';

const MAX_EXAMPLE_LINES = 12;

const HEAD = [
  '# Rules',
  '',
  '<!-- Made by src/hosts/write-docs.ts from src/rules/change/rules and src/rules/repository/rules. A test fails when it is not current. -->',
  '<!-- prettier-ignore-start -->',
  '',
  'What code looks for in a change before any persona reads it. Rules look at new lines only, unless they are about',
  'what was removed; code that moved is not new; generated, vendored and minified files and lockfiles are left out.',
  '',
];

/** The whole page. */
export function rulesPage(): string {
  const byArea = AREAS.map((area) => ({
    area,
    rules: REVIEW_RULES.filter((rule) => rule.area === area),
  }));
  const index = REVIEW_RULES.toSorted((a, b) => (a.id < b.id ? -1 : 1)).map(
    ({ id, severity, area, personas, title }) =>
      `| [\`${id}\`](#${id}) | ${severity} | ${area} | ${personas.join(', ')} | ${escapeCell(title)} |`,
  );
  const sections = byArea.flatMap(({ area, rules }) => [
    `## ${area.charAt(0).toUpperCase()}${area.slice(1)}`,
    '',
    ...rules.flatMap(renderRule),
  ]);
  return [
    ...HEAD,
    `${REVIEW_RULES.length} rules, and ${WATCH_RULES.length} about [a whole repository](#in-a-whole-repository).`,
    '',
    '| rule | severity | area | concerns | what it says |',
    '| --- | --- | --- | --- | --- |',
    ...index,
    '',
    ...sections,
    ...watchSection(),
    '<!-- prettier-ignore-end -->',
    '',
  ].join('\n');
}

/** The code watch looks at a whole repository: with most of the rules above, and with these. */
function watchSection(): string[] {
  const left = [...ONLY_IN_CHANGES].toSorted().map((id) => `\`${id}\``);
  return [
    '## In a whole repository',
    '',
    `[The code watch](code-watch.md) reads every file as if all of its lines were new, with the rules above but those that make sense in a change only (${left.join(', ')}), and with ${WATCH_RULES.length} of its own.`,
    '',
    ...WATCH_RULES.flatMap(renderWatchRule),
  ];
}

function renderWatchRule(rule: WatchRule): string[] {
  return [
    ...renderWords(rule),
    ...renderFiles('Found', rule.examples.yes[0]),
    ...renderFiles('Left alone', rule.examples.no[0]),
  ];
}

function renderFiles(label: string, example: WatchExample | undefined): string[] {
  const files = Object.entries(example ?? {}).map(
    ([path, text]) => `--- ${path}\n${redactSecrets(shorten(text))}`,
  );
  return [`${label}:`, '', '```text', ...files, '```', ''];
}

/** Characters that nobody sees, by their names. */
function spelled(text: string): string {
  return replaceInvisible(text, (codePoint) => `<${codePointName(codePoint)}>`);
}

function escapeCell(text: string): string {
  return text.replaceAll('|', '\\|');
}

function renderWords({ id, title, explanation, advice, severity, personas }: RuleWords): string[] {
  return [
    `### ${id}`,
    '',
    `**${title}** ${explanation}`,
    '',
    `${advice.charAt(0).toUpperCase()}${advice.slice(1)}. Severity ${severity}; concerns ${personas.join(', ')}.`,
    '',
  ];
}

function renderRule(rule: ReviewRule): string[] {
  return [
    ...renderWords(rule),
    ...renderExample('Found', rule.examples.yes[0]),
    ...renderExample('Left alone', rule.examples.no[0]),
  ];
}

function renderExample(label: string, example: RuleExample | undefined): string[] {
  if (example === undefined) return [];
  const beside = Object.keys(example.repository ?? {});
  const note = beside.length === 0 ? '' : `, where the repository has \`${beside.join('`, `')}\``;
  const files = Object.entries(example.change).map(
    ([path, marked]) => `--- ${path}\n${redactSecrets(shorten(marked))}`,
  );
  return [`${label}${note}:`, '', '```diff', ...files, '```', ''];
}

function shorten(marked: string): string {
  const lines = spelled(marked).split('\n');
  if (lines.length <= MAX_EXAMPLE_LINES) return lines.join('\n');
  const left = lines.length - MAX_EXAMPLE_LINES;
  return [...lines.slice(0, MAX_EXAMPLE_LINES), ` … ${left} more lines`].join('\n');
}
