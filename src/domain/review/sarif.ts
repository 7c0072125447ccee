/** Findings as SARIF 2.1.0 (OASIS), as code scanning and editors read it. */
import type { Severity } from './signal.ts';
import type { Finding } from './finding.ts';

const SCHEMA = 'https://json.schemastore.org/sarif-2.1.0.json';
const LEVELS: Readonly<Record<Severity, 'error' | 'warning' | 'note'>> = {
  critical: 'error',
  high: 'error',
  medium: 'warning',
  low: 'note',
  info: 'note',
};
/** GitHub's code scanning sorts by this number: from 9 critical, from 7 high, from 4 medium. */
const SECURITY_SEVERITY: Readonly<Record<Severity, string>> = {
  critical: '9.5',
  high: '8.0',
  medium: '5.5',
  low: '3.0',
  info: '1.0',
};

export interface SarifOptions {
  /** Of this program. */
  version: string;
  /** What is known of rules besides their id; a model's findings have none. */
  rules: ReadonlyMap<string, SarifRule>;
  notRead: readonly string[];
}

export interface SarifRule {
  title: string;
  explanation: string;
  advice: string;
  area: string;
  severity: Severity;
}

/** Areas in which a finding is a matter of security, for those who sort by it. */
const SECURITY = new Set([
  'secrets',
  'injection',
  'authentication',
  'cryptography',
  'workflow',
  'supply chain',
  'containers',
]);

/** One run with one result for each finding. */
export function toSarif(findings: readonly Finding[], options: SarifOptions) {
  const ids = [...new Set(findings.map(({ ruleId }) => ruleId))].toSorted();
  return {
    $schema: SCHEMA,
    version: '2.1.0' as const,
    runs: [
      {
        tool: {
          driver: {
            name: 'Quorum',
            semanticVersion: options.version,
            rules: ids.map((id) => toRule(id, findings, options)),
          },
        },
        columnKind: 'utf16CodeUnits' as const,
        originalUriBaseIds: { SRCROOT: { description: { text: 'The top of the repository.' } } },
        invocations: [
          {
            executionSuccessful: true,
            toolExecutionNotifications: options.notRead.map((text) => ({
              level: 'note' as const,
              message: { text: `Not read: ${text}` },
            })),
          },
        ],
        results: findings.map((finding) => toResult(finding, ids)),
      },
    ],
  };
}

function toRule(id: string, findings: readonly Finding[], { rules }: SarifOptions) {
  const rule = rules.get(id);
  const severity = rule?.severity ?? findings.find((each) => each.ruleId === id)?.severity;
  const level = LEVELS[severity ?? 'info'];
  if (rule === undefined) return { id, defaultConfiguration: { level } };
  return {
    id,
    shortDescription: { text: rule.title },
    fullDescription: { text: rule.explanation },
    help: { text: sentence(rule.advice) },
    defaultConfiguration: { level },
    properties: {
      tags: [rule.area, ...(SECURITY.has(rule.area) ? ['security'] : [])],
      ...(SECURITY.has(rule.area) ? { 'security-severity': SECURITY_SEVERITY[rule.severity] } : {}),
    },
  };
}

function toResult(finding: Finding, ids: readonly string[]) {
  const { ruleId, severity, title, evidence, advice, fingerprint } = finding;
  const text = [
    title,
    evidence === '' ? '' : `Seen: ${evidence}.`,
    advice === undefined ? '' : sentence(advice),
  ];
  return {
    ruleId,
    ruleIndex: ids.indexOf(ruleId),
    level: LEVELS[severity],
    message: { text: text.filter((part) => part !== '').join(' ') },
    locations: [{ physicalLocation: toLocation(finding) }],
    partialFingerprints: { 'quorumFingerprint/v1': fingerprint },
    properties: { severity, personas: finding.personas, side: finding.side },
    ...fixesOf(finding),
  };
}

function toLocation({ path, line, endLine, side, scope }: Finding) {
  const artifactLocation = { uri: toUri(path), uriBaseId: 'SRCROOT' };
  // Lines that were removed are not in the file any more.
  if (scope !== 'line' || side === 'LEFT') return { artifactLocation };
  return { artifactLocation, region: { startLine: line, endLine: endLine ?? line } };
}

function fixesOf({ path, line, endLine, suggestion, side }: Finding) {
  if (suggestion === undefined || side === 'LEFT') return {};
  // Whole lines are replaced, up to the beginning of the one behind them.
  const deletedRegion = {
    startLine: line,
    startColumn: 1,
    endLine: (endLine ?? line) + 1,
    endColumn: 1,
  };
  const text = suggestion === '' ? '' : `${suggestion}\n`;
  return {
    fixes: [
      {
        artifactChanges: [
          {
            artifactLocation: { uri: toUri(path), uriBaseId: 'SRCROOT' },
            replacements: [{ deletedRegion, insertedContent: { text } }],
          },
        ],
      },
    ],
  };
}

/** Relative, each part percent-encoded. */
function toUri(path: string): string {
  return path
    .toWellFormed()
    .split('/')
    .map((part) => encodeURIComponent(part))
    .join('/');
}

function sentence(text: string): string {
  const first = text.charAt(0).toUpperCase() + text.slice(1);
  return /[.?!]$/.test(first) ? first : `${first}.`;
}
