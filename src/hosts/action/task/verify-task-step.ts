/** The verify job of a task: the gates and the repository's own tests in a sandbox. No secret, no model, a token that only reads. */
import { openSqliteStore } from '../../../adapters/store/sqlite/open-sqlite.ts';
import { TaskProof, toProved } from '../../../domain/actions/task-work.ts';
import type { Basics } from '../../host-parts.ts';
import { believeRecorded, openWorkflowGitHub } from '../job/workflow-github.ts';
import type { WorkflowContext } from '../job/workflow-context.ts';
import { playTask, type Known } from './play-task.ts';
import { openTaskPerform } from './task-ports.ts';
import type { TaskTicket } from './task-ticket.ts';

interface ToVerify {
  ticket: TaskTicket;
  digest: string;
  coded: Known;
}

/** Undefined where there is nothing to be verified: the coder made no change. */
export async function verifyTaskStep(
  basics: Basics,
  context: WorkflowContext,
  { ticket, digest, coded }: ToVerify,
): Promise<TaskProof | undefined> {
  const believing = believeRecorded([]);
  const github = openWorkflowGitHub(basics, context, believing);
  const store = await openSqliteStore({ memory: true, clock: basics.clock });
  const { repository } = context;
  const { markerSecret } = believing;
  try {
    const parts = { basics, github, store, repository, markerSecret };
    const { done, failed } = await playTask({
      basics,
      store,
      order: ticket.order,
      earlier: ticket.earlier,
      claim: ticket.claim,
      at: ticket.at,
      known: [{ result: { effectKind: 'claim', result: ticket.claimed } }, coded],
      carriesOut: ['verify'],
      perform: await openTaskPerform({ ...parts, power: 'runs' }),
      isFirst: context.attempt === 1,
      timeoutMs: ticket.order.lease.lastsMs,
    });
    const [verified] = done;
    const failure = failed.find(({ kind }) => kind === 'verify')?.failure;
    if (verified?.effectKind !== 'verify' && failure === undefined) return undefined;
    return TaskProof.parse({
      version: 1,
      claim: ticket.claim,
      workflowRun: context.workflowRun,
      of: digest,
      done: verified?.effectKind === 'verify' ? toProved(verified.result) : { failed: failure },
    });
  } finally {
    await store.close();
  }
}
