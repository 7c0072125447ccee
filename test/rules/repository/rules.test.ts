/** Each rule about a whole repository: fires on its own examples, and stays silent on what only looks like them. */
import { describe, expect, test } from 'vitest';
import { REVIEW_RULES } from '../../../src/rules/change/review-rules.ts';
import {
  ONLY_IN_CHANGES,
  WATCH_RULES,
  watchRule,
} from '../../../src/rules/repository/watch-rules.ts';
import { kindsIn, search } from './a-repository.ts';

describe.each(WATCH_RULES.map((rule) => [rule.id, rule] as const))('%s', (id, rule) => {
  test.each(rule.examples.yes.map((example) => [JSON.stringify(example), example] as const))(
    'finds %s',
    (_name, example) => expect(kindsIn(search(example))).toContain(id),
  );

  test.each(rule.examples.no.map((example) => [JSON.stringify(example), example] as const))(
    'leaves %s',
    (_name, example) => expect(kindsIn(search(example))).not.toContain(id),
  );

  test('is fully described', () => {
    expect(id).toMatch(/^[a-z][a-z0-9]*(?:-[a-z0-9]+)+$/);
    expect(rule.examples.yes.length).toBeGreaterThan(0);
    expect(rule.examples.no.length).toBeGreaterThan(0);
    expect(rule.personas.length).toBeGreaterThan(0);
    expect(rule.title).toMatch(/^[A-Z].*\.$/);
    expect(rule.explanation).toMatch(/[.]$/);
    expect(rule.advice).toMatch(/^[a-z].*[^.]$/);
    expect(rule.certainty).toBeGreaterThan(0);
    expect(rule.certainty).toBeLessThanOrEqual(1);
  });
});

test('ids are unique, those of reviews included', () => {
  const ids = [...REVIEW_RULES, ...WATCH_RULES].map(({ id }) => id);
  expect(new Set(ids).size).toBe(ids.length);
});

test('what is left to reviews are rules of reviews', () => {
  const ids = REVIEW_RULES.map(({ id }) => id);
  for (const id of ONLY_IN_CHANGES) {
    expect(ids).toContain(id);
    expect(watchRule(id)).toBeUndefined();
  }
});

test('no rule says that something is new', () => {
  for (const { id } of [...REVIEW_RULES, ...WATCH_RULES])
    expect(watchRule(id)?.title ?? '').not.toMatch(/\b(?:new|is added to)\b/i);
});

test('rules about absent names are silent when something was not read', () => {
  const partly = WATCH_RULES.filter(({ id, examples: { yes } }) =>
    yes.every((example) => !kindsIn(search(example, { isWhole: false })).includes(id)),
  );
  expect(partly.map(({ id }) => id)).toEqual([
    'module-without-test',
    'dependency-never-used',
    'export-never-used',
  ]);
});
