/** Writes of work on tasks: one at a time for each thread or branch, because each looks before it writes. */
import { threadKey, type RepositoryRef } from '../../../domain/run/thread-ref.ts';
import type { PlanWriter, TaskPulls } from '../../../ports/github/work.ts';
import type { SessionContext } from '../bound.ts';
import { applyAssigneeChange } from './assign.ts';
import { fetchBody } from './body-history.ts';
import { deleteBranch } from './delete-branch.ts';
import { editBody } from './edit-body.ts';
import { enqueuePull } from './merge/enqueue.ts';
import { ensurePull } from './ensure-pull.ts';
import { ensureReady } from './ensure-ready.ts';
import { mergeHead } from './merge/merge-head.ts';
import { readMergeFacts } from './merge/merge-facts.ts';
import { requestReviewers } from './request-reviewers.ts';

export function createPlanWriter(bound: SessionContext): PlanWriter {
  const { locks } = bound;
  return {
    editBody: (ref, edit) => locks.use(threadKey(ref), () => editBody(bound, ref, edit)),
    history: async (ref) => (await fetchBody(bound, ref, bound.places.last(ref))).versions,
    assign: (ref, change) =>
      locks.use(threadKey(ref), () => applyAssigneeChange(bound, ref, change)),
  };
}

export function createTaskPulls(bound: SessionContext): TaskPulls {
  const { locks } = bound;
  return {
    ensurePull: (ref, wanted) =>
      locks.use(branchKey(ref, wanted.head), () => ensurePull(bound, ref, wanted)),
    ensureReady: (ref, draftId) =>
      locks.use(threadKey(ref), () => ensureReady(bound, ref, draftId)),
    requestReviewers: (ref, wanted) =>
      locks.use(threadKey(ref), () => requestReviewers(bound, ref, wanted)),
    mergeFacts: (ref, ask) => readMergeFacts(bound, ref, ask),
    merge: (ref, wanted) => locks.use(threadKey(ref), () => mergeHead(bound, ref, wanted)),
    enqueue: (ref, sha) => locks.use(threadKey(ref), () => enqueuePull(bound, ref, sha)),
    deleteBranch: (ref, name, sha) =>
      locks.use(branchKey(ref, name), () => deleteBranch(bound, ref, { branch: name, sha })),
  };
}

function branchKey({ repositoryId }: RepositoryRef, name: string): string {
  return `branch:${repositoryId}/${name}`;
}
