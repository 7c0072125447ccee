/** A review as people read it at a terminal: the verdict, the findings by file with their lines, what was not read. */
import type { Diff } from '../../../domain/diff/diff.ts';
import { compareFindings, countSeverities, type Finding } from '../../../domain/review/finding.ts';
import type { Io } from '../terminal/io.ts';
import { createPaint, type Paint } from '../terminal/paint.ts';
import { counted } from '../../../domain/text/counted.ts';
import { wrap } from '../terminal/table.ts';
import { renderCodeFrame, secretPlaces, withoutControls } from './frame.ts';
import type { Reviewed } from './run-review.ts';

export interface TextOptions {
  io: Pick<Io, 'isTty' | 'env' | 'columns'>;
  diff: Diff;
  /** `the working tree since main`. */
  what: string;
}

/** Verdicts, for people. */
export const VERDICT_WORDS = {
  APPROVE: 'Looks good',
  CHANGES: 'Changes needed',
  HUMAN: 'Needs you',
};
/** Findings of one rule in one file that are shown with their lines; the others are counted. */
const MAX_ALIKE = 5;
const MAX_NOT_READ = 12;
const INDENT = 2;

interface Scope {
  paint: Paint;
  columns: number;
  diff: Diff;
  nameOf: (handle: string) => string;
  secret: ReadonlySet<string>;
}

export function renderReviewText(review: Reviewed, { io, diff, what }: TextOptions): string {
  const paint = createPaint(io);
  const names = new Map(review.view.personas.map(({ handle, name }) => [handle, name]));
  const nameOf = (handle: string): string => names.get(handle) ?? handle;
  const secret = secretPlaces(review.findings);
  const scope: Scope = { paint, columns: io.columns, diff, nameOf, secret };
  const parts = [
    headline(review, paint),
    review.question === undefined ? '' : `You decide: ${withoutControls(review.question)}`,
    ...byFile(review.findings).map((group) => renderGroup(group, scope)),
    renderNotRead(review.notRead, scope),
    renderSum(review, { diff, what, paint }),
  ];
  return `\n${parts.filter((part) => part !== '').join('\n\n')}\n`;
}

function headline({ verdict, headline: words }: Reviewed, paint: Paint): string {
  const colour = { APPROVE: paint.green, CHANGES: paint.red, HUMAN: paint.yellow }[verdict];
  return `${paint.bold(colour(VERDICT_WORDS[verdict]))}: ${withoutControls(words)}`;
}

interface Group {
  /** Empty for what is about the change as a whole. */
  path: string;
  findings: Finding[];
}

/** Files in the order of their worst finding. */
function byFile(findings: readonly Finding[]): Group[] {
  const sorted = findings.toSorted(compareFindings);
  const groups = Map.groupBy(sorted, ({ scope, path }) => (scope === 'change' ? '' : path));
  return [...groups].map(([path, group]) => ({
    path,
    findings: group.toSorted((a, b) => a.line - b.line),
  }));
}

function renderGroup({ path, findings }: Group, scope: Scope): string {
  const title = path === '' ? 'The change as a whole' : withoutControls(path);
  const alike = new Map<string, number>();
  const shown: string[] = [];
  for (const finding of findings) {
    const count = (alike.get(finding.ruleId) ?? 0) + 1;
    alike.set(finding.ruleId, count);
    if (count <= MAX_ALIKE) shown.push(renderFinding(finding, scope));
  }
  const more = [...alike]
    .filter(([, count]) => count > MAX_ALIKE)
    .map(([rule, count]) => scope.paint.dim(`  and ${count - MAX_ALIKE} more of ${rule}`));
  return [scope.paint.bold(title), ...shown, ...more].join('\n');
}

function renderFinding(finding: Finding, scope: Scope): string {
  const { paint, columns, diff, nameOf, secret } = scope;
  const { severity, title, personas, ruleId, advice, suggestion } = finding;
  const inner = ' '.repeat(INDENT * 2);
  const frame = renderCodeFrame(finding, diff, { paint, columns, secret, indent: INDENT * 2 });
  const told = (text: string): string[] =>
    wrap(withoutControls(text), columns - inner.length).map((line) => inner + line);
  const quoted = frame === undefined || finding.source === 'model' ? told(finding.evidence) : [];
  const [head = '', ...rest] = wrap(
    `${paintSeverity(severity, paint)}  ${withoutControls(title)}`,
    columns - INDENT,
  );
  return [
    ' '.repeat(INDENT) + head,
    ...rest.map((line) => inner + line),
    ...quoted.filter((line) => line.trim() !== ''),
    ...(frame === undefined ? [] : [frame]),
    ...(advice === undefined || suggestion !== undefined ? [] : told(`Fix: ${advice}`)),
    inner + paint.dim(`${personas.map(nameOf).join(', ')} · ${ruleId}`),
  ].join('\n');
}

export function paintSeverity(severity: Finding['severity'], paint: Paint): string {
  if (severity === 'critical') return paint.bold(paint.red(severity));
  if (severity === 'high') return paint.red(severity);
  if (severity === 'medium') return paint.yellow(severity);
  return severity === 'low' ? paint.cyan(severity) : paint.dim(severity);
}

function renderNotRead(notRead: readonly string[], { paint, columns }: Scope): string {
  if (notRead.length === 0) return '';
  const shown = notRead
    .slice(0, MAX_NOT_READ)
    .flatMap((line) => wrap(`  ${withoutControls(line)}`, columns));
  const more = notRead.length - MAX_NOT_READ;
  return paint.dim(['Not read:', ...shown, ...(more > 0 ? [`  and ${more} more`] : [])].join('\n'));
}

function renderSum(
  { findings, model, costUsd }: Reviewed,
  { diff, what, paint }: { diff: Diff; what: string; paint: Paint },
): string {
  const found =
    findings.length === 0
      ? 'no findings'
      : `${counted(findings.length, 'finding')} (${countSeverities(findings)})`;
  const cost = costUsd === null ? 'cost unknown' : `$${costUsd.toFixed(2)}`;
  const who = WHO[model] ?? model;
  return paint.dim(
    `${found} in ${counted(diff.files.length, 'file')} of ${what} · ${who} · ${cost} · nothing was posted`,
  );
}

const WHO: Readonly<Record<string, string>> = {
  offline: 'offline rules, no model',
  none: 'rules alone',
};
