/** The gates of a task's head as check runs: all of them in one, or one alone. */
import { cell } from '../../../domain/text/table-cell.ts';
import { codeBlock } from '../../../domain/text/code-span.ts';
import type { CheckWanted } from '../../../domain/event/effect-values.ts';
import { GATE_NAMES, GATES, gateCheck, type GateReceipt } from '../../../domain/gates/receipt.ts';
import { GATES_CHECK } from '../../../domain/task/check-names.ts';

/** A success only when each gate has a receipt that passed. */
export function toGatesCheck(receipts: readonly GateReceipt[]): CheckWanted {
  const stopped = GATES.flatMap((gate) => {
    const last = receipts.findLast((receipt) => receipt.gate === gate);
    return last?.result === 'passed' ? [] : [{ gate, sentence: last?.sentence ?? 'not run' }];
  });
  const [first] = stopped;
  const tests = receipts.findLast(({ gate }) => gate === '2')?.sentence ?? '';
  return {
    name: GATES_CHECK,
    conclusion: first === undefined ? 'success' : 'failure',
    title: toTitle(
      first === undefined
        ? `All ${GATES.length} gates passed: ${tests}`
        : `${GATE_NAMES[first.gate]}: ${first.sentence}`,
    ),
    summary: [renderTable(receipts), ...receipts.flatMap(renderDetails)].join('\n\n'),
  };
}

function renderTable(receipts: readonly GateReceipt[]): string {
  const rows = receipts.map(
    ({ gate, result, sentence, signature }) =>
      `| ${GATE_NAMES[gate]} | ${result} | ${cell(sentence.replaceAll(/\s+/g, ' '))} | \`${signature.slice(0, 16)}\` |`,
  );
  return ['| Gate | Result | What it found | Receipt |', '| --- | --- | --- | --- |', ...rows].join(
    '\n',
  );
}

function renderDetails({ gate, flags, log }: GateReceipt): string[] {
  const notes = flags.map((flag) => `- ${GATE_NAMES[gate]}: ${flag}`).join('\n');
  const printed =
    log === undefined ? '' : `End of the output of ${GATE_NAMES[gate]}:\n\n${codeBlock(log)}`;
  return [notes, printed].filter((text) => text !== '');
}

export function toGateCheck(receipt: GateReceipt): CheckWanted {
  return {
    name: gateCheck(receipt.gate),
    conclusion: receipt.result === 'passed' ? 'success' : 'failure',
    title: toTitle(receipt.sentence),
    summary: renderReceipt(receipt),
  };
}

/** GitHub shows titles as they are: ticks would stay ticks. */
function toTitle(sentence: string): string {
  return sentence.replaceAll('`', '');
}

function renderReceipt({ flags, signature, log }: GateReceipt): string {
  const flagged = flags.map((flag) => `- ${flag}`);
  const printed = log === undefined ? [] : ['', 'End of the output:', '', codeBlock(log)];
  return [...flagged, `Receipt \`${signature.slice(0, 16)}\`.`, ...printed].join('\n');
}
