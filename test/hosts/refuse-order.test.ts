/** What a refused order costs: nothing where no model can have been asked, else an estimate. */
import { expect, test } from 'vitest';
import { RefusedError } from '../../src/domain/event/errors.ts';
import { concludeRefused } from '../../src/hosts/action/code/refuse-order.ts';
import type { WorkflowContext } from '../../src/hosts/action/job/workflow-context.ts';
import { REF } from '../adapters/github/stage.ts';

const KEY = 'a'.repeat(32);
const ERROR = new RefusedError({ code: 'intents-invalid', message: 'No code is written.' });

function failedOf(
  attempt: number,
  payload: object = { version: 1, key: KEY, order: 'b'.repeat(40) },
) {
  const context: WorkflowContext = {
    event: 'repository_dispatch',
    payload: { client_payload: payload },
    repository: REF,
    sender: { id: 900, login: 'quorum[bot]', isBot: true },
    defaultBranch: 'main',
    workflowRun: '5',
    attempt,
    apiUrl: 'http://127.0.0.1:9',
    token: 'a token of the test',
  };
  const done = concludeRefused(ERROR, context)?.work.done;
  return done !== undefined && 'failed' in done ? done.failed : undefined;
}

test('in the first attempt of the job nothing was asked before, so nothing is booked', () => {
  expect(failedOf(1)).toEqual({ code: 'intents-invalid', message: ERROR.message, calls: [] });
});

test('in a later attempt nobody can say what the earlier one cost, so no sum is handed over', () => {
  expect(failedOf(2)).toEqual({ code: 'intents-invalid', message: ERROR.message });
});

test('a dispatch that names no session leaves nothing', () => {
  expect(failedOf(1, {})).toBeUndefined();
});
