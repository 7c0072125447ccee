/** The review of a task's pull request is reserved by the run of the workflow that opened it. */
import { expect, test } from 'vitest';
import {
  parseActionsState,
  recordApplied,
  type ActionsState,
} from '../../src/domain/actions/actions-state.ts';
import type { WorkflowContext } from '../../src/hosts/action/job/workflow-context.ts';
import { parseClaimTicket } from '../../src/hosts/action/steps/claim-ticket.ts';
import { reserveReview, type ReviewWanted } from '../../src/hosts/action/task/reserve-review.ts';

const NOW = Date.parse('2026-11-26T12:00:00.000Z');
const repository = { installationId: 0, repositoryId: 7, owner: 'acme', repo: 'tidy' };
const CLAIM = 'thread:7/12 run 77';

function wanted(over: Partial<WorkflowContext> = {}): ReviewWanted {
  const context: WorkflowContext = {
    event: 'workflow_dispatch',
    payload: {},
    repository,
    sender: { id: 1, login: 'ana', isBot: false },
    defaultBranch: 'main',
    workflowRun: '77',
    attempt: 1,
    apiUrl: 'http://127.0.0.1',
    token: '',
    ...over,
  };
  const ref = { plan: { ...repository, number: 3 }, task: 1 };
  const pull = { number: 12, url: '' };
  const run = {
    id: 'run-1',
    headSha: 'abc',
    order: { ref },
    pull,
  } as unknown as ReviewWanted['run'];
  return { context, run, now: NOW };
}

const empty = (): ActionsState => parseActionsState(undefined) as ActionsState;

test('the ticket is one that the review takes, for the head that was pushed', () => {
  const { state, ticket } = reserveReview(empty(), wanted());
  expect(parseClaimTicket(JSON.stringify(ticket))).toMatchObject({
    claim: CLAIM,
    isNew: true,
    at: '2026-11-26T12:00:00.000Z',
    thread: { repositoryId: 7, number: 12 },
    headSha: 'abc',
    task: { run: 'run-1', ref: { task: 1 } },
    trigger: { kind: 'pull', action: 'opened', actor: { login: 'ana' } },
  });
  expect(state.claims[CLAIM]).toMatchObject({
    workflowRun: '77',
    until: '2026-11-26T13:00:00.000Z',
  });
});

test('a job that is run again has the same claim, which is not new', () => {
  const { state } = reserveReview(empty(), wanted());
  const { ticket } = reserveReview(state, { ...wanted({ attempt: 2 }), now: NOW + 60_000 });
  expect(ticket).toMatchObject({ claim: CLAIM, isNew: false, at: '2026-11-26T12:00:00.000Z' });
});

test('a review that has ended is not reserved again', () => {
  const { state } = reserveReview(empty(), wanted());
  const applied = { event: CLAIM, thread: 12, ids: [5], usd: 0, now: NOW, isDone: true };
  const done = recordApplied(state, applied);
  expect(reserveReview(done, wanted())).toEqual({ state: done });
});
