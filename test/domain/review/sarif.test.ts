/** Findings as SARIF: levels, places, fixes, and names that survive. */
import { expect, test } from 'vitest';
import type { Finding } from '../../../src/domain/review/finding.ts';
import { toReviewJson } from '../../../src/domain/review/review-output.ts';
import { toSarif } from '../../../src/domain/review/sarif.ts';

const FINDING: Finding = {
  ruleId: 'weak-hash',
  severity: 'medium',
  path: 'src/my file.ts',
  line: 3,
  side: 'RIGHT',
  scope: 'line',
  personas: ['maya'],
  title: 'A digest that can be forged.',
  evidence: "createHash('md5')",
  suggestion: "createHash('sha256')",
  fingerprint: 'f1',
  context: 'c1',
  source: 'signal',
};
const RULE = {
  title: 'Weak hash.',
  explanation: 'Why.',
  advice: 'use another',
  area: 'cryptography',
  severity: 'medium',
} as const;

function sarif(findings: Finding[]) {
  return toSarif(findings, {
    version: '1.2.3',
    rules: new Map([['weak-hash', RULE]]),
    notRead: ['logo.png: binary'],
  }).runs[0];
}

test('a finding becomes a result with level, place, fingerprint and fix', () => {
  const [result] = sarif([FINDING])?.results ?? [];
  expect(result).toMatchObject({
    ruleId: 'weak-hash',
    ruleIndex: 0,
    level: 'warning',
    partialFingerprints: { 'quorumFingerprint/v1': 'f1' },
    locations: [
      {
        physicalLocation: {
          artifactLocation: { uri: 'src/my%20file.ts', uriBaseId: 'SRCROOT' },
          region: { startLine: 3, endLine: 3 },
        },
      },
    ],
  });
  expect(result?.fixes?.[0]?.artifactChanges[0]?.replacements).toEqual([
    {
      deletedRegion: { startLine: 3, startColumn: 1, endLine: 4, endColumn: 1 },
      insertedContent: { text: "createHash('sha256')\n" },
    },
  ]);
});

test('what is about a file, or about lines that are gone, has no region; removed lines have no fix', () => {
  const results = sarif([
    { ...FINDING, scope: 'file' },
    { ...FINDING, side: 'LEFT', fingerprint: 'f2' },
  ])?.results;
  for (const result of results ?? []) {
    expect(result.locations[0]?.physicalLocation).not.toHaveProperty('region');
  }
  expect(results?.[1]).not.toHaveProperty('fixes');
});

test('each rule is described once; a rule that only a model knows has its id and a level', () => {
  const run = sarif([FINDING, { ...FINDING, ruleId: 'model/maya', severity: 'critical' }, FINDING]);
  expect(run?.tool.driver.rules.map(({ id }) => id)).toEqual(['model/maya', 'weak-hash']);
  expect(run?.tool.driver.rules[0]).toEqual({
    id: 'model/maya',
    defaultConfiguration: { level: 'error' },
  });
  expect(run?.tool.driver.rules[1]?.properties).toEqual({
    tags: ['cryptography', 'security'],
    'security-severity': '5.5',
  });
  expect(run?.invocations[0]?.toolExecutionNotifications[0]?.message.text).toBe(
    'Not read: logo.png: binary',
  );
});

test('an empty suggestion deletes the lines', () => {
  const [result] = sarif([{ ...FINDING, suggestion: '', endLine: 5 }])?.results ?? [];
  expect(result?.fixes?.[0]?.artifactChanges[0]?.replacements[0]).toEqual({
    deletedRegion: { startLine: 3, startColumn: 1, endLine: 6, endColumn: 1 },
    insertedContent: { text: '' },
  });
});

test('the JSON leaves out what is not pinned and keeps what is', () => {
  const json = toReviewJson({
    verdict: 'CHANGES',
    model: 'offline',
    findings: [FINDING],
    notRead: [],
    costUsd: 0,
  });
  expect(json.findings[0]).toEqual({
    ruleId: 'weak-hash',
    severity: 'medium',
    path: 'src/my file.ts',
    line: 3,
    personas: ['maya'],
    title: FINDING.title,
    evidence: FINDING.evidence,
    suggestion: FINDING.suggestion,
    fingerprint: 'f1',
  });
});
