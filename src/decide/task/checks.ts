/** The check runs of a task's head: one for each gate, and one that says what a merge still lacks. */
import type { CheckWanted } from '../../domain/effect.ts';
import { gateCheck, type GateReceipt } from '../../domain/gates/receipt.ts';
import { toRepositoryRef } from '../../domain/thread.ts';
import { firstWrite, want } from '../decision.ts';
import { taskLane, type TaskScene } from './scene.ts';

/** Pinned names (spec 13). */
const MERGE_CHECK = 'quorum / merge';

/** All of them at once: one call, where the server can. */
export function showGates(scene: TaskScene): void {
  show(scene, scene.run.receipts.map(toGate));
}

function toGate(receipt: GateReceipt): CheckWanted {
  return {
    name: gateCheck(receipt.gate),
    conclusion: receipt.result === 'passed' ? 'success' : 'failure',
    // GitHub shows titles as they are: ticks would stand there as ticks.
    title: receipt.sentence.replaceAll('`', ''),
    summary: renderReceipt(receipt),
  };
}

function renderReceipt({ flags, signature }: GateReceipt): string {
  const flagged = flags.map((flag) => `- ${flag}`);
  return [...flagged, `Receipt \`${signature.slice(0, 16)}\`.`].join('\n');
}

/** Says what is missing; nothing is, when it is about to be merged. */
export function showMerge(
  scene: TaskScene,
  missing: readonly string[],
  headSha = scene.run.headSha,
): void {
  const count = missing.length;
  const things = `${count} ${count === 1 ? 'thing is' : 'things are'} missing`;
  const check: CheckWanted = {
    name: MERGE_CHECK,
    conclusion: count === 0 ? 'success' : 'action_required',
    title: count === 0 ? 'Everything holds' : things,
    summary: missing.map((each) => `- ${each}`).join('\n'),
  };
  show(scene, [check], headSha);
}

function show(
  { run, step }: TaskScene,
  checks: readonly CheckWanted[],
  headSha = run.headSha,
): void {
  const { order } = run;
  if (headSha === undefined) return;
  want(
    step,
    {
      kind: 'check',
      repository: toRepositoryRef(order.ref.plan),
      headSha,
      checks: checks.map((each) => ({ ...each, ...firstWrite(run, `${each.name}@${headSha}`) })),
    },
    taskLane(run),
  );
}
