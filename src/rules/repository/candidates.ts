/** Makes candidates of findings: those of one kind in one file are one, the worst and surest come first. */
import { compareFindings, isAtLeast, type Finding } from '../../domain/review/finding.ts';
import { isTestPath } from '../../domain/repository/paths.ts';
import { redactSecrets } from '../../domain/secrets/secret-text.ts';
import {
  worthOf,
  type Candidate,
  type WatchFindings,
} from '../../domain/repository/watched-code.ts';
import { watchRule } from './watch-rules.ts';

/** A name is looked for in the marker of an issue, which has room for this many of this length. */
const MAX_NAMES = 10;
const NAME_LENGTH = 10;
/** Of one kind among the best: a run that says one thing five times says little. */
const MAX_OF_KIND = 2;
const MAX_EXCERPTS = 2;
const AROUND = 8;
const MAX_LINES = 40;
const MAX_LINE = 240;

/** The short name of a finding: what was raised under it is not raised again. */
export function toName({ fingerprint }: Pick<Finding, 'fingerprint'>): string {
  return fingerprint.slice(0, NAME_LENGTH);
}

interface Choosing {
  /** Paths that were asked about. */
  isAskedFor: (path: string) => boolean;
  known: ReadonlySet<string>;
  /** Texts, for excerpts. */
  texts: ReadonlyMap<string, string>;
  limit: number;
}

/** The best candidates of what was found, and what is left. Deterministic, whatever the order of the findings. */
export function toCandidates(
  findings: readonly Finding[],
  { isAskedFor, known, texts, limit }: Choosing,
): Omit<WatchFindings, 'notRead'> {
  const own = findings
    .filter(({ severity, path }) => isAtLeast(severity, 'low') && isAskedFor(path))
    .map(toOwnWeight);
  const fresh = own.filter((finding) => !known.has(toName(finding)));
  const groups = Map.groupBy(fresh, ({ ruleId, path }) => `${ruleId}\0${path}`);
  const ranked = [...groups.values()]
    .map((group) => toCandidate(group.toSorted(compareFindings)))
    .filter((candidate) => candidate !== undefined)
    .toSorted(compareCandidates);
  const best = pickBest(ranked, limit);
  const rest = ranked.filter((candidate) => !best.includes(candidate));
  const left = [...Map.groupBy(rest, ({ ruleId }) => ruleId)].map(([ruleId, { length }]) => ({
    ruleId,
    count: length,
  }));
  return {
    candidates: best.map((candidate) => ({ ...candidate, excerpts: toExcerpts(candidate, texts) })),
    left: left.toSorted((a, b) => b.count - a.count || (a.ruleId < b.ruleId ? -1 : 1)),
    known: own.length - fresh.length,
  };
}

/** Nobody runs these but those who work on the project. */
const ASIDE = /(?:^|\/)(?:examples?|benchmarks?|bench|demos?|playgrounds?|scripts?|templates?)\//i;

/** What is wrong in a test or an example reaches no user: it is worth little, unless it is about tests. */
function toOwnWeight(finding: Finding): Finding {
  const isAside = isTestPath(finding.path) || ASIDE.test(finding.path);
  const isOwn = watchRule(finding.ruleId)?.area === 'tests';
  return isAside && !isOwn ? { ...finding, severity: 'low' } : finding;
}

function pickBest(ranked: readonly Candidate[], limit: number): Candidate[] {
  const best: Candidate[] = [];
  for (const candidate of ranked) {
    const alike = best.filter(({ ruleId }) => ruleId === candidate.ruleId).length;
    if (best.length < limit && alike < MAX_OF_KIND) best.push(candidate);
  }
  return best;
}

/** Severity by certainty, then how many places, then path and rule: a total order. */
function compareCandidates(a: Candidate, b: Candidate): number {
  return (
    worthOf(b) - worthOf(a) || b.names.length - a.names.length || (keyOf(a) < keyOf(b) ? -1 : 1)
  );
}

function keyOf({ places, ruleId }: Candidate): string {
  return `${places[0]?.path}\0${ruleId}`;
}

function toCandidate(findings: readonly Finding[]): Candidate | undefined {
  const [worst] = findings;
  const rule = worst === undefined ? undefined : watchRule(worst.ruleId);
  if (worst === undefined || rule === undefined) return undefined;
  // What has no room waits: it is named next time, when these are known.
  const shown = findings.slice(0, MAX_NAMES);
  const sentence = (shown.length === 1 ? worst.title : rule.title).replace(/\.$/, '');
  return {
    names: shown.map(toName),
    ruleId: rule.id,
    severity: worst.severity,
    certainty: rule.certainty,
    title: shown.length === 1 ? sentence : `${sentence}, ${shown.length} times`,
    why: rule.explanation,
    step: rule.advice,
    personas: [...rule.personas],
    places: shown.map(({ path, line, endLine, title, evidence }) => ({
      path,
      line,
      ...(endLine === undefined ? {} : { endLine }),
      title,
      evidence,
    })),
    excerpts: [],
    isConfidential: rule.area === 'secrets',
  };
}

function toExcerpts(
  { places, isConfidential }: Candidate,
  texts: ReadonlyMap<string, string>,
): Candidate['excerpts'] {
  // A line with a credential is shown to nobody.
  if (isConfidential) return [];
  return places.slice(0, MAX_EXCERPTS).map(({ path, line, endLine = line }) => {
    const first = Math.max(1, line - AROUND);
    const last = Math.min(endLine + AROUND, first + MAX_LINES - 1);
    // Redacted as a whole, because a key goes over many lines; line by line, each would look harmless.
    const lines = redactSecrets(texts.get(path) ?? '').split(/\r?\n/);
    const shown = lines.slice(first - 1, last).map((text) => text.slice(0, MAX_LINE));
    return { path, line: first, text: shown.join('\n').trimEnd() };
  });
}
