/** Carries findings from push to push: what is fixed, dismissed or outdated is never raised again. */
import type { Diff, DiffFile } from '../../../../domain/diff/diff.ts';
import { followLines } from '../../../../domain/diff/follow-lines.ts';
import { compareFindings, isAtLeast, type Finding } from '../../../../domain/review/finding.ts';
import type {
  FindingReply,
  FindingsLedger,
  LedgerFinding,
} from '../../../../domain/review/review.ts';
import { resolutionOf, wordOf, type Dismissal } from './word.ts';

export interface Observed {
  headSha: string;
  /** Everything that code finds in the whole change at this head. */
  findings: readonly Finding[];
  /**
   * What was added since the last review. Where that is not known, this is undefined and everything is judged again.
   */
  delta: Diff | undefined;
  /** Files of the change that could not be read this time: the state of their findings is unknown. */
  unread: ReadonlySet<string> | 'all';
  /** Files of which only the changed lines were read this time: what rests on the others cannot be found again. */
  readInPart?: ReadonlySet<string>;
  replies: readonly FindingReply[];
}

export interface Reconciled {
  ledger: FindingsLedger;
  /** Found for the first time: these are reported. */
  fresh: Finding[];
  /** Settled by this head, or by a person since the last one. */
  settled: LedgerFinding[];
}

/** Brings the ledger up to date with a head and with what people said. */
export function reconcileLedger(before: FindingsLedger, observed: Observed): Reconciled {
  const seen = new Map(observed.findings.map((finding) => [finding.fingerprint, finding]));
  const { replies } = observed;
  const findings = before.findings.map((entry) => {
    const told = heed(entry, replies, wordOf);
    // A person who fixes a finding and resolves the conversation did not decline it, so the head is checked first.
    return heed(follow(told, seen, observed), replies, resolutionOf);
  });
  const known = new Set(before.findings.map((entry) => entry.finding.fingerprint));
  const fresh = [...seen.values()].filter(
    (finding) => !known.has(finding.fingerprint) && isNew(finding, observed),
  );
  const { headSha } = observed;
  return {
    ledger: {
      reviewedSha: headSha,
      findings: [
        ...findings,
        ...fresh.map((finding): LedgerFinding => ({
          finding,
          status: 'open',
          firstSha: headSha,
          lastSha: headSha,
        })),
      ],
    },
    fresh,
    settled: findings.filter(
      ({ status }, index) => status !== 'open' && before.findings[index]?.status === 'open',
    ),
  };
}

/**
 * A re-review covers what was added since the last one, and what keeps the check from success. The rules may have been
 * unable to read those lines the last time.
 */
function isNew({ scope, path, source, severity }: Finding, { delta }: Observed): boolean {
  if (scope !== 'line' || delta === undefined) return true;
  const isSerious = source === 'signal' && isAtLeast(severity, 'high');
  return isSerious || changeOf(path, delta) !== undefined;
}

function changeOf(path: string, { files }: Diff): DiffFile | undefined {
  return files.find((file) => file.path === path || file.oldPath === path);
}

/** What people said since the head was read, and nothing else. */
export function heedAll(ledger: FindingsLedger, replies: readonly FindingReply[]): FindingsLedger {
  const findings = ledger.findings.map((entry) =>
    heed(heed(entry, replies, wordOf), replies, resolutionOf),
  );
  return { ...ledger, findings };
}

/** A person's word settles a finding: a thumb down, a reply that declines it, or a resolved conversation. */
function heed(
  entry: LedgerFinding,
  replies: readonly FindingReply[],
  dismissalOf: (reply: FindingReply) => Dismissal | undefined,
): LedgerFinding {
  if (entry.status !== 'open') return entry;
  const reply = replies.find((each) => each.key === entry.finding.fingerprint);
  const dismissal = reply === undefined ? undefined : dismissalOf(reply);
  return dismissal === undefined ? entry : { ...entry, status: 'dismissed', ...dismissal };
}

/** What became of a known finding at this head. */
function follow(
  entry: LedgerFinding,
  seen: ReadonlyMap<string, Finding>,
  { headSha, delta, unread, readInPart }: Observed,
): LedgerFinding {
  const now = seen.get(entry.finding.fingerprint);
  if (now !== undefined) {
    const status = entry.status === 'fixed' || entry.status === 'outdated' ? 'open' : entry.status;
    // The personas that found it first stay named, even if only a rule finds it again.
    const personas = [...new Set([...now.personas, ...entry.finding.personas])];
    const { ruleSeverity: _, ...rest } = entry;
    return { ...rest, finding: { ...now, personas }, status, lastSha: headSha };
  }
  const { path } = entry.finding;
  if (entry.status !== 'open' || isUnread(path, unread)) return entry;
  const isSought = entry.finding.source === 'signal' && readInPart?.has(path) !== true;
  if (isSought) return { ...entry, status: 'fixed' };
  // What only a model saw is not looked for again by a rule: its lines changed, or they still stand.
  const moved = delta === undefined ? unmoved(entry.finding) : moveOf(entry.finding, delta);
  return moved === undefined
    ? { ...entry, status: 'outdated' }
    : { ...entry, finding: { ...entry.finding, ...moved }, lastSha: headSha };
}

function isUnread(path: string, unread: Observed['unread']): boolean {
  return unread === 'all' || unread.has(path);
}

/** Nobody knows what came: a rebase settles nothing that a rule found and could not look for again. */
function unmoved({ source }: Finding): Partial<Finding> | undefined {
  return source === 'signal' ? {} : undefined;
}

/** Its place at this head; undefined when its lines changed. */
function moveOf(finding: Finding, delta: Diff): Partial<Finding> | undefined {
  const file = changeOf(finding.path, delta);
  if (file === undefined || finding.side === 'LEFT') return {};
  if (finding.scope !== 'line') return undefined;
  const by = followLines(file, finding);
  if (by === undefined) return undefined;
  const { line, endLine } = finding;
  return {
    path: file.path,
    line: line + by,
    ...(endLine === undefined ? {} : { endLine: endLine + by }),
  };
}

/** Still to be settled. */
export function openFindings(ledger: FindingsLedger): LedgerFinding[] {
  return ledger.findings.filter((entry) => entry.status === 'open');
}

/** Open findings that were reported before, worst first. */
export function knownFindings(fresh: readonly Finding[], ledger: FindingsLedger): Finding[] {
  const names = new Set(fresh.map(({ fingerprint }) => fingerprint));
  return openFindings(ledger)
    .map(({ finding }) => finding)
    .filter(({ fingerprint }) => !names.has(fingerprint))
    .toSorted(compareFindings);
}
