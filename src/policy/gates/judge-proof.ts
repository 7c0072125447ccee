/** What a merge rests on, told from the receipts as they are stored: what nobody signed, or of another head, proves nothing. */
import {
  GATE_NAMES,
  GATES,
  isGenuine,
  type Gate,
  type GateReceipt,
  type Signing,
} from '../../domain/gates/receipt.ts';
import type { Proved, Receipts } from '../../domain/task/merge-view.ts';

interface At {
  headSha: string;
  /** Tip of the branch that it would merge into. */
  baseSha: string;
  signing: Signing;
}

/** Of several receipts of one gate the last counts. */
export function judgeProof({ receipts, retest }: Receipts, at: At): Proved {
  const tested = lastOf('2', receipts, at);
  return {
    unproved: GATES.flatMap((gate) => missingProofs(gate, receipts, at)),
    // Older receipts do not tell their base.
    isOfBase: tested !== undefined && (tested.baseSha ?? at.baseSha) === at.baseSha,
    isRetested:
      retest?.gate === '2' &&
      isOf(retest, at) &&
      retest.baseSha === at.baseSha &&
      retest.result === 'passed',
  };
}

function isOf(receipt: GateReceipt, { headSha, signing }: At): boolean {
  return receipt.headSha === headSha && isGenuine(receipt, signing);
}

function lastOf(gate: Gate, receipts: readonly GateReceipt[], at: At): GateReceipt | undefined {
  return receipts.findLast((each) => each.gate === gate && isOf(each, at));
}

function missingProofs(gate: Gate, receipts: readonly GateReceipt[], at: At): string[] {
  if (lastOf(gate, receipts, at)?.result === 'passed') return [];
  const name = `gate ${gate} (${GATE_NAMES[gate]})`;
  const isForged = receipts.some(
    (each) => each.gate === gate && each.headSha === at.headSha && !isGenuine(each, at.signing),
  );
  if (isForged) return [`${name}: its receipt is not as it was signed, so it proves nothing`];
  return [`${name} has not passed for this head`];
}
