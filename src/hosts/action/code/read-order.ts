/** Which session an App asks this job for: only the one App that the workflow names, and only the very text that it kept. */
import { z } from 'zod';
import {
  DispatchPayload,
  MAX_ORDER_BYTES,
  parseOrder,
  type CodeOrder,
} from '../../../domain/dispatch/code-order.ts';
import { ConfigError, RefusedError } from '../../../domain/event/errors.ts';
import type { Inputs } from '../job/read-inputs.ts';
import { readOnce } from '../job/workflow-github.ts';
import type { WorkflowContext } from '../job/workflow-context.ts';

const Payload = z.object({ client_payload: DispatchPayload });
const Blob = z.object({ encoding: z.literal('base64'), content: z.string(), size: z.number() });

/** @throws ConfigError `action-input-invalid` for a workflow that names no App; RefusedError `intents-invalid` */
export async function readOrder(context: WorkflowContext, inputs: Inputs): Promise<CodeOrder> {
  refuseOthers(context, inputs['app'] ?? '');
  const payload = Payload.safeParse(context.payload).data?.client_payload;
  if (payload === undefined) throw refused('the dispatch does not have the form of an order');
  const { owner, repo, repositoryId } = context.repository;
  const address = `/repos/${owner}/${repo}/git/blobs/${payload.order}`;
  const blob = await readOnce(context, address, Blob);
  if (blob === undefined) throw refused('this repository does not have the order');
  if (blob.size > MAX_ORDER_BYTES) throw refused(`the order has ${blob.size} bytes`);
  const text = Buffer.from(blob.content, 'base64').toString('utf8');
  const order = parseOrder(text, payload, repositoryId);
  if (order === undefined) throw refused('the order is not the one that the dispatch names');
  return order;
}

/** Of the session that a dispatch names, also where it is refused. */
export function readOrderKey({ payload }: WorkflowContext): string | undefined {
  return Payload.safeParse(payload).data?.client_payload.key;
}

const ID = /^\d{1,15}$/;

/** Everybody with write access may send a dispatch. GitHub never gives the id of an account to another one. */
function refuseOthers({ sender }: WorkflowContext, app: string): void {
  if (!ID.test(app))
    throw new ConfigError({
      code: 'action-input-invalid',
      message:
        'The input `app` is not the numeric id of the account of the App. `quorum doctor` shows it.',
    });
  if (sender.isBot && String(sender.id) === app) return;
  throw refused(`${sender.login} sent it, and not the App that the workflow names in \`app\``);
}

function refused(why: string): RefusedError {
  return new RefusedError({
    code: 'intents-invalid',
    message: `No code is written: ${why}.`,
  });
}
