/** Evidence as a compact Markdown list for prompts, in a stable order: the same facts give the same bytes. */
import type { Evidence } from '../../domain/run/evidence.ts';
import type { Place, Signal } from '../../domain/review/signal.ts';

/** `src/a.ts#L3-L9`, as people and GitHub write it. */
export function renderPlace({ path, line, endLine }: Place): string {
  if (line === undefined) return path;
  return endLine === undefined || endLine === line
    ? `${path}#L${line}`
    : `${path}#L${line}-L${endLine}`;
}

function renderSignal(signal: Signal): string {
  const place = signal.place === undefined ? '' : ` (${renderPlace(signal.place)})`;
  const settled = signal.suggestion === undefined ? '' : ` Settled by: ${signal.suggestion}.`;
  const known = signal.isKnown === true ? ' Reported before, still open.' : '';
  return `- [${signal.severity}] ${signal.ruleId}: ${signal.title}${place} Seen: ${signal.evidence}.${settled}${known}`;
}

function section(title: string, lines: readonly string[]): string[] {
  return lines.length === 0 ? [] : [`**${title}**`, ...lines, ''];
}

function renderFile({ path, why, lines }: Evidence['files'][number]): string {
  const [line, endLine] = lines ?? [];
  const place = line === undefined ? { path } : { path, line, endLine: endLine ?? line };
  return `- ${renderPlace(place)}: ${why}`;
}

function renderRelated(related: Evidence['relatedIssues'][number]): string {
  const { number, title, state, score, sharedTerms } = related;
  const alike = `${Math.round(score * 100)} % alike`;
  return `- #${number} (${state}, ${alike}) ${title}; shared: ${sharedTerms.join(', ')}`;
}

function renderAnswer({ login, text, isByMaintainer }: Evidence['answers'][number]): string {
  return `- ${login}${isByMaintainer ? ' (maintainer)' : ''}: ${text}`;
}

/** Renders the facts. What is quoted in them was written by others: put the result into a quarantine block. */
export function renderEvidence(evidence: Evidence): string {
  const hidden = Object.values(evidence.hidden).reduce((sum, count) => sum + count, 0);
  const symbols = evidence.symbols.map(({ name, place }) => `- ${name}: ${renderPlace(place)}`);
  const choice = evidence.decision === undefined ? [] : [`- ${evidence.decision.question}`];
  return [
    `Subject: ${evidence.subject}. Size: ${evidence.size}. Hidden items removed: ${hidden}.`,
    '',
    ...section(
      'Signals (cite by rule id, or say why one does not hold)',
      evidence.signals.map(renderSignal),
    ),
    ...section('Files', evidence.files.map(renderFile)),
    ...section('Symbols', symbols),
    ...section(
      'Tests next to them',
      evidence.tests.map((path) => `- ${path}`),
    ),
    ...section(
      'Named but not in the repository',
      evidence.missing.map((name) => `- ${name}`),
    ),
    ...section('Past issues', evidence.relatedIssues.map(renderRelated)),
    ...section('Open choice', choice),
    ...section('Said since', evidence.answers.map(renderAnswer)),
    ...section(
      'Not read',
      evidence.notRead.map((note) => `- ${note}`),
    ),
  ]
    .join('\n')
    .trimEnd();
}
