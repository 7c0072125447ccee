/** A few requests to GitHub with a person's own token, for one command at a terminal: sent once, one after the other. */
import { parseAnswer } from '../client/expected-answer.ts';
import { toRestAddress } from '../client/rest-address.ts';
import { toError } from '../client/github-failure.ts';
import { createWire, type Wire } from '../client/wire.ts';
import type { Answer, Params } from '../github-answer.ts';
import type { Operation } from '../rest-operations.ts';

const TIMEOUT_MS = 20_000;

export interface SetupClientOptions {
  apiUrl: string;
  token: string;
  fetch?: typeof fetch;
}

export interface SetupClient {
  /** @throws what GitHub's refusal means */
  call<T>(operation: Operation<T>, params: Params): Promise<T>;
  /** Any answer, as it is. */
  send(operation: Operation<unknown>, params: Params): Promise<Answer>;
}

export function createSetupClient({ apiUrl, token, fetch }: SetupClientOptions): SetupClient {
  const wire: Wire = createWire({
    baseUrl: apiUrl,
    timeoutMs: TIMEOUT_MS,
    ...(fetch !== undefined && { fetch }),
  });
  const send = (operation: Operation<unknown>, params: Params): Promise<Answer> =>
    wire.send({ ...toRestAddress(operation.route, params), authorization: `token ${token}` });
  return {
    send,
    async call(operation, params) {
      const answer = await send(operation, params);
      if (answer.status >= 300) throw toError(answer, operation.route);
      return parseAnswer(operation, answer).data;
    },
  };
}
