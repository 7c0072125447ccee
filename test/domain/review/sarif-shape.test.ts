/** SARIF holds what its schema asks for, over what every rule finds: the parts of SARIF 2.1.0 (OASIS) that we write, closed. */
import { expect, test } from 'vitest';
import { z } from 'zod';
import { decideReviewSignals } from '../../../src/rules/change/decide-review-signals.ts';
import { REVIEW_RULES } from '../../../src/rules/change/review-rules.ts';
import type { Finding } from '../../../src/domain/review/finding.ts';
import { toSarif } from '../../../src/domain/review/sarif.ts';
import { exampleContext, exampleDiff } from '../../rules/change/example.ts';

const Text = z.strictObject({ text: z.string() });
const Filled = z.strictObject({ text: z.string().min(1) });
const Level = z.enum(['none', 'note', 'warning', 'error']);
const Whole = z.int().min(1);
/** RFC 3986: relative, and nothing in it that would have to be encoded. */
const Reference = z.string().regex(/^(?:[\w.~!$&'()*+,;=:@/-]|%[0-9A-F]{2})+$/);
const Artifact = z.strictObject({ uri: Reference, uriBaseId: z.literal('SRCROOT') });

const Region = z.strictObject({
  startLine: Whole,
  startColumn: Whole.optional(),
  endLine: Whole,
  endColumn: Whole.optional(),
});

const Rule = z.strictObject({
  id: z.string().min(1),
  shortDescription: Filled.optional(),
  fullDescription: Filled.optional(),
  help: Filled.optional(),
  defaultConfiguration: z.strictObject({ level: Level }),
  properties: z
    .strictObject({
      tags: z.array(z.string()).refine((tags) => new Set(tags).size === tags.length),
      'security-severity': z
        .string()
        .regex(/^(?:\d|10)\.\d$/)
        .optional(),
    })
    .optional(),
});

const Result = z.strictObject({
  ruleId: z.string().min(1),
  ruleIndex: z.int().min(0),
  level: Level,
  message: Filled,
  locations: z.array(
    z.strictObject({
      physicalLocation: z.strictObject({
        artifactLocation: Artifact,
        region: Region.optional(),
      }),
    }),
  ),
  partialFingerprints: z.record(z.string(), z.string()),
  properties: z.strictObject({
    severity: z.string(),
    personas: z.array(z.string()),
    side: z.string(),
  }),
  fixes: z
    .array(
      z.strictObject({
        artifactChanges: z
          .array(
            z.strictObject({
              artifactLocation: Artifact,
              replacements: z
                .array(z.strictObject({ deletedRegion: Region, insertedContent: Text }))
                .min(1),
            }),
          )
          .min(1),
      }),
    )
    .optional(),
});

const Log = z.strictObject({
  $schema: z.url(),
  version: z.literal('2.1.0'),
  runs: z.tuple([
    z.strictObject({
      tool: z.strictObject({
        driver: z.strictObject({
          name: z.string().min(1),
          semanticVersion: z.string(),
          rules: z.array(Rule).refine((rules) => unique(rules.map(({ id }) => id))),
        }),
      }),
      columnKind: z.enum(['utf16CodeUnits', 'unicodeCodePoints']),
      originalUriBaseIds: z.strictObject({ SRCROOT: z.strictObject({ description: Filled }) }),
      invocations: z.array(
        z.strictObject({
          executionSuccessful: z.boolean(),
          toolExecutionNotifications: z.array(z.strictObject({ level: Level, message: Filled })),
        }),
      ),
      results: z.array(Result),
    }),
  ]),
});

function unique(values: readonly string[]): boolean {
  return new Set(values).size === values.length;
}

const RULES = new Map(REVIEW_RULES.map((rule) => [rule.id, rule]));

function written(findings: readonly Finding[], notRead: readonly string[] = []) {
  const sarif = toSarif(findings, { version: '1.2.3', rules: RULES, notRead });
  return Log.parse(JSON.parse(JSON.stringify(sarif)));
}

test('whatever the rules find in their own examples', () => {
  const findings = REVIEW_RULES.flatMap(({ examples }) =>
    examples.yes.flatMap((example) =>
      decideReviewSignals(exampleDiff(example), exampleContext(example)),
    ),
  );
  expect(new Set(findings.map(({ ruleId }) => ruleId)).size).toBeGreaterThanOrEqual(RULES.size);
  const [{ results, tool }] = written(findings, ['logo.png: binary']).runs;
  expect(results).toHaveLength(findings.length);
  for (const { ruleId, ruleIndex } of results)
    expect(tool.driver.rules[ruleIndex]?.id).toBe(ruleId);
});

test('nothing found, paths that must be encoded, lines to delete, and what only a model knows', () => {
  expect(written([]).runs[0].results).toEqual([]);
  const finding: Finding = {
    ruleId: 'model/maya',
    severity: 'info',
    path: 'a b/ü#?%[1].ts',
    line: 1,
    side: 'RIGHT',
    scope: 'line',
    personas: [],
    title: 'x',
    evidence: '',
    suggestion: '',
    fingerprint: 'f',
    context: '',
    source: 'model',
  };
  const odd = ['x\ud800.ts', 'a/../b.ts', '日本/файл.ts'].map((path) => ({ ...finding, path }));
  expect(written([finding, ...odd]).runs[0].results).toHaveLength(4);
});
