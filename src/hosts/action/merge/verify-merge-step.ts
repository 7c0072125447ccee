/** The verify job of a merge: the repository's tests on what the merge would give, in a sandbox. No secret, no model. */
import {
  digestOfTask,
  findKeptTask,
  type KeptTask,
} from '../../../domain/actions/kept/kept-tasks.ts';
import { MergeProof, toMergeDone } from '../../../domain/actions/merge-proof.ts';
import type { Basics } from '../../host-parts.ts';
import { MEMORY_BRANCH } from '../job/action-specs.ts';
import { readKeptTasks } from '../branch/kept-tasks-branch.ts';
import { believeRecorded, openWorkflowGitHub } from '../job/workflow-github.ts';
import type { WorkflowContext } from '../job/workflow-context.ts';
import type { MergeTicket } from './merge-ticket.ts';
import { playKept } from './play-kept.ts';

const TIMEOUT_MS = 60 * 60_000;

/** Undefined where nothing has to be tested, or the tests could not be run. */
export async function verifyMergeStep(
  basics: Basics,
  context: WorkflowContext,
  ticket: MergeTicket,
): Promise<MergeProof | undefined> {
  const { claim, pull, news, retest } = ticket;
  if (retest === undefined) return undefined;
  const believing = believeRecorded([]);
  const github = openWorkflowGitHub(basics, context, believing);
  const { repository } = context;
  const place = { github, repository, branch: MEMORY_BRANCH };
  const kept = findKeptTask(await readKeptTasks(place), pull);
  const { view, ownRequired, record } = retest;
  // This job has no secret: it takes the record that the claim job has checked, and no other.
  if (kept === undefined || digestOfTask(kept) !== record) return undefined;
  const { done } = await playKept(withRequired(kept, ownRequired), {
    basics,
    context,
    github,
    believing,
    claim,
    news,
    known: [{ result: { effectKind: 'look-merge', result: view } }],
    carriesOut: ['retest'],
    power: 'runs',
    isFirst: context.attempt === 1,
    timeoutMs: TIMEOUT_MS,
  });
  const tested = done.find(({ effectKind }) => effectKind === 'retest');
  if (tested?.effectKind !== 'retest') return undefined;
  const { result } = tested;
  const { workflowRun } = context;
  const about = { version: 1, claim, workflowRun, baseSha: result.baseSha } as const;
  return MergeProof.parse({ ...about, done: toMergeDone(result) });
}

/** The checks that the base asks for by name are known already, so that one look is enough. */
function withRequired({ stream, ...kept }: KeptTask, ownRequired: string[]): KeptTask {
  const { run } = stream;
  if (run === undefined) return { ...kept, stream };
  return { ...kept, stream: { ...stream, run: { ...run, ownRequired } } };
}
