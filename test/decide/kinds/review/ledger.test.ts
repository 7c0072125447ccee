import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  openFindings,
  reconcileLedger,
  type Observed,
} from '../../../../src/decide/kinds/review/ledger/reconcile-ledger.ts';
import { parseDiff } from '../../../../src/domain/diff/parse-diff.ts';
import { EMPTY_LEDGER, type FindingsLedger } from '../../../../src/domain/review/review.ts';
import { aDiff, aFinding, aReply } from '../../../helpers/a-finding.ts';

const ANA = { id: 1, login: 'ana', isBot: false };
const BY_ANA = { by: ANA, permission: 'write' as const };

function observed(over: Partial<Observed> = {}): Observed {
  return {
    headSha: 'h2',
    findings: [],
    delta: undefined,
    unread: new Set(),
    replies: [],
    ...over,
  };
}

function known(over: Partial<FindingsLedger['findings'][number]> = {}): FindingsLedger {
  const entry = { finding: aFinding(), status: 'open' as const, firstSha: 'h1', lastSha: 'h1' };
  return { reviewedSha: 'h1', findings: [{ ...entry, ...over }] };
}

describe('a finding over the pushes', () => {
  test('is fresh once, and carried on after that', () => {
    const first = reconcileLedger(EMPTY_LEDGER, observed({ findings: [aFinding()] }));
    expect(first.fresh).toHaveLength(1);
    const second = reconcileLedger(
      first.ledger,
      observed({ headSha: 'h3', findings: [aFinding({ line: 9 })] }),
    );
    expect(second.fresh).toEqual([]);
    expect(openFindings(second.ledger)[0]).toMatchObject({ lastSha: 'h3', finding: { line: 9 } });
  });

  test('that a rule does not see any more is fixed; that a model saw is outdated', () => {
    expect(reconcileLedger(known(), observed()).settled).toMatchObject([{ status: 'fixed' }]);
    const model = known({ finding: aFinding({ source: 'model' }) });
    expect(reconcileLedger(model, observed()).settled).toMatchObject([{ status: 'outdated' }]);
  });

  test('in a file that could not be read this time is still open', () => {
    const { ledger, settled } = reconcileLedger(
      known(),
      observed({ unread: new Set(['src/run.ts']) }),
    );
    expect(settled).toEqual([]);
    expect(openFindings(ledger)).toHaveLength(1);
  });

  test('is neither fixed nor outdated where the rules could not read the change', () => {
    for (const source of ['signal', 'model'] as const) {
      const before = known({ finding: aFinding({ source }) });
      const { ledger, settled } = reconcileLedger(before, observed({ unread: 'all' }));
      expect([settled, openFindings(ledger).length]).toEqual([[], 1]);
    }
  });

  test('of a rule, in a file of which only the changed lines were read, is open after a rebase', () => {
    const partly = { readInPart: new Set(['src/run.ts']), delta: undefined };
    expect(openFindings(reconcileLedger(known(), observed(partly)).ledger)).toHaveLength(1);
  });

  test('of a rule stays open when only the changed lines of the file were read and nothing changed', () => {
    const partly = { readInPart: new Set(['src/run.ts']), delta: parseDiff('') };
    expect(openFindings(reconcileLedger(known(), observed(partly)).ledger)).toHaveLength(1);
  });

  test.each<[string, string[], object]>([
    ['moves with its lines', ['@@ -1 +1,2 @@', '+// a note', ' one'], { status: 'open', line: 3 }],
    ['is outdated when they change', ['@@ -2 +2 @@', '-two', '+2'], { status: 'outdated' }],
    ['stands where nothing changed', [], { status: 'open', line: 2 }],
  ])('of a model %s', (_, hunk, { status, line = 2 }: { status?: string; line?: number }) => {
    const text = ['--- a/src/run.ts', '+++ b/src/run.ts', ...hunk, ''].join('\n');
    const delta = parseDiff(hunk.length === 0 ? '' : text);
    const model = known({ finding: aFinding({ source: 'model' }) });
    const [entry] = reconcileLedger(model, observed({ delta })).ledger.findings;
    expect(entry).toMatchObject({ status, finding: { line } });
  });

  test('on lines that a push did not touch is not new, and repairing and resolving is not declining', () => {
    const elsewhere = parseDiff(aDiff('src/other.ts', ['one']));
    const late = observed({ delta: elsewhere, findings: [aFinding({ severity: 'medium' })] });
    expect(reconcileLedger(EMPTY_LEDGER, late).fresh).toEqual([]);
    const replies = [aReply({ isResolved: true, resolvedBy: BY_ANA })];
    expect(reconcileLedger(known(), observed({ replies })).settled[0]?.status).toBe('fixed');
  });

  test('of a rule that could not run at the last head is found after the next push, where it is serious', () => {
    const unread = reconcileLedger(EMPTY_LEDGER, observed({ headSha: 'h1', unread: 'all' }));
    const delta = parseDiff(aDiff('src/other.ts', ['one']));
    const next = reconcileLedger(unread.ledger, observed({ delta, findings: [aFinding()] }));
    expect([next.fresh.length, openFindings(next.ledger).length]).toEqual([1, 1]);
  });

  test('that reappears after it was fixed is open again, and not fresh', () => {
    const again = reconcileLedger(known({ status: 'fixed' }), observed({ findings: [aFinding()] }));
    expect(again.fresh).toEqual([]);
    expect(openFindings(again.ledger)).toHaveLength(1);
  });

  const words: [string, Parameters<typeof aReply>[0], boolean][] = [
    [
      'a maintainer’s thumb down',
      { reactions: [{ content: '-1', by: ANA, permission: 'write' }] },
      true,
    ],
    [
      'a stranger’s thumb down',
      { reactions: [{ content: '-1', by: ANA, permission: 'read' }] },
      false,
    ],
    [
      'a reply that declines',
      {
        replies: [{ by: ANA, permission: 'write', body: "Won't fix: it is ours.", isOurs: false }],
      },
      true,
    ],
    [
      'a reply that thanks',
      { replies: [{ by: ANA, permission: 'write', body: 'Good catch, fixing.', isOurs: false }] },
      false,
    ],
    [
      'our own reply',
      { replies: [{ by: ANA, permission: 'write', body: 'By design.', isOurs: true }] },
      false,
    ],
    ['a conversation that a person resolved', { isResolved: true, resolvedBy: BY_ANA }, true],
    [
      'one that its author resolved, who has no role',
      { isResolved: true, resolvedBy: { by: ANA, permission: 'read' } },
      false,
    ],
    [
      'one that a bot resolved',
      { isResolved: true, resolvedBy: { by: { ...ANA, isBot: true }, permission: 'write' } },
      false,
    ],
  ];
  test.each(words)('%s settles it or not', (_, reply, isSettled) => {
    const after = reconcileLedger(
      known(),
      observed({ findings: [aFinding()], replies: [aReply(reply)] }),
    );
    expect(after.ledger.findings[0]?.status).toBe(isSettled ? 'dismissed' : 'open');
    const later = reconcileLedger(
      after.ledger,
      observed({ headSha: 'h3', findings: [aFinding()] }),
    );
    expect(later.fresh).toEqual([]);
    expect(later.ledger.findings[0]?.status).toBe(isSettled ? 'dismissed' : 'open');
  });

  test('whatever happens, nothing is reported twice and what was dismissed stays dismissed', () => {
    const names = ['a', 'b', 'c', 'd'];
    const step = fc.record({
      seen: fc.subarray(names),
      declined: fc.option(fc.constantFrom(...names)),
    });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 12 }), (steps) => {
        const reported: string[] = [];
        const dismissed = new Set<string>();
        let ledger = EMPTY_LEDGER;
        for (const [n, { seen, declined }] of steps.entries()) {
          const no = { by: ANA, permission: 'write' as const, body: 'Intended.', isOurs: false };
          const replies = declined === null ? [] : [aReply({ key: declined, replies: [no] })];
          const findings = seen.map((fingerprint) => aFinding({ fingerprint }));
          const open = new Set(openFindings(ledger).map((each) => each.finding.fingerprint));
          const next = reconcileLedger(ledger, observed({ headSha: `h${n}`, findings, replies }));
          ledger = next.ledger;
          reported.push(...next.fresh.map((finding) => finding.fingerprint));
          if (declined !== null && open.has(declined)) dismissed.add(declined);
        }
        expect(new Set(reported).size).toBe(reported.length);
        const states = new Map(
          ledger.findings.map((each) => [each.finding.fingerprint, each.status]),
        );
        for (const name of dismissed) expect(states.get(name)).toBe('dismissed');
      }),
    );
  });
});
