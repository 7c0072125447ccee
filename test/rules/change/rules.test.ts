/** Each rule about changes: fires on its own examples, and stays silent on what only looks like them. */
import { describe, expect, test } from 'vitest';
import { NO_CONTEXT } from '../../../src/rules/change/context.ts';
import { decideReviewSignals } from '../../../src/rules/change/decide-review-signals.ts';
import { REVIEW_RULES } from '../../../src/rules/change/review-rules.ts';
import type { RuleExample } from '../../../src/rules/change/change-rule.ts';
import { exampleContext, exampleDiff } from './example.ts';

function found(example: RuleExample, context = exampleContext(example)): string[] {
  const diff = exampleDiff(example);
  expect(diff.problems).toEqual([]);
  return decideReviewSignals(diff, context).map(({ ruleId }) => ruleId);
}

describe.each(REVIEW_RULES.map((rule) => [rule.id, rule] as const))('%s', (id, rule) => {
  test.each(rule.examples.yes.map((example) => [JSON.stringify(example.change), example] as const))(
    'finds %s',
    (_name, example) => {
      expect(found(example)).toContain(id);
    },
  );

  test.each(rule.examples.no.map((example) => [JSON.stringify(example.change), example] as const))(
    'leaves %s',
    (_name, example) => {
      expect(found(example)).not.toContain(id);
      // What the repository clears cannot be cleared by the diff alone.
      if (example.repository === undefined) expect(found(example, NO_CONTEXT)).not.toContain(id);
    },
  );

  test('is fully described', () => {
    expect(id).toMatch(/^[a-z][a-z0-9]*(?:-[a-z0-9]+)+$/);
    expect(rule.examples.yes.length).toBeGreaterThan(0);
    expect(rule.examples.no.length).toBeGreaterThan(0);
    expect(rule.personas.length).toBeGreaterThan(0);
    expect(rule.title).toMatch(/^[A-Z0-9`].*\.$/);
    expect(rule.explanation).toMatch(/[.]$/);
    expect(rule.advice).toMatch(/^[a-z0-9`].*[^.]$/);
  });
});

test('ids are unique', () => {
  const ids = REVIEW_RULES.map(({ id }) => id);
  expect(new Set(ids).size).toBe(ids.length);
});

test('a script that runs on install is found in the lines of a diff alone', () => {
  const withScript = (before: string, after: string): RuleExample => ({
    change: { 'package.json': ` {\n   "scripts": {\n${before}+    ${after}\n   }\n }` },
  });
  const own = '"postinstall": "node setup.js"';
  expect(found(withScript('', own), NO_CONTEXT)).toContain('install-script-added');
  const kept = withScript(`-    ${own}\n`, `${own},`);
  expect(found(kept, NO_CONTEXT)).not.toContain('install-script-added');
});
