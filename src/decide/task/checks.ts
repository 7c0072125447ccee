/** The check runs of a task's head: one for each gate, and one that says what a merge still lacks. */
import { GATE_NAMES, type GateReceipt } from '../../domain/gates/receipt.ts';
import { toRepositoryRef } from '../../domain/thread.ts';
import { firstWrite, want } from '../decision.ts';
import { taskLane, type TaskScene } from './scene.ts';

/** Pinned names (spec 13). */
const MERGE_CHECK = 'quorum / merge';

export function showGates(scene: TaskScene): void {
  for (const receipt of scene.run.receipts) showGate(scene, receipt);
}

function showGate({ run, step }: TaskScene, receipt: GateReceipt): void {
  want(
    step,
    {
      kind: 'check',
      repository: toRepositoryRef(run.order.ref.plan),
      name: `quorum / gate / ${GATE_NAMES[receipt.gate]}`,
      headSha: receipt.headSha,
      conclusion: receipt.result === 'passed' ? 'success' : 'failure',
      // GitHub shows titles as they are: ticks would stand there as ticks.
      title: receipt.sentence.replaceAll('`', ''),
      summary: renderReceipt(receipt),
      ...firstWrite(run, `${receipt.gate}@${receipt.headSha}`),
    },
    taskLane(run),
  );
}

function renderReceipt({ flags, signature }: GateReceipt): string {
  const flagged = flags.map((flag) => `- ${flag}`);
  return [...flagged, `Receipt \`${signature.slice(0, 16)}\`.`].join('\n');
}

/** Says what is missing; nothing is, when it is about to be merged. */
export function showMerge(
  { run, step }: TaskScene,
  missing: readonly string[],
  headSha = run.headSha,
): void {
  const { order } = run;
  if (headSha === undefined) return;
  const count = missing.length;
  want(
    step,
    {
      kind: 'check',
      repository: toRepositoryRef(order.ref.plan),
      name: MERGE_CHECK,
      headSha,
      conclusion: count === 0 ? 'success' : 'action_required',
      title:
        count === 0
          ? 'Everything holds'
          : `${count} ${count === 1 ? 'thing is' : 'things are'} missing`,
      summary: missing.map((each) => `- ${each}`).join('\n'),
      ...firstWrite(run, `merge@${headSha}`),
    },
    taskLane(run),
  );
}
