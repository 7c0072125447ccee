/** Steers a running emulator from another process: faults, webhooks, the clock and people, over one loopback address. */
import { timingSafeEqual } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { z } from 'zod';
import { PERMISSIONS } from '../../domain/run/thread-ref.ts';
import type { GitHubEmulator } from './emulator-interface.ts';

const Count = z.number().int().positive();
const Status = z.number().int().min(400).max(599);

const Fault = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('status'),
    status: z.number().int().min(200).max(599),
    body: z.unknown().exactOptional(),
    headers: z.record(z.string(), z.string()).exactOptional(),
  }),
  z.strictObject({
    kind: z.literal('effect-then-fail'),
    status: Status.exactOptional(),
    reset: z.boolean().exactOptional(),
  }),
  z.strictObject({ kind: z.literal('fail-without-effect'), status: Status.exactOptional() }),
  z.strictObject({ kind: z.literal('latency'), ms: z.number().nonnegative() }),
  z.strictObject({ kind: z.literal('reset') }),
  z.strictObject({ kind: z.literal('truncated') }),
  z.strictObject({
    kind: z.literal('stale'),
    behindMs: z.number().nonnegative().exactOptional(),
  }),
]);

const Rule = z.strictObject({
  method: z.string().exactOptional(),
  path: z.string().exactOptional(),
  /** A regular expression on the path. */
  pathPattern: z.string().exactOptional(),
  nth: Count.exactOptional(),
  times: Count.exactOptional(),
  fault: Fault,
});

const HookFault = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('duplicate') }),
  z.strictObject({ kind: z.literal('lost'), recorded: z.boolean().exactOptional() }),
  z.strictObject({ kind: z.literal('delay'), ms: z.number().nonnegative() }),
  z.strictObject({ kind: z.literal('reorder') }),
]);

const HookRule = z.strictObject({
  event: z.string().exactOptional(),
  action: z.string().exactOptional(),
  nth: Count.exactOptional(),
  times: Count.exactOptional(),
  fault: HookFault,
});

const Operation = z.discriminatedUnion('op', [
  z.strictObject({ op: z.literal('fault'), rule: Rule }),
  z.strictObject({ op: z.literal('hookFault'), rule: HookRule }),
  z.strictObject({ op: z.literal('clear') }),
  z.strictObject({ op: z.literal('hits') }),
  z.strictObject({ op: z.literal('webhook'), url: z.url({ protocol: /^https?$/ }) }),
  z.strictObject({ op: z.literal('deliveries') }),
  z.strictObject({ op: z.literal('redeliver'), id: z.number().int() }),
  z.strictObject({ op: z.literal('clock'), offsetMs: z.number().int() }),
  z.strictObject({
    op: z.literal('user'),
    login: z.string().regex(/^[a-z\d](?:[a-z\d-]{0,37}[a-z\d])?$/i),
    permission: z.enum(PERMISSIONS),
  }),
]);
type Operation = z.infer<typeof Operation>;

/** What the operations act on. */
export interface Controlled {
  github: GitHubEmulator;
  appId: number;
  /** Where `user` gives a role: `owner/repo`. */
  repository: string;
}

/** Carries one operation out. @throws Error with what is wrong with it */
export function runOperation(on: Controlled, given: unknown): object {
  const parsed = Operation.safeParse(given);
  if (!parsed.success) throw new Error(z.prettifyError(parsed.error));
  return { ok: true, ...applyOperation(on, parsed.data) };
}

function applyOperation({ github, appId, repository }: Controlled, operation: Operation): object {
  switch (operation.op) {
    case 'fault':
      github.faults.add(toRule(operation.rule));
      return {};
    case 'hookFault':
      github.faults.addHook(operation.rule);
      return {};
    case 'clear':
      github.faults.clear();
      return {};
    case 'hits':
      return { hits: github.faults.hits() };
    case 'webhook':
      github.app(appId).webhookUrl = operation.url;
      return {};
    case 'deliveries':
      return { deliveries: github.deliveries.map(toDelivery) };
    case 'redeliver':
      github.redeliver(operation.id);
      return {};
    case 'clock':
      github.setClockOffset(operation.offsetMs);
      return {};
    case 'user':
      return addPerson(github, repository, operation);
  }
}

function toRule({
  pathPattern,
  ...rule
}: z.infer<typeof Rule>): Parameters<GitHubEmulator['faults']['add']>[0] {
  return pathPattern === undefined ? rule : { ...rule, path: new RegExp(pathPattern) };
}

function toDelivery(one: GitHubEmulator['deliveries'][number]): object {
  const { id, guid, event, action, deliveredAt, redelivery, status, statusCode, url } = one;
  return { id, guid, event, action, deliveredAt, redelivery, status, statusCode, url };
}

/** Creates the person if the name is free, and sets the role either way. */
function addPerson(
  github: GitHubEmulator,
  repository: string,
  { login, permission }: { login: string; permission: (typeof PERMISSIONS)[number] },
): object {
  const type = github.accountType(login);
  if (type === undefined) github.createUser(login);
  else if (type !== 'User') throw new Error(`${login} is the name of no person`);
  github.addCollaborator(repository, login, permission);
  return { token: github.createUserToken(login) };
}

export interface ControlServer {
  url: string;
  close(): Promise<void>;
}

/** `POST` with `Authorization: Bearer <token>` and one operation as JSON. */
export async function startControl(on: Controlled, token: string): Promise<ControlServer> {
  const server = createServer((req, res) => {
    void respond(on, token, { req, res });
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', resolve);
  });
  const address = server.address();
  const port = typeof address === 'object' ? address?.port : undefined;
  return {
    url: `http://127.0.0.1:${port}/`,
    close: () => {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}

async function respond(
  on: Controlled,
  token: string,
  { req, res }: { req: IncomingMessage; res: ServerResponse },
): Promise<void> {
  const { status, body } = await answer(on, token, req);
  res.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}

async function answer(
  on: Controlled,
  token: string,
  req: IncomingMessage,
): Promise<{ status: number; body: object }> {
  if (!isAllowed(req.headers.authorization, token))
    return { status: 401, body: { error: 'The token is missing or wrong.' } };
  if (req.method !== 'POST') return { status: 405, body: { error: 'Only POST is answered.' } };
  try {
    return { status: 200, body: runOperation(on, JSON.parse(await text(req))) };
  } catch (error) {
    return { status: 400, body: { error: error instanceof Error ? error.message : String(error) } };
  }
}

function isAllowed(header: string | undefined, token: string): boolean {
  const [given, wanted] = [Buffer.from(header ?? ''), Buffer.from(`Bearer ${token}`)];
  return given.length === wanted.length && timingSafeEqual(given, wanted);
}
