/** Which dispatches the job that writes code acts on. */
import { describe, expect, test } from 'vitest';
import {
  blobId,
  dispatchKey,
  renderOrder,
  type CodeOrder,
} from '../../src/domain/dispatch/code-order.ts';
import { readOrder } from '../../src/hosts/action/code/read-order.ts';
import type { WorkflowContext } from '../../src/hosts/action/job/workflow-context.ts';
import { openStage, REF, THREAD } from '../adapters/github/stage.ts';

const BOT = { id: 900, login: 'quorum[bot]', isBot: true };
const ORDER: CodeOrder = {
  version: 1,
  key: dispatchKey(REF.repositoryId, 'run-1/3-code'),
  repositoryId: REF.repositoryId,
  run: 'run-1',
  at: '2026-11-28T10:00:00.000Z',
  data: { kind: 'code', thread: THREAD } as CodeOrder['data'],
  limits: { usd: 1 },
};
const TEXT = renderOrder(ORDER);
const PAYLOAD = { version: 1, key: ORDER.key, order: blobId(TEXT) };

interface Over {
  app?: string;
  sender?: WorkflowContext['sender'];
  payload?: object;
  content?: string;
  size?: number;
}

async function read({ app = '900', sender = BOT, payload = PAYLOAD, content = TEXT, size }: Over) {
  const blob = {
    encoding: 'base64',
    content: Buffer.from(content).toString('base64'),
    size: size ?? content.length,
  };
  const stage = await openStage(({ path }) =>
    path.includes('/git/blobs/') ? { body: blob } : undefined,
  );
  const context = {
    event: 'repository_dispatch',
    payload: { action: 'quorum-code', client_payload: payload },
    repository: REF,
    sender,
    defaultBranch: 'main',
    workflowRun: '5',
    attempt: 1,
    apiUrl: stage.url,
    token: 'a token of the test',
  };
  return { order: readOrder(context, { app }), stage };
}

test('the order of the App that the workflow names is read by its git id', async () => {
  const { order, stage } = await read({});
  expect(await order).toEqual(ORDER);
  expect(stage.seen.map(({ path }) => path)).toEqual([
    `/repos/acme/widgets/git/blobs/${blobId(TEXT)}`,
  ]);
});

describe('nothing is read of a dispatch', () => {
  test.each<[string, Over, string]>([
    ['of a person', { sender: { ...BOT, isBot: false } }, 'quorum[bot] sent it'],
    ['of another App with the same name', { sender: { ...BOT, id: 901 } }, 'sent it'],
    ['without an order', { payload: { key: ORDER.key } }, 'the form of an order'],
    ['with a path for an id', { payload: { ...PAYLOAD, order: '../x' } }, 'the form of an order'],
    ['in a workflow that names no App', { app: '' }, 'is not the numeric id'],
    ['in a workflow that names it by its login', { app: 'quorum[bot]' }, 'is not the numeric id'],
  ])('%s', async (_, over, why) => {
    const { order, stage } = await read(over);
    await expect(order).rejects.toMatchObject({ message: expect.stringContaining(why) });
    expect(stage.seen).toEqual([]);
  });
});

describe('no code is written for an order', () => {
  test.each<[string, Over, string]>([
    ['with another text', { content: TEXT.replace('"usd":1', '"usd":9') }, 'not the one'],
    ['with another key', { payload: { ...PAYLOAD, key: '0'.repeat(32) } }, 'not the one'],
    ['of 100 MB', { size: 100_000_000 }, 'has 100000000 bytes'],
  ])('%s', async (_, over, why) => {
    const { order } = await read(over);
    await expect(order).rejects.toMatchObject({
      code: 'intents-invalid',
      message: expect.stringContaining(why),
    });
  });
});
